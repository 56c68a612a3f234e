/* SPDX-License-Identifier: MIT */
/* Trees that decide: exact margins of all changes of one and two columns of a state,
 * without evaluating a changed row (trees/tree_changes.h), and the values at which they
 * tip. */
#ifndef OWI_GUIDED_TREES_H
#define OWI_GUIDED_TREES_H

#include "explain/guided/guided.h"

typedef struct owi_guided_trees owi_guided_trees;

/* For a guided that has its moves.  *out is NULL where something else decides, or where the
 * trees read one column as several features. */
ow_status owi_guided_trees_new(const owi_guided *guided, const owi_problem *problem,
                               owi_guided_trees **out);
void owi_guided_trees_free(owi_guided_trees *trees);

/* owi_margin of the state with each simple move (n_simple). */
void owi_guided_trees_singles(owi_guided_trees *trees, const owi_problem *problem,
                              const double *values, int32_t target, double *margin);
/* Works out all pairs of a state, which owi_guided_trees_pair then tells: owi_margin with
 * two simple moves of different columns, both of those that pairs are made of. */
void owi_guided_trees_begin_pairs(owi_guided_trees *trees, const double *values);
double owi_guided_trees_pair(owi_guided_trees *trees, const owi_problem *problem,
                             size_t move, size_t other, int32_t target);

/* Values of a number just below and just above where some tree divides it, as short as the
 * column is printed; at most owi_most_tipping, whose number is returned.  values NULL: only
 * how much room they need. */
enum { owi_most_tipping = 1024 };
size_t owi_guided_tipping_values(const owi_problem *problem, size_t column, double *values);

#endif
