/* SPDX-License-Identifier: MIT */
#include "evaluate/stability.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/workspace.h"
#include "base/numeric/rng.h"
#include "base/text/number.h"
#include "explain/core/explainer_private.h"

void owi_add_noise(const ow_model *model, double noise, uint64_t seed, uint64_t row,
                   const double *query, double *noisy)
{
    const ow_schema *schema = ow_model_schema(model);
    owi_rng rng;
    owi_rng_init(&rng, seed, owi_rng_stream(OWI_DRAWS_NOISE, row));
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        const ow_column *column = ow_schema_column(schema, j);
        const ow_column_figures figures = ow_model_figures(model, j);
        noisy[j] = query[j];
        if (figures.n_quantiles == 0 || column->link != 0 || isnan(query[j])) continue;
        const double step = noise * (figures.high - figures.low) * owi_rng_normal(&rng);
        const double low = fmin(figures.low, query[j]), high = fmax(figures.high, query[j]);
        const double moved = fmin(fmax(query[j] + step, low), high);
        noisy[j] = owi_round_decimals(moved, column->decimals);
    }
}

/* The answers to the noisy queries. */
static ow_status explain_again(const owi_answers *answers, const owi_stability *how,
                               ow_explanation **out)
{
    const size_t n = answers->n_rows, d = answers->n_columns;
    ow_explain_options options = *how->options;
    int32_t *targets;
    double *noisy;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(targets, n), OWI_PIECE(noisy, n * d)};
    OWI_TRY(owi_pieces_new(answers->ctx, OWI_PIECES(pieces), &scratch));
    for (size_t i = 0; i < n; i++) {
        targets[i] = answers->outcomes[i].target;
        owi_add_noise(answers->model, how->noise, how->seed, options.first_row + i,
                      answers->queries + i * d, noisy + i * d);
    }
    options.targets = targets;
    const owi_call call = owi_call_with_limit(answers->call, how->time_limit);
    const ow_status status =
        owi_explain(&call, how->explainer, how->constraints, &options, n, noisy, out);
    owi_workspace_free(scratch);
    if (status != OW_OK) {
        ow_explanation_free(*out); /* the rows that were finished */
        *out = NULL;
    }
    return status;
}

ow_status owi_stability_figures(const owi_answers *answers, const owi_stability *how,
                                double *figures)
{
    ow_explanation *again = NULL;
    OWI_TRY(explain_again(answers, how, &again));
    for (size_t i = 0; i < answers->n_rows; i++) {
        const ow_counterfactual *answer = owi_valid_answer(answers, i);
        const ow_outcome *outcome = ow_explanation_outcome(again, i);
        if (answer == NULL || outcome->kind == OW_OUTCOME_ALREADY_TARGET ||
            outcome->n_answers == 0 || !outcome->answers[0]->valid)
            continue;
        *owi_figure_at(figures, i, OWI_STABILITY) =
            ow_model_distance(answers->model, answer->values, outcome->answers[0]->values)
                .gower;
    }
    ow_explanation_free(again);
    return OW_OK;
}
