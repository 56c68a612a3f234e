/* SPDX-License-Identifier: MIT */
/* What a method made before its answer was repaired: which class that is, and whether
 * categories stayed whole. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/pass/evaluator.h"
#include "evaluate/answers.h"
#include "evaluate/decide.h"

/* The paper's perturbation table as a number.  A category's shares add up to 1, so a
 * perturbation that respects it adds up to 0: mean over the categories of |sum_k (x'_k -
 * x_k)|.  NaN without categories. */
static double balance(const owi_answers *answers, const float *query, const float *made)
{
    double sum = 0.0;
    size_t n_groups = 0;
    for (size_t j = 0; j < answers->n_columns; j++) {
        size_t first, width;
        double difference = 0.0;
        ow_model_soft_span(answers->model, j, &first, &width);
        if (width < 2 || isnan(query[first])) continue;
        for (size_t k = first; k < first + width; k++)
            difference += (double)made[k] - (double)query[k];
        sum += fabs(difference);
        n_groups++;
    }
    return n_groups > 0 ? sum / (double)n_groups : NAN;
}

/* log S of what the methods made, as many at a time as make full tiles. */
static ow_status fill_densities(const owi_answers *answers, double *figures)
{
    enum { most = 256 };
    const ow_circuit *circuit = ow_model_circuit(answers->model);
    const size_t width = ow_model_soft_width(answers->model);
    const size_t C = ow_circuit_get_spec(circuit)->n_classes;
    ow_evaluator *evaluator = NULL;
    float *made = owi_alloc_array(answers->ctx, most, width * sizeof *made);
    double *log_class = owi_alloc_array(answers->ctx, most, C * sizeof *log_class);
    ow_status status = ow_evaluator_new(circuit, NULL, &evaluator);
    if (made == NULL || log_class == NULL) status = OW_ERR_MEMORY;
    size_t row[most], n = 0;
    for (size_t i = 0; i <= answers->n_rows && status == OW_OK; i++) {
        const ow_counterfactual *answer =
            i < answers->n_rows ? owi_any_answer(answers, i) : NULL;
        if (answer != NULL) {
            memcpy(made + n * width, answer->soft, width * sizeof *made);
            row[n++] = i;
        }
        if (n < most && i < answers->n_rows) continue;
        double log_density[most];
        status = owi_evaluate_soft(answers->call, evaluator, n, made, log_class);
        if (status != OW_OK) break;
        ow_circuit_posterior(circuit, n, log_class, log_density, NULL);
        for (size_t k = 0; k < n; k++)
            *owi_figure_at(figures, row[k], OWI_LOG_DENSITY_RAW) = log_density[k];
        n = 0;
    }
    ow_evaluator_free(evaluator);
    owi_free(answers->ctx, made);
    owi_free(answers->ctx, log_class);
    return status;
}

ow_status owi_raw_figures(const owi_answers *answers, double *figures)
{
    const size_t n = answers->n_rows;
    owi_decider decider;
    int32_t *raw = owi_alloc_array(answers->ctx, n, sizeof *raw);
    float *query =
        owi_alloc_array(answers->ctx, ow_model_soft_width(answers->model), sizeof *query);
    ow_status status = owi_decider_begin(&decider, answers->call, answers->model,
                                         answers->classifier, raw);
    if (raw == NULL || query == NULL) status = OW_ERR_MEMORY;
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        const ow_counterfactual *answer = owi_any_answer(answers, i);
        if (answer == NULL) continue;
        ow_model_soften(answers->model, 1, answers->queries + i * answers->n_columns,
                        query);
        *owi_figure_at(figures, i, OWI_ONEHOT_BALANCE) =
            balance(answers, query, answer->soft);
        status = owi_decide_soft(&decider, answer->soft, i);
    }
    status = owi_decider_end(&decider, status);
    if (status == OW_OK) status = fill_densities(answers, figures);
    for (size_t i = 0; i < n && status == OW_OK; i++)
        if (owi_counts(answers, i))
            *owi_figure_at(figures, i, OWI_VALIDITY_ANY_RAW) =
                owi_any_answer(answers, i) != NULL &&
                raw[i] != answers->outcomes[i].predicted;
    owi_free(answers->ctx, raw);
    owi_free(answers->ctx, query);
    return status;
}
