/* SPDX-License-Identifier: MIT */
/* Leaf numbers and sums without wide tables in registers: for mask_plain.c and
 * mask_avx2.c. */
#ifndef OWI_MASK_NARROW_H
#define OWI_MASK_NARROW_H

#include "trees/mask_loops.h"

/* Eight bits into the lowest bits of eight bytes.  Seven of them by a multiplication whose
 * partial products do not touch. */
static OWI_INLINE uint64_t spread_bits(uint64_t bits)
{
    return ((bits & 0x7f) * UINT64_C(0x02040810204081) & UINT64_C(0x0101010101010101)) |
           bits >> 7 << 56;
}

static OWI_INLINE void number_leaves(const owi_mask *planes, unsigned n_planes,
                                     size_t n_words, uint8_t *numbers)
{
    for (size_t w = 0; w < n_words; w++)
        for (unsigned q = 0; q < 8; q++) {
            uint64_t eight = 0;
            for (unsigned b = 0; b < n_planes; b++)
                eight |= spread_bits(planes[b][w] >> 8 * q & 0xff) << b;
            for (unsigned i = 0; i < 8; i++)
                numbers[64 * w + 8 * q + i] = (uint8_t)(eight >> 8 * i);
        }
}

static void add_tree(const owi_conditions *conditions, const owi_mask_tree *tree,
                     size_t n_words, const owi_block *block)
{
    owi_mask planes[owi_most_planes];
    uint8_t *numbers = block->bytes;
    spread_rows(conditions->nodes + tree->first_node, tree->n_nodes, block->conditions,
                block->slots);
    join_planes(tree, conditions->covers + tree->first_cover, block->slots, planes);
    number_leaves(planes, tree->n_planes, n_words, numbers);
    if (conditions->float_leaves != NULL) {
        const float *leaves = conditions->float_leaves + tree->first_leaf;
        float *sums = block->float_sums + tree->group * (size_t)owi_block_rows;
        for (size_t i = 0; i < 64 * n_words; i++) sums[i] += leaves[numbers[i]];
    } else {
        const double *leaves = conditions->double_leaves + tree->first_leaf;
        double *sums = block->double_sums + tree->group * (size_t)owi_block_rows;
        for (size_t i = 0; i < 64 * n_words; i++) sums[i] += leaves[numbers[i]];
    }
}

#endif
