/* SPDX-License-Identifier: MIT */
/* The forest that benchmarks of trees are made with: 300 complete trees of depth 6 over 20
 * features with up to 255 thresholds each. */
#ifndef MADE_TREES_H
#define MADE_TREES_H

#include <string.h>

#include "base/numeric/rng.h"
#include "trees/forest.h"

enum { n_features = 20, n_thresholds = 255, n_trees = 300, depth = 6 };

/* Node i of a complete tree has the children 2 i + 1 and 2 i + 2. */
static ow_status add_random_tree(owi_forest *forest, owi_rng *rng)
{
    enum { n_splits = (1 << depth) - 1, n_nodes = 2 * n_splits + 1 };
    owi_file_node nodes[n_nodes];
    memset(nodes, 0, sizeof nodes);
    for (size_t i = 0; i < n_nodes; i++) {
        owi_file_node *node = &nodes[i];
        node->is_leaf = i >= n_splits;
        node->value = 0.1 * owi_rng_normal(rng);
        node->left = (double)(2 * i + 1);
        node->right = (double)(2 * i + 2);
        node->split.feature = (uint32_t)owi_rng_below(rng, n_features);
        node->split.threshold = ((double)owi_rng_below(rng, n_thresholds) + 0.5) / 256.0;
        node->split.flags = owi_rng_below(rng, 2) == 0 ? owi_split_missing_left : 0;
    }
    return owi_forest_add(forest, n_nodes, nodes, 0);
}

#endif
