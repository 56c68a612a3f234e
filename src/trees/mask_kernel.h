/* SPDX-License-Identifier: MIT */
/* The inner loops of the evaluation by masks, for each kind of processor. */
#ifndef OWI_MASK_KERNEL_H
#define OWI_MASK_KERNEL_H

#include "base/compiler.h"
#include "trees/conditions.h"

/* Bit i of word w is row 64 w + i of the block. */
typedef uint64_t owi_mask OWI_VECTOR(owi_block_rows / 32);

/* Where a block's sums and what leads to them lie; all aligned to 64 bytes. */
typedef struct {
    owi_mask *conditions; /* n_conditions                                           */
    owi_mask *cells;      /* of a categorical column: which rows have which code    */
    owi_mask *slots;      /* rows that reach each split and leaf of a tree          */
    double *values;       /* of a column                                            */
    uint8_t *bytes;       /* ranks of a column, up to 255 thresholds; leaf numbers  */
    uint32_t *ranks;      /* ranks of a column with more                            */
    uint16_t *codes;      /* (512, n_columns), for trees that are walked            */
    float *float_sums;    /* (n_groups, 512), one of the two by forest.is_float     */
    double *double_sums;
} owi_block;

typedef struct {
    const char *name;
    /* mask = ranks <= rank, of the first n_words * 64 rows. */
    void (*compare_bytes)(size_t n_words, const uint8_t *ranks, uint8_t rank,
                          owi_mask *mask);
    void (*compare_ranks)(size_t n_words, const uint32_t *ranks, uint32_t rank,
                          owi_mask *mask);
    /* ranks[i] = how many of the sorted thresholds are <= values[i]; for NaN any. */
    void (*find_bytes)(size_t n_rows, const double *values, const double *thresholds,
                       size_t n, uint8_t *ranks);
    /* Adds the leaves of one tree to the sums of its group. */
    void (*add_tree)(const owi_conditions *conditions, const owi_mask_tree *tree,
                     size_t n_words, const owi_block *block);
} owi_mask_kernel;

extern const owi_mask_kernel owi_mask_kernel_plain;
#if defined(__x86_64__)
extern const owi_mask_kernel owi_mask_kernel_avx2, owi_mask_kernel_avx512;
#endif

/* The index-th that runs on this processor, fastest first; NULL behind the last. */
const owi_mask_kernel *owi_mask_kernel_get(size_t index);

#endif
