/* SPDX-License-Identifier: MIT */
/* Loops that every kind of processor runs in the same words, included by mask_<name>.c:
 * the compiler makes of a mask of 512 bits what the registers hold. */
#ifndef OWI_MASK_LOOPS_H
#define OWI_MASK_LOOPS_H

#include <string.h>

#include "trees/mask_kernel.h"

/* Which rows reach which slot. */
static OWI_INLINE void spread_rows(const owi_mask_node *nodes, size_t n_nodes,
                                   const owi_mask *conditions, owi_mask *slots)
{
    slots[0] = ~(owi_mask){0};
    for (size_t i = 0; i < n_nodes; i++) {
        const owi_mask left = conditions[nodes[i].condition], here = slots[i];
        slots[nodes[i].left] = here & left;
        slots[nodes[i].right] = here & ~left;
    }
}

/* planes[b] = rows whose leaf number has bit b. */
static OWI_INLINE void join_planes(const owi_mask_tree *tree, const uint16_t *covers,
                                   const owi_mask *slots, owi_mask *planes)
{
    const uint16_t *cover = covers;
    for (unsigned b = 0; b < tree->n_planes; b++) {
        owi_mask plane = {0};
        for (size_t i = 0; i < tree->n_cover[b]; i++) plane |= slots[*cover++];
        planes[b] = plane;
    }
}

/* Branch-free search of eight values side by side: the number of steps depends on n
 * alone. */
static OWI_INLINE void find_eight(const double *values, const double *thresholds, size_t n,
                                  uint8_t *ranks)
{
    size_t base[8] = {0}, length = n;
    while (length > 1) {
        const size_t half = length / 2;
        for (size_t i = 0; i < 8; i++)
            base[i] += thresholds[base[i] + half - 1] <= values[i] ? half : 0;
        length -= half;
    }
    for (size_t i = 0; i < 8; i++)
        ranks[i] = (uint8_t)(base[i] + (n > 0 && thresholds[base[i]] <= values[i]));
}

static void find_bytes(size_t n_rows, const double *values, const double *thresholds,
                       size_t n, uint8_t *ranks)
{
    for (size_t i = 0; i < n_rows; i += 8) find_eight(values + i, thresholds, n, ranks + i);
}

#endif
