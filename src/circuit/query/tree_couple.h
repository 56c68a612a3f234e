/* SPDX-License-Identifier: MIT */
/* First and second derivatives of row_tree.h in a circuit of trees, from the messages of
 * tree_row.h.
 *
 * Between two nodes a and b of a tree there is one path.  With u and v the neighbours of a
 * node m on it, and z_m the product of all that m gets but from u and v (of leaves, too,
 * except those of a and b themselves),
 *
 *     H_ab[n,m] = z_a[n] (E_1 diag(z_1) E_2 diag(z_2) ... E_l)[n,m] z_b[m]
 *
 * with E the weights of the path's edges, transposed on the way up: from a to all other
 * nodes a product of two K x K matrices for each. */
#ifndef OWI_TREE_COUPLE_H
#define OWI_TREE_COUPLE_H

#include "circuit/query/row_tree.h"

/* d and d_top of all leaf regions, for a class of the copy whose messages have gone up.
 * False: as owi_row_tree_down. */
bool owi_tree_derive(owi_row_tree *tree, size_t c);

/* As owi_row_tree_couple. */
void owi_tree_couple(owi_row_tree *tree, const bool *wanted, float *h, double *scale);

#endif
