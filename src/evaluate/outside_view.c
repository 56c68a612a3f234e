/* SPDX-License-Identifier: MIT */
#include "evaluate/outside_view.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/workspace.h"

/* The valid answers side by side, and room for what is said of them. */
typedef struct {
    owi_workspace *workspace;
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
    *l = (looked_at){0};
    const owi_piece pieces[] = {
        OWI_PIECE(l->row, n),   OWI_PIECE(l->values, n * d), OWI_PIECE(l->targets, n),
        OWI_PIECE(l->first, n), OWI_PIECE(l->second, n),     OWI_PIECE(l->plausible, n),
    };
    OWI_TRY(owi_pieces_new(answers->ctx, OWI_PIECES(pieces), &l->workspace));
    for (size_t i = 0; i < n; i++) {
        const ow_counterfactual *answer = owi_valid_answer(answers, i);
        if (answer == NULL) continue;
        memcpy(l->values + l->n * d, answer->values, d * sizeof *l->values);
        l->targets[l->n] = answers->outcomes[i].target;
        l->row[l->n++] = i;
    }
    return OW_OK;
}

static ow_status ask_neighbours(const owi_answers *answers, owi_neighbours *neighbours,
                                looked_at *l, double *figures)
{
    if (neighbours == NULL) return OW_OK;
    OWI_TRY(owi_neighbours_look(answers->call, neighbours, l->n, l->values, l->targets,
                                l->first, l->second));
    for (size_t k = 0; k < l->n; k++) {
        *owi_figure_at(figures, l->row[k], OWI_YNN) = l->first[k];
        *owi_figure_at(figures, l->row[k], OWI_LOF) = l->second[k];
        OWI_TRY(owi_neighbours_odd_pairs(answers->call, neighbours,
                                         answers->queries + l->row[k] * answers->n_columns,
                                         l->values + k * answers->n_columns,
                                         owi_figure_at(figures, l->row[k], OWI_ODD_PAIRS)));
    }
    return OW_OK;
}

static ow_status ask_judge(owi_judge *judge, const owi_answers *answers, looked_at *l,
                           double *figures)
{
    if (judge == NULL) return OW_OK;
    OWI_TRY(owi_judge_look(answers->call, judge, l->n, l->values, l->targets, l->first,
                           l->second, l->plausible));
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
    if (status == OW_OK) status = ask_neighbours(answers, neighbours, &l, figures);
    if (status == OW_OK) status = ask_judge(judge, answers, &l, figures);
    owi_workspace_free(l.workspace);
    return status;
}
