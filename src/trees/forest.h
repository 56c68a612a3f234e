/* SPDX-License-Identifier: MIT */
/* A forest in flat arrays, the same for every package.
 *
 * One rule holds for all splits.  A number goes left if x < threshold, where x is the
 * original double: what a package does with float32 or "<=" is in the threshold already
 * (owi_threshold_below_float, owi_threshold_up_to).  A category goes left if its code is in
 * the split's set.  A missing value goes where missing_left says. */
#ifndef OWI_FOREST_H
#define OWI_FOREST_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/context.h"

enum {
    owi_max_features = 1 << 20,
    owi_max_groups = 1 << 16,
    owi_max_category = 1 << 24 /* codes are below: float32 holds every whole number there */
};

enum {
    owi_split_category = 1,     /* set membership; else a comparison                */
    owi_split_missing_left = 2, /* NaN goes left                                    */
    owi_split_zero_left = 4,    /* 0 goes left, whatever the comparison says        */
    owi_split_zero_right = 8    /* 0 goes right, whatever the comparison says       */
};

typedef struct {
    double threshold;    /* comparison                                    */
    uint32_t set, words; /* category: bits from forest.sets[set] on       */
    uint32_t feature;
    uint32_t flags;
    int32_t left, right; /* >= 0: a split of the same tree; < 0: leaf ~i  */
} owi_split;

typedef struct {
    size_t first_split, n_splits; /* split 0 is the root; children follow their parents */
    size_t first_leaf, n_leaves;  /* from left to right */
    uint32_t group;               /* the score that the leaves add to */
} owi_tree;

typedef struct {
    ow_context *ctx;
    owi_tree *trees;
    owi_split *splits;
    double *leaves;
    uint32_t *sets; /* bit c of a set: code c goes left */
    size_t n_trees, n_splits, n_leaves, n_set_words;
    size_t most_set_words; /* what the file may ask for; 0: as much as there is memory */
    size_t tree_capacity, split_capacity, leaf_capacity, set_capacity;
    size_t n_features, n_groups;
    bool is_float; /* sums in float32 and category codes by way of float32 (XGBoost) */
    /* |x| <= 1e-35f counts as 0, and infinity as the largest double (LightGBM, where
     * everything is <= infinity) */
    bool has_zero;
} owi_forest;

/* A tree as a file gives it, whose arrays nobody has checked: node 0 is the root, children
 * are numbers of nodes. */
typedef struct {
    bool is_leaf;
    double value;       /* leaf                                                  */
    owi_split split;    /* else; its children are not used                       */
    double left, right; /* children as they stand in the file                    */
} owi_file_node;

void owi_forest_clear(owi_forest *forest);

/* Adds a tree, without the nodes that the root does not reach.  A child out of range, a
 * node reached twice, a feature or number out of range fail with OW_ERR_FORMAT and a
 * sentence without file name that begins "tree N". */
ow_status owi_forest_add(owi_forest *forest, size_t n_nodes, const owi_file_node *nodes,
                         uint32_t group);

/* Room for a set of n_words in forest->sets, all zero, from *set on. */
ow_status owi_forest_add_set(owi_forest *forest, size_t n_words, uint32_t *set);

/* The threshold T for which x < T says the same as (float)x < t. */
double owi_threshold_below_float(float t);
/* The threshold T for which x < T says the same as x <= t. */
double owi_threshold_up_to(double t);

/* The value that splits compare. */
static inline double owi_forest_value(const owi_forest *forest, double x)
{
    if (!forest->has_zero) return x;
    if (x >= -(double)1e-35f && x <= (double)1e-35f) return 0.0;
    return x > DBL_MAX ? DBL_MAX : x;
}

/* Whether x, which is not NaN and went through owi_forest_value, goes left. */
static inline bool owi_split_compares(const owi_split *split, double x)
{
    if (x == 0.0 && (split->flags & (owi_split_zero_left | owi_split_zero_right)) != 0)
        return (split->flags & owi_split_zero_left) != 0;
    return x < split->threshold;
}

/* The code of a category, truncated to a whole number as the packages do; SIZE_MAX: none
 * that could be in a set. */
size_t owi_forest_code(const owi_forest *forest, double x);
bool owi_split_has_code(const owi_forest *forest, const owi_split *split, size_t code);
/* Which way any value goes, NaN included. */
static inline bool owi_split_goes_left(const owi_forest *forest, const owi_split *split,
                                       double x)
{
    if (isnan(x)) return (split->flags & owi_split_missing_left) != 0;
    if ((split->flags & owi_split_category) != 0)
        return owi_split_has_code(forest, split, owi_forest_code(forest, x));
    return owi_split_compares(split, owi_forest_value(forest, x));
}

/* The value of the leaf that a row reaches in one tree. */
double owi_forest_leaf(const owi_forest *forest, size_t tree, const double *row);

/* The plain evaluation, one row and one tree at a time: scores += leaves, in the order of
 * the trees and the precision of the package.  rows has n_features doubles each, scores
 * n_groups.  What other kernels are tested against. */
void owi_forest_walk(const owi_forest *forest, size_t first_tree, size_t end_tree,
                     size_t n_rows, const double *rows, double *scores);

#endif
