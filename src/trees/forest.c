/* SPDX-License-Identifier: MIT */
#include "trees/forest.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

void owi_forest_clear(owi_forest *forest)
{
    owi_free(forest->ctx, forest->trees);
    owi_free(forest->ctx, forest->splits);
    owi_free(forest->ctx, forest->leaves);
    owi_free(forest->ctx, forest->sets);
    forest->trees = NULL;
    forest->splits = NULL;
    forest->leaves = NULL;
    forest->sets = NULL;
}

/* ---- Thresholds ---- */

/* Doubles from the middle between t and the float below it on are rounded to t or more,
 * the middle itself where t is the even one of the two. */
double owi_threshold_below_float(float t)
{
    if (isinf(t) && t < 0.0f) return (double)t;
    const float below = nextafterf(t, -INFINITY);
    const double lower = isinf(below) ? -0x1p128 : (double)below;
    const double upper = isinf(t) ? 0x1p128 : (double)t;
    const double middle = lower + (upper - lower) / 2.0;
    return (float)middle >= t ? middle : nextafter(middle, (double)INFINITY);
}

double owi_threshold_up_to(double t)
{
    return nextafter(t, (double)INFINITY);
}

/* ---- Adding trees ---- */

ow_status owi_forest_add_set(owi_forest *forest, size_t n_words, uint32_t *set)
{
    const size_t wanted = forest->n_set_words + n_words;
    *set = (uint32_t)forest->n_set_words;
    if (n_words == 0) return OW_OK;
    if (wanted > UINT32_MAX)
        return owi_fail(OW_ERR_FORMAT, "tree %zu: the category sets are too large",
                        forest->n_trees);
    if (forest->most_set_words > 0 && wanted > forest->most_set_words)
        return owi_fail(OW_ERR_FORMAT,
                        "tree %zu: the category sets are larger than a file of this size "
                        "can mean (%zu MB)",
                        forest->n_trees, forest->most_set_words >> 18);
    OWI_TRY(owi_grow(forest->ctx, &forest->sets, &forest->set_capacity, wanted,
                     sizeof *forest->sets));
    memset(forest->sets + forest->n_set_words, 0, n_words * sizeof *forest->sets);
    forest->n_set_words = wanted;
    return OW_OK;
}

/* What a walk over the file's nodes has still to do: node, and where its number goes. */
typedef struct {
    size_t node;
    size_t parent; /* split in the tree; SIZE_MAX: this is the root */
    bool is_left;
} open_node;

typedef struct {
    owi_forest *forest;
    owi_tree *tree;
    const owi_file_node *nodes;
    size_t n_nodes, n_open;
    open_node *open;
    unsigned char *seen;
} adding;

static ow_status check_node(const adding *a, size_t node)
{
    const size_t number = a->forest->n_trees;
    const owi_file_node *n = &a->nodes[node];
    if (n->is_leaf && !isfinite(n->value))
        return owi_fail(OW_ERR_FORMAT, "tree %zu: the value of leaf %zu is not finite",
                        number, node);
    if (n->is_leaf) return OW_OK;
    if (n->split.feature >= a->forest->n_features)
        return owi_fail(OW_ERR_FORMAT,
                        "tree %zu: node %zu splits feature %u, but there are %zu", number,
                        node, n->split.feature, a->forest->n_features);
    if ((n->split.flags & owi_split_category) == 0 && isnan(n->split.threshold))
        return owi_fail(OW_ERR_FORMAT, "tree %zu: the threshold of node %zu is NaN", number,
                        node);
    return OW_OK;
}

/* Puts a child on the list of open nodes. */
static ow_status open_child(adding *a, size_t node, double child, size_t parent,
                            bool is_left)
{
    if (!(child >= 0.0 && child < (double)a->n_nodes) || child != floor(child))
        return owi_fail(OW_ERR_FORMAT,
                        "tree %zu: node %zu has a child %g, expected 0 to %zu",
                        a->forest->n_trees, node, child, a->n_nodes - 1);
    const size_t index = (size_t)child;
    if (a->seen[index])
        return owi_fail(OW_ERR_FORMAT,
                        "tree %zu: node %zu is reached twice, so this is no tree",
                        a->forest->n_trees, index);
    a->seen[index] = 1;
    a->open[a->n_open++] = (open_node){index, parent, is_left};
    return OW_OK;
}

