/* SPDX-License-Identifier: MIT */
/* AVX-512 with byte operations: a mask is one register, comparisons give 64 bits, and the
 * leaf values of a tree are looked up in registers. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "trees/mask_loops.h"

static void compare_bytes(size_t n_words, const uint8_t *ranks, uint8_t rank,
                          owi_mask *mask)
{
    const __m512i most = _mm512_set1_epi8((char)rank);
    for (size_t w = 0; w < n_words; w++)
        (*mask)[w] = _mm512_cmple_epu8_mask(_mm512_loadu_si512(ranks + 64 * w), most);
}

static void compare_ranks(size_t n_words, const uint32_t *ranks, uint32_t rank,
                          owi_mask *mask)
{
    const __m512i most = _mm512_set1_epi32((int)rank);
    for (size_t w = 0; w < n_words; w++) {
        uint64_t word = 0;
        for (unsigned q = 0; q < 4; q++)
            word |= (uint64_t)_mm512_cmple_epu32_mask(
                        _mm512_loadu_si512(ranks + 64 * w + 16 * q), most)
                    << 16 * q;
        (*mask)[w] = word;
    }
}

static OWI_INLINE __m512i number_leaves(const owi_mask *planes, unsigned n_planes, size_t w)
{
    __m512i numbers = _mm512_setzero_si512();
    for (unsigned b = 0; b < n_planes; b++)
        numbers = _mm512_mask_add_epi8(numbers, planes[b][w], numbers,
                                       _mm512_set1_epi8((char)(1 << b)));
    return numbers;
}

/* ---- Leaves in float: 16 rows at a time, 16 leaves a register ---- */

static OWI_INLINE __m512 pick_floats(__m512i number, const __m512 *table, unsigned size,
                                     const float *leaves)
{
    if (size == 1) return _mm512_permutexvar_ps(number, table[0]);
    if (size == 2) return _mm512_permutex2var_ps(table[0], number, table[1]);
    if (size != 4) return _mm512_i32gather_ps(number, leaves, 4);
    const __mmask16 upper = _mm512_test_epi32_mask(number, _mm512_set1_epi32(32));
    return _mm512_mask_blend_ps(upper, _mm512_permutex2var_ps(table[0], number, table[1]),
                                _mm512_permutex2var_ps(table[2], number, table[3]));
}

/* size: registers of leaves, or 0 where they are too many. */
static OWI_INLINE void add_floats(const owi_mask *planes, unsigned n_planes, size_t n_words,
                                  unsigned size, const float *leaves, float *sums)
{
    __m512 table[4];
    for (unsigned i = 0; i < size; i++) table[i] = _mm512_load_ps(leaves + 16 * i);
    for (size_t w = 0; w < n_words; w++) {
        const __m512i numbers = number_leaves(planes, n_planes, w);
        __m128i parts[4];
        memcpy(parts, &numbers, sizeof parts);
        for (unsigned q = 0; q < 4; q++) {
            float *at = sums + 64 * w + 16 * q;
            const __m512i number = _mm512_cvtepu8_epi32(parts[q]);
            _mm512_store_ps(at, _mm512_add_ps(_mm512_load_ps(at),
                                              pick_floats(number, table, size, leaves)));
        }
    }
}

/* ---- Leaves in double: 8 rows at a time, 8 leaves a register ---- */

static OWI_INLINE __m512d pick_doubles(__m512i number, const __m512d *table, unsigned size,
                                       const double *leaves)
{
    if (size == 2) return _mm512_permutex2var_pd(table[0], number, table[1]);
    if (size != 4 && size != 8) return _mm512_i64gather_pd(number, leaves, 8);
    const __mmask8 bit_4 = _mm512_test_epi64_mask(number, _mm512_set1_epi64(16));
    const __m512d low =
        _mm512_mask_blend_pd(bit_4, _mm512_permutex2var_pd(table[0], number, table[1]),
                             _mm512_permutex2var_pd(table[2], number, table[3]));
    if (size == 4) return low;
    const __mmask8 bit_5 = _mm512_test_epi64_mask(number, _mm512_set1_epi64(32));
    const __m512d high =
        _mm512_mask_blend_pd(bit_4, _mm512_permutex2var_pd(table[4], number, table[5]),
                             _mm512_permutex2var_pd(table[6], number, table[7]));
    return _mm512_mask_blend_pd(bit_5, low, high);
}

