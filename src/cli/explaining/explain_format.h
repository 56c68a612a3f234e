/* SPDX-License-Identifier: MIT */
/* How explanations are printed.  Adding a form: a file explain_<name>.c that ends with its
 * descriptor explain_format_<name>, and one line in explain_format.c. */
#ifndef CLI_EXPLAIN_FORMAT_H
#define CLI_EXPLAIN_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/explain_stream.h"

/* What is explained, alike for all rows; all lent. */
typedef struct {
    ow_context *ctx;
    ow_call how; /* its time limit is for all rows                                  */
    const ow_model *model;
    const ow_schema *schema;
    ow_explain_source source;
    const char *model_path, *rows_path; /* for pages; NULL: not named */
    /* of a page's map: two, or one that asks for principal axes */
    char *const *map_columns;
    size_t n_map_columns; /* 0: not asked for                                           */
    ow_explain_stream *stream;
    const ow_explain_summary *tally; /* of the rows so far                          */
    bool cut_short; /* rows are missing at the end: interrupted, or bad data  */
    void *state;    /* the form's own                                         */
} explain_job;

typedef struct {
    const char *name;   /* for --format                                              */
    bool shows_surer;   /* prints second answers (ow_outcome.surer)                  */
    bool shows_carried; /* prints ow_explained_row.carried                         */
    void (*begin)(explain_job *job);
    void (*row)(explain_job *job, const ow_explained_row *row);
    /* Also after an interrupted run: what was begun is closed.  Frees the state.  An exit
     * code, EXIT_DONE unless something went wrong that was said. */
    int (*end)(explain_job *job);
} explain_format;

/* By its place among explain_format_names; these end with NULL. */
const explain_format *explain_format_get(int index);
extern const char *const explain_format_names[];

#endif
