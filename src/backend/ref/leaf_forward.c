/* SPDX-License-Identifier: MIT */
#include "backend/ref/ref_kernels.h"

void owi_ref_leaf_forward(const owi_backend *self, const owi_leaf_shape *shape,
                          owi_batch batch, const float *theta, const float *bias,
                          const float *features, float *log_value)
{
    (void)self; /* plain memory, no instruction set to choose */
    const size_t R = shape->n_regions, K = shape->n_components, L = batch.lanes;

    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t r = 0; r < R; r++) {
            const uint32_t *scope = shape->scope + shape->scope_start[r];
            const size_t width = shape->scope_start[r + 1] - shape->scope_start[r];
            for (size_t k = 0; k < K; k++) {
                const float *theta_k = theta + K * shape->scope_start[r] + k * width;
                float *out = log_value + ((t * R + r) * K + k) * L;
                for (size_t lane = 0; lane < L; lane++) {
                    double sum = bias != NULL ? bias[r * K + k] : out[lane];
                    for (size_t f = 0; f < width; f++)
                        sum += (double)theta_k[f] *
                               features[(t * shape->n_features + scope[f]) * L + lane];
                    out[lane] = lane < owi_lanes_of(batch, t) ? (float)sum : 0.0f;
                }
            }
        }
}
