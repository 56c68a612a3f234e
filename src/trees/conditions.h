/* SPDX-License-Identifier: MIT */
/* A forest made ready for evaluation in blocks of 512 rows.
 *
 * The splits of a forest test few different conditions: at most as many as there are
 * thresholds.  Each condition is evaluated once for a block, as a mask of 512 bits: bit i
 * says whether row i goes left.  To compare a column with all its thresholds, a value is
 * looked up among them once; then a condition is a comparison of small whole numbers.  In a
 * tree, the rows that reach a node are a mask, too:
 *
 *     reach(left child)  = reach(node) &  condition
 *     reach(right child) = reach(node) & ~condition
 *
 * and bit b of the number of each row's leaf is the union of the masks of those leaves
 * whose number has bit b, taken from as few nodes as cover them.
 *
 * That costs as much as a tree has nodes.  Large trees are walked instead, eight rows side
 * by side and without branches: a row is a list of small codes, a node says which of them
 * to compare with what, its children stand beside each other, and a leaf leads to itself.
 *
 * The idea of replacing walks by masks is QuickScorer's (Lucchese et al., SIGIR 2015);
 * there the bits of a mask are the leaves of one row's tree, here the rows of a block. */
#ifndef OWI_CONDITIONS_H
#define OWI_CONDITIONS_H

#include "trees/forest.h"

enum {
    owi_block_rows = 512,
    owi_mask_words = owi_block_rows / 64,
    /* Larger trees are walked: the number of a leaf must fit in a byte, and walking costs
     * the depth while masks cost the nodes. */
    owi_most_mask_leaves = 256,
    owi_most_planes = 8,
    /* Tables of leaf values are padded to this, so that vectors can be loaded whole. */
    owi_leaf_padding = 32
};

typedef struct {
    uint32_t feature, flags;
    uint32_t rank;       /* comparison: the threshold's index among the feature's   */
    uint32_t set, words; /* category: numbers of codes among the feature's, in `members` */
} owi_condition;

/* A split of a tree that is evaluated by masks: slots are the splits, then the leaves. */
typedef struct {
    uint32_t condition;
    uint16_t left, right;
} owi_mask_node;

/* A column of codes for walked trees: of a comparison, how many thresholds of the feature
 * are <= x, and 0 or owi_most_code where the flags send missing values or zeros; of a
 * category, 0 for the codes in the set and 1 for others.  A split goes left if the code is
 * at most its rank. */
typedef struct {
    uint32_t feature, flags;
    uint32_t set, words; /* category: as in owi_condition */
} owi_code_column;

enum { owi_most_code = 65535 };

/* A node of a walked tree: goes to next, or to next + 1 if the code is above rank. */
typedef struct {
    uint16_t column, rank;
    uint32_t next;
} owi_walk_node;

typedef struct {
    size_t first_node, n_nodes;
    size_t first_leaf, n_leaves; /* in padded_leaves */
    size_t first_cover;          /* the slots that cover plane 0, 1, ... */
    uint16_t n_cover[owi_most_planes];
    unsigned n_planes;
    uint32_t group;
    bool by_masks; /* else walked: first_node and n_nodes are those of walk_nodes */
} owi_mask_tree;

typedef struct {
    /* Sorted, without repetition; those of feature f are threshold_first[f] up to
     * threshold_first[f + 1].  Of a category: the codes that occur in sets. */
    double *thresholds;
    size_t *threshold_first;
    owi_condition *conditions; /* by feature */
    size_t n_conditions;
    uint32_t *members;
    owi_mask_tree *trees; /* n_trees of the forest */
    owi_mask_node *nodes;
    uint16_t *covers;
    float *float_leaves; /* one of the two, by forest.is_float */
    double *double_leaves;
    size_t most_cells;        /* of a categorical feature */
    owi_code_column *columns; /* by feature */
    size_t n_columns;
    owi_walk_node *walk_nodes;
    double *walk_values; /* of the nodes that are leaves */
} owi_conditions;

/* Fails with OW_ERR_FORMAT, a sentence without file name, if a feature is compared in one
 * split and a category in another. */
ow_status owi_conditions_make(const owi_forest *forest, owi_conditions *conditions);
void owi_conditions_clear(ow_context *ctx, owi_conditions *conditions);

/* For conditions.c: how each split of the forest is tested. */
typedef struct {
    uint32_t condition;    /* by masks  */
    uint16_t column, rank; /* by a walk */
} owi_split_test;

/* Fill trees, nodes, covers and leaves of the two kinds of trees. */
ow_status owi_conditions_make_trees(const owi_forest *forest, const owi_split_test *tests,
                                    owi_conditions *conditions);
ow_status owi_conditions_make_walks(const owi_forest *forest, const owi_split_test *tests,
                                    owi_conditions *conditions);

#endif
