/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cpu_kernels.h"

/* Partial sums side by side: one after the other each addition would wait for the last. */
static float sum_lanes(size_t n, const float *x)
{
    enum { n_parts = 16 };
    float part[n_parts] = {0};
    size_t i = 0;
    for (; i + n_parts <= n; i += n_parts)
        for (size_t p = 0; p < n_parts; p++) part[p] += x[i + p];
    for (; i < n; i++) part[0] += x[i];
    for (size_t half = n_parts / 2; half > 0; half /= 2)
        for (size_t p = 0; p < half; p++) part[p] += part[p + half];
    return part[0];
}

void owi_cpu_leaf_statistics(const owi_backend *self, const owi_leaf_shape *shape,
                             owi_batch batch, const float *flow, const float *features,
                             float *statistic, float *total)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t R = shape->n_regions, K = shape->n_components, L = batch.lanes;

    for (size_t r = 0; r < R; r++) {
        const size_t start = shape->scope_start[r];
        const size_t width = shape->scope_start[r + 1] - start;
        const owi_rows_in x = {.rows = flow + r * K * L, .step = R * K * L};
        const owi_rows_in y = {features, owi_cpu_scope(shape, r), shape->n_features * L};
        ops->dots(L, batch.n_tiles, K, width, x, y, statistic + K * start);
    }
    if (total == NULL) return;
    for (size_t k = 0; k < R * K; k++)
        for (size_t t = 0; t < batch.n_tiles; t++)
            total[k] += sum_lanes(L, flow + (t * R * K + k) * L);
}
