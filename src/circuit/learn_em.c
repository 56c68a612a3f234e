/* SPDX-License-Identifier: MIT */
/* Expectation maximisation, full and online (Cappe and Moulines, "On-line expectation-maximization algorithm
 * for latent data models", 2009).  Online, the sums are a running average over batches,
 *
 *     running <- (1 - rho_t) running + rho_t N/n sum of the batch,     rho_t = (t + 1)^-0.6
 *
 * scaled to all N rows of the class (of which the batch had n), so that priors weigh what they say.
 * Full EM is rho = 1. */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "circuit/learn.h"

static const double decay = 0.6;
enum { entries_at_a_time = 1 << 14 };

typedef struct {
    double *running;
    const double *sum;
    double rho, scale;
} blending;

static ow_status blend_entries(void *user, const owi_chunk *entries)
{
    const blending *blend = user;
    double *running = blend->running + entries->first;
    const double *sum = blend->sum + entries->first;
    for (size_t i = 0; i < entries->n; i++)
        running[i] += blend->rho * (blend->scale * sum[i] - running[i]);
    return OW_OK;
}

/* The parts of the sums that belong to one copy. */
static ow_status blend_copy(owi_learner *learner, size_t copy, double rho, double scale)
{
    owi_sum_span spans[owi_most_sum_spans];
    const size_t n = owi_sum_spans(learner->circuit, copy, spans);
    for (size_t i = 0; i < n; i++) {
        blending blend = {learner->running + spans[i].first,
                          learner->sums.sum + spans[i].first, rho, scale};
        OWI_TRY(owi_parallel_rows(learner->circuit->ctx, spans[i].n, entries_at_a_time,
                                  blend_entries, &blend));
    }
    return OW_OK;
}

ow_status owi_em_update(owi_learner *learner)
{
    const ow_circuit *circuit = learner->circuit;
    const size_t C = circuit->spec.n_classes, per_copy = owi_circuit_copy_classes(circuit);
    const bool online = learner->options->batch > 0;
    const double rho = online ? pow((double)(learner->n_updates + 1), -decay) : 1.0;

    for (size_t first = 0; first < C; first += per_copy) {
        double n_batch = 0.0, n_all = 0.0;
        for (size_t c = first; c < first + per_copy; c++) {
            n_batch += learner->sums.class_rows[c];
            n_all += circuit->class_rows[c];
        }
        /* A class that the batch has not met keeps its sums. */
        if (n_batch > 0.0)
            OWI_TRY(
                blend_copy(learner, first / per_copy, rho, online ? n_all / n_batch : 1.0));
    }
    learner->n_updates++;
    owi_maximise(learner->circuit, learner->running, &learner->prior);
    return OW_OK;
}
