/* SPDX-License-Identifier: MIT */
/* Trees laid out for evaluation by masks: nodes with slots, covers of planes, padded
 * leaves. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "trees/conditions.h"

typedef struct {
    const owi_forest *forest;
    owi_conditions *c;
    size_t n_covers, cover_capacity;
} laying;

/* Splits level by level: what a node needs was stored long before, where its parent came
 * just before it if the order were depth first. */
static void fill_nodes(const owi_forest *forest, const owi_tree *tree,
                       const owi_split_test *tests, owi_mask_node *nodes)
{
    uint16_t split_at[owi_most_mask_leaves] = {0};
    size_t n_placed = 1;
    for (size_t i = 0; i < tree->n_splits; i++) {
        const owi_split *split = &forest->splits[tree->first_split + split_at[i]];
        const int32_t children[2] = {split->left, split->right};
        uint16_t slots[2];
        for (size_t k = 0; k < 2; k++) {
            slots[k] = (uint16_t)(children[k] < 0 ? tree->n_splits + (size_t)~children[k]
                                                  : n_placed);
            if (children[k] >= 0) split_at[n_placed++] = (uint16_t)children[k];
        }
        nodes[i] = (owi_mask_node){tests[tree->first_split + split_at[i]].condition,
                                   slots[0], slots[1]};
    }
}

/* The leaves below each slot are [from[slot], to[slot]): leaves are numbered from left to
 * right.  Children come after their parents, so the last slot is settled first. */
static void find_ranges(const owi_mask_node *nodes, size_t n_nodes, size_t n_leaves,
                        uint16_t *from, uint16_t *to)
{
    for (size_t i = 0; i < n_leaves; i++) {
        from[n_nodes + i] = (uint16_t)i;
        to[n_nodes + i] = (uint16_t)(i + 1);
    }
    for (size_t i = n_nodes; i-- > 0;) {
        from[i] = from[nodes[i].left];
        to[i] = to[nodes[i].right];
    }
}

/* Whether bit b is set in all the numbers from, ..., to - 1. */
static bool all_set(unsigned b, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if ((i >> b & 1) == 0) return false;
    return true;
}

/* The highest slots below which all leaves have bit b. */
static ow_status cover_plane(laying *lay, owi_mask_tree *tree, unsigned b,
                             const uint16_t *from, const uint16_t *to)
{
    const owi_mask_node *nodes = lay->c->nodes + tree->first_node;
    bool is_covered[2 * owi_most_mask_leaves] = {false};
    for (size_t slot = 0; slot < tree->n_nodes + tree->n_leaves; slot++) {
        const bool whole = all_set(b, from[slot], to[slot]);
        if (whole && !is_covered[slot]) {
            OWI_TRY(owi_grow(lay->forest->ctx, &lay->c->covers, &lay->cover_capacity,
                             lay->n_covers + 1, sizeof(uint16_t)));
            lay->c->covers[lay->n_covers++] = (uint16_t)slot;
            tree->n_cover[b]++;
        }
        if (slot < tree->n_nodes && whole)
            is_covered[nodes[slot].left] = is_covered[nodes[slot].right] = true;
    }
    return OW_OK;
}

static ow_status cover_planes(laying *lay, owi_mask_tree *tree)
{
    uint16_t from[2 * owi_most_mask_leaves], to[2 * owi_most_mask_leaves];
    find_ranges(lay->c->nodes + tree->first_node, tree->n_nodes, tree->n_leaves, from, to);
    tree->first_cover = lay->n_covers;
    while ((size_t)1 << tree->n_planes < tree->n_leaves) tree->n_planes++;
    for (unsigned b = 0; b < tree->n_planes; b++)
        OWI_TRY(cover_plane(lay, tree, b, from, to));
    return OW_OK;
}

static size_t padded(size_t n_leaves)
{
    return (n_leaves + owi_leaf_padding - 1) / owi_leaf_padding * owi_leaf_padding;
}

static ow_status make_room(const owi_forest *forest, owi_conditions *c)
{
    size_t n_nodes = 0, n_leaves = 0;
    for (size_t t = 0; t < forest->n_trees; t++) {
        if (forest->trees[t].n_leaves > owi_most_mask_leaves) continue;
        n_nodes += forest->trees[t].n_splits;
        n_leaves += padded(forest->trees[t].n_leaves);
    }
    c->trees = owi_alloc_array(forest->ctx, forest->n_trees, sizeof *c->trees);
    c->nodes = owi_alloc_array(forest->ctx, n_nodes, sizeof *c->nodes);
    if (forest->is_float)
        c->float_leaves = owi_alloc_aligned(forest->ctx, n_leaves, sizeof(float));
    else
        c->double_leaves = owi_alloc_aligned(forest->ctx, n_leaves, sizeof(double));
    const bool has_leaves = c->float_leaves != NULL || c->double_leaves != NULL;
    return c->trees != NULL && c->nodes != NULL && has_leaves ? OW_OK : OW_ERR_MEMORY;
}

static void copy_leaves(const owi_forest *forest, const owi_tree *tree, size_t first,
                        owi_conditions *c)
{
    for (size_t i = 0; i < padded(tree->n_leaves); i++) {
        const double leaf = i < tree->n_leaves ? forest->leaves[tree->first_leaf + i] : 0.0;
        if (forest->is_float)
            c->float_leaves[first + i] = (float)leaf;
        else
            c->double_leaves[first + i] = leaf;
    }
}

ow_status owi_conditions_make_trees(const owi_forest *forest, const owi_split_test *tests,
                                    owi_conditions *conditions)
{
    laying lay = {.forest = forest, .c = conditions};
    size_t n_nodes = 0, n_leaves = 0;
    OWI_TRY(make_room(forest, conditions));
    OWI_TRY(owi_grow(forest->ctx, &conditions->covers, &lay.cover_capacity, 1,
                     sizeof(uint16_t)));
    for (size_t t = 0; t < forest->n_trees; t++) {
        const owi_tree *from = &forest->trees[t];
        owi_mask_tree *tree = &conditions->trees[t];
        *tree = (owi_mask_tree){.group = from->group};
        if (from->n_leaves > owi_most_mask_leaves) continue;
        tree->by_masks = true;
        tree->first_node = n_nodes;
        tree->n_nodes = from->n_splits;
        tree->first_leaf = n_leaves;
        tree->n_leaves = from->n_leaves;
        fill_nodes(forest, from, tests, conditions->nodes + n_nodes);
        copy_leaves(forest, from, n_leaves, conditions);
        OWI_TRY(cover_planes(&lay, tree));
        n_nodes += tree->n_nodes;
        n_leaves += padded(tree->n_leaves);
    }
    return OW_OK;
}
