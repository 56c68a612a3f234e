/* SPDX-License-Identifier: MIT */
/* What the demo holds while it goes its way (cmd_demo.c), and the report at its end
 * (demo_report.c). */
#ifndef CLI_DEMO_H
#define CLI_DEMO_H

#include "otherwise/otherwise.h"
#include "otherwise/page.h"

/* The methods that are compared. */
enum { demo_n_methods = 4 };
extern const char *const demo_methods[demo_n_methods];

/* All that the demo holds; freed in one place. */
typedef struct {
    ow_context *ctx;
    const char *folder;
    const ow_call *how;
    ow_reader *reader;
    ow_schema *schema;
    ow_table *table;
    bool *is_test;
    ow_model *model;
    ow_constraints *constraints;
    size_t n_columns, n_refused; /* held-out rows that the model refuses           */
    size_t *refused;             /* their numbers, from 1                          */
    double *queries;             /* their values                                   */
    size_t n_known;              /* training rows                                  */
    double *known;
    int32_t *known_classes;
    int32_t good; /* the class that refused applicants want                      */
    ow_evaluation *evaluation;
    size_t mapped; /* the refused row whose ways are shown                     */
} demo;

/* How rows are explained everywhere in the demo. */
ow_explain_options demo_options(const demo *d);

/* What an answer may change, in words.  Freed by the caller. */
char *demo_rules(void);

/* The page, to a file. */
ow_status demo_write_report(demo *d, const char *path);

#endif
