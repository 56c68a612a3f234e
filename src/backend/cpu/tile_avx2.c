/* SPDX-License-Identifier: MIT */
/* AVX2 with FMA: 8 floats a register, 16 registers: blocks of 3 rows x 32 lanes take 12 of
 * them. */
#if defined(__x86_64__)
#include <immintrin.h>

enum { width = 8, block = 3 };

#include "backend/cpu/tile_vector.h"

static OWI_INLINE vector load_first(const float *from, size_t n)
{
    static const int32_t live[2 * width] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_maskload_ps(from, _mm256_loadu_si256(
                                        (const __m256i *)(const void *)(live + width - n)));
}

static OWI_INLINE vector fused(vector a, vector b, vector c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static OWI_INLINE quad sum_four(const vector v[4])
{
    const __m256 abcd =
        _mm256_hadd_ps(_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
    return _mm_add_ps(_mm256_castps256_ps128(abcd), _mm256_extractf128_ps(abcd, 1));
}

#include "backend/cpu/tile_single.h"
#include "backend/cpu/tile_table.h"

const owi_instruction_set owi_cpu_avx2 = {.name = "avx2", OWI_TILE_OPS};
#else
typedef int owi_no_avx2_here;
#endif
