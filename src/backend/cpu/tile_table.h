/* SPDX-License-Identifier: MIT */
/* The table of an instruction set: full tiles here, single rows by the *_single functions
 * that have been defined before, by tile_single.h or otherwise. */
#ifndef OWI_TILE_TABLE_H
#define OWI_TILE_TABLE_H

#include "backend/cpu/tile_full.h"
#include "backend/cpu/tile_loops.h"

static void multiply(size_t L, size_t m, size_t n, owi_matrix a, owi_rows_in b,
                     const float *bias, owi_rows_out out)
{
    if (L > 1)
        multiply_full(L, m, n, a, b, bias, out);
    else
        multiply_single(m, n, a, b, bias, out);
}

static void multiply_times(size_t L, size_t m, size_t n, owi_matrix a, const float *b,
                           const float *times, float *out)
{
    if (L > 1) {
        multiply_times_full(L, m, n, a, b, times, out);
        return;
    }
    memset(out, 0, m * sizeof *out);
    multiply_single(m, n, a, (owi_rows_in){.rows = b}, NULL, (owi_rows_out){.rows = out});
    for (size_t i = 0; i < m && times != NULL; i++) out[i] *= times[i];
}

static void bilinear(size_t L, size_t n_left, size_t n_right, const float *weight,
                     const float *left, const float *right, float *out, float *kept)
{
    if (L == owi_tile_lanes)
        bilinear_full(n_left, n_right, weight, left, right, out, kept);
    else
        bilinear_single(n_left, n_right, weight, left, right, out);
}

static void pair_flow(size_t L, const owi_pair_flow *flow)
{
    if (L == owi_tile_lanes)
        pair_flow_full(flow);
    else
        pair_flow_single(flow);
}

static void dots(size_t L, size_t n_tiles, size_t m, size_t n, owi_rows_in x, owi_rows_in y,
                 float *c)
{
    if (L == owi_tile_lanes)
        dots_full(n_tiles, m, n, x, y, c);
    else
        dots_single(n_tiles, m, n, x, y, c);
}

#define OWI_TILE_OPS                                                                       \
    .multiply = multiply, .multiply_times = multiply_times, .bilinear = bilinear,          \
    .pair_flow = pair_flow, .dots = dots, .normalize = owi_tile_normalize,                 \
    .exponents = owi_tile_exponents, .times_exp = owi_tile_times_exp, .log = owi_tile_log, \
    .add_log = owi_tile_add_log, .divide = OWI_TILE_DIVIDE

#endif
