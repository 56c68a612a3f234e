/* SPDX-License-Identifier: MIT */
/* The paper's experiments.  Adding one: a file reproduce_<name>.c with its descriptor, and
 * one line in reproduce_list.c.
 *
 * An experiment writes into a folder: index.html, the report, beside it the pictures and
 * tables as files, and below work/ what a later run need not make again (prepared rows,
 * models, results of one seed), each file whole or not at all. */
#ifndef CLI_REPRODUCE_H
#define CLI_REPRODUCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "commands/command.h"
#include "otherwise/otherwise.h"
#include "otherwise/page.h"
#include "otherwise/report.h"
#include "terminal/format_check.h"

typedef struct {
    ow_context *ctx;
    const char *data; /* the folder of the data sets; NULL: the experiment needs none */
    const char *out;  /* the report's folder, which is there                          */
    bool quick, tune;
    ow_call how; /* of every call, with the experiment's own seed                      */
    const char *backend; /* as for ow_evaluator_new                                      */
    const char *features, *labels,
        *images;       /* cub: other feature maps; NULL: the published ones */
    bool boxes;        /* cub: show where the bird is                                  */
    bool complained;   /* set by an experiment that has said itself why it fails */
    bool cannot_write; /* and that it is the report's folder, not the data         */
    ow_page *page;     /* saved as index.html when the experiment is done              */
} reproduction;

typedef struct {
    const char *name, *summary; /* summary: one line, no full stop                    */
    const char *title, *lead;   /* of the page                                        */
    const char *dataset;        /* that it needs; NULL: none                          */
    bool tunes;                 /* has something for --tune                           */
    ow_status (*run)(reproduction *r);
} reproduce_spec;

/* NULL past the last one. */
const reproduce_spec *reproduce_get(size_t index);

/* The path of a file in the report's folder; freed by the caller. */
char *reproduce_path(const reproduction *r, const char *format, ...) CLI_PRINTF(2, 3);

/* Makes the folder work/ in it: OW_ERR_IO after a complaint. */
ow_status reproduce_work_folder(reproduction *r);

/* A text into the report's folder, whole or not at all. */
ow_status reproduce_save(const reproduction *r, const char *name, const char *bytes,
                         size_t size);

#endif
