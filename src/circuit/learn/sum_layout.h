/* SPDX-License-Identifier: MIT */
/* How the sums that learning needs lie in one block of memory (statistics.h): which entries
 * there are, which copy of the circuit they belong to, in which pieces they are added. */
#ifndef OWI_SUM_LAYOUT_H
#define OWI_SUM_LAYOUT_H

#include "circuit/structure/circuit.h"

/* Where the parts lie in a block of sums. */
typedef struct {
    size_t leaf;   /* as the leaf parameters: flow * feature                 */
    size_t weight; /* as the weights: flow through each pair                 */
    size_t whole;  /* (copy, region, I): flow, batches in which nothing is missing */
    size_t gappy;  /* likewise, the other batches                            */
    size_t there;  /* as gap_theta: flow * [x is there], the other batches   */
    size_t n;      /* all of it                                              */
} owi_sum_layout;

owi_sum_layout owi_sum_layout_of(const ow_circuit *circuit);

/* Each copy of the circuit has two parts of the block: what every batch adds to, and what
 * only batches with missing values add to (gappy and there).  Most tables have no missing
 * values, and then the second part, which is as large as the first, is never touched. */
static inline size_t owi_sum_part(size_t copy, bool of_gaps)
{
    return 2 * copy + (of_gaps ? 1 : 0);
}

static inline bool owi_sum_is_of_gaps(size_t part)
{
    return part % 2 == 1;
}

static inline size_t owi_sum_n_parts(const ow_circuit *circuit)
{
    return owi_sum_part(circuit->regions.n_copies, false);
}

/* A run of entries of one part, as long as one worker takes at a time. */
typedef struct {
    size_t part, first, n;
} owi_sum_segment;

/* Lists all entries of the block as segments, by copy; returns their number.  segments
 * NULL: only counts. */
size_t owi_sum_segments(const ow_circuit *circuit, owi_sum_segment *segments);

#endif
