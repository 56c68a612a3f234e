/* SPDX-License-Identifier: MIT */
/* The inside of ow_evaluation: what each method did with each seed, and what that comes
 * to. */
#ifndef OWI_EVALUATION_H
#define OWI_EVALUATION_H

#include "base/memory/workspace.h"
#include "evaluate/metric_list.h"

/* What became of a row, without the answer itself. */
typedef struct {
    ow_outcome_kind kind;
    ow_reason reason;
    int32_t predicted, target;
    bool valid, answered;
} owi_row_state;

/* One method with one seed. */
typedef struct {
    bool complete;
    owi_workspace *workspace;
    owi_row_state *rows;         /* n_rows                                        */
    double *figures;             /* n_rows x OWI_N_METRICS                        */
    double whole[OWI_N_METRICS]; /* metrics of all answers together; else NaN     */
} owi_run;

/* A method's name and its parameters as they were. */
typedef struct {
    char *name;
    size_t n_settings;
    ow_setting *settings; /* names are the method's, values are copies             */
} owi_entrant;

struct ow_evaluation {
    ow_context *ctx;
    owi_workspace *workspace; /* of the arrays below                               */
    ow_evaluation_info info;
    owi_entrant *entrants;   /* n_methods                                          */
    owi_run *runs;           /* n_seeds x n_methods                                */
    owi_run *real;           /* n_seeds: rows of the target class as if they were answers */
    ow_figure *real_figures; /* OWI_N_METRICS                                     */
    ow_standing *standings;  /* n_methods                                          */
    ow_figure *figures;      /* n_methods x OWI_N_METRICS                          */
};

/* Room for everything, nothing complete. */
ow_status owi_evaluation_new(ow_context *ctx, size_t n_methods, size_t n_seeds,
                             size_t n_rows, ow_evaluation **out);

static inline owi_run *owi_evaluation_run(const ow_evaluation *evaluation, size_t seed,
                                          size_t method)
{
    return &evaluation->runs[seed * evaluation->info.n_methods + method];
}

/* Standings and figures from the runs that are complete.  [summary.c] */
ow_status owi_summarize(ow_evaluation *evaluation);
/* Median, 95th percentile of the times of a run.  [summary.c] */
ow_status owi_summarize_times(ow_context *ctx, size_t n_rows, owi_run *run);

#endif
