/* SPDX-License-Identifier: MIT */
/* Expectation maximisation, full and online (Cappe and Moulines, "On-line expectation-maximization algorithm
 * for latent data models", 2009).  Online, the sums are a running average over batches,
 *
 *     running <- (1 - rho_t) running + rho_t N/n sum of the batch,     rho_t = (t + 1)^-0.6
 *
 * scaled to all N rows of the class (of which the batch had n), so that priors weigh what they say.
 * Full EM is rho = 1. */
#include <math.h>

#include "circuit/learn.h"

static const double decay = 0.6;

static void blend(double *running, const double *sum, size_t first, size_t n, double rho,
                  double scale)
{
    for (size_t i = first; i < first + n; i++)
        running[i] += rho * (scale * sum[i] - running[i]);
}

/* The parts of the sums that belong to one copy. */
static void blend_copy(owi_learner *learner, size_t copy, double rho, double scale)
{
    const ow_circuit *circuit = learner->circuit;
    const owi_sum_layout *layout = &learner->sums.layout;
    const size_t n_copies = circuit->regions.n_copies,
                 n_regions = circuit->regions.n_regions;
    const size_t I = circuit->spec.inputs, n_leaf = circuit->n_leaf / n_copies;
    const size_t first_gap = I * circuit->gap_start[copy * n_regions];
    const size_t n_gaps = I * circuit->gap_start[(copy + 1) * n_regions] - first_gap;
    double *running = learner->running;
    const double *sum = learner->sums.sum;

    blend(running, sum, layout->leaf + copy * n_leaf, n_leaf, rho, scale);
    blend(running, sum, layout->whole + copy * n_regions * I, n_regions * I, rho, scale);
    blend(running, sum, layout->gappy + copy * n_regions * I, n_regions * I, rho, scale);
    blend(running, sum, layout->there + first_gap, n_gaps, rho, scale);
    for (size_t d = 1; d < circuit->spec.depth; d++) {
        const size_t first = owi_circuit_inner_offset(circuit, d, copy);
        const size_t n = owi_circuit_inner_offset(circuit, d, copy + 1) - first;
        blend(running, sum, layout->weight + first, n, rho, scale);
    }
    const size_t first = owi_circuit_root_offset(circuit, copy);
    blend(running, sum, layout->weight + first,
          owi_circuit_root_offset(circuit, copy + 1) - first, rho, scale);
}

void owi_em_update(owi_learner *learner)
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
            blend_copy(learner, first / per_copy, rho, online ? n_all / n_batch : 1.0);
    }
    learner->n_updates++;
    owi_maximise(learner->circuit, learner->running, &learner->prior);
}
