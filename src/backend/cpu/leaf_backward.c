/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cpu_kernels.h"

/* The forward product with theta transposed: the region's features are the rows written. */
void owi_cpu_leaf_backward(const owi_backend *self, const owi_leaf_shape *shape,
                           owi_batch batch, const float *theta, const float *flow,
                           float *d_features)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t R = shape->n_regions, K = shape->n_components;
    const size_t L = batch.lanes, T = batch.n_tiles;

    for (size_t i = 0; i < T * R; i++) {
        /* Single rows go through the regions backwards: what forward read last is still at hand. */
        const size_t t = L == 1 ? i % T : i / R, r = L == 1 ? R - 1 - i / T : i % R;
        const size_t start = shape->scope_start[r];
        const size_t width = shape->scope_start[r + 1] - start;
        const owi_matrix transposed = {theta + K * start, 1, width};
        const owi_rows_in b = {.rows = flow + (t * R + r) * K * L};
        const owi_rows_out out = {d_features + t * shape->n_features * L,
                                  owi_cpu_scope(shape, r)};
        ops->multiply(L, width, K, transposed, b, NULL, out);
    }
}
