/* SPDX-License-Identifier: MIT */
#include "explain/guided/guided_votes.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "model/model_private.h"

/* z: doc/method.md has how it was chosen. */
static const double deviations = 2.5;

ow_status owi_votes_init(owi_votes *votes, const owi_problem *problem,
                         const ow_candidates *candidates)
{
    const owi_replicas *replicas = &problem->model->replicas;
    *votes = (owi_votes){0};
    if (problem->options->prefer != OW_PREFER_ROBUST || !problem->is_circuit) return OW_OK;
    const size_t n = replicas->n;
    votes->evaluators = owi_alloc_array(problem->ctx, n, sizeof *votes->evaluators);
    votes->changes = owi_alloc_array(problem->ctx, n, sizeof *votes->changes);
    if (votes->evaluators == NULL || votes->changes == NULL) return OW_ERR_MEMORY;
    votes->n = n;
    for (size_t k = 0; k < n; k++) {
        OWI_TRY(ow_evaluator_new(replicas->circuits[k], problem->evaluator->backend->name,
                                 &votes->evaluators[k]));
        OWI_TRY(ow_changes_new(votes->evaluators[k], candidates, &votes->changes[k]));
    }
    return OW_OK;
}

void owi_votes_clear(owi_votes *votes, ow_context *ctx)
{
    for (size_t k = 0; k < votes->n; k++) {
        ow_changes_free(votes->changes[k]);
        ow_evaluator_free(votes->evaluators[k]);
    }
    owi_free(ctx, votes->changes);
    owi_free(ctx, votes->evaluators);
    *votes = (owi_votes){0};
}

void owi_vote_add(owi_vote *vote, double margin)
{
    vote->sum += margin;
    vote->squares += margin * margin;
}

double owi_vote_result(const owi_vote *vote, size_t n, double own)
{
    if (n == 0 || isnan(own)) return own;
    const double mean = vote->sum / (double)n;
    const double variance = fmax(vote->squares / (double)n - mean * mean, 0.0);
    return fmin(own, mean - deviations * sqrt(variance));
}
