/* SPDX-License-Identifier: MIT */
/* One row in one class of a circuit, in double: the values of all regions going up, the
 * derivatives of the class's density with respect to them going down, and the second
 * derivatives that couple two leaf regions of a repetition.
 *
 * Symbols: regions r of depth l are numbered as everywhere (children 2r and 2r + 1 one
 * level below), K components each.  Every vector is kept relative to a logarithm:
 *
 *     value of component k of region r   exp(top[r]) value[r,k],      max_k value = 1
 *     its derivative D                   exp(d_top[r]) d[r,k],        max_k d = 1, or d = 0
 *
 * The second derivative of the density with respect to component n of leaf region a and
 * component m of leaf region b is exp(scale[a,b]) H_ab[n,m].  It depends on neither region:
 * with q the smallest region that holds both,
 *
 *     H_ab = J_a' Omega_q J_b,   Omega_q[i,j] = sum_s D[q,s] W[q,s,i,j],
 *     J_a[i,n] = d(component i of q's child above a) / d(component n of a).
 *
 * At depth 1 that is the root's weights of the repetition; at depth 0 there is one region.
 * What it is in a circuit of trees is in tree_couple.h. */
#ifndef OWI_ROW_TREE_H
#define OWI_ROW_TREE_H

#include "base/memory/workspace.h"
#include "circuit/pass/tree_row.h"
#include "circuit/structure/column_leaves.h"

typedef struct {
    const ow_circuit *circuit;
    const owi_column_leaves *leaves;
    const double *weight; /* exp(log_weight), all of them           */
    size_t copy;          /* that it was last filled for            */
    size_t most;          /* max(I, S): the stride of a region      */

    double *log_x;        /* (columns, N): log p_n(x_j); 0 where x_j is missing      */
    double *log_value;    /* (leaf regions of the copy, I)                           */
    double *top, *value;  /* (all regions), (all regions, most)                      */
    double *d_top, *d;    /* likewise                                                */
    double *path, *next;  /* scratch: (2^D, most, I), J of a repetition's leaves     */
    double *path_top;     /* scratch: (2^D), its logarithm                           */
    double *omega, *half; /* scratch: (most, most), (most, I)                        */
    /* Circuits of trees have messages instead of values, and scratch of tree_couple.c. */
    double *buffers;
    owi_tree_row messages;
    uint32_t *came;       /* (regions of a repetition)                              */
    uint32_t *last;       /* likewise: the last wanted one of each and those below  */
    float *steps, *step;  /* (regions of a repetition, I, I), (I, I)                */
    float *factor, *turn; /* (3, regions of a repetition, I), (regions, regions, I) */
    double *factor_top, *turn_top; /* their logarithms, relative to which they are   */
} owi_row_tree;

/* exp(log_weight) in double for `weight`; n_weights of the circuit. */
void owi_row_tree_weights(const ow_circuit *circuit, double *weight);

/* Takes the buffers from a workspace, or counts (owi_carve).  circuit, leaves and weight
 * are set before. */
void owi_row_tree_carve(owi_row_tree *tree, owi_carver *from);

/* A region's place in top and d_top; times most: in value and d. */
static inline size_t owi_row_tree_region(const owi_row_tree *tree, size_t depth, size_t r)
{
    return tree->circuit->spec.repetitions * (((size_t)1 << depth) - 1) + r;
}
static inline size_t owi_row_tree_leaf(const owi_row_tree *tree, size_t r)
{
    return owi_row_tree_region(tree, tree->circuit->spec.depth, r);
}

/* Going up, for one copy; then going down, for a class of that copy.  False: numbers came
 * so near to what a double can hold that nothing may be concluded from them. */
bool owi_row_tree_up(owi_row_tree *tree, size_t copy, const float *row);
bool owi_row_tree_down(owi_row_tree *tree, size_t c);

/* After both: H of all pairs of leaf regions, as parameters of a leaf layer whose region a
 * sees the components of the other leaf regions of its repetition in ascending order:
 * h (region, I, (n - 1) I) for n regions in a repetition, and the scales (region, n), 0 for
 * a itself.  Nothing where n is 1.  In a circuit of trees `wanted` (regions) may say
 * between which of them: then h and scale of others mean nothing. */
void owi_row_tree_couple(owi_row_tree *tree, size_t c, const bool *wanted, float *h,
                         double *scale);

#endif
