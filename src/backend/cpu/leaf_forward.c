/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cpu_kernels.h"

void owi_cpu_leaf_forward(const owi_backend *self, const owi_leaf_shape *shape,
                          owi_batch batch, const float *theta, const float *bias,
                          const float *features, float *log_value)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t R = shape->n_regions, K = shape->n_components;
    const size_t L = batch.lanes, T = batch.n_tiles;

    for (size_t i = 0; i < T * R; i++) {
        /* Full tiles one after the other, whose features stay in the cache; single rows side by
         * side, for which a region's parameters do. */
        const size_t t = L == 1 ? i % T : i / R, r = L == 1 ? i / T : i % R;
        const size_t start = shape->scope_start[r];
        const size_t width = shape->scope_start[r + 1] - start;
        const owi_matrix a = {theta + K * start, width, 1, NULL};
        const owi_rows_in b = {.rows = features + t * shape->n_features * L,
                               .pick = owi_cpu_scope(shape, r)};
        const owi_rows_out out = {.rows = log_value + (t * R + r) * K * L};
        ops->multiply(L, K, width, a, b, bias != NULL ? bias + r * K : NULL, out);
    }
}
