/* SPDX-License-Identifier: MIT */
/* What one method answered, and the metrics that look at it.  Each of them fills columns of
 * a matrix of figures, rows x OWI_N_METRICS in the order of metric_list.h, which begins
 * with NaN everywhere; NaN stays where a row does not count. */
#ifndef OWI_ANSWERS_H
#define OWI_ANSWERS_H

#include "base/call.h"
#include "evaluate/metric_list.h"

typedef struct {
    const owi_call *call;
    ow_context *ctx;
    const ow_model *model;
    ow_classifier *classifier; /* whose decisions                                 */
    size_t n_rows, n_columns;
    const double *queries;      /* n_rows x n_columns                              */
    const ow_outcome *outcomes; /* n_rows                                     */
} owi_answers;

/* A query that counts: not of the target class already. */
static inline bool owi_counts(const owi_answers *answers, size_t row)
{
    return answers->outcomes[row].kind != OW_OUTCOME_ALREADY_TARGET;
}

/* The answer that is judged, the first; NULL: there is none. */
static inline const ow_counterfactual *owi_any_answer(const owi_answers *answers,
                                                      size_t row)
{
    const ow_outcome *outcome = &answers->outcomes[row];
    return owi_counts(answers, row) && outcome->n_answers > 0 ? outcome->answers[0] : NULL;
}

/* The same if it is valid. */
static inline const ow_counterfactual *owi_valid_answer(const owi_answers *answers,
                                                        size_t row)
{
    const ow_counterfactual *answer = owi_any_answer(answers, row);
    return answer != NULL && answer->valid ? answer : NULL;
}

static inline double *owi_figure_at(double *figures, size_t row, owi_metric_index metric)
{
    return &figures[row * OWI_N_METRICS + (size_t)metric];
}

/* What the answers say of themselves: validity, distances, densities, passes, times.
 * [outcome_figures.c] */
ow_status owi_outcome_figures(const owi_answers *answers, double *figures);
/* validity_any_raw and onehot_balance: what the method made, before repair.
 * [raw_figures.c] */
ow_status owi_raw_figures(const owi_answers *answers, double *figures);
/* [redundancy.c] */
ow_status owi_redundancy_figures(const owi_answers *answers, double *figures);
/* [diversity.c] */
void owi_diversity_figures(const owi_answers *answers, double *figures);
/* One number for all.  [collapse.c] */
ow_status owi_collapse(const owi_answers *answers, double *collapse);

#endif
