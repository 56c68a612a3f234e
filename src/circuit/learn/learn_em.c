/* SPDX-License-Identifier: MIT */
/* Expectation maximisation, full and online (Cappe and Moulines, "On-line
 * expectation-maximization algorithm for latent data models", 2009).  Online, the sums are
 * a running average over batches,
 *
 *     running <- (1 - rho_t) running + rho_t N/n sum of the batch,     rho_t = (t + 1)^-0.6
 *
 * scaled to all N rows of the class (of which the batch had n), so that priors weigh what
 * they say. Full EM is rho = 1. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/threads/parallel.h"
#include "circuit/learn/learn.h"

static const double decay = 0.6;

/* What becomes of the sums of one copy. */
typedef struct {
    double rho, scale; /* rho 0: they stay as they are */
} blending;

typedef struct {
    owi_learner *learner;
    const blending *blend; /* (copies) */
} blend_all;

static ow_status blend_segments(void *user, const owi_chunk *some)
{
    const blend_all *all = user;
    const owi_statistics_sum *sums = &all->learner->sums;
    for (size_t s = some->first; s < some->first + some->n; s++) {
        const owi_sum_segment *segment = &sums->segments[s];
        const blending blend = all->blend[segment->part / owi_sum_part(1, false)];
        double *running = all->learner->running + segment->first;
        const double *sum = sums->sum + segment->first;
        if (blend.rho == 0.0) continue;
        if (owi_sum_is_of_gaps(segment->part) && !sums->has_gaps) continue;
        for (size_t i = 0; i < segment->n; i++)
            running[i] += blend.rho * (blend.scale * sum[i] - running[i]);
    }
    return OW_OK;
}

/* The running sums of gaps are 0 when the first one is met; before, nobody looks at
 * them. */
static void begin_gaps(owi_learner *learner)
{
    const owi_sum_layout *layout = &learner->sums.layout;
    if (learner->running_gaps || !learner->sums.has_gaps) return;
    memset(learner->running + layout->gappy, 0,
           (layout->n - layout->gappy) * sizeof *learner->running);
    learner->running_gaps = true;
}

ow_status owi_em_update(owi_learner *learner)
{
    const ow_circuit *circuit = learner->circuit;
    const size_t C = circuit->spec.n_classes, per_copy = owi_circuit_copy_classes(circuit);
    const bool online = learner->options->batch > 0;
    const double rho = online ? pow((double)(learner->n_updates + 1), -decay) : 1.0;
    blending *blend =
        owi_alloc_array(circuit->ctx, circuit->regions.n_copies, sizeof *blend);
    blend_all all = {learner, blend};
    if (blend == NULL) return OW_ERR_MEMORY;

    for (size_t first = 0; first < C; first += per_copy) {
        double n_batch = 0.0, n_all = 0.0;
        for (size_t c = first; c < first + per_copy; c++) {
            n_batch += learner->sums.class_rows[c];
            n_all += circuit->class_rows[c];
        }
        /* A class that the batch has not met keeps its sums. */
        if (n_batch > 0.0)
            blend[first / per_copy] = (blending){rho, online ? n_all / n_batch : 1.0};
    }
    begin_gaps(learner);
    const ow_status status =
        owi_parallel_rows(learner->call, learner->sums.n_segments, 1, blend_segments, &all);
    owi_free(circuit->ctx, blend);
    OWI_TRY(status);
    learner->n_updates++;
    owi_maximise(learner->call, learner->circuit, learner->running, learner->sums.has_gaps,
                 &learner->prior);
    return OW_OK;
}
