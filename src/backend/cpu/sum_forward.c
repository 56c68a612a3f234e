/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "backend/cpu/cpu_kernels.h"
#include "backend/pair_sum.h"

/* log s + top_left + top_right for one sum of one tile; rows whose s underflows once more, in the
 * log domain. */
static void finish_sum(const owi_instruction_set *ops, size_t L, const owi_pair_sum *pairs,
                       const float *top, float *s, float *log_value)
{
    ops->log(L, s, log_value);
    for (size_t lane = 0; lane < L; lane++) {
        if (s[lane] >= owi_cpu_least_sum) {
            log_value[lane] += top[lane] + top[L + lane];
            continue;
        }
        const owi_pair_sum row = {pairs->log_weight, pairs->left + lane,
                                  pairs->right + lane, pairs->n_components, L};
        log_value[lane] = (float)owi_pair_log_sum(&row);
    }
}

void owi_cpu_sum_forward(const owi_backend *self, const owi_sum_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         const owi_layer_values *out, float *scratch)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t R = shape->n_regions, S = shape->n_sums, K = shape->n_components;
    const size_t L = batch.lanes;
    float *product = scratch, *s = scratch + K * L; /* (K, L), (L) */

    for (size_t r = 0; r < batch.n_tiles * R; r++) {
        const size_t child = r * 2 * K * L;
        const float *left = in->value + child, *right = left + K * L;
        for (size_t n = 0; n < S; n++) {
            /* product[i] = sum_j W[i,j] right[j];  s = sum_i left[i] product[i] */
            const size_t block = ((r % R) * S + n) * K * K;
            const owi_matrix w = {weights.linear + block, K, 1};
            for (size_t i = 0; i < K * L; i++) product[i] = 0.0f;
            ops->multiply(L, K, K, w, (owi_rows_in){right, NULL, 0}, NULL,
                          (owi_rows_out){product, NULL});
            ops->product_sum(L, K, left, product, s);
            const owi_pair_sum pairs = {weights.log + block, in->log_value + child,
                                        in->log_value + child + K * L, K, L};
            finish_sum(ops, L, &pairs, in->top + r * 2 * L, s,
                       out->log_value + (r * S + n) * L);
        }
    }
    owi_cpu_normalize(self, R, S, batch, out);
}
