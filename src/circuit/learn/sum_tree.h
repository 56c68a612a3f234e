/* SPDX-License-Identifier: MIT */
/* The sums of chunks of rows, added in a binary tree over the chunks' numbers:
 *
 *     0   1   2   3   4        ((0 + 1) + (2 + 3)) + 4
 *      \ /     \ /    |
 *       +--- ---+     |        node (level, index) is the sum of the chunks
 *           +---------+        index * 2^level to (index + 1) * 2^level - 1
 *
 * Which sums are added to which depends on the number of chunks alone.  So the chunks may
 * lie on any threads and processes: a process adds up the nodes that lie within its share,
 * at most two for each level, and sends those instead of its chunks. */
#ifndef OWI_SUM_TREE_H
#define OWI_SUM_TREE_H

#include "base/call.h"
#include "base/threads/team.h"
#include "circuit/learn/sum_layout.h"

/* Nodes that wait for their neighbours: at most two for each level. */
enum { owi_most_sum_nodes = 64 };

typedef struct {
    size_t level, index;
    float **part;    /* (parts) the sums of a part; NULL: no row has met it */
    double *figures; /* whatever else is added up, n_figures numbers        */
} owi_sum_node;

typedef struct {
    const owi_call *call;
    ow_context *ctx;
    size_t n_parts, n_figures, n_segments;
    const owi_sum_segment *segments; /* borrowed */
    size_t *within;                  /* (segments) where each begins in its part's sums */
    size_t part_size[2];             /* floats of a part: without and with gaps         */

    size_t n_chunks;
    size_t n_nodes, n_made; /* in use, from the left; ever made */
    owi_sum_node nodes[owi_most_sum_nodes];
    const float **from; /* (segments) sums on their way into a node */
    bool *is_new;       /* (parts) the node has not met it before   */
    float **spare[2];   /* buffers for parts that no node uses      */
    size_t n_spare[2], spare_capacity[2];
    unsigned char *heads, *all_heads; /* figures and parts met of nodes on their way */
    float *given, *gotten;            /* their sums                                   */
    size_t heads_capacity, all_heads_capacity, given_capacity, gotten_capacity;
} owi_sum_tree;

/* All zero can be cleared.  call and segments are borrowed. */
ow_status owi_sum_tree_init(owi_sum_tree *tree, const owi_call *call,
                            const ow_circuit *circuit, size_t n_segments,
                            const owi_sum_segment *segments, size_t n_figures);
void owi_sum_tree_clear(owi_sum_tree *tree);

/* Begins a sum of so many chunks. */
void owi_sum_tree_begin(owi_sum_tree *tree, size_t n_chunks);
/* The next chunk of this process, in the order of their numbers: which parts it has met,
 * its figures, and the block of its sums (sum_layout.h).  All three are copied. */
ow_status owi_sum_tree_add(owi_sum_tree *tree, size_t chunk, const bool *met,
                           const double *figures, const float *block);
/* Every process of the team has added its share of the chunks, or failed to (status), and
 * gets the nodes of all others. */
ow_status owi_sum_tree_exchange(owi_sum_tree *tree, ow_status status);
/* The sum of all chunks, once all of them are there. */
const owi_sum_node *owi_sum_tree_root(const owi_sum_tree *tree);

#endif
