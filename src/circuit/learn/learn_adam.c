/* SPDX-License-Identifier: MIT */
/* Adam (Kingma and Ba, 2015), upwards, on means, log-variances and the logits of
 * probabilities and weights.  The gradient comes from the same sums as EM's.  With m = mean
 * - shift, v the variance, N, S1, S2 the sums of flow, flow z and flow z^2, and p =
 * softmax(logits) whose expected counts are n:
 *
 *     d/d mean    = (S1 - m N) / v
 *     d/d log v   = (S2 - 2 m S1 + m^2 N) / (2 v) - N / 2
 *     d/d logit_i = n_i - p_i sum_j n_j */
#include <math.h>

#include "circuit/learn/learn.h"

static const double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

/* ---- The gradient ---- */

static void logit_gradient(size_t n, const float *log_p, double *count)
{
    double total = 0.0;
    for (size_t i = 0; i < n; i++) total += count[i];
    for (size_t i = 0; i < n; i++) count[i] -= (double)expf(log_p[i]) * total;
}

/* Mean and variance of column j, through which the flow N went; sum is S1, and S2 where the
 * variance is learned. */
static void gaussian_gradient(const ow_circuit *circuit, size_t j, const float *parameter,
                              double N, double *sum)
{
    const bool fixed = circuit->spec.variance > 0.0;
    const double m = (double)parameter[0] - (double)circuit->shift[j];
    const double v = fixed ? circuit->spec.variance : (double)parameter[1];
    const double S1 = sum[0];
    if (!fixed) sum[1] = (sum[1] - 2.0 * m * S1 + m * m * N) / (2.0 * v) - 0.5 * N;
    sum[0] = (S1 - m * N) / v;
}

/* How many probabilities end with this feature; 0: none do. */
static size_t logits_ending(const ow_circuit *circuit, const owi_feature *feature)
{
    const ow_leaf *leaf = &circuit->leaves[feature->column];
    if (feature->kind == OWI_FEATURE_SLAB) return leaf->n_masses + 1;
    if (feature->kind == OWI_FEATURE_LEVEL && feature->index + 1 == leaf->n_levels)
        return leaf->n_levels;
    return 0;
}

/* Component k of region r: the sums of its leaves. */
static void component_gradient(const ow_circuit *circuit, const owi_statistics_sum *sums,
                               size_t r, size_t k)
{
    const owi_sum_layout *layout = &sums->layout;
    double *sum = sums->sum;
    const size_t I = circuit->spec.inputs;
    const size_t start = circuit->scope_start[r],
                 width = circuit->scope_start[r + 1] - start;
    const size_t n_gaps = circuit->gap_start[r + 1] - circuit->gap_start[r];
    const double whole = sum[layout->whole + r * I + k];
    const double *there = sums->has_gaps
                              ? sum + layout->there + I * circuit->gap_start[r] + k * n_gaps
                              : NULL;
    const size_t first = I * start + k * width;
    double slab = 0.0; /* flow of numbers that are no masses */

    for (size_t i = 0; i < width; i++) {
        const owi_feature *feature = &circuit->features[circuit->scope[start + i]];
        const float *parameter = circuit->leaf + first + i;
        double *at = sum + layout->leaf + first + i;
        const size_t n = logits_ending(circuit, feature);
        if (feature->kind == OWI_FEATURE_SLAB) slab = *at;
        if (n > 0) logit_gradient(n, parameter + 1 - n, at + 1 - n);
        if (feature->kind != OWI_FEATURE_NUMBER && feature->kind != OWI_FEATURE_MEAN)
            continue;
        const bool plain = circuit->leaves[feature->column].kind == OW_LEAF_GAUSSIAN;
        const double gappy = plain && there != NULL ? *there++ : 0.0;
        gaussian_gradient(circuit, feature->column, parameter, plain ? whole + gappy : slab,
                          at);
    }
}

void owi_sums_to_gradient(const ow_circuit *circuit, owi_statistics_sum *sums)
{
    for (size_t r = 0; r < circuit->regions.n_copies * circuit->regions.n_regions; r++)
        for (size_t k = 0; k < circuit->spec.inputs; k++)
            component_gradient(circuit, sums, r, k);
    for (size_t first = 0, n; first < circuit->n_weights; first += n) {
        n = owi_circuit_sum_size(circuit, first);
        logit_gradient(n, circuit->log_weight + first,
                       sums->sum + sums->layout.weight + first);
    }
}

/* ---- The step ---- */

typedef struct {
    double rate, scale;      /* step length; 1 / rows                         */
    double unbias1, unbias2; /* what the moments miss after the first updates */
    const double *gradient;
    double *first, *second;
} stepper;

/* How far parameter number `at` goes. */
static double step(const stepper *s, size_t at)
{
    const double g = s->gradient[at] * s->scale;
    s->first[at] = beta1 * s->first[at] + (1.0 - beta1) * g;
    s->second[at] = beta2 * s->second[at] + (1.0 - beta2) * g * g;
    return s->rate * (s->first[at] * s->unbias1) /
           (sqrt(s->second[at] * s->unbias2) + epsilon);
}

/* So that the probabilities sum to 1 again. */
static void normalize(size_t n, float *log_p)
{
    float top = -INFINITY;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) top = log_p[i] > top ? log_p[i] : top;
    for (size_t i = 0; i < n; i++) sum += (double)expf(log_p[i] - top);
    const float norm = top + (float)log(sum);
    for (size_t i = 0; i < n; i++) log_p[i] -= norm;
}

static void step_region(const owi_learner *learner, const stepper *s, size_t r)
{
    ow_circuit *circuit = learner->circuit;
    const size_t start = circuit->scope_start[r],
                 width = circuit->scope_start[r + 1] - start;
    const size_t first = circuit->spec.inputs * start;

    for (size_t i = 0; i < circuit->spec.inputs * width; i++) {
        const owi_feature *feature = &circuit->features[circuit->scope[start + i % width]];
        float *parameter = circuit->leaf + first + i;
        const double by = step(s, learner->sums.layout.leaf + first + i);
        const size_t n = logits_ending(circuit, feature);
        if (feature->kind == OWI_FEATURE_VARIANCE)
            *parameter = (float)fmax((double)*parameter * exp(by),
                                     learner->least_variance[feature->column]);
        else
            *parameter += (float)by;
        if (n > 0) normalize(n, parameter + 1 - n);
    }
}

void owi_adam_update(owi_learner *learner)
{
    ow_circuit *circuit = learner->circuit;
    double n_rows = 0.0;
    for (size_t c = 0; c < circuit->spec.n_classes; c++)
        n_rows += learner->sums.class_rows[c];
    if (n_rows == 0.0) return;

    const double t = (double)++learner->n_updates;
    const stepper s = {.rate = learner->options->rate,
                       .scale = 1.0 / n_rows,
                       .unbias1 = 1.0 / (1.0 - pow(beta1, t)),
                       .unbias2 = 1.0 / (1.0 - pow(beta2, t)),
                       .gradient = learner->sums.sum,
                       .first = learner->running,
                       .second = learner->second};
    owi_sums_to_gradient(circuit, &learner->sums);
    for (size_t r = 0; r < circuit->regions.n_copies * circuit->regions.n_regions; r++)
        step_region(learner, &s, r);
    for (size_t first = 0, n; first < circuit->n_weights; first += n) {
        n = owi_circuit_sum_size(circuit, first);
        for (size_t i = first; i < first + n; i++)
            circuit->log_weight[i] += (float)step(&s, learner->sums.layout.weight + i);
        normalize(n, circuit->log_weight + first);
    }
    owi_circuit_prepare(learner->call, circuit);
}
