/* SPDX-License-Identifier: MIT */
/* Random forests of every habit. */
#ifndef RANDOM_FOREST_H
#define RANDOM_FOREST_H

#include "base/numeric/rng.h"
#include "support/ow_test.h"
#include "trees/forest.h"

enum { n_features = 7, most_nodes = 2001 };

/* What a random forest is like. */
typedef struct {
    size_t n_trees, n_leaves, n_thresholds, n_groups;
    bool is_float, has_zero;
    size_t most_code;
} habits;

/* Features 4 to 6 are categories. */
static void make_split(owi_forest *forest, owi_rng *rng, const habits *h, owi_split *split)
{
    *split = (owi_split){.feature = (uint32_t)owi_rng_below(rng, n_features)};
    if (owi_rng_below(rng, 2) == 0) split->flags |= owi_split_missing_left;
    if (split->feature < 4) {
        split->threshold = (double)owi_rng_below(rng, h->n_thresholds) - 20.0;
        const size_t zero = owi_rng_below(rng, h->has_zero ? 6 : 1);
        if (zero == 1) split->flags |= owi_split_zero_left;
        if (zero == 2) split->flags |= owi_split_zero_right;
        return;
    }
    split->flags |= owi_split_category;
    split->words = (uint32_t)(owi_rng_below(rng, h->most_code) / 32 + 1);
    assert_ok(owi_forest_add_set(forest, split->words, &split->set));
    for (size_t i = 0; i < split->words; i++)
        forest->sets[split->set + i] = owi_rng_u32(rng) & owi_rng_u32(rng);
}

/* A leaf is chosen again and again and split, so that trees have any shape. */
static void add_tree(owi_forest *forest, owi_rng *rng, const habits *h)
{
    static owi_file_node nodes[most_nodes];
    static size_t leaves[most_nodes];
    size_t n_nodes = 1, n_leaves = 1;
    leaves[0] = 0;
    const size_t wanted = 1 + owi_rng_below(rng, h->n_leaves);
    while (n_leaves < wanted && n_nodes + 2 <= most_nodes) {
        const size_t chosen = owi_rng_below(rng, n_leaves), at = leaves[chosen];
        nodes[at] = (owi_file_node){.left = (double)n_nodes, .right = (double)n_nodes + 1};
        make_split(forest, rng, h, &nodes[at].split);
        leaves[chosen] = n_nodes;
        leaves[n_leaves++] = n_nodes + 1;
        n_nodes += 2;
    }
    for (size_t i = 0; i < n_leaves; i++)
        nodes[leaves[i]] = (owi_file_node){.is_leaf = true, .value = owi_rng_normal(rng)};
    assert_ok(
        owi_forest_add(forest, n_nodes, nodes, (uint32_t)owi_rng_below(rng, h->n_groups)));
}

#endif
