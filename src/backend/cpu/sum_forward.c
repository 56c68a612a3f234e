/* SPDX-License-Identifier: MIT */
#include "backend/cpu/pair_flow.h"

void owi_cpu_sum_forward(const owi_backend *self, const owi_sum_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         const owi_layer_values *out, float *scratch)
{
    (void)scratch; /* one row of lanes is enough */
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t R = shape->n_regions, S = shape->n_sums, L = batch.lanes;

    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t r = 0; r < R; r++)
            for (size_t n = 0; n < S; n++) {
                const owi_pairs pairs = owi_sum_pairs(shape, weights, in, L, r, n);
                float *log_value = out->log_value + ((t * R + r) * S + n) * L;
                double log_sum[owi_tile_lanes];
                owi_pairs_log_sums(ops, &pairs, t, log_sum, NULL);
                for (size_t lane = 0; lane < L; lane++)
                    log_value[lane] = (float)log_sum[lane];
            }
    owi_cpu_normalize(self, R, S, batch, out);
}