static OWI_INLINE void add_doubles(const owi_mask *planes, unsigned n_planes,
                                   size_t n_words, unsigned size, const double *leaves,
                                   double *sums)
{
    __m512d table[8];
    for (unsigned i = 0; i < size; i++) table[i] = _mm512_load_pd(leaves + 8 * i);
    for (size_t w = 0; w < n_words; w++) {
        const __m512i numbers = number_leaves(planes, n_planes, w);
        __m128i parts[4];
        memcpy(parts, &numbers, sizeof parts);
        for (unsigned q = 0; q < 4; q++) {
            double *at = sums + 64 * w + 16 * q;
            const __m512i low = _mm512_cvtepu8_epi64(parts[q]);
            const __m512i high = _mm512_cvtepu8_epi64(_mm_srli_si128(parts[q], 8));
            const __m512d first = pick_doubles(low, table, size, leaves);
            const __m512d second = pick_doubles(high, table, size, leaves);
            _mm512_store_pd(at, _mm512_add_pd(_mm512_load_pd(at), first));
            _mm512_store_pd(at + 8, _mm512_add_pd(_mm512_load_pd(at + 8), second));
        }
    }
}

/* ---- A tree ---- */

/* One loop for each number of registers, so that the tables stay in them. */
static void add_float_leaves(const owi_mask *planes, const owi_mask_tree *tree,
                             size_t n_words, const float *leaves, float *sums)
{
    const unsigned n_planes = tree->n_planes;
    if (n_planes <= 4)
        add_floats(planes, n_planes, n_words, 1, leaves, sums);
    else if (n_planes == 5)
        add_floats(planes, 5, n_words, 2, leaves, sums);
    else if (n_planes == 6)
        add_floats(planes, 6, n_words, 4, leaves, sums);
    else
        add_floats(planes, n_planes, n_words, 0, leaves, sums);
}

static void add_double_leaves(const owi_mask *planes, const owi_mask_tree *tree,
                              size_t n_words, const double *leaves, double *sums)
{
    const unsigned n_planes = tree->n_planes;
    if (n_planes <= 4)
        add_doubles(planes, n_planes, n_words, 2, leaves, sums);
    else if (n_planes == 5)
        add_doubles(planes, 5, n_words, 4, leaves, sums);
    else if (n_planes == 6)
        add_doubles(planes, 6, n_words, 8, leaves, sums);
    else
        add_doubles(planes, n_planes, n_words, 0, leaves, sums);
}

static void add_tree(const owi_conditions *conditions, const owi_mask_tree *tree,
                     size_t n_words, const owi_block *block)
{
    owi_mask planes[owi_most_planes];
    spread_rows(conditions->nodes + tree->first_node, tree->n_nodes, block->conditions,
                block->slots);
    join_planes(tree, conditions->covers + tree->first_cover, block->slots, planes);
    if (conditions->float_leaves != NULL)
        add_float_leaves(planes, tree, n_words, conditions->float_leaves + tree->first_leaf,
                         block->float_sums + tree->group * (size_t)owi_block_rows);
    else
        add_double_leaves(planes, tree, n_words,
                          conditions->double_leaves + tree->first_leaf,
                          block->double_sums + tree->group * (size_t)owi_block_rows);
}

const owi_mask_kernel owi_mask_kernel_avx512 = {"avx512", compare_bytes, compare_ranks,
                                                find_bytes, add_tree};
#else
typedef int owi_mask_avx512_is_empty; /* a translation unit must declare something */
#endif
