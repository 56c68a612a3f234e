/* SPDX-License-Identifier: MIT */
#include "backend/ref/ref_kernels.h"

void owi_ref_leaf_backward(const owi_backend *self, const owi_leaf_shape *shape,
                           owi_batch batch, const float *theta, const float *flow,
                           float *d_features)
{
    (void)self; /* plain memory, no instruction set to choose */
    const size_t R = shape->n_regions, K = shape->n_components, L = batch.lanes;

    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t r = 0; r < R; r++) {
            const uint32_t *scope = shape->scope + shape->scope_start[r];
            const size_t width = shape->scope_start[r + 1] - shape->scope_start[r];
            const float *theta_r = theta + K * shape->scope_start[r];
            const float *flow_r = flow + (t * R + r) * K * L;
            for (size_t f = 0; f < width; f++)
                for (size_t lane = 0; lane < owi_lanes_of(batch, t); lane++) {
                    double sum = 0.0;
                    for (size_t k = 0; k < K; k++)
                        sum += (double)theta_r[k * width + f] * flow_r[k * L + lane];
                    d_features[(t * shape->n_features + scope[f]) * L + lane] += (float)sum;
                }
        }
}
