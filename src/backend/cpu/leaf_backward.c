/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cpu_kernels.h"

/* The forward product with theta transposed: the region's features are the rows written. */
void owi_cpu_leaf_backward(const owi_backend *self, const owi_leaf_shape *shape,
                           owi_batch batch, const float *theta, const float *flow,
                           float *d_features)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t R = shape->n_regions, K = shape->n_components, L = batch.lanes;

    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t r = 0; r < R; r++) {
            const size_t start = shape->scope_start[r];
            const size_t width = shape->scope_start[r + 1] - start;
            const owi_matrix transposed = {theta + K * start, 1, width};
            const owi_rows_in b = {flow + (t * R + r) * K * L, NULL, 0};
            const owi_rows_out out = {d_features + t * shape->n_features * L,
                                      shape->scope + start};
            ops->multiply(L, width, K, transposed, b, NULL, out);
        }
}
