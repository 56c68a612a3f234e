/* SPDX-License-Identifier: MIT */
/* Any processor: the loops of tile_loops.h as the compiler's default target runs them. */
#include "backend/cpu/tile_loops.h"

static void multiply(size_t L, size_t m, size_t n, owi_matrix a, owi_rows_in b,
                     const float *bias, owi_rows_out out)
{
    for (size_t i = 0; i < m; i++) {
        float *row = out.rows + owi_row_at(out.index, i) * L;
        if (bias != NULL)
            for (size_t lane = 0; lane < L; lane++) row[lane] = bias[i];
        for (size_t k = 0; k < n; k++) {
            const float factor = a.entries[i * a.row_step + k * a.column_step];
            const float *b_row = b.rows + owi_row_at(b.index, k) * L;
            for (size_t lane = 0; lane < L; lane++) row[lane] += factor * b_row[lane];
        }
    }
}

/* Four partial sums, so that the additions need not wait for each other. */
static void dots(size_t L, size_t n_tiles, size_t m, size_t n, owi_rows_in x, owi_rows_in y,
                 float *c)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            const float *x_row = x.rows + owi_row_at(x.index, i) * L;
            const float *y_row = y.rows + owi_row_at(y.index, j) * L;
            float sums[4] = {0};
            for (size_t t = 0; t < n_tiles; t++)
                for (size_t lane = 0; lane < L; lane++)
                    sums[lane % 4] += x_row[t * x.step + lane] * y_row[t * y.step + lane];
            c[i * n + j] += (sums[0] + sums[1]) + (sums[2] + sums[3]);
        }
}

const owi_instruction_set owi_cpu_plain = {
    .name = "plain",
    .multiply = multiply,
    .dots = dots,
    .normalize = owi_tile_normalize,
    .product_sum = owi_tile_product_sum,
    .scale = owi_tile_scale,
    .add_product = owi_tile_add_product,
    .times = owi_tile_times,
    .exp = owi_tile_exp,
    .log = owi_tile_log,
};
