/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "backend/cpu/pair_flow.h"
#include "backend/pair_sum.h"

/* Where region r's two children begin in tile t of a (T, 2R, K, L) buffer. */
static size_t child_at(const owi_sum_shape *shape, owi_batch batch, size_t t, size_t r)
{
    return (t * shape->n_regions + r) * 2 * shape->n_components * batch.lanes;
}

/* Exponents of sum n of region r for all rows; rows under the guard are done at once. */
static void fill_exponents(const owi_sum_shape *shape, owi_pair_tiles *tiles,
                           const float *log_weight, const owi_layer_values *in,
                           const owi_layer_values *out, const float *flow_out, size_t r,
                           size_t n, float *flow_in, float *statistic)
{
    const size_t R = shape->n_regions, S = shape->n_sums, K = shape->n_components;
    const size_t L = tiles->batch.lanes;
    const float largest = -logf(owi_cpu_least_sum);

    for (size_t t = 0; t < tiles->batch.n_tiles; t++) {
        const float *top = in->top + (t * R + r) * 2 * L;
        const size_t node = ((t * R + r) * S + n) * L,
                     child = child_at(shape, tiles->batch, t, r);
        for (size_t lane = 0; lane < L; lane++) {
            float *exponent = tiles->exponent + t * L + lane;
            *exponent = top[lane] + top[L + lane] - out->log_value[node + lane];
            tiles->flow[t * L + lane] = flow_out[node + lane];
            if (*exponent <= largest) continue;
            *exponent = -INFINITY;
            const owi_pair_sum pairs = {log_weight, in->log_value + child + lane,
                                        in->log_value + child + K * L + lane, K, L};
            owi_pair_flow(&pairs, out->log_value[node + lane], flow_out[node + lane],
                          flow_in + child + lane, flow_in + child + K * L + lane,
                          statistic);
        }
    }
}

void owi_cpu_sum_backward(const owi_backend *self, const owi_sum_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          const owi_layer_values *out, const float *flow_out,
                          float *flow_in, float *statistic, float *scratch)
{
    const size_t R = shape->n_regions, S = shape->n_sums, K = shape->n_components;
    const size_t L = batch.lanes;
    owi_pair_tiles tiles;
    owi_pair_tiles_init(&tiles, owi_cpu_ops(self), batch, K, scratch);
    tiles.step = R * 2 * K * L;

    memset(flow_in, 0, batch.n_tiles * R * 2 * K * L * sizeof *flow_in);
    for (size_t r = 0; r < R; r++) {
        tiles.value = in->value + child_at(shape, batch, 0, r);
        tiles.flow_in = flow_in + child_at(shape, batch, 0, r);
        for (size_t n = 0; n < S; n++) {
            const size_t block = (r * S + n) * K * K;
            float *block_statistic = statistic != NULL ? statistic + block : NULL;
            fill_exponents(shape, &tiles, weights.log + block, in, out, flow_out, r, n,
                           flow_in, block_statistic);
            owi_pair_tiles_flow(&tiles, weights.linear + block, block_statistic);
        }
    }
}
