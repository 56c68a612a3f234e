/* SPDX-License-Identifier: MIT */
#include "circuit/m_step.h"

#include <math.h>

/* Probabilities never reach 0: a level unseen by one component must not rule it out for ever. */
static const double least_probability = 1e-30;

/* One column of one component: its statistics, its parameters, and what the priors expect of it. */
typedef struct {
    const ow_circuit *circuit;
    const owi_prior *prior;
    uint32_t column;
    const double *sum;    /* of the column's features     */
    float *parameter;     /* likewise                     */
    const float *towards; /* likewise; NULL: none         */
    double n;             /* flow where the value is there */
} leaf_column;

/* The sums that the prior rows add to feature `from` + i of the column. */
static double prior_sum(const leaf_column *leaf, size_t i, double expected_towards)
{
    const owi_prior *prior = leaf->prior;
    double sum = 0.0;
    if (prior->prior_rows > 0.0)
        sum += prior->prior_rows *
               prior->average[leaf->circuit->feature_start[leaf->column] + i];
    if (leaf->towards != NULL) sum += prior->towards_rows * expected_towards;
    return sum;
}

/* Mean and variance from n, sum of z, sum of z^2; features i and i + 1 of the column.  present is the
 * probability that the pooled component gives to the number being there at all. */
static void maximise_gaussian(const leaf_column *leaf, size_t i, double n, double present)
{
    const ow_circuit *circuit = leaf->circuit;
    const double shift = circuit->shift[leaf->column];
    const bool fixed = circuit->spec.variance > 0.0;
    const double mean_t = leaf->towards != NULL ? (double)leaf->towards[i] - shift : 0.0;

    if (!(n > 1e-9)) return;
    const double mean = (leaf->sum[i] + prior_sum(leaf, i, present * mean_t)) / n;
    leaf->parameter[i] = (float)(mean + shift);
    if (fixed) return;
    const double square_t =
        leaf->towards != NULL ? mean_t * mean_t + (double)leaf->towards[i + 1] : 0.0;
    const double square =
        (leaf->sum[i + 1] + prior_sum(leaf, i + 1, present * square_t)) / n;
    leaf->parameter[i + 1] =
        (float)fmax(square - mean * mean, leaf->prior->least_variance[leaf->column]);
}

/* Log-probabilities of the column's first n_levels features; the prior's sums included. */
static void maximise_levels(const leaf_column *leaf, size_t n_levels)
{
    double total = 0.0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n_levels; i++) {
            const double expected =
                leaf->towards != NULL ? exp((double)leaf->towards[i]) : 0.0;
            const double sum = leaf->sum[i] + prior_sum(leaf, i, expected);
            if (pass == 0)
                total += sum;
            else if (total > 1e-9)
                leaf->parameter[i] = (float)log(fmax(sum / total, least_probability));
        }
}

static void maximise_column(const leaf_column *leaf)
{
    const ow_leaf *kind = &leaf->circuit->leaves[leaf->column];
    const owi_prior *prior = leaf->prior;
    const double prior_rows =
        prior->prior_rows + (leaf->towards != NULL ? prior->towards_rows : 0.0);

    switch (kind->kind) {
    case OW_LEAF_GAUSSIAN:
        maximise_gaussian(leaf, 0, leaf->n + prior_rows, 1.0);
        break;
    case OW_LEAF_CATEGORICAL:
    case OW_LEAF_BERNOULLI:
        maximise_levels(leaf, kind->n_levels);
        break;
    case OW_LEAF_POINT_MASSES: {
        const size_t slab = kind->n_masses;
        const double slab_t =
            leaf->towards != NULL ? exp((double)leaf->towards[slab]) : 0.0;
        maximise_gaussian(leaf, slab + 1, leaf->sum[slab] + prior_sum(leaf, slab, slab_t),
                          slab_t);
        maximise_levels(leaf, slab + 1);
        break;
    }
    }
}

static void maximise_leaves(ow_circuit *circuit, const double *sum, const owi_prior *prior)
{
    const owi_sum_layout layout = owi_sum_layout_of(circuit);
    const owi_region_graph *regions = &circuit->regions;
    const size_t I = circuit->spec.inputs;
    const size_t copy_leaf = circuit->n_leaf / regions->n_copies;

    for (size_t r = 0; r < regions->n_copies * regions->n_regions; r++) {
        const size_t width = circuit->scope_start[r + 1] - circuit->scope_start[r];
        const size_t n_gaps = circuit->gap_start[r + 1] - circuit->gap_start[r];
        for (size_t k = 0; k < I; k++) {
            const double whole = sum[layout.whole + r * I + k];
            const double *there =
                sum + layout.there + I * circuit->gap_start[r] + k * n_gaps;
            size_t at = I * circuit->scope_start[r] + k * width;
            for (uint32_t i = regions->start[r]; i < regions->start[r + 1]; i++) {
                const uint32_t j = regions->columns[i];
                const bool plain = circuit->leaves[j].kind == OW_LEAF_GAUSSIAN;
                const leaf_column leaf = {
                    .circuit = circuit,
                    .prior = prior,
                    .column = j,
                    .sum = sum + layout.leaf + at,
                    .parameter = circuit->leaf + at,
                    .towards = prior->towards_rows > 0.0
                                   ? prior->towards->leaf + at % copy_leaf
                                   : NULL,
                    .n = plain ? whole + *there++ : 0.0,
                };
                maximise_column(&leaf);
                at += circuit->feature_start[j + 1] - circuit->feature_start[j];
            }
        }
    }
}

