/* SPDX-License-Identifier: MIT */
#include "backend/ref/ref_kernels.h"

static double marked_sum(const owi_leaf_shape *shape, size_t r, const uint32_t *bits,
                         const float *theta, const float *change, size_t lanes)
{
    const size_t start = shape->scope_start[r];
    double sum = 0.0;
    for (size_t i = start; i < shape->scope_start[r + 1]; i++) {
        const uint32_t f = shape->scope[i];
        if ((bits[f / 32] >> f % 32 & 1u) == 0) continue;
        sum += (double)theta[i - start] * change[f * lanes];
    }
    return sum;
}

void owi_ref_leaf_change(const owi_backend *self, const owi_leaf_shape *shape,
                         owi_batch batch, const float *theta, const owi_marked *marked,
                         const float *change, float *log_value)
{
    (void)self; /* plain memory, no instruction set to choose */
    const size_t R = shape->n_regions, K = shape->n_components, F = shape->n_features;
    const size_t L = batch.lanes;

    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t r = 0; r < R; r++)
            for (size_t k = 0; k < K; k++) {
                const size_t start = shape->scope_start[r];
                const size_t width = shape->scope_start[r + 1] - start;
                float *out = log_value + ((t * R + r) * K + k) * L;
                for (size_t lane = 0; lane < owi_lanes_of(batch, t); lane++) {
                    const size_t group = t * owi_lane_groups + lane / owi_lane_group;
                    out[lane] += (float)marked_sum(
                        shape, r, marked->bits + group * owi_scope_words(F),
                        theta + K * start + k * width, change + t * F * L + lane, L);
                }
            }
}
