/* SPDX-License-Identifier: MIT */
#include "explain/core/decision.h"

#include <math.h>

#include "base/error.h"
#include "explain/core/soft_column.h"
#include "model/model_private.h"

ow_status owi_decision_init(owi_decision *decision, const owi_problem *problem,
                            size_t most_rows)
{
    const size_t n = most_rows, C = problem->n_classes;
    const bool one_form = owi_soft_is_encoded(problem->model);
    *decision = (owi_decision){0};
    const owi_piece pieces[] = {
        OWI_PIECE(decision->soft, n * problem->soft_width),
        OWI_PIECE(decision->rows, one_form ? 0 : n * problem->model->plan.width),
        OWI_PIECE(decision->log_proba, n * C),
        OWI_PIECE(decision->log_class, n * C),
        OWI_PIECE(decision->log_density, n),
    };
    OWI_TRY(owi_pieces_room(problem->ctx, OWI_PIECES(pieces), &decision->workspace));
    if (one_form) decision->rows = decision->soft;
    return OW_OK;
}

void owi_decision_clear(owi_decision *decision)
{
    owi_workspace_free(decision->workspace);
    *decision = (owi_decision){0};
}

/* The circuit's own log_proba: log S(x given c) + log P(c), less log S(x) where all of it
 * is wanted.  The prior where x is impossible. */
static void read_circuit(const owi_decision *decision, const owi_problem *problem,
                         bool is_whole, size_t first, size_t n)
{
    const size_t C = problem->n_classes;
    const double *log_prior = ow_circuit_log_prior(problem->model->circuit);
    for (size_t i = first; i < first + n; i++) {
        const double *log_class = decision->log_class + i * C;
        const double log_density = is_whole ? decision->log_density[i] : 0.0;
        const bool impossible = log_density == -INFINITY;
        for (size_t c = 0; c < C; c++)
            decision->log_proba[i * C + c] =
                log_prior[c] + (impossible ? 0.0 : log_class[c] - log_density);
    }
}

ow_status owi_decision_of_values(owi_decision *decision, const owi_problem *problem,
                                 owi_decision_parts wanted, size_t n, const double *values)
{
    const bool all = (wanted & OWI_ALL) != 0, one_form = decision->rows == decision->soft;
    const bool needs_circuit = problem->is_circuit || (wanted & OWI_DENSITIES) || all;
    if (all || (needs_circuit && one_form))
        ow_model_soften(problem->model, n, values, decision->soft);
    if (needs_circuit) {
        if (!one_form) ow_model_encode(problem->model, n, values, decision->rows);
        OWI_TRY(owi_evaluate(problem->call, problem->evaluator, n, decision->rows,
                             decision->log_class));
    }
    if (all)
        ow_circuit_posterior(problem->model->circuit, n, decision->log_class,
                             decision->log_density, NULL);
    if (!problem->is_circuit)
        return owi_model_classify(problem->call, problem->model, problem->classifier, n,
                                  values, decision->soft, decision->log_proba);
    read_circuit(decision, problem, all, 0, n);
    return OW_OK;
}

typedef struct {
    owi_decision *decision;
    const owi_problem *problem;
    const owi_decision_slopes *wanted;
} sloping;

static void decide(void *user, size_t first, size_t n)
{
    const sloping *s = user;
    const size_t C = s->problem->n_classes;
    ow_circuit_posterior(s->problem->model->circuit, n, s->decision->log_class + first * C,
                         s->decision->log_density + first, NULL);
    read_circuit(s->decision, s->problem, true, first, n);
    s->wanted->choose(s->wanted->user, first, n);
}

bool owi_decision_has_slope(const owi_decision *decision, const owi_problem *problem)
{
    return problem->is_circuit && decision->rows == decision->soft;
}

ow_status owi_decision_and_slope(owi_decision *decision, const owi_problem *problem,
                                 size_t n, const double *values,
                                 const owi_decision_slopes *wanted)
{
    const ow_mix mix = {.class_factor = wanted->factor};
    sloping s = {decision, problem, wanted};
    const owi_row_request asked = {
        .n_rows = n, .rows = decision->rows, .decide = decide, .user = &s};
    ow_model_soften(problem->model, n, values, decision->soft);
    return owi_differentiate_rows(problem->call, problem->evaluator, asked, 1, &mix,
                                  decision->log_class, wanted->slope);
}

ow_status owi_decision_of_soft(owi_decision *decision, const owi_problem *problem, size_t n,
                               const float *soft)
{
    OWI_TRY(
        owi_evaluate_soft(problem->call, problem->evaluator, n, soft, decision->log_class));
    if (!problem->is_circuit)
        return owi_classify(problem->call, problem->classifier, n, soft,
                            decision->log_proba);
    read_circuit(decision, problem, false, 0, n);
    return OW_OK;
}

ow_status owi_decision_slope(const owi_problem *problem, size_t n, const float *soft,
                             const double *factor, bool with_density, float *gradient)
{
    const ow_mix mixes[] = {{.class_factor = factor}, {.density_factor = 1.0}};
    float *of_density = gradient + n * problem->soft_width;
    if (problem->is_circuit)
        return owi_differentiate_soft(problem->call, problem->evaluator, n, soft,
                                      with_density ? 2 : 1, mixes, NULL, gradient);
    OWI_TRY(owi_classifier_differentiate(problem->call, problem->classifier, n, soft,
                                         factor, NULL, gradient));
    if (!with_density) return OW_OK;
    return owi_differentiate_soft(problem->call, problem->evaluator, n, soft, 1, &mixes[1],
                                  NULL, of_density);
}
