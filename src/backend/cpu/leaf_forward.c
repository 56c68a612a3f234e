/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cpu_kernels.h"

void owi_cpu_leaf_forward(const owi_backend *self, const owi_leaf_shape *shape,
                          owi_batch batch, const float *theta, const float *bias,
                          const float *features, float *log_value)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t R = shape->n_regions, K = shape->n_components, L = batch.lanes;

    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t r = 0; r < R; r++) {
            const size_t start = shape->scope_start[r];
            const size_t width = shape->scope_start[r + 1] - start;
            const owi_matrix a = {theta + K * start, width, 1};
            const owi_rows_in b = {features + t * shape->n_features * L,
                                   shape->scope + start, 0};
            const owi_rows_out out = {log_value + (t * R + r) * K * L, NULL};
            ops->multiply(L, K, width, a, b, bias != NULL ? bias + r * K : NULL, out);
        }
}
