/* SPDX-License-Identifier: MIT */
/* AVX2 with FMA: 8 floats a register, 16 registers.  The product keeps 3 rows x 32 lanes = 12
 * registers of the result and passes over the scope once for each half of the lanes. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "backend/cpu/tile_loops.h"

enum { width = 8, vectors = 4, half = width * vectors, block = 3 };

/* M <= block rows of the result, one half of the lanes from `lane` on. */
static OWI_INLINE void multiply_block(size_t M, size_t lane, size_t i, size_t n,
                                      owi_matrix a, owi_rows_in b, const float *bias,
                                      owi_rows_out out)
{
    __m256 sum[block][vectors];
    for (size_t r = 0; r < M; r++) {
        const float *row = out.rows + owi_row_at(out.index, i + r) * owi_tile_lanes + lane;
        for (size_t v = 0; v < vectors; v++)
            sum[r][v] = bias != NULL ? _mm256_set1_ps(bias[i + r])
                                     : _mm256_loadu_ps(row + v * width);
    }
    const float *entry = a.entries + i * a.row_step;
    for (size_t k = 0; k < n; k++, entry += a.column_step) {
        const float *row = b.rows + owi_row_at(b.index, k) * owi_tile_lanes + lane;
        __m256 factor[block];
        for (size_t r = 0; r < M; r++) factor[r] = _mm256_set1_ps(entry[r * a.row_step]);
        for (size_t v = 0; v < vectors; v++) {
            const __m256 x = _mm256_loadu_ps(row + v * width);
            for (size_t r = 0; r < M; r++)
                sum[r][v] = _mm256_fmadd_ps(factor[r], x, sum[r][v]);
        }
    }
    for (size_t r = 0; r < M; r++) {
        float *row = out.rows + owi_row_at(out.index, i + r) * owi_tile_lanes + lane;
        for (size_t v = 0; v < vectors; v++) _mm256_storeu_ps(row + v * width, sum[r][v]);
    }
}

/* The sums over all lanes of four registers, as four floats. */
static OWI_INLINE __m128 sum_four(__m256 a, __m256 b, __m256 c, __m256 d)
{
    const __m256 abcd = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
    return _mm_add_ps(_mm256_castps256_ps128(abcd), _mm256_extractf128_ps(abcd, 1));
}

/* One lane, rows of a contiguous: out[i] += dot(a[i], x), four rows at a time. */
static void add_row_dots(size_t m, size_t n, const float *a, size_t row_step,
                         const float *x, owi_rows_out out)
{
    for (size_t i = 0; i < m; i += 4) {
        const size_t M = m - i < 4 ? m - i : 4;
        const float *row[4];
        for (size_t r = 0; r < 4; r++) row[r] = a + (r < M ? i + r : i) * row_step;
        __m256 sum[4];
        for (size_t r = 0; r < 4; r++) sum[r] = _mm256_setzero_ps();
        size_t k = 0;
        for (; k + width <= n; k += width) {
            const __m256 xs = _mm256_loadu_ps(x + k);
            for (size_t r = 0; r < 4; r++)
                sum[r] = _mm256_fmadd_ps(_mm256_loadu_ps(row[r] + k), xs, sum[r]);
        }
        float four[4];
        _mm_storeu_ps(four, sum_four(sum[0], sum[1], sum[2], sum[3]));
        for (size_t r = 0; r < M; r++) {
            for (size_t f = k; f < n; f++) four[r] += row[r][f] * x[f];
            out.rows[owi_row_at(out.index, i + r)] += four[r];
        }
    }
}

