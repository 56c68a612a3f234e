/* SPDX-License-Identifier: MIT */
/* AVX-512: 16 floats a register, 32 registers: blocks of 5 rows x 64 lanes take 20 of them. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "backend/cpu/tile_loops.h"

enum { width = 16, block = 5 };
typedef float vector OWI_VECTOR(width);

static OWI_INLINE vector load_first(const float *from, size_t n)
{
    return _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1u), from);
}

static OWI_INLINE void sum_four(const vector v[4], float out[4])
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
    _mm_storeu_ps(out,
                  _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1)));
}

#include "backend/cpu/tile_product.h"

const owi_instruction_set owi_cpu_avx512 = OWI_TILE_OPS("avx512");
#else
typedef int owi_no_avx512_here;
#endif
