/* SPDX-License-Identifier: MIT */
/* One edge of a tree and one row of it, in the log domain and in double: `ref` is made of
 * this, and fast backends fall back to it where a sum underflows. */
#ifndef OWI_TREE_EDGE_H
#define OWI_TREE_EDGE_H

#include "backend/backend.h"

/* The edge from a node to its parent. */
typedef struct {
    owi_weights weight;         /* (K, K)                                           */
    size_t at;                  /* where it stands among the layer's weights        */
    size_t node, parent;        /* of all trees' nodes                              */
    size_t n_nodes;             /* of all trees                                     */
    size_t n_components, lanes; /* K, L                                             */
} owi_tree_edge;

/* Node p of a tree, which is not its root. */
static inline owi_tree_edge owi_tree_edge_of(const owi_tree_shape *shape,
                                             owi_weights weights, size_t lanes, size_t tree,
                                             size_t p)
{
    const size_t K = shape->n_components, first = tree * shape->n_nodes;
    const size_t at = (tree * (shape->n_nodes - 1) + p - 1) * K * K;
    return (owi_tree_edge){.weight = {weights.linear + at, weights.log + at},
                           .at = at,
                           .node = first + p,
                           .parent = first + shape->parent[first + p],
                           .n_nodes = shape->n_trees * shape->n_nodes,
                           .n_components = K,
                           .lanes = lanes};
}

/* Where a node begins in a buffer (T, R, K, L), and in one of tops, (T, R, L). */
static inline size_t owi_tree_node(const owi_tree_edge *edge, size_t tile, size_t node)
{
    return (tile * edge->n_nodes + node) * edge->n_components * edge->lanes;
}
static inline size_t owi_tree_top(const owi_tree_edge *edge, size_t tile, size_t node)
{
    return (tile * edge->n_nodes + node) * edge->lanes;
}

/* log sum_j weight[k,j] exp(log_value[j] - max_i log_value[i]) of the edge's node;
 * -infinity if every term is impossible. */
double owi_tree_edge_log_sum(const owi_tree_edge *edge, const owi_tree_values *nodes,
                             size_t tile, size_t lane, size_t k);

/* Sends the flow of message k to the components of the node, and into the edge's statistic
 * unless that is NULL: both are added to.  Nothing flows through an impossible sum. */
void owi_tree_edge_flow(const owi_tree_edge *edge, const owi_tree_values *nodes,
                        size_t tile, size_t lane, size_t k, double flow_k, float *flow,
                        float *statistic);

#endif
