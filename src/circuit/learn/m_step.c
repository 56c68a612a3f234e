/* SPDX-License-Identifier: MIT */
#include "circuit/learn/m_step.h"

#include <math.h>

#include "base/memory/sizes.h"
#include "base/threads/parallel.h"

/* Probabilities never reach 0: a level unseen by one component must not rule it out for
 * ever. */
static const double least_probability = 1e-30;

/* Less flow than this is none. */
static const double least_flow = 1e-9;

/* Parameters that one worker takes at a time, about. */
enum { parameters_at_a_time = 1 << 13 };

/* ---- Leaves ---- */

/* One column of one component; sum and prior are of its first feature, prior NULL where
 * there is none. */
typedef struct {
    const ow_circuit *circuit;
    uint32_t column;
    double least_variance;
    const double *sum, *prior;
    float *parameter;
} leaf_column;

/* The sum of feature i, the prior's share included. */
static double sum_of(const leaf_column *leaf, size_t i)
{
    return leaf->sum[i] + (leaf->prior != NULL ? leaf->prior[i] : 0.0);
}

/* Mean and variance from n and the features i and i + 1, z and z^2. */
static void maximise_gaussian(const leaf_column *leaf, size_t i, double n)
{
    if (!(n > least_flow)) return;
    const double mean = sum_of(leaf, i) / n;
    leaf->parameter[i] = (float)(mean + leaf->circuit->shift[leaf->column]);
    if (leaf->circuit->spec.variance > 0.0) return;
    const double variance = sum_of(leaf, i + 1) / n - mean * mean;
    leaf->parameter[i + 1] = (float)fmax(variance, leaf->least_variance);
}

/* Log-probabilities of the column's first n_levels features. */
static void maximise_levels(const leaf_column *leaf, size_t n_levels)
{
    double total = 0.0;
    for (size_t i = 0; i < n_levels; i++) total += sum_of(leaf, i);
    if (!(total > least_flow)) return;
    for (size_t i = 0; i < n_levels; i++) {
        const double share = fmax(sum_of(leaf, i) / total, least_probability);
        leaf->parameter[i] = logf((float)share);
    }
}

/* n is the flow where the value is there, prior rows included. */
static void maximise_column(const leaf_column *leaf, double n)
{
    const ow_leaf *kind = &leaf->circuit->leaves[leaf->column];
    switch (kind->kind) {
    case OW_LEAF_GAUSSIAN:
        maximise_gaussian(leaf, 0, n);
        break;
    case OW_LEAF_CATEGORICAL:
    case OW_LEAF_BERNOULLI:
        maximise_levels(leaf, kind->n_levels);
        break;
    case OW_LEAF_POINT_MASSES:
        maximise_gaussian(leaf, kind->n_masses + 1, sum_of(leaf, kind->n_masses));
        maximise_levels(leaf, kind->n_masses + 1);
        break;
    case OW_LEAF_FOLLOWS:
        break;
    }
}

/* One component of numbers with a fixed variance, and no prior: only its means; there NULL:
 * nothing is missing anywhere. */
static void maximise_means(const ow_circuit *circuit, size_t width, const uint32_t *columns,
                           double whole, const double *there, const double *sum,
                           float *mean)
{
    if (there == NULL) {
        const double share = 1.0 / whole;
        for (size_t i = 0; i < width && whole > least_flow; i++)
            mean[i] = (float)(sum[i] * share + circuit->shift[columns[i]]);
        return;
    }
    for (size_t i = 0; i < width; i++) {
        const double n = whole + there[i];
        const float best = (float)(sum[i] / n + circuit->shift[columns[i]]);
        mean[i] = n > least_flow ? best : mean[i];
    }
}

typedef struct {
    ow_circuit *circuit;
    const double *sum;
    bool has_gaps;
    const owi_prior *prior;
    owi_sum_layout layout;
} maximisation;

