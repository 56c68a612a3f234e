/* SPDX-License-Identifier: MIT */
/* Priors as rows that every component has also seen: what they add to the sums, and their
 * density. */
#include <math.h>

#include "base/memory/alloc.h"
#include "circuit/learn/m_step.h"

/* What one row like component t adds, on average, to feature i of a column: E[feature]. */
static double expected_feature(const ow_circuit *circuit, uint32_t column, size_t i,
                               const float *t)
{
    const ow_leaf *leaf = &circuit->leaves[column];
    const owi_feature *feature = &circuit->features[circuit->feature_start[column] + i];
    const double shift = circuit->shift[column];
    const double present =
        leaf->kind == OW_LEAF_POINT_MASSES ? exp((double)t[leaf->n_masses]) : 1.0;

    switch (feature->kind) {
    case OWI_FEATURE_NUMBER:
    case OWI_FEATURE_MEAN:
        return present * ((double)t[i] - shift);
    case OWI_FEATURE_VARIANCE: {
        const double mean = (double)t[i - 1] - shift;
        return present * (mean * mean + (double)t[i]);
    }
    default:
        return exp((double)t[i]);
    }
}

ow_status owi_prior_prepare(owi_prior *prior, const ow_circuit *circuit)
{
    const owi_region_graph *regions = &circuit->regions;
    const size_t n_leaf = circuit->n_leaf / regions->n_copies;
    size_t at = 0;

    prior->leaf = NULL;
    if (prior->prior_rows + prior->towards_rows == 0.0) return OW_OK;
    prior->leaf = owi_alloc_array(circuit->ctx, n_leaf, sizeof *prior->leaf);
    if (prior->leaf == NULL) return OW_ERR_MEMORY;
    for (size_t r = 0; r < regions->n_regions; r++)
        for (size_t k = 0; k < circuit->spec.inputs; k++)
            for (size_t s = regions->start[r]; s < regions->start[r + 1]; s++) {
                const uint32_t j = regions->columns[s];
                const size_t first = circuit->feature_start[j];
                const size_t n = circuit->feature_start[j + 1] - first;
                for (size_t i = 0; i < n; i++) {
                    prior->leaf[at + i] = prior->prior_rows * circuit->average[first + i];
                    if (prior->towards != NULL)
                        prior->leaf[at + i] +=
                            prior->towards_rows *
                            expected_feature(circuit, j, i, prior->towards->leaf + at);
                }
                at += n;
            }
    return OW_OK;
}

void owi_prior_clear(owi_prior *prior, ow_context *ctx)
{
    owi_free(ctx, prior->leaf);
    prior->leaf = NULL;
}

static double leaf_log_prior(const ow_circuit *circuit, const owi_prior *prior)
{
    const size_t n_copies = circuit->regions.n_copies, n_leaf = circuit->n_leaf / n_copies;
    const size_t n_gaps = circuit->gap_start[n_copies * circuit->regions.n_regions];
    double sum = 0.0;

    if (prior->leaf == NULL) return 0.0;
    for (size_t i = 0; i < circuit->n_leaf; i++)
        sum += prior->leaf[i % n_leaf] * circuit->theta[i];
    for (size_t i = 0; i < circuit->spec.inputs * n_gaps; i++)
        sum += (prior->prior_rows + prior->towards_rows) * circuit->gap_theta[i];
    return sum;
}

double owi_log_prior(const ow_circuit *circuit, const owi_prior *prior)
{
    double sum = leaf_log_prior(circuit, prior);
    for (size_t copy = 0; copy < circuit->regions.n_copies; copy++)
        for (size_t i = 0; i < owi_circuit_n_runs(circuit); i++) {
            const owi_weight_run run = owi_circuit_weight_run(circuit, copy, i);
            const float *towards =
                prior->towards != NULL
                    ? prior->towards->linear_weight +
                          owi_circuit_weight_run(prior->towards, 0, i).first
                    : NULL;
            for (size_t w = 0; w < run.n_sums * run.block; w++) {
                double rows = prior->pseudo_count;
                if (towards != NULL) rows += prior->towards_rows * (double)towards[w];
                if (rows > 0.0) sum += rows * circuit->log_weight[run.first + w];
            }
        }
    return sum;
}
