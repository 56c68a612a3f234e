/* SPDX-License-Identifier: MIT */
#include "backend/cpu/pair_flow.h"

#include <string.h>

void owi_pair_tiles_init(owi_pair_tiles *tiles, const owi_instruction_set *ops,
                         owi_batch batch, size_t n_components, float *scratch)
{
    const size_t rows = batch.n_tiles * batch.lanes;
    *tiles = (owi_pair_tiles){.ops = ops,
                              .batch = batch,
                              .n_components = n_components,
                              .exponent = scratch,
                              .flow = scratch + rows,
                              .scratch = scratch + 2 * rows};
}

/* statistic += W * dots(scaled, right), entry by entry. */
static void add_statistic(const owi_pair_tiles *tiles, const float *weight,
                          const float *scaled, float *dots, float *statistic)
{
    const size_t K = tiles->n_components, L = tiles->batch.lanes;
    const owi_rows_in x = {scaled, NULL, K * L};
    const owi_rows_in y = {tiles->value + K * L, NULL, tiles->step};

    memset(dots, 0, K * K * sizeof *dots);
    tiles->ops->dots(L, tiles->batch.n_tiles, K, K, x, y, dots);
    for (size_t i = 0; i < K * K; i++) statistic[i] += weight[i] * dots[i];
}

void owi_pair_tiles_flow(const owi_pair_tiles *tiles, const float *weight, float *statistic)
{
    const owi_instruction_set *ops = tiles->ops;
    const size_t K = tiles->n_components, L = tiles->batch.lanes, T = tiles->batch.n_tiles;
    float *scaled = tiles->scratch;      /* (T, K, L) */
    float *product = scaled + T * K * L; /* (K, L)    */
    float *zeros = product + K * L;      /* (K)       */
    const owi_matrix w = {weight, K, 1}, transposed = {weight, 1, K};

    memset(zeros, 0, K * sizeof *zeros);
    ops->exp(T * L, tiles->exponent, tiles->exponent);
    ops->times(1, T * L, tiles->flow, tiles->exponent);
    for (size_t t = 0; t < T; t++) {
        const float *left = tiles->value + t * tiles->step, *right = left + K * L;
        float *flow_left = tiles->flow_in + t * tiles->step,
              *flow_right = flow_left + K * L;
        float *scaled_t = scaled + t * K * L;

        ops->scale(L, K, left, tiles->exponent + t * L, scaled_t);
        ops->multiply(L, K, K, w, (owi_rows_in){right, NULL, 0}, zeros,
                      (owi_rows_out){product, NULL});
        ops->add_product(L, K, scaled_t, product, flow_left);
        ops->multiply(L, K, K, transposed, (owi_rows_in){scaled_t, NULL, 0}, zeros,
                      (owi_rows_out){product, NULL});
        ops->add_product(L, K, right, product, flow_right);
    }
    if (statistic != NULL) add_statistic(tiles, weight, scaled, product, statistic);
}
