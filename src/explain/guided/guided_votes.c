/* SPDX-License-Identifier: MIT */
#include "explain/guided/guided_votes.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "base/numeric/sorted.h"
#include "explain/guided/guided_batch.h"
#include "model/model_private.h"

/* z: doc/method.md has how it was chosen. */
static const double deviations = 1.5;

/* A row of the class with a vote above this share of the others is sure. */
static const double sure_share = 0.75;

ow_status owi_votes_init(owi_votes *votes, const owi_problem *problem,
                         const ow_candidates *candidates)
{
    const owi_replicas *replicas = &problem->model->replicas;
    *votes = (owi_votes){0};
    if (problem->options->prefer != OW_PREFER_ROBUST || !problem->is_circuit) return OW_OK;
    const size_t n = replicas->n;
    votes->circuits = owi_alloc_array(problem->ctx, n, sizeof *votes->circuits);
    votes->evaluators = owi_alloc_array(problem->ctx, n, sizeof *votes->evaluators);
    votes->changes = owi_alloc_array(problem->ctx, n, sizeof *votes->changes);
    votes->sure_margin =
        owi_alloc_array(problem->ctx, problem->n_classes, sizeof *votes->sure_margin);
    if (votes->circuits == NULL || votes->evaluators == NULL || votes->changes == NULL ||
        votes->sure_margin == NULL)
        return OW_ERR_MEMORY;
    votes->n = n;
    for (size_t c = 0; c < problem->n_classes; c++) votes->sure_margin[c] = NAN;
    for (size_t k = 0; k < n; k++) {
        OWI_TRY(owi_replica_new(problem->model, k, &votes->circuits[k]));
        OWI_TRY(ow_evaluator_new(votes->circuits[k], problem->evaluator->backend->name,
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
        ow_circuit_free(votes->circuits[k]);
    }
    owi_free(ctx, votes->circuits);
    owi_free(ctx, votes->sure_margin);
    owi_free(ctx, votes->changes);
    owi_free(ctx, votes->evaluators);
    *votes = (owi_votes){0};
}

/* The results of n encoded rows. */
static ow_status vote_on_rows(const owi_votes *votes, const owi_problem *problem, size_t n,
                              const float *rows, int32_t target, double *result)
{
    const size_t C = problem->n_classes;
    double *log_class, *joint, *own;
    owi_vote *sums;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(log_class, n * C), OWI_PIECE(joint, C),
                                OWI_PIECE(own, n), OWI_PIECE(sums, n)};
    OWI_TRY(owi_pieces_new(problem->ctx, OWI_PIECES(pieces), &scratch));
    ow_status status = OW_OK;
    for (size_t k = 0; k <= votes->n && status == OW_OK; k++) {
        ow_evaluator *evaluator = k < votes->n ? votes->evaluators[k] : problem->evaluator;
        status = owi_evaluate(problem->call, evaluator, n, rows, log_class);
        for (size_t i = 0; i < n && status == OW_OK; i++) {
            const double margin =
                owi_circuit_margin(problem, log_class + i * C, 1, target, joint);
            if (k < votes->n)
                owi_vote_add(&sums[i], margin);
            else
                own[i] = margin;
        }
    }
    for (size_t i = 0; i < n && status == OW_OK; i++)
        result[i] = owi_vote_result(&sums[i], votes->n, own[i]);
    owi_workspace_free(scratch);
    return status;
}

ow_status owi_votes_sure_margin(owi_votes *votes, const owi_problem *problem, size_t target,
                                double *margin)
{
    enum { most = 500 };
    *margin = votes->sure_margin[target];
    if (!isnan(*margin)) return OW_OK;
    size_t n;
    const float *samples = ow_model_samples(problem->model, target, &n);
    n = owi_smaller(n, most);
    double *results = owi_alloc_array(problem->ctx, n, sizeof *results);
    if (results == NULL) return OW_ERR_MEMORY;
    const ow_status status =
        vote_on_rows(votes, problem, n, samples, (int32_t)target, results);
    if (status == OW_OK) {
        owi_sort_numbers(results, n);
        *margin = n > 0 ? fmax(0.0, owi_quantile(results, n, sure_share)) : 0.0;
        votes->sure_margin[target] = *margin;
    }
    owi_free(problem->ctx, results);
    return status;
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
