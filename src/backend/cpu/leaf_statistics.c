/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cpu_kernels.h"

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
            for (size_t lane = 0; lane < L; lane++)
                total[k] += flow[(t * R * K + k) * L + lane];
}
