/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "backend/cpu/cpu_kernels.h"
#include "backend/cpu/root_offset.h"
#include "backend/pair_sum.h"

/* sum[lane] += scale[lane] * sum_ij W[i,j] left[i] right[j], for one partition and tile. */
static void add_partition(const owi_instruction_set *ops, const owi_root_shape *shape,
                          size_t L, const float *weight, const float *left,
                          const float *scale, float *product, float *zeros, float *sum)
{
    const size_t K = shape->n_components;
    float *part = zeros + K; /* (L) */

    if (shape->single) {
        const owi_matrix w = {weight, K, 1};
        ops->multiply(L, 1, K, w, (owi_rows_in){left, NULL, 0}, zeros,
                      (owi_rows_out){part, NULL});
    } else {
        const owi_matrix w = {weight, K, 1};
        ops->multiply(L, K, K, w, (owi_rows_in){left + K * L, NULL, 0}, zeros,
                      (owi_rows_out){product, NULL});
        ops->product_sum(L, K, left, product, part);
    }
    ops->add_product(L, 1, scale, part, sum);
}

void owi_cpu_root_forward(const owi_backend *self, const owi_root_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          double *log_root, float *scratch)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t C = shape->n_classes, P = shape->n_partitions, K = shape->n_components;
    const size_t L = batch.lanes;
    float *offset = scratch, *sum = offset + L, *scale = sum + L; /* (L) each */
    float *product = scale + L, *zeros = product + K * L;         /* (K, L), (K) then (L) */
    memset(zeros, 0, K * sizeof *zeros);

    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t c = 0; c < C; c++) {
            owi_root_offset(shape, L, in, t, c, offset);
            for (size_t lane = 0; lane < L; lane++) sum[lane] = 0.0f;
            for (size_t p = 0; p < P; p++) {
                const float *weight = weights.linear + (c * P + p) * owi_root_block(shape);
                owi_root_exponent(shape, L, in, t, c, p, offset, scale);
                ops->exp(L, scale, scale);
                add_partition(ops, shape, L, weight,
                              in->value + owi_root_child(shape, t, c, p) * K * L, scale,
                              product, zeros, sum);
            }
            double *out = log_root + (t * C + c) * L;
            for (size_t lane = 0; lane < L; lane++)
                out[lane] = sum[lane] >= owi_cpu_least_sum
                                ? log((double)sum[lane]) + offset[lane]
                                : owi_root_log_sum(shape, weights, in, L, t, c, lane);
        }
}
