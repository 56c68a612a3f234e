/* SPDX-License-Identifier: MIT */
/* How explanations are printed.  Adding a form: a file explain_<name>.c that ends with its
 * descriptor explain_format_<name>, and one line in explain_format.c. */
#ifndef CLI_EXPLAIN_FORMAT_H
#define CLI_EXPLAIN_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "options/constraint_settings.h"
#include "otherwise/explain.h"

/* Figures over all rows so far.  A row counts for its first answer; a row that is of the
 * target class already does not count. */
typedef struct {
    size_t n_rows, n_found, n_not_found, n_already;
    size_t n_answered;   /* rows with an answer, whether it flips or not              */
    size_t n_target;     /* whose answer is of the target class, as asked             */
    size_t n_target_raw; /* the same before repair                                    */
    size_t n_other;      /* whose answer is not of the query's class                  */
    size_t n_valid;      /* answers that the sums below are over: the first, if valid */
    double l0, l1, l2, linf, gower, log_density, log_density_target, percentile;
    size_t n_percentile; /* of them, those with a percentile                          */
} explain_tally;

/* What is explained, alike for all rows; all lent. */
typedef struct {
    ow_context *ctx;
    const ow_call *how; /* seed and threads                                       */
    const ow_model *model;
    const ow_schema *schema;
    const ow_explainer *explainer;
    const constraint_settings *constraints;
    const ow_explain_options *options;
    const char *id_column; /* NULL: rows have no names                              */
    /* of a page's map: two, or one that asks for principal axes */
    char *const *map_columns;
    size_t n_map_columns; /* 0: not asked for                                           */
    double start_seconds; /* of a monotonic clock (explain_seconds)                */
    bool cut_short;       /* rows are missing at the end: interrupted, or bad data  */
    explain_tally tally;
    void *state; /* the form's own                                        */
} explain_job;

/* One row and what was found. */
typedef struct {
    size_t number;       /* from 1                                          */
    const char *id;      /* NULL: none                                      */
    const double *query; /* schema columns                                  */
    const ow_outcome *outcome;
} explained_row;

typedef struct {
    const char *name; /* for --format                                              */
    bool shows_surer; /* prints second answers (ow_outcome.surer)                  */
    void (*begin)(explain_job *job);
    void (*row)(explain_job *job, const explained_row *row);
    /* Also after an interrupted run: what was begun is closed.  Frees the state.  An exit
     * code, EXIT_DONE unless something went wrong that was said. */
    int (*end)(explain_job *job);
} explain_format;

/* What second answers have to reach by default. */
extern const double explain_surer_proba;

/* By its place among explain_format_names; these end with NULL. */
const explain_format *explain_format_get(int index);
extern const char *const explain_format_names[];

/* Seconds of a clock that only goes forward. */
double explain_seconds(void);

void explain_tally_add(explain_tally *tally, const ow_outcome *outcome);
json_t *explain_tally_json(const explain_tally *tally);

#endif
