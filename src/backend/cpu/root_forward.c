/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "backend/cpu/pair_flow.h"

/* The common offset of a class's partitions, max_p (left_top + right_top): around it they
 * can be added up in linear space.  -infinity where all is impossible. */
static void common_offset(const owi_root_shape *shape, owi_weights weights,
                          const owi_layer_values *in, size_t L, size_t c, size_t tile,
                          double *offset)
{
    for (size_t lane = 0; lane < L; lane++) offset[lane] = -INFINITY;
    for (size_t p = 0; p < shape->n_partitions; p++) {
        const owi_pairs pairs = owi_root_pairs(shape, weights, in, L, c, p);
        const owi_tile_pair pair = owi_pairs_tile(&pairs, tile);
        for (size_t lane = 0; lane < L; lane++) {
            const double top = (double)pair.left_top[lane] + pair.right_top[lane];
            offset[lane] = top > offset[lane] ? top : offset[lane];
        }
    }
}

/* The root of class c in one tile:  sum = sum_p exp(left_top + right_top - offset) s_p. */
static void root_of_tile(const owi_instruction_set *ops, const owi_root_shape *shape,
                         owi_weights weights, const owi_layer_values *in, size_t L,
                         size_t c, size_t tile, double *log_root)
{
    const size_t P = shape->n_partitions;
    double offset[owi_tile_lanes];
    float sum[owi_tile_lanes] = {0};

    common_offset(shape, weights, in, L, c, tile, offset);
    for (size_t p = 0, n; p < P; p += n) {
        n = owi_blocks_at_once(L, P - p);
        float s[owi_tile_lanes], exponent[owi_tile_lanes];
        for (size_t b = 0; b < n; b++) {
            const owi_pairs pairs = owi_root_pairs(shape, weights, in, L, c, p + b);
            const owi_tile_pair pair = owi_pairs_tile(&pairs, tile);
            owi_pairs_sum(ops, &pairs, tile, s + b * L, NULL);
            ops->exponents(L, pair.left_top, pair.right_top, offset, exponent + b * L);
        }
        ops->times_exp(n * L, s, exponent, s);
        for (size_t b = 0; b < n; b++)
            for (size_t lane = 0; lane < L; lane++) sum[lane] += s[b * L + lane];
    }
    ops->log(L, sum, log_root);
    for (size_t lane = 0; lane < L; lane++) log_root[lane] += offset[lane];
    for (size_t lane = 0; lane < L; lane++)
        if (sum[lane] < owi_cpu_least_sum)
            log_root[lane] = owi_root_log_sum(shape, weights, in, L, c, tile, lane);
}

void owi_cpu_root_forward(const owi_backend *self, const owi_root_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          double *log_root, float *scratch)
{
    (void)scratch; /* a few rows of lanes are enough */
    const size_t C = shape->n_classes, L = batch.lanes;

    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t c = 0; c < C; c++)
            root_of_tile(owi_cpu_ops(self), shape, weights, in, L, c, t,
                         log_root + (t * C + c) * L);
}
