/* SPDX-License-Identifier: MIT */
/* AVX-512: 16 floats a register, 32 registers.  The product keeps 5 rows x 64 lanes = 20 registers of
 * the result; each step of the scope costs 4 loads, 5 broadcasts and 20 multiply-adds. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "backend/cpu/tile_loops.h"

enum { width = 16, vectors = owi_tile_lanes / width, block = 5 };

/* M <= block rows of the result, all lanes. */
static OWI_INLINE void multiply_block(size_t M, size_t i, size_t n, owi_matrix a,
                                      owi_rows_in b, const float *bias, owi_rows_out out)
{
    __m512 sum[block][vectors];
    for (size_t r = 0; r < M; r++) {
        const float *row = out.rows + owi_row_at(out.index, i + r) * owi_tile_lanes;
        for (size_t v = 0; v < vectors; v++)
            sum[r][v] = bias != NULL ? _mm512_set1_ps(bias[i + r])
                                     : _mm512_loadu_ps(row + v * width);
    }
    const float *entry = a.entries + i * a.row_step;
    for (size_t k = 0; k < n; k++, entry += a.column_step) {
        const float *row = b.rows + owi_row_at(b.index, k) * owi_tile_lanes;
        __m512 x[vectors];
        for (size_t v = 0; v < vectors; v++) x[v] = _mm512_loadu_ps(row + v * width);
        for (size_t r = 0; r < M; r++) {
            const __m512 factor = _mm512_set1_ps(entry[r * a.row_step]);
            for (size_t v = 0; v < vectors; v++)
                sum[r][v] = _mm512_fmadd_ps(factor, x[v], sum[r][v]);
        }
    }
    for (size_t r = 0; r < M; r++) {
        float *row = out.rows + owi_row_at(out.index, i + r) * owi_tile_lanes;
        for (size_t v = 0; v < vectors; v++) _mm512_storeu_ps(row + v * width, sum[r][v]);
    }
}

static OWI_INLINE __mmask16 first_lanes(size_t n)
{
    return n < width ? (__mmask16)((1u << n) - 1u) : (__mmask16)0xffff;
}

/* The sums over all lanes of four registers, as four floats. */
static OWI_INLINE __m128 sum_four(__m512 a, __m512 b, __m512 c, __m512 d)
{
    const __m512 ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
    const __m512 cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
    const __m512 abcd =
        _mm512_add_ps(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xee));
    const __m256 half =
        _mm256_add_ps(_mm512_castps512_ps256(abcd),
                      _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(abcd), 1)));
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}

/* One lane, rows of a contiguous: out[i] += dot(a[i], x), four rows at a time. */
static void add_row_dots(size_t m, size_t n, const float *a, size_t row_step,
                         const float *x, owi_rows_out out)
{
    for (size_t i = 0; i < m; i += 4) {
        const size_t M = m - i < 4 ? m - i : 4;
        const float *row[4];
        for (size_t r = 0; r < 4; r++) row[r] = a + (r < M ? i + r : i) * row_step;
        __m512 sum[4];
        for (size_t r = 0; r < 4; r++) sum[r] = _mm512_setzero_ps();
        for (size_t k = 0; k < n; k += width) {
            const __mmask16 live = first_lanes(n - k);
            const __m512 xs = _mm512_maskz_loadu_ps(live, x + k);
            for (size_t r = 0; r < 4; r++)
                sum[r] =
                    _mm512_fmadd_ps(_mm512_maskz_loadu_ps(live, row[r] + k), xs, sum[r]);
        }
        float four[4];
        _mm_storeu_ps(four, sum_four(sum[0], sum[1], sum[2], sum[3]));
        for (size_t r = 0; r < M; r++) out.rows[owi_row_at(out.index, i + r)] += four[r];
    }
}

/* One lane, columns of a contiguous: out[i .. i+16] += sum_k a[k][i ..] x[k]. */
static void add_column_sums(size_t m, size_t n, const float *a, size_t column_step,
                            owi_rows_in x, owi_rows_out out)
{
    for (size_t i = 0; i < m; i += width) {
        const __mmask16 live = first_lanes(m - i);
        __m512 sum[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
        for (size_t k = 0; k < n; k++)
            sum[k % 2] =
                _mm512_fmadd_ps(_mm512_maskz_loadu_ps(live, a + k * column_step + i),
                                _mm512_set1_ps(x.rows[owi_row_at(x.index, k)]), sum[k % 2]);
        float sums[width];
        _mm512_storeu_ps(sums, _mm512_add_ps(sum[0], sum[1]));
        for (size_t r = 0; r < width && i + r < m; r++)
            out.rows[owi_row_at(out.index, i + r)] += sums[r];
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
    for (; i + block <= m; i += block) multiply_block(block, i, n, a, b, bias, out);
    switch (m - i) {
    case 4:
        multiply_block(4, i, n, a, b, bias, out);
        break;
    case 3:
        multiply_block(3, i, n, a, b, bias, out);
        break;
    case 2:
        multiply_block(2, i, n, a, b, bias, out);
        break;
    case 1:
        multiply_block(1, i, n, a, b, bias, out);
        break;
    default:
        break;
    }
}

/* M <= block rows of x against N <= 4 rows of y: 20 running sums over all tiles. */
static OWI_INLINE void dots_block(size_t M, size_t N, size_t n_tiles, size_t i, size_t j,
                                  size_t n, owi_rows_in x, owi_rows_in y, float *c)
{
    const float *x_row[block], *y_row[4];
    __m512 sum[block][4];
    for (size_t r = 0; r < M; r++)
        x_row[r] = x.rows + owi_row_at(x.index, i + r) * owi_tile_lanes;
    for (size_t s = 0; s < N; s++)
        y_row[s] = y.rows + owi_row_at(y.index, j + s) * owi_tile_lanes;
    for (size_t r = 0; r < M; r++)
        for (size_t s = 0; s < 4; s++) sum[r][s] = _mm512_setzero_ps();
    for (size_t t = 0; t < n_tiles; t++)
        for (size_t v = 0; v < vectors; v++) {
            __m512 ys[4];
            for (size_t s = 0; s < N; s++)
                ys[s] = _mm512_loadu_ps(y_row[s] + t * y.step + v * width);
            for (size_t r = 0; r < M; r++) {
                const __m512 xs = _mm512_loadu_ps(x_row[r] + t * x.step + v * width);
                for (size_t s = 0; s < N; s++)
                    sum[r][s] = _mm512_fmadd_ps(xs, ys[s], sum[r][s]);
            }
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
            } else if (j + 4 <= n) {
                dots_block(1, 4, n_tiles, i, j, n, x, y, c);
                i++;
            } else {
                for (size_t s = j; s < n; s++) dots_block(1, 1, n_tiles, i, s, n, x, y, c);
                i++;
            }
        }
}

const owi_instruction_set owi_cpu_avx512 = {
    .name = "avx512",
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
typedef int owi_no_avx512_here;
#endif
