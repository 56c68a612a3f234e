/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "backend/cpu/pair_flow.h"

void owi_cpu_sum_backward(const owi_backend *self, const owi_sum_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          const float *flow_out, float *flow_in, float *statistic,
                          float *scratch)
{
    const size_t R = shape->n_regions, S = shape->n_sums;
    const size_t K = shape->n_components, L = batch.lanes, T = batch.n_tiles;
    /* Full tiles go down block by block: a product of the sum made again is kept for the
     * flow to the right child. */
    float *kept = L == 1 ? NULL : scratch + T * (owi_tile_lanes + K * L) + K * K;
    owi_pairs blocks[owi_tile_lanes];
    owi_flow_down down = {.ops = owi_cpu_ops(self),
                          .batch = batch,
                          .blocks = blocks,
                          .r = scratch,
                          .scratch = scratch + T * owi_tile_lanes,
                          .flow_in = flow_in,
                          .kept = kept,
                          .statistic = statistic};

    memset(flow_in, 0, T * 2 * R * K * L * sizeof *flow_in);
    for (size_t r = 0; r < R; r++)
        for (size_t s = 0; s < S; s += down.n_blocks) {
            down.n_blocks = owi_blocks_at_once(L, S - s);
            for (size_t b = 0; b < down.n_blocks; b++)
                blocks[b] = owi_sum_pairs(shape, weights, in, L, r, s + b);
            for (size_t t = 0; t < T; t++) {
                const size_t node = ((t * R + r) * S + s) * L;
                double log_sum[owi_tile_lanes];
                for (size_t b = 0; b < down.n_blocks; b++)
                    owi_pairs_log_sums(down.ops, &blocks[b], t, log_sum + b * L,
                                       kept != NULL ? kept + t * K * L : NULL);
                owi_flow_factors(&down, t, log_sum, flow_out + node);
            }
            owi_flow_blocks(&down);
        }
}
