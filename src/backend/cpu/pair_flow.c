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
                   float *s)
{
    const owi_tile_pair pair = owi_pairs_tile(pairs, tile);
    for (size_t lane = 0; lane < pairs->lanes; lane++) s[lane] = 0.0f;
    ops->bilinear(pairs->lanes, pairs->n_components, pairs->n_right, pairs->weight.linear,
                  pair.left, pair.right, s);
}

/* Takes the rows whose exponent exceeds -log(owi_cpu_least_sum) out of the linear domain. */
static void flow_guarded(const owi_pairs *pairs, size_t tile, const double *log_sum,
                         const float *flow, float *exponent, float *flow_in,
                         float *statistic)
{
    const float largest = -logf(owi_cpu_least_sum);
    bool any = false;
    for (size_t lane = 0; lane < pairs->lanes; lane++) any |= !(exponent[lane] <= largest);
    if (!any) return;
    for (size_t lane = 0; lane < pairs->lanes; lane++) {
        if (exponent[lane] <= largest) continue;
        exponent[lane] = -INFINITY;
        owi_pairs_flow(pairs, tile, lane, log_sum[lane], flow[lane], flow_in, statistic);
    }
}

void owi_pairs_flow_tile(const owi_instruction_set *ops, const owi_pairs *pairs,
                         size_t tile, const double *log_sum, const float *flow,
                         float *scaled, float *flow_in, float *statistic)
{
    const owi_tile_pair pair = owi_pairs_tile(pairs, tile);
    const size_t K = pairs->n_components, L = pairs->lanes, n_right = pairs->n_right;
    const owi_matrix w = {pairs->weight.linear, n_right, 1},
                     transposed = {pairs->weight.linear, 1, n_right};
    float *flow_left = flow_in + owi_pairs_child(pairs, tile);
    float r[owi_tile_lanes];

    ops->exponents(L, pair.left_top, pair.right_top, log_sum, r);
    flow_guarded(pairs, tile, log_sum, flow, r, flow_in, statistic);
    ops->times_exp(L, flow, r, r);
    ops->scale(L, K, pair.left, r, scaled);
    ops->multiply_times(L, K, n_right, w, pair.right, scaled, flow_left);
    if (!pairs->single)
        ops->multiply_times(L, K, K, transposed, scaled, pair.right, flow_left + K * L);
}

void owi_pairs_statistic(const owi_instruction_set *ops, const owi_pairs *pairs,
                         size_t n_tiles, const float *scaled, float *product,
                         float *statistic)
{
    const size_t K = pairs->n_components, n_right = pairs->n_right, L = pairs->lanes;
    const size_t tile_step = pairs->single ? 0 : pairs->n_regions * K * L;
    const owi_rows_in x = {scaled, NULL, K * L};
    const owi_rows_in y = {owi_pairs_tile(pairs, 0).right, NULL, tile_step};

    memset(product, 0, K * n_right * sizeof *product);
    ops->dots(L, n_tiles, K, n_right, x, y, product);
    for (size_t i = 0; i < K * n_right; i++)
        statistic[i] += pairs->weight.linear[i] * product[i];
}
