/* SPDX-License-Identifier: MIT */
/* AVX2: masks in two registers, comparisons of 32 bytes. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "trees/mask_narrow.h"

static OWI_INLINE uint32_t up_to(const uint8_t *ranks, __m256i most)
{
    const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)ranks);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(x, most), x));
}

static void compare_bytes(size_t n_words, const uint8_t *ranks, uint8_t rank,
                          owi_mask *mask)
{
    const __m256i most = _mm256_set1_epi8((char)rank);
    for (size_t w = 0; w < n_words; w++)
        (*mask)[w] =
            up_to(ranks + 64 * w, most) | (uint64_t)up_to(ranks + 64 * w + 32, most) << 32;
}

static void compare_ranks(size_t n_words, const uint32_t *ranks, uint32_t rank,
                          owi_mask *mask)
{
    const __m256i most = _mm256_set1_epi32((int)rank);
    for (size_t w = 0; w < n_words; w++) {
        uint64_t word = 0;
        for (unsigned q = 0; q < 8; q++) {
            const __m256i x =
                _mm256_loadu_si256((const __m256i *)(const void *)(ranks + 64 * w + 8 * q));
            const __m256i truths = _mm256_cmpeq_epi32(_mm256_min_epu32(x, most), x);
            const int bits = _mm256_movemask_ps(_mm256_castsi256_ps(truths));
            word |= (uint64_t)(unsigned)bits << 8 * q;
        }
        (*mask)[w] = word;
    }
}

const owi_mask_kernel owi_mask_kernel_avx2 = {"avx2", compare_bytes, compare_ranks,
                                              find_bytes, add_tree};
#else
typedef int owi_mask_avx2_is_empty; /* a translation unit must declare something */
#endif
