/* SPDX-License-Identifier: MIT */
#include "circuit/query/class_drift.h"

#include <math.h>

#include "base/compiler.h"

void owi_feature_spread(const ow_circuit *circuit, float *least, float *spread)
{
    const size_t F = circuit->n_features;
    float *most = spread; /* until the end */
    for (size_t f = 0; f < F; f++) {
        least[f] = INFINITY;
        most[f] = -INFINITY;
    }
    for (size_t copy = 0; copy < circuit->regions.n_copies; copy++) {
        const owi_leaf_shape leaves = owi_circuit_leaf_shape(circuit, copy);
        for (size_t r = 0; r < leaves.n_regions; r++) {
            const size_t start = leaves.scope_start[r], K = leaves.n_components;
            const size_t width = leaves.scope_start[r + 1] - start;
            for (size_t i = 0; i < K * width; i++) {
                const float theta = circuit->theta[K * start + i];
                const size_t f = leaves.scope[start + i % width];
                least[f] = fminf(least[f], theta);
                most[f] = fmaxf(most[f], theta);
            }
        }
    }
    for (size_t f = 0; f < F; f++) spread[f] = most[f] - least[f];
}

/* Sixteen sums side by side, which are vectors. */
OWI_WIDE static double add_drifts(size_t n, const float *spread, const float *from,
                                  const float *to)
{
    enum { n_sums = 16 };
    float sums[n_sums] = {0};
    double sum = 0.0;
    size_t j = 0;
    for (; j + n_sums <= n; j += n_sums)
        for (size_t s = 0; s < n_sums; s++)
            sums[s] += fabsf(to[j + s] - from[j + s]) * spread[j + s];
    for (; j < n; j++) sum += (double)(fabsf(to[j] - from[j]) * spread[j]);
    for (size_t s = 0; s < n_sums; s++) sum += (double)sums[s];
    return sum;
}

double owi_most_drift(size_t n_columns, const float *spread, const float *from,
                      const float *to)
{
    return add_drifts(n_columns, spread, from, to);
}
