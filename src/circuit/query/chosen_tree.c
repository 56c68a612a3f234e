/* SPDX-License-Identifier: MIT */
#include "circuit/query/chosen_tree.h"

#include "circuit/pass/pass.h"

const float *owi_root_weights(const ow_circuit *circuit, size_t c)
{
    const size_t per_copy = owi_circuit_copy_classes(circuit);
    const size_t first = owi_circuit_root_offset(circuit, c / per_copy);
    return circuit->log_weight + first +
           (c % per_copy) * owi_circuit_sum_size(circuit, first);
}

const float *owi_sum_weights(const ow_circuit *circuit, size_t copy, size_t depth,
                             size_t region, size_t k)
{
    const size_t K = owi_circuit_child_components(circuit, depth);
    return circuit->log_weight + owi_circuit_inner_offset(circuit, depth, copy) +
           (region * circuit->spec.sums + k) * K * K;
}

const float *owi_edge_weights(const ow_circuit *circuit, size_t copy, size_t node, size_t k)
{
    const size_t K = circuit->spec.inputs, n = circuit->regions.n_parts;
    return circuit->log_weight + owi_circuit_inner_offset(circuit, 1, copy) +
           ((node / n * (n - 1) + node % n - 1) * K + k) * K;
}

/* A root of trees in state k and all below it: nodes stand behind their parents. */
static void go_down_nodes(const owi_chosen_tree *tree, size_t rep, size_t k)
{
    const owi_region_graph *regions = &tree->circuit->regions;
    const size_t first = rep * regions->n_parts;
    for (size_t p = 0; p < regions->n_parts; p++) {
        const uint32_t above = tree->state[regions->parent[first + p]];
        tree->state[p] =
            (uint32_t)(p == 0 ? k : tree->choose(tree->user, 1, first + p, above));
        tree->arrive(tree->user, first + p, tree->state[p]);
    }
}

/* Component k of a region at depth 1 or more and all that is below it.  A path has at most
 * D regions, each of which leaves one sibling waiting: the stack never holds more than D +
 * 1. */
static void go_down(const owi_chosen_tree *tree, size_t region, size_t k)
{
    struct {
        size_t depth, region, k;
    } stack[owi_most_depths + 1], at;
    size_t n = 0;

    stack[n].depth = 1;
    stack[n].region = region;
    stack[n++].k = k;
    while (n > 0) {
        at = stack[--n];
        if (at.depth == tree->circuit->spec.depth) {
            tree->arrive(tree->user, at.region, at.k);
            continue;
        }
        const size_t K = owi_circuit_child_components(tree->circuit, at.depth);
        const size_t pair = tree->choose(tree->user, at.depth, at.region, at.k);
        for (size_t side = 2;
             side-- > 0;) { /* the left one is taken from the stack first */
            stack[n].depth = at.depth + 1;
            stack[n].region = 2 * at.region + side;
            stack[n++].k = side == 0 ? pair / K : pair % K;
        }
    }
}

void owi_walk_tree(const owi_chosen_tree *tree, size_t chosen)
{
    const size_t K = owi_circuit_top_components(tree->circuit);
    if (owi_circuit_is_tree(tree->circuit)) {
        go_down_nodes(tree, chosen / K, chosen % K);
        return;
    }
    if (tree->circuit->spec.depth == 0) {
        tree->arrive(tree->user, chosen / K, chosen % K);
        return;
    }
    const size_t rep = chosen / (K * K), pair = chosen % (K * K);
    go_down(tree, 2 * rep, pair / K);
    go_down(tree, 2 * rep + 1, pair % K);
}