/* One lane, columns of a contiguous: out[i .. i+8] += sum_k a[k][i ..] x[k]. */
static void add_column_sums(size_t m, size_t n, const float *a, size_t column_step,
                            owi_rows_in x, owi_rows_out out)
{
    size_t i = 0;
    for (; i + width <= m; i += width) {
        __m256 sum = _mm256_setzero_ps();
        for (size_t k = 0; k < n; k++)
            sum = _mm256_fmadd_ps(_mm256_loadu_ps(a + k * column_step + i),
                                  _mm256_set1_ps(x.rows[owi_row_at(x.index, k)]), sum);
        float sums[width];
        _mm256_storeu_ps(sums, sum);
        for (size_t r = 0; r < width; r++)
            out.rows[owi_row_at(out.index, i + r)] += sums[r];
    }
    for (; i < m; i++) {
        float sum = 0.0f;
        for (size_t k = 0; k < n; k++)
            sum += a[k * column_step + i] * x.rows[owi_row_at(x.index, k)];
        out.rows[owi_row_at(out.index, i)] += sum;
    }
}

static void multiply(size_t L, size_t m, size_t n, owi_matrix a, owi_rows_in b,
                     const float *bias, owi_rows_out out)
{
    static const owi_single_lane single = {add_row_dots, add_column_sums};
    if (L != owi_tile_lanes) {
        owi_multiply_single_lane(&single, m, n, a, b, bias, out);
        return;
    }
    size_t i = 0;
    for (; i + block <= m; i += block)
        for (size_t lane = 0; lane < owi_tile_lanes; lane += half)
            multiply_block(block, lane, i, n, a, b, bias, out);
    for (; i < m; i++)
        for (size_t lane = 0; lane < owi_tile_lanes; lane += half)
            multiply_block(1, lane, i, n, a, b, bias, out);
}

/* M rows of x against N <= 4 rows of y: running sums over all tiles. */
static OWI_INLINE void dots_block(size_t M, size_t N, size_t n_tiles, size_t i, size_t j,
                                  size_t n, owi_rows_in x, owi_rows_in y, float *c)
{
    const float *x_row[block], *y_row[4];
    __m256 sum[block][4];
    for (size_t r = 0; r < M; r++)
        x_row[r] = x.rows + owi_row_at(x.index, i + r) * owi_tile_lanes;
    for (size_t s = 0; s < N; s++)
        y_row[s] = y.rows + owi_row_at(y.index, j + s) * owi_tile_lanes;
    for (size_t r = 0; r < M; r++)
        for (size_t s = 0; s < 4; s++) sum[r][s] = _mm256_setzero_ps();
    for (size_t t = 0; t < n_tiles; t++)
        for (size_t lane = 0; lane < owi_tile_lanes; lane += width)
            for (size_t s = 0; s < N; s++) {
                const __m256 ys = _mm256_loadu_ps(y_row[s] + t * y.step + lane);
                for (size_t r = 0; r < M; r++)
                    sum[r][s] =
                        _mm256_fmadd_ps(_mm256_loadu_ps(x_row[r] + t * x.step + lane), ys,
                                        sum[r][s]);
            }
    for (size_t r = 0; r < M; r++) {
        float four[4], *row = c + (i + r) * n + j;
        _mm_storeu_ps(four, sum_four(sum[r][0], sum[r][1], sum[r][2], sum[r][3]));
        for (size_t s = 0; s < N; s++) row[s] += four[s];
    }
}

static void dots(size_t L, size_t n_tiles, size_t m, size_t n, owi_rows_in x, owi_rows_in y,
                 float *c)
{
    if (L != owi_tile_lanes) {
        owi_cpu_plain.dots(L, n_tiles, m, n, x, y, c);
        return;
    }
    for (size_t j = 0; j < n; j += 4)
        for (size_t i = 0; i < m;) {
            if (i + block <= m && j + 4 <= n) {
                dots_block(block, 4, n_tiles, i, j, n, x, y, c);
                i += block;
                continue;
            }
            for (size_t s = j; s < n && s < j + 4; s++)
                dots_block(1, 1, n_tiles, i, s, n, x, y, c);
            i++;
        }
}

const owi_instruction_set owi_cpu_avx2 = {
    .name = "avx2",
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
#else
typedef int owi_no_avx2_here;
#endif
