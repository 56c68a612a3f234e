/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "backend/cpu/pair_flow.h"

/* Nothing flows down a class that no row of the batch has an adjoint for. */
static bool is_silent(const owi_root_shape *shape, owi_batch batch, const float *adjoint,
                      size_t c)
{
    const size_t L = batch.lanes;
    uint32_t joined = 0, bits;
    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t lane = 0; lane < L; lane++) {
            memcpy(&bits, adjoint + (t * shape->n_classes + c) * L + lane, sizeof bits);
            joined |= bits;
        }
    return joined == 0;
}

void owi_cpu_root_backward(const owi_backend *self, const owi_root_shape *shape,
                           owi_batch batch, owi_weights weights, const owi_layer_values *in,
                           const double *log_root, const float *adjoint, float *flow_in,
                           float *statistic, float *scratch)
{
    const size_t C = shape->n_classes, P = shape->n_partitions;
    const size_t L = batch.lanes, T = batch.n_tiles;
    const size_t n_regions = owi_root_n_regions(shape);
    owi_pairs blocks[owi_tile_lanes];
    owi_flow_down down = {.ops = owi_cpu_ops(self),
                          .batch = batch,
                          .blocks = blocks,
                          .r = scratch,
                          .scratch = scratch + T * owi_tile_lanes,
                          .flow_in = flow_in,
                          .statistic = statistic};

    memset(flow_in, 0, T * n_regions * shape->n_components * L * sizeof *flow_in);
    /* Classes inside: those that share a partition find it in the cache. */
    for (size_t p = 0; p < P; p += down.n_blocks) {
        down.n_blocks = owi_blocks_at_once(L, P - p);
        for (size_t c = 0; c < C; c++) {
            if (is_silent(shape, batch, adjoint, c)) continue;
            for (size_t b = 0; b < down.n_blocks; b++)
                blocks[b] = owi_root_pairs(shape, weights, in, L, c, p + b);
            for (size_t t = 0; t < T; t++) {
                /* All partitions have the same log-sum and flow: those of the root. */
                double log_sum[owi_tile_lanes];
                float flow[owi_tile_lanes];
                for (size_t b = 0; b < down.n_blocks; b++)
                    for (size_t lane = 0; lane < L; lane++) {
                        log_sum[b * L + lane] = log_root[(t * C + c) * L + lane];
                        flow[b * L + lane] = adjoint[(t * C + c) * L + lane];
                    }
                owi_flow_factors(&down, t, log_sum, flow);
            }
            owi_flow_blocks(&down);
        }
    }
}
