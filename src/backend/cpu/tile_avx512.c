/* SPDX-License-Identifier: MIT */
/* AVX-512: 16 floats a register, 32 registers: blocks of 5 rows x 64 lanes take 20 of
 * them.  Single rows wait for memory, which AVX2 does as well, with fewer loads across
 * cache lines; only picking and spreading a scope that is given in bits is worth doing
 * here. */
#if defined(__x86_64__)
#include <immintrin.h>

enum { width = 16, block = 5 };

#include "backend/cpu/tile_vector.h"

static OWI_INLINE vector fused(vector a, vector b, vector c)
{
    return _mm512_fmadd_ps(a, b, c);
}

static OWI_INLINE quad sum_four(const vector v[4])
{
    const __m512 ab =
        _mm512_add_ps(_mm512_unpacklo_ps(v[0], v[1]), _mm512_unpackhi_ps(v[0], v[1]));
    const __m512 cd =
        _mm512_add_ps(_mm512_unpacklo_ps(v[2], v[3]), _mm512_unpackhi_ps(v[2], v[3]));
    const __m512 abcd =
        _mm512_add_ps(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xee));
    const __m256 half =
        _mm256_add_ps(_mm512_castps512_ps256(abcd),
                      _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(abcd), 1)));
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}

static OWI_INLINE __mmask16 half(uint32_t bits, int which)
{
    return (__mmask16)(bits >> 16 * which);
}

/* x = the n rows picked, each a float, closed up 32 at a time; x has room for a vector
 * more. */
static void compress_row(size_t n, const owi_rows_in *b, float *x)
{
    const owi_pick *pick = &b->pick;
    size_t k = 0;
    for (size_t w = 0; w < pick->n_all / 32; w++) {
        const uint32_t bits = pick->bits[w];
        const vector low = load(b->rows + 32 * w), high = load(b->rows + 32 * w + width);
        const size_t n_low = (size_t)_mm_popcnt_u32(half(bits, 0));
        store(x + k, _mm512_maskz_compress_ps(half(bits, 0), low));
        store(x + k + n_low, _mm512_maskz_compress_ps(half(bits, 1), high));
        k += (size_t)_mm_popcnt_u32(bits);
    }
    for (; k < n; k++) x[k] = b->rows[pick->index[k]];
}

/* The n rows picked += sums, 32 of all rows at a time. */
static void expand_row(size_t n, const float *sums, const owi_rows_out *out)
{
    const owi_pick *pick = &out->pick;
    size_t k = 0;
    for (size_t w = 0; w < pick->n_all / 32; w++) {
        const uint32_t bits = pick->bits[w];
        float *low = out->rows + 32 * w, *high = low + width;
        const size_t n_low = (size_t)_mm_popcnt_u32(half(bits, 0));
        const vector low_sums = _mm512_maskz_expand_ps(half(bits, 0), load(sums + k));
        const vector high_sums =
            _mm512_maskz_expand_ps(half(bits, 1), load(sums + k + n_low));
        store(low, load(low) + low_sums);
        store(high, load(high) + high_sums);
        k += (size_t)_mm_popcnt_u32(bits);
    }
    for (; k < n; k++) out->rows[pick->index[k]] += sums[k];
}

/* Going through all words pays unless nearly all of them are empty. */
static OWI_INLINE bool has_dense_bits(size_t n, const owi_pick *pick)
{
    return pick->bits != NULL && n >= pick->n_all / 16;
}

static OWI_NOINLINE void multiply_single(size_t m, size_t n, owi_matrix a, owi_rows_in b,
                                         const float *bias, owi_rows_out out)
{
    enum { most = 2048 };
    float row[most + 2 * width];
    if (has_dense_bits(n, &b.pick) && n <= most) {
        compress_row(n, &b, row);
        b = (owi_rows_in){.rows = row};
    }
    if (!has_dense_bits(m, &out.pick) || m > most || bias != NULL) {
        owi_cpu_avx2.multiply(1, m, n, a, b, bias, out);
        return;
    }
    for (size_t i = 0; i < m; i += width) store(row + i, (vector){0});
    owi_cpu_avx2.multiply(1, m, n, a, b, NULL, (owi_rows_out){.rows = row});
    expand_row(m, row, &out);
}

static void bilinear_single(size_t n_left, size_t n_right, const float *weight,
                            const float *left, const float *right, float *out)
{
    owi_cpu_avx2.bilinear(1, n_left, n_right, weight, left, right, out, NULL);
}

static void pair_flow_single(const owi_pair_flow *flow)
{
    owi_cpu_avx2.pair_flow(1, flow);
}

static void dots_single(size_t n_tiles, size_t m, size_t n, owi_rows_in x, owi_rows_in y,
                        float *c)
{
    owi_cpu_avx2.dots(1, n_tiles, m, n, x, y, c);
}

/* A division takes as long as ten multiplications.  The reciprocal to 14 bits, which is the
 * same on every processor, and a step of Newton's method take half of that. */
static OWI_INLINE __m512 divide_vector(__m512 a, __m512 b)
{
    const __m512 y = _mm512_rcp14_ps(b);
    const __m512 missing = _mm512_fnmadd_ps(b, y, _mm512_set1_ps(1.0f));
    return _mm512_mul_ps(a, _mm512_fmadd_ps(y, missing, y));
}

static bool divide(size_t n, const float *a, const float *b, float least, float *out)
{
    const __m512 bound = _mm512_set1_ps(least), zero = _mm512_setzero_ps();
    unsigned any = 0;
    for (size_t i = 0; i < n; i += width) {
        const __mmask16 here = n - i < width ? (__mmask16)((1u << (n - i)) - 1) : 0xffff;
        const __m512 x = _mm512_maskz_loadu_ps(here, a + i);
        const __m512 y = _mm512_mask_loadu_ps(_mm512_set1_ps(1.0f), here, b + i);
        const __mmask16 low = _mm512_cmp_ps_mask(y, bound, _CMP_LT_OQ);
        const __mmask16 flows = _mm512_cmp_ps_mask(x, zero, _CMP_NEQ_UQ);
        const __m512 ratio = _mm512_mask_blend_ps(low, divide_vector(x, y), zero);
        _mm512_mask_storeu_ps(out + i, here, ratio);
        any |= (unsigned)(low & flows);
    }
    return any != 0;
}

#define OWI_TILE_DIVIDE divide
#include "backend/cpu/tile_table.h"

const owi_instruction_set owi_cpu_avx512 = {.name = "avx512", OWI_TILE_OPS};
#else
typedef int owi_no_avx512_here;
#endif
