/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "backend/cpu/pair_flow.h"

void owi_cpu_sum_backward(const owi_backend *self, const owi_sum_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          const owi_layer_values *out, const float *flow_out,
                          float *flow_in, float *statistic, float *scratch)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t R = shape->n_regions, S = shape->n_sums, K = shape->n_components;
    const size_t L = batch.lanes, T = batch.n_tiles;
    float *scaled = scratch, *product = scratch + T * K * L; /* (T, K, L), (K, K) */

    memset(flow_in, 0, T * R * 2 * K * L * sizeof *flow_in);
    for (size_t r = 0; r < R; r++)
        for (size_t n = 0; n < S; n++) {
            const owi_pairs pairs = owi_sum_pairs(shape, weights, in, L, r, n);
            float *block_statistic = statistic != NULL ? statistic + pairs.at : NULL;
            for (size_t t = 0; t < T; t++) {
                const size_t node = ((t * R + r) * S + n) * L;
                double log_sum[owi_tile_lanes];
                for (size_t lane = 0; lane < L; lane++)
                    log_sum[lane] = out->log_value[node + lane];
                owi_pairs_flow_tile(ops, &pairs, t, log_sum, flow_out + node,
                                    scaled + t * K * L, flow_in, block_statistic);
            }
            if (statistic != NULL)
                owi_pairs_statistic(ops, &pairs, T, scaled, product, block_statistic);
        }
}
