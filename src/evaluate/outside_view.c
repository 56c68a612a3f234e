/* SPDX-License-Identifier: MIT */
#include "evaluate/outside_view.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

/* The valid answers side by side, and room for what is said of them. */
typedef struct {
    size_t n;
    size_t *row;
    double *values;
    int32_t *targets;
    double *first, *second;
    bool *plausible;
} looked_at;

static ow_status looked_at_init(looked_at *l, const owi_answers *answers)
{
    const size_t n = answers->n_rows, d = answers->n_columns;
    ow_context *ctx = answers->ctx;
    *l = (looked_at){0};
    l->row = owi_alloc_array(ctx, n, sizeof *l->row);
    l->values = owi_alloc_array(ctx, n * d, sizeof *l->values);
    l->targets = owi_alloc_array(ctx, n, sizeof *l->targets);
    l->first = owi_alloc_array(ctx, n, sizeof *l->first);
    l->second = owi_alloc_array(ctx, n, sizeof *l->second);
    l->plausible = owi_alloc_array(ctx, n, sizeof *l->plausible);
    if (l->row == NULL || l->values == NULL || l->targets == NULL || l->first == NULL ||
        l->second == NULL || l->plausible == NULL)
        return OW_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const ow_counterfactual *answer = owi_valid_answer(answers, i);
        if (answer == NULL) continue;
        memcpy(l->values + l->n * d, answer->values, d * sizeof *l->values);
        l->targets[l->n] = answers->outcomes[i].target;
        l->row[l->n++] = i;
    }
    return OW_OK;
}

static void looked_at_clear(looked_at *l, ow_context *ctx)
{
    owi_free(ctx, l->row);
    owi_free(ctx, l->values);
    owi_free(ctx, l->targets);
    owi_free(ctx, l->first);
    owi_free(ctx, l->second);
    owi_free(ctx, l->plausible);
}

static ow_status ask_neighbours(owi_neighbours *neighbours, looked_at *l, double *figures)
{
    if (neighbours == NULL) return OW_OK;
    OWI_TRY(
        owi_neighbours_look(neighbours, l->n, l->values, l->targets, l->first, l->second));
    for (size_t k = 0; k < l->n; k++) {
        *owi_figure_at(figures, l->row[k], OWI_YNN) = l->first[k];
        *owi_figure_at(figures, l->row[k], OWI_LOF) = l->second[k];
    }
    return OW_OK;
}

static ow_status ask_judge(owi_judge *judge, const owi_answers *answers, looked_at *l,
                           double *figures)
{
    if (judge == NULL) return OW_OK;
    OWI_TRY(owi_judge_look(judge, l->n, l->values, l->targets, l->first, l->second,
                           l->plausible));
    for (size_t i = 0; i < answers->n_rows; i++)
        if (owi_counts(answers, i)) *owi_figure_at(figures, i, OWI_JUDGE_PLAUSIBLE_25) = 0;
    for (size_t k = 0; k < l->n; k++) {
        *owi_figure_at(figures, l->row[k], OWI_JUDGE_LOG_DENSITY) = l->first[k];
        *owi_figure_at(figures, l->row[k], OWI_JUDGE_LOG_DENSITY_TARGET) = l->second[k];
        *owi_figure_at(figures, l->row[k], OWI_JUDGE_PLAUSIBLE_25) = l->plausible[k];
    }
    return OW_OK;
}

ow_status owi_outside_figures(const owi_answers *answers, owi_neighbours *neighbours,
                              owi_judge *judge, double *figures)
{
    looked_at l;
    ow_status status = looked_at_init(&l, answers);
    if (status == OW_OK) status = ask_neighbours(neighbours, &l, figures);
    if (status == OW_OK) status = ask_judge(judge, answers, &l, figures);
    looked_at_clear(&l, answers->ctx);
    return status;
}
