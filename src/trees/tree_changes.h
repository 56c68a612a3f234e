/* SPDX-License-Identifier: MIT */
/* All changes of one and two features of a row, without evaluating a changed row.
 *
 * Let x be the row, T a tree, and x[f:=a] the row with feature f set to its candidate a.
 * Then with
 *
 *     single_f(a)    = T(x[f:=a]) - T(x)
 *     both_fg(a, b)  = T(x[f:=a, g:=b]) - T(x[f:=a]) - T(x[g:=b]) + T(x)
 *
 * the score of a row with two changes is T(x) + single_f(a) + single_g(b) + both_fg(a, b).
 * A leaf of value v is reached by the rows that lie in a set A_f of every feature f on its
 * path.  With s_f = [x_f in A_f] it adds
 *
 *     v ([a in A_f] - s_f) prod over other features h of s_h             to single_f(a),
 *     v ([a in A_f] - s_f) ([b in A_g] - s_g) prod over other h of s_h   to both_fg(a, b)
 *
 * and so nothing to features that are not on its path, and nothing at all where x misses it
 * by more than two features.  [a in A_f] - s_f is 1 on A_f or -1 on its complement: runs of
 * candidates, which are added by their ends (a box of a table by its four corners) and
 * summed up once, after all leaves. */
#ifndef OWI_TREE_CHANGES_H
#define OWI_TREE_CHANGES_H

#include "trees/forest.h"

/* Values to try in each feature: those of feature f are values[start[f]] up to
 * values[start[f + 1] - 1]; ascending numbers make the shortest runs.  NaN is "missing". */
typedef struct {
    const size_t *start; /* n_features + 1 */
    const double *values;
} owi_tree_candidates;

typedef struct owi_tree_changes owi_tree_changes;

/* The forest is borrowed; candidates are copied.  without_pairs: no room is made for
 * pairs, which must not be asked for. */
ow_status owi_tree_changes_new(const owi_forest *forest,
                               const owi_tree_candidates *candidates, bool without_pairs,
                               owi_tree_changes **out);
void owi_tree_changes_free(owi_tree_changes *changes);

/* Works out the changes of a row (n_features), which the functions below then tell; pairs
 * only if asked.  Sums are doubles, added in another order than a package adds them. */
void owi_tree_changes_of_row(owi_tree_changes *changes, const double *row, bool with_pairs);

/* The score of the row itself, without the forest's base: (groups). */
const double *owi_tree_changes_own(const owi_tree_changes *changes);
/* single: (candidates, groups). */
const double *owi_tree_changes_single(const owi_tree_changes *changes);
/* both of features f < g: candidate i of f and j of g at values[(i * stride + j) * groups].
 * values is NULL where no tree has both: all 0. */
typedef struct {
    const double *values;
    size_t stride;
} owi_tree_table;
owi_tree_table owi_tree_changes_both(const owi_tree_changes *changes, size_t f, size_t g);

#endif
