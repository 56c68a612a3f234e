/* SPDX-License-Identifier: MIT */
#include "backend/cpu/pair_flow.h"

/* log_value = log s + left_top + right_top for one sum of one tile; rows whose s underflows, in
 * the log domain. */
static void finish_sum(const owi_instruction_set *ops, const owi_pairs *pairs, size_t tile,
                       const float *s, float *log_value)
{
    const owi_tile_pair pair = owi_pairs_tile(pairs, tile);
    double log_s[owi_tile_lanes];

    ops->log(pairs->lanes, s, log_s);
    for (size_t lane = 0; lane < pairs->lanes; lane++)
        log_value[lane] = (float)(log_s[lane] + pair.left_top[lane] + pair.right_top[lane]);
    for (size_t lane = 0; lane < pairs->lanes; lane++)
        if (s[lane] < owi_cpu_least_sum)
            log_value[lane] = (float)owi_pairs_log_sum(pairs, tile, lane);
}

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
                float s[owi_tile_lanes];
                owi_pairs_sum(ops, &pairs, t, s);
                finish_sum(ops, &pairs, t, s, out->log_value + ((t * R + r) * S + n) * L);
            }
    owi_cpu_normalize(self, R, S, batch, out);
}
