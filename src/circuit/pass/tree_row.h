/* SPDX-License-Identifier: MIT */
/* One row in one copy of a circuit of trees, in double: the messages that the nodes (leaf
 * regions) send to their parents, those that they get from them, and what follows: the
 * derivative of a class's density with respect to each leaf component.
 *
 * Symbols: node p has states k, the parent q = parent[p] has states i, A_p[i,k] is the
 * weight of the edge between them, x_p[k] the log-value of the leaf.  Every vector is kept
 * relative to a logarithm of its own, so that a value far in a tail takes nothing from the
 * others:
 *
 *     up_p[i] + up_top_p      = log sum_k A_p[i,k] exp(x_p[k] + below_p[k] + below_top_p)
 *     below_p, beside_p       = sums of up over the children, and over the siblings, of p
 *     down_p[k] + down_top_p  = log sum_i A_p[i,k] exp(x_q[i] + beside_p[i] + down_q[i])
 *     log D_p[k]              = down_p[k] + below_p[k] + both tops
 *
 * (with the tops of beside and of down_q in the third line); down of a root is its
 * log-weight. */
#ifndef OWI_TREE_ROW_H
#define OWI_TREE_ROW_H

#include "circuit/structure/circuit.h"

typedef struct {
    const ow_circuit *circuit;
    size_t copy;
    const double *leaf;                 /* x: (regions of the copy, I)     */
    double *up, *below, *beside, *down; /* likewise                        */
    double *up_top, *below_top, *beside_top, *down_top; /* (regions)           */
    double *in, *out; /* scratch: I each                 */
} owi_tree_row;

/* Doubles that the buffers take, and a row of that many. */
size_t owi_tree_row_size(const ow_circuit *circuit);
owi_tree_row owi_tree_row_of(const ow_circuit *circuit, double *buffers);

/* copy and leaf are set: up, below and beside; then down for a class of the copy.  A
 * component that is impossible is -infinity. */
void owi_tree_row_up(owi_tree_row *row);
void owi_tree_row_down(owi_tree_row *row, size_t c);

/* The edge above region r of the copy (not a root): its weights (K, K) in both forms. */
owi_weights owi_tree_row_edge(const owi_tree_row *row, size_t r);
/* The region above it. */
size_t owi_tree_row_parent(const owi_tree_row *row, size_t r);

#endif
