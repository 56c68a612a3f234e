/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "backend/cpu/pair_flow.h"

void owi_cpu_root_backward(const owi_backend *self, const owi_root_shape *shape,
                           owi_batch batch, owi_weights weights, const owi_layer_values *in,
                           const double *log_root, const float *seed, float *flow_in,
                           float *statistic, float *scratch)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t C = shape->n_classes, K = shape->n_components;
    const size_t L = batch.lanes, T = batch.n_tiles;
    float *scaled = scratch, *product = scratch + T * K * L; /* (T, K, L), (K, K) */

    memset(flow_in, 0, T * owi_root_n_regions(shape) * K * L * sizeof *flow_in);
    /* Classes inside: those that share a partition find it in the cache. */
    for (size_t p = 0; p < shape->n_partitions; p++)
        for (size_t c = 0; c < C; c++) {
            const owi_pairs pairs = owi_root_pairs(shape, weights, in, L, c, p);
            float *block_statistic = statistic != NULL ? statistic + pairs.at : NULL;
            for (size_t t = 0; t < T; t++) {
                const size_t root = (t * C + c) * L;
                owi_pairs_flow_tile(ops, &pairs, t, log_root + root, seed + root,
                                    scaled + t * K * L, flow_in, block_statistic);
            }
            if (statistic != NULL)
                owi_pairs_statistic(ops, &pairs, T, scaled, product, block_statistic);
        }
}
