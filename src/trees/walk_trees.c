/* SPDX-License-Identifier: MIT */
/* Trees laid out for walking: level by level, children side by side. */
#include "base/error.h"
#include "base/memory/alloc.h"
#include "trees/conditions.h"

typedef struct {
    const owi_forest *forest;
    const owi_split_test *tests;
    owi_conditions *c;
    int32_t *child_of; /* per node of the tree at work: its split or leaf */
} laying;

/* Nodes are settled in the order in which they get their places, so that the list of
 * children is also the queue of a breadth-first pass. */
static void lay_tree(const laying *lay, const owi_tree *from, const owi_mask_tree *tree)
{
    owi_walk_node *nodes = lay->c->walk_nodes + tree->first_node;
    double *values = lay->c->walk_values + tree->first_node;
    size_t n_placed = 1;
    lay->child_of[0] = 0;
    for (size_t i = 0; i < n_placed; i++) {
        const int32_t at = lay->child_of[i];
        values[i] = at < 0 ? lay->forest->leaves[from->first_leaf + (size_t)~at] : 0.0;
        nodes[i] = (owi_walk_node){0, owi_most_code, (uint32_t)i};
        if (at < 0) continue;
        const size_t split = from->first_split + (size_t)at;
        const owi_split_test *test = &lay->tests[split];
        nodes[i] = (owi_walk_node){test->column, test->rank, (uint32_t)n_placed};
        lay->child_of[n_placed++] = lay->forest->splits[split].left;
        lay->child_of[n_placed++] = lay->forest->splits[split].right;
    }
}

ow_status owi_conditions_make_walks(const owi_forest *forest, const owi_split_test *tests,
                                    owi_conditions *conditions)
{
    laying lay = {forest, tests, conditions, NULL};
    size_t n_nodes = 0, most_nodes = 0;
    for (size_t t = 0; t < forest->n_trees; t++) {
        owi_mask_tree *tree = &conditions->trees[t];
        if (tree->by_masks) continue;
        tree->first_node = n_nodes;
        tree->n_nodes = 2 * forest->trees[t].n_leaves - 1;
        n_nodes += tree->n_nodes;
        if (tree->n_nodes > most_nodes) most_nodes = tree->n_nodes;
    }
    if (n_nodes == 0) return OW_OK;
    conditions->walk_nodes =
        owi_alloc_array(forest->ctx, n_nodes, sizeof *conditions->walk_nodes);
    conditions->walk_values = owi_alloc_array(forest->ctx, n_nodes, sizeof(double));
    lay.child_of = owi_alloc_array(forest->ctx, most_nodes, sizeof *lay.child_of);
    const bool has_room = conditions->walk_nodes != NULL &&
                          conditions->walk_values != NULL && lay.child_of != NULL;
    for (size_t t = 0; has_room && t < forest->n_trees; t++)
        if (!conditions->trees[t].by_masks)
            lay_tree(&lay, &forest->trees[t], &conditions->trees[t]);
    owi_free(forest->ctx, lay.child_of);
    return has_room ? OW_OK : OW_ERR_MEMORY;
}
