/* SPDX-License-Identifier: MIT */
#include "backend/ref/ref_kernels.h"

/* Sum over all rows of a[row] b[row], for two runs of lanes that recur every stride
 * floats. */
static double dot(owi_batch batch, const float *a, size_t a_stride, const float *b,
                  size_t b_stride)
{
    double sum = 0.0;
    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t lane = 0; lane < batch.lanes; lane++)
            sum += (double)a[t * a_stride + lane] * b[t * b_stride + lane];
    return sum;
}

void owi_ref_leaf_statistics(const owi_backend *self, const owi_leaf_shape *shape,
                             owi_batch batch, const float *flow, const float *features,
                             float *statistic, float *total)
{
    (void)self; /* plain memory, no instruction set to choose */
    const size_t R = shape->n_regions, K = shape->n_components, L = batch.lanes;
    const size_t flow_stride = R * K * L, feature_stride = shape->n_features * L;

    for (size_t r = 0; r < R; r++) {
        const uint32_t *scope = shape->scope + shape->scope_start[r];
        const size_t width = shape->scope_start[r + 1] - shape->scope_start[r];
        for (size_t k = 0; k < K; k++) {
            const float *flow_k = flow + (r * K + k) * L;
            float *statistic_k = statistic + K * shape->scope_start[r] + k * width;
            for (size_t f = 0; f < width; f++)
                statistic_k[f] += (float)dot(batch, flow_k, flow_stride,
                                             features + scope[f] * L, feature_stride);
            if (total == NULL) continue;
            double sum = 0.0;
            for (size_t t = 0; t < batch.n_tiles; t++)
                for (size_t lane = 0; lane < L; lane++)
                    sum += flow_k[t * flow_stride + lane];
            total[r * K + k] += (float)sum;
        }
    }
}