/* Component k of region r. */
static void maximise_component(const maximisation *m, size_t r, size_t k)
{
    ow_circuit *circuit = m->circuit;
    const owi_region_graph *regions = &circuit->regions;
    const size_t I = circuit->spec.inputs, start = regions->start[r],
                 end = regions->start[r + 1];
    const size_t width = circuit->scope_start[r + 1] - circuit->scope_start[r];
    const size_t n_gaps = circuit->gap_start[r + 1] - circuit->gap_start[r];
    const double whole = m->sum[m->layout.whole + r * I + k];
    const double *there =
        m->has_gaps ? m->sum + m->layout.there + I * circuit->gap_start[r] + k * n_gaps
                    : NULL;
    const double rows = m->prior->prior_rows + m->prior->towards_rows;
    const size_t copy_leaf = circuit->n_leaf / regions->n_copies;
    size_t at = I * circuit->scope_start[r] + k * width;

    if (m->prior->leaf == NULL && owi_circuit_is_plain(circuit)) {
        maximise_means(circuit, width, regions->columns + start, whole, there,
                       m->sum + m->layout.leaf + at, circuit->leaf + at);
        return;
    }
    for (size_t i = start; i < end; i++) {
        const uint32_t j = regions->columns[i];
        const bool plain = circuit->leaves[j].kind == OW_LEAF_GAUSSIAN;
        const leaf_column leaf = {.circuit = circuit,
                                  .column = j,
                                  .least_variance = m->prior->least_variance[j],
                                  .sum = m->sum + m->layout.leaf + at,
                                  .prior = m->prior->leaf != NULL
                                               ? m->prior->leaf + at % copy_leaf
                                               : NULL,
                                  .parameter = circuit->leaf + at};
        const double gappy = plain && there != NULL ? *there++ : 0.0;
        maximise_column(&leaf, whole + gappy + rows);
        at += circuit->feature_start[j + 1] - circuit->feature_start[j];
    }
}

static ow_status maximise_regions(void *user, const owi_chunk *regions)
{
    const maximisation *m = user;
    for (size_t r = regions->first; r < regions->first + regions->n; r++)
        for (size_t k = 0; k < m->circuit->spec.inputs; k++) maximise_component(m, r, k);
    return OW_OK;
}

/* ---- Weights ---- */

/* log x for x in (0, 1]; what a float cannot hold (1e-71) in double. */
static float log_share(double x)
{
    return x > 1e-30 ? logf((float)x) : (float)log(x);
}

/* One sum: n weights from their expected counts. */
static void maximise_sum(size_t n, const double *count, const owi_prior *prior,
                         const float *towards, float *log_weight)
{
    double total = 0.0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            double sum = count[i] + prior->pseudo_count;
            if (towards != NULL) sum += prior->towards_rows * (double)towards[i];
            if (pass == 0)
                total += sum;
            else if (total > 0.0)
                log_weight[i] = log_share(sum / total);
        }
}

/* Sums of one copy, those of all runs. */
static size_t copy_sums(const ow_circuit *circuit)
{
    size_t n = 0;
    for (size_t run = 0; run < owi_circuit_n_runs(circuit); run++)
        n += owi_circuit_weight_run(circuit, 0, run).n_sums;
    return n;
}

static ow_status maximise_sums(void *user, const owi_chunk *sums)
{
    const maximisation *m = user;
    const owi_prior *prior = m->prior;
    const size_t per_copy = copy_sums(m->circuit);

    for (size_t i = sums->first; i < sums->first + sums->n; i++) {
        size_t depth = 0, s = i % per_copy;
        owi_weight_run run = owi_circuit_weight_run(m->circuit, i / per_copy, 0);
        for (; s >= run.n_sums;
             run = owi_circuit_weight_run(m->circuit, i / per_copy, ++depth))
            s -= run.n_sums;
        const float *towards =
            prior->towards != NULL
                ? prior->towards->linear_weight +
                      owi_circuit_weight_run(prior->towards, 0, depth).first + s * run.block
                : NULL;
        maximise_sum(run.block, m->sum + m->layout.weight + run.first + s * run.block,
                     prior, towards, m->circuit->log_weight + run.first + s * run.block);
    }
    return OW_OK;
}

void owi_maximise(const owi_call *call, ow_circuit *circuit, const double *sum,
                  bool has_gaps, const owi_prior *prior)
{
    owi_call whole; /* a circuit is never left half maximised */
    owi_call_begin_unheard(&whole, call);
    maximisation m = {circuit, sum, has_gaps, prior, owi_sum_layout_of(circuit)};
    const size_t n_sums = circuit->regions.n_copies * copy_sums(circuit);
    const size_t n_regions = circuit->regions.n_copies * circuit->regions.n_regions;
    const size_t each = circuit->n_leaf / n_regions + 1;
    /* Nothing in them can fail. */
    (void)owi_parallel_rows(&whole, n_regions, owi_larger(1, parameters_at_a_time / each),
                            maximise_regions, &m);
    (void)owi_parallel_rows(&whole, n_sums,
                            owi_larger(1, parameters_at_a_time /
                                              (circuit->n_weights / n_sums + 1)),
                            maximise_sums, &m);
    owi_circuit_prepare(call, circuit);
}
