/* SPDX-License-Identifier: MIT */
/* Circuits with random parameters, and their densities straight from the definition. */
#ifndef OW_RANDOM_CIRCUITS_H
#define OW_RANDOM_CIRCUITS_H

#include "support/ow_test.h"

/* In place of a depth, wherever these helpers and tiny_circuits.h take one: a circuit of
 * trees. */
enum { ow_tree_depth = 30 };
/* Depths from 0 to the deepest, then trees:
 *     for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) */
static inline size_t ow_next_depth(size_t depth, size_t deepest)
{
    return depth == deepest ? ow_tree_depth : depth + 1;
}
/* Up to four trees over up to 40 groups, for ow_circuit_spec.parents: their roots and
 * shapes differ; lent. */
const uint32_t *ow_tree_parents(size_t n_groups);

/* A circuit of this spec with every parameter drawn: means around 0, variances from 0.3 to
 * 2, probabilities and weights from Dirichlet distributions, a class prior. */
ow_circuit *ow_random_circuit(ow_context *ctx, const ow_circuit_spec *spec, uint64_t seed);

/* log S(x given c), NaN being summed out: the sum over all pairs of all sums, from the root
 * down by recursion, in double, from means, variances, probabilities and log-weights. */
double ow_brute_log_class(const ow_circuit *circuit, size_t c, const float *row);
/* Of trees without the recursion: the sum over all states of all hidden variables. */
double ow_all_states_log_class(const ow_circuit *circuit, size_t c, const float *row);
/* The same between the floats, for finite differences. */
double ow_brute_log_class_at(const ow_circuit *circuit, size_t c, const double *row);
/* The same of a soft row. */
double ow_brute_log_class_soft(const ow_circuit *circuit, size_t c, const double *soft);

/* log S(x) from the above and the prior. */
double ow_brute_log_density(const ow_circuit *circuit, const float *row);

/* Columns with levels only: n_columns of 2, 3, 2, 3, ... levels, every other one of two
 * levels a bit; lent. */
const ow_leaf *ow_discrete_leaves(void);
enum { ow_most_discrete = 8 };

/* The rows of levels of n columns, one after the other: from all 0 on; false after the
 * last.  fixed may be NULL; a column that is fixed keeps its value. */
void ow_first_levels(size_t n, const bool *fixed, float *row);
bool ow_next_levels(const ow_leaf *leaves, size_t n, const bool *fixed, float *row);

/* Structure and depth of the discrete circuits that are worth trying, over d columns: both
 * structures, every depth from 0 to what d allows, and trees. */
typedef struct {
    ow_structure structure;
    size_t depth, d;
} ow_discrete_case;
size_t ow_discrete_cases(ow_discrete_case *cases); /* room for 40 */
ow_circuit *ow_discrete_circuit(ow_context *ctx, const ow_discrete_case *one,
                                uint64_t seed);

#endif
