/* SPDX-License-Identifier: MIT */
/* Adam (Kingma and Ba, 2015), upwards, on means, log-variances and the logits of probabilities and weights.  The
 * gradient comes from the same sums as EM's.  With m = mean - shift, v the variance, N, S1, S2 the sums of flow, flow z
 * and flow z^2, and p = softmax(logits) whose expected counts are n:
 *
 *     d/d mean    = (S1 - m N) / v
 *     d/d log v   = (S2 - 2 m S1 + m^2 N) / (2 v) - N / 2
 *     d/d logit_i = n_i - p_i sum_j n_j
 */
#include <math.h>

#include "circuit/learn.h"

static const double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

/* One step for one parameter: the direction, not yet times the rate. */
static double direction(owi_learner *learner, size_t at, double gradient)
{
    const double t = (double)learner->n_updates;
    double *first = learner->running + at, *second = learner->second + at;
    *first = beta1 * *first + (1.0 - beta1) * gradient;
    *second = beta2 * *second + (1.0 - beta2) * gradient * gradient;
    return (*first / (1.0 - pow(beta1, t))) /
           (sqrt(*second / (1.0 - pow(beta2, t))) + epsilon);
}

/* n log-probabilities at `at`, with their expected counts. */
static void step_logits(owi_learner *learner, float *log_p, const double *count, size_t at,
                        size_t n, double per_row)
{
    const double rate = learner->options->rate;
    double total = 0.0, top = -INFINITY, sum = 0.0;
    for (size_t i = 0; i < n; i++) total += count[i];
    for (size_t i = 0; i < n; i++) {
        const double gradient = (count[i] - exp((double)log_p[i]) * total) * per_row;
        log_p[i] += (float)(rate * direction(learner, at + i, gradient));
        top = fmax(top, (double)log_p[i]);
    }
    for (size_t i = 0; i < n; i++) sum += exp((double)log_p[i] - top);
    const double norm = top + log(sum);
    for (size_t i = 0; i < n; i++) log_p[i] -= (float)norm;
}

/* Mean and variance at `at`, of column j, through which the flow N went. */
static void step_gaussian(owi_learner *learner, size_t j, size_t at, double N,
                          double per_row)
{
    ow_circuit *circuit = learner->circuit;
    const bool fixed = circuit->spec.variance > 0.0;
    const double rate = learner->options->rate;
    const double m = (double)circuit->leaf[at] - circuit->shift[j];
    const double v = fixed ? circuit->spec.variance : (double)circuit->leaf[at + 1];
    const double S1 = learner->sums.sum[at];

    circuit->leaf[at] += (float)(rate * direction(learner, at, (S1 - m * N) / v * per_row));
    if (fixed) return;
    const double S2 = learner->sums.sum[at + 1];
    const double gradient = (S2 - 2.0 * m * S1 + m * m * N) / (2.0 * v) - 0.5 * N;
    const double moved = v * exp(rate * direction(learner, at + 1, gradient * per_row));
    circuit->leaf[at + 1] = (float)fmax(moved, learner->least_variance[j]);
}

static void step_leaves(owi_learner *learner, double per_row)
{
    ow_circuit *circuit = learner->circuit;
    const owi_region_graph *regions = &circuit->regions;
    const owi_sum_layout *layout = &learner->sums.layout;
    const double *sum = learner->sums.sum;
    const size_t I = circuit->spec.inputs;

    for (size_t r = 0; r < regions->n_copies * regions->n_regions; r++) {
        const size_t n_gaps = circuit->gap_start[r + 1] - circuit->gap_start[r];
        size_t at = I * circuit->scope_start[r];
        for (size_t k = 0; k < I; k++) {
            const double whole = sum[layout->whole + r * I + k];
            const double *there =
                sum + layout->there + I * circuit->gap_start[r] + k * n_gaps;
            for (uint32_t i = regions->start[r]; i < regions->start[r + 1]; i++) {
                const uint32_t j = regions->columns[i];
                const ow_leaf *leaf = &circuit->leaves[j];
                size_t n_levels = leaf->n_levels;
                if (leaf->kind == OW_LEAF_GAUSSIAN)
                    step_gaussian(learner, j, at, whole + *there++, per_row);
                if (leaf->kind == OW_LEAF_POINT_MASSES) {
                    n_levels = leaf->n_masses + 1;
                    step_gaussian(learner, j, at + n_levels, sum[at + leaf->n_masses],
                                  per_row);
                }
                if (leaf->kind != OW_LEAF_GAUSSIAN)
                    step_logits(learner, circuit->leaf + at, sum + at, at, n_levels,
                                per_row);
                at += circuit->feature_start[j + 1] - circuit->feature_start[j];
            }
        }
    }
}

void owi_adam_update(owi_learner *learner)
{
    ow_circuit *circuit = learner->circuit;
    double n_rows = 0.0;
    for (size_t c = 0; c < circuit->spec.n_classes; c++)
        n_rows += learner->sums.class_rows[c];
    if (n_rows == 0.0) return;

    learner->n_updates++;
    step_leaves(learner, 1.0 / n_rows);
    for (size_t first = 0; first < circuit->n_weights;) {
        const size_t n = owi_circuit_sum_size(circuit, first);
        const size_t at = learner->sums.layout.weight + first;
        step_logits(learner, circuit->log_weight + first, learner->sums.sum + at, at, n,
                    1.0 / n_rows);
        first += n;
    }
    owi_circuit_prepare(circuit);
}
