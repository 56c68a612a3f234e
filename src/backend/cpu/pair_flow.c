/* SPDX-License-Identifier: MIT */
#include "backend/cpu/pair_flow.h"

#include <math.h>
#include <string.h>

/* The partner of a single region: value 1, top 0. */
static const float ones[owi_tile_lanes] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                           1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                           1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                           1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const float zeros[owi_tile_lanes];

owi_tile_pair owi_pairs_tile(const owi_pairs *pairs, size_t tile)
{
    const size_t L = pairs->lanes, size = pairs->n_components * L;
    const float *left = pairs->in->value + owi_pairs_child(pairs, tile);
    const float *left_top = pairs->in->top + owi_pairs_top(pairs, tile);
    return (owi_tile_pair){left, pairs->single ? ones : left + size, left_top,
                           pairs->single ? zeros : left_top + L};
}

void owi_pairs_sum(const owi_instruction_set *ops, const owi_pairs *pairs, size_t tile,
                   float *s, float *kept)
{
    const owi_tile_pair pair = owi_pairs_tile(pairs, tile);
    for (size_t lane = 0; lane < pairs->lanes; lane++) s[lane] = 0.0f;
    ops->bilinear(pairs->lanes, pairs->n_components, pairs->n_right, pairs->weight.linear,
                  pair.left, pair.right, s, kept);
}

void owi_pairs_log_sums(const owi_instruction_set *ops, const owi_pairs *pairs, size_t tile,
                        double *log_sum, float *kept)
{
    const owi_tile_pair pair = owi_pairs_tile(pairs, tile);
    float s[owi_tile_lanes];

    owi_pairs_sum(ops, pairs, tile, s, kept);
    ops->log(pairs->lanes, s, log_sum);
    for (size_t lane = 0; lane < pairs->lanes; lane++)
        log_sum[lane] += (double)pair.left_top[lane] + pair.right_top[lane];
    for (size_t lane = 0; lane < pairs->lanes; lane++)
        if (s[lane] < owi_cpu_least_sum)
            log_sum[lane] = owi_pairs_log_sum(pairs, tile, lane);
}

/* Takes the rows of one block whose exponent exceeds -log(owi_cpu_least_sum) out of the
 * linear domain. */
static void flow_guarded(const owi_flow_down *down, const owi_pairs *pairs, size_t tile,
                         const double *log_sum, const float *flow, float *exponent)
{
    const float largest = 69.0f; /* exp(-69) is a little more than 1e-30 */
    bool any = false;
    for (size_t lane = 0; lane < pairs->lanes; lane++) any |= !(exponent[lane] <= largest);
    for (size_t lane = 0; any && lane < pairs->lanes; lane++) {
        if (exponent[lane] <= largest) continue;
        exponent[lane] = -INFINITY;
        owi_pairs_flow(pairs, tile, lane, log_sum[lane], flow[lane], down->flow_in,
                       down->statistic != NULL ? down->statistic + pairs->at : NULL);
    }
}

void owi_flow_factors(const owi_flow_down *down, size_t tile, const double *log_sum,
                      const float *flow)
{
    const size_t L = down->batch.lanes;
    float *r = down->r + tile * owi_tile_lanes;
    for (size_t b = 0; b < down->n_blocks; b++) {
        const owi_tile_pair pair = owi_pairs_tile(&down->blocks[b], tile);
        down->ops->exponents(L, pair.left_top, pair.right_top, log_sum + b * L, r + b * L);
        flow_guarded(down, &down->blocks[b], tile, log_sum + b * L, flow + b * L,
                     r + b * L);
    }
    down->ops->times_exp(down->n_blocks * L, flow, r, r);
}

static void flow_tile(const owi_flow_down *down, const owi_pairs *pairs, size_t tile,
                      const float *r, float *scaled)
{
    const owi_tile_pair pair = owi_pairs_tile(pairs, tile);
    const size_t K = pairs->n_components, L = pairs->lanes;
    float *flow_left = down->flow_in + owi_pairs_child(pairs, tile);
    const owi_pair_flow flow = {.n_left = K,
                                .n_right = pairs->n_right,
                                .weight = pairs->weight.linear,
                                .left = pair.left,
                                .right = pair.right,
                                .r = r,
                                .kept =
                                    down->kept != NULL ? down->kept + tile * K * L : NULL,
                                .scaled = scaled,
                                .flow_left = flow_left,
                                .flow_right = pairs->single ? NULL : flow_left + K * L};
    down->ops->pair_flow(L, &flow);
}

/* scaled is (T, K, L); product (K, K) is scratch. */
static void add_statistic(const owi_flow_down *down, const owi_pairs *pairs,
                          const float *scaled, float *product)
{
    const size_t K = pairs->n_components, n_right = pairs->n_right, L = pairs->lanes;
    const size_t tile_step = pairs->single ? 0 : pairs->n_regions * K * L;
    const owi_rows_in x = {.rows = scaled, .step = K * L};
    const owi_rows_in y = {.rows = owi_pairs_tile(pairs, 0).right, .step = tile_step};

    memset(product, 0, K * n_right * sizeof *product);
    down->ops->dots(L, down->batch.n_tiles, K, n_right, x, y, product);
    for (size_t i = 0; i < K * n_right; i++)
        down->statistic[pairs->at + i] += pairs->weight.linear[i] * product[i];
}

void owi_flow_blocks(const owi_flow_down *down)
{
    const size_t L = down->batch.lanes, T = down->batch.n_tiles;
    for (size_t b = 0; b < down->n_blocks; b++) {
        const owi_pairs *pairs = &down->blocks[b];
        const size_t size = pairs->n_components * L;
        for (size_t t = 0; t < T; t++)
            flow_tile(down, pairs, t, down->r + t * owi_tile_lanes + b * L,
                      down->scratch + t * size);
        if (down->statistic != NULL)
            add_statistic(down, pairs, down->scratch, down->scratch + T * size);
    }
}