/* One sum: n weights from their expected counts. */
static void maximise_sum(size_t n, const double *count, const owi_prior *prior,
                         const float *log_towards, float *log_weight)
{
    double total = 0.0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            double sum = count[i] + prior->pseudo_count;
            if (log_towards != NULL)
                sum += prior->towards_rows * exp((double)log_towards[i]);
            if (pass == 0)
                total += sum;
            else if (total > 0.0)
                log_weight[i] = (float)log(sum / total);
        }
}

typedef struct {
    size_t first, n_sums,
        block; /* n_sums sums of `block` weights, from weight `first` on */
} weight_run;

/* The weights of one copy at a depth; depth 0 is the roots. */
static weight_run run_of(const ow_circuit *circuit, size_t copy, size_t depth)
{
    if (depth > 0) {
        const size_t K = owi_circuit_child_components(circuit, depth);
        return (weight_run){owi_circuit_inner_offset(circuit, depth, copy),
                            owi_circuit_n_regions(circuit, depth) * circuit->spec.sums,
                            K * K};
    }
    const size_t K = owi_circuit_top_components(circuit);
    const size_t pairs = circuit->spec.depth == 0 ? K : K * K;
    return (weight_run){owi_circuit_root_offset(circuit, copy),
                        owi_circuit_copy_classes(circuit),
                        circuit->spec.repetitions * pairs};
}

static void maximise_weights(ow_circuit *circuit, const double *count,
                             const owi_prior *prior)
{
    for (size_t copy = 0; copy < circuit->regions.n_copies; copy++)
        for (size_t depth = 0; depth < circuit->spec.depth || depth == 0; depth++) {
            const weight_run run = run_of(circuit, copy, depth);
            const float *towards =
                prior->towards_rows > 0.0
                    ? prior->towards->log_weight + run_of(prior->towards, 0, depth).first
                    : NULL;
            for (size_t s = 0; s < run.n_sums; s++)
                maximise_sum(run.block, count + run.first + s * run.block, prior,
                             towards != NULL ? towards + s * run.block : NULL,
                             circuit->log_weight + run.first + s * run.block);
        }
}

void owi_maximise(ow_circuit *circuit, const double *sum, const owi_prior *prior)
{
    maximise_leaves(circuit, sum, prior);
    maximise_weights(circuit, sum + owi_sum_layout_of(circuit).weight, prior);
    owi_circuit_prepare(circuit);
}

/* ---- What the priors are worth ---- */

/* The sums that the prior rows add to one feature of a column, for any kind of feature. */
static double feature_prior_sum(const leaf_column *leaf, size_t i)
{
    const ow_leaf *kind = &leaf->circuit->leaves[leaf->column];
    const float *t = leaf->towards;
    const owi_feature *feature =
        &leaf->circuit->features[leaf->circuit->feature_start[leaf->column] + i];
    const double shift = leaf->circuit->shift[leaf->column];
    if (t == NULL) return prior_sum(leaf, i, 0.0);

    const double present =
        kind->kind == OW_LEAF_POINT_MASSES ? exp((double)t[kind->n_masses]) : 1.0;
    switch (feature->kind) {
    case OWI_FEATURE_NUMBER:
    case OWI_FEATURE_MEAN:
        return prior_sum(leaf, i, present * ((double)t[i] - shift));
    case OWI_FEATURE_VARIANCE: {
        const double mean = (double)t[i - 1] - shift;
        return prior_sum(leaf, i, present * (mean * mean + (double)t[i]));
    }
    default:
        return prior_sum(leaf, i, exp((double)t[i]));
    }
}

static double leaf_log_prior(const ow_circuit *circuit, const owi_prior *prior)
{
    const owi_region_graph *regions = &circuit->regions;
    const size_t I = circuit->spec.inputs, copy_leaf = circuit->n_leaf / regions->n_copies;
    const double rows = prior->prior_rows + prior->towards_rows;
    double sum = 0.0;

    for (size_t r = 0; r < regions->n_copies * regions->n_regions; r++) {
        const size_t width = circuit->scope_start[r + 1] - circuit->scope_start[r];
        for (size_t k = 0; k < I; k++) {
            size_t at = I * circuit->scope_start[r] + k * width;
            for (uint32_t i = regions->start[r]; i < regions->start[r + 1]; i++) {
                const uint32_t j = regions->columns[i];
                const size_t n = circuit->feature_start[j + 1] - circuit->feature_start[j];
                const leaf_column leaf = {
                    .circuit = circuit,
                    .prior = prior,
                    .column = j,
                    .towards = prior->towards_rows > 0.0
                                   ? prior->towards->leaf + at % copy_leaf
                                   : NULL,
                };
                for (size_t f = 0; f < n; f++, at++)
                    sum += feature_prior_sum(&leaf, f) * circuit->theta[at];
            }
        }
    }
    for (size_t i = 0; i < I * circuit->gap_start[regions->n_copies * regions->n_regions];
         i++)
        sum += rows * circuit->gap_theta[i];
    return sum;
}

double owi_log_prior(const ow_circuit *circuit, const owi_prior *prior)
{
    double sum = leaf_log_prior(circuit, prior);
    for (size_t copy = 0; copy < circuit->regions.n_copies; copy++)
        for (size_t depth = 0; depth < circuit->spec.depth || depth == 0; depth++) {
            const weight_run run = run_of(circuit, copy, depth);
            const float *towards =
                prior->towards_rows > 0.0
                    ? prior->towards->log_weight + run_of(prior->towards, 0, depth).first
                    : NULL;
            for (size_t i = 0; i < run.n_sums * run.block; i++) {
                double rows = prior->pseudo_count;
                if (towards != NULL) rows += prior->towards_rows * exp((double)towards[i]);
                if (rows > 0.0) sum += rows * circuit->log_weight[run.first + i];
            }
        }
    return sum;
}