/* Depth first, left before right, so that leaves come in their order. */
static ow_status add_nodes(adding *a)
{
    owi_forest *forest = a->forest;
    owi_tree *tree = a->tree;
    a->open[a->n_open++] = (open_node){0, SIZE_MAX, false};
    a->seen[0] = 1;
    while (a->n_open > 0) {
        const open_node at = a->open[--a->n_open];
        const owi_file_node *node = &a->nodes[at.node];
        OWI_TRY(check_node(a, at.node));
        const int32_t number =
            node->is_leaf ? ~(int32_t)tree->n_leaves : (int32_t)tree->n_splits;
        if (at.parent != SIZE_MAX) {
            owi_split *parent = &forest->splits[tree->first_split + at.parent];
            *(at.is_left ? &parent->left : &parent->right) = number;
        }
        if (node->is_leaf) {
            forest->leaves[tree->first_leaf + tree->n_leaves++] = node->value;
        } else {
            const size_t split = tree->n_splits++;
            forest->splits[tree->first_split + split] = node->split;
            OWI_TRY(open_child(a, at.node, node->right, split, false));
            OWI_TRY(open_child(a, at.node, node->left, split, true));
        }
    }
    return OW_OK;
}

ow_status owi_forest_add(owi_forest *forest, size_t n_nodes, const owi_file_node *nodes,
                         uint32_t group)
{
    ow_context *ctx = forest->ctx;
    if (n_nodes == 0 || n_nodes > INT32_MAX)
        return owi_fail(OW_ERR_FORMAT, "tree %zu has %zu nodes", forest->n_trees, n_nodes);
    OWI_TRY(owi_grow(ctx, &forest->trees, &forest->tree_capacity, forest->n_trees + 1,
                     sizeof *forest->trees));
    OWI_TRY(owi_grow(ctx, &forest->splits, &forest->split_capacity,
                     forest->n_splits + n_nodes, sizeof *forest->splits));
    OWI_TRY(owi_grow(ctx, &forest->leaves, &forest->leaf_capacity,
                     forest->n_leaves + n_nodes, sizeof *forest->leaves));
    owi_tree *tree = &forest->trees[forest->n_trees];
    *tree = (owi_tree){.first_split = forest->n_splits,
                       .first_leaf = forest->n_leaves,
                       .group = group};
    adding a = {.forest = forest, .tree = tree, .nodes = nodes, .n_nodes = n_nodes};
    a.seen = owi_alloc_zeroed(ctx, n_nodes);
    a.open = owi_alloc_array(ctx, n_nodes + 1, sizeof *a.open);
    ow_status status = a.seen != NULL && a.open != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK) status = add_nodes(&a);
    owi_free(ctx, a.seen);
    owi_free(ctx, a.open);
    if (status != OW_OK) return status;
    forest->n_trees++;
    forest->n_splits += tree->n_splits;
    forest->n_leaves += tree->n_leaves;
    return OW_OK;
}

/* ---- Plain evaluation ---- */

size_t owi_forest_code(const owi_forest *forest, double x)
{
    if (forest->is_float) {
        const float rounded = (float)x;
        return rounded >= 0.0f && rounded < (float)owi_max_category ? (size_t)rounded
                                                                    : SIZE_MAX;
    }
    return x > -1.0 && x < 0x1p31 ? (size_t)(int64_t)x : SIZE_MAX;
}

bool owi_split_has_code(const owi_forest *forest, const owi_split *split, size_t code)
{
    if (code / 32 >= split->words) return false;
    return (forest->sets[split->set + code / 32] >> code % 32 & 1) != 0;
}

double owi_forest_leaf(const owi_forest *forest, size_t t, const double *row)
{
    const owi_tree *tree = &forest->trees[t];
    int32_t at = tree->n_splits > 0 ? 0 : ~0;
    while (at >= 0) {
        const owi_split *split = &forest->splits[tree->first_split + (size_t)at];
        const bool left = owi_split_goes_left(forest, split, row[split->feature]);
        at = left ? split->left : split->right;
    }
    return forest->leaves[tree->first_leaf + (size_t)~at];
}

void owi_forest_walk(const owi_forest *forest, size_t first_tree, size_t end_tree,
                     size_t n_rows, const double *rows, double *scores)
{
    for (size_t i = 0; i < n_rows; i++)
        for (size_t t = first_tree; t < end_tree; t++) {
            const owi_tree *tree = &forest->trees[t];
            double *score = scores + i * forest->n_groups + tree->group;
            const double leaf = owi_forest_leaf(forest, t, rows + i * forest->n_features);
            *score =
                forest->is_float ? (double)((float)*score + (float)leaf) : *score + leaf;
        }
}
