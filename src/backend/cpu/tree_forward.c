/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "backend/cpu/cpu_kernels.h"
#include "backend/tree_edge.h"

/* sum = weight * value; 1 in spare lanes, whose logarithm is 0. */
static void multiply_edge(const owi_instruction_set *ops, const owi_tree_edge *edge,
                          size_t lanes, const float *value, float *sum)
{
    const size_t K = edge->n_components, L = edge->lanes;
    const owi_matrix weight = {edge->weight.linear, K, 1, NULL};
    ops->multiply_times(lanes, K, K, weight, value, NULL, sum);
    for (size_t k = 0; k < K && lanes < L; k++)
        for (size_t lane = lanes; lane < L; lane++) sum[k * L + lane] = 1.0f;
}

/* The top of a node that no child has sent anything to: no sum of tops is so large. */
static const float not_begun = INFINITY;

/* The logarithms of the sums go to the parent, the first ones to its leaf; of those that
 * have underflowed they are made again. */
static void send_message(const owi_instruction_set *ops, const owi_tree_edge *edge,
                         const owi_tree_values *nodes, size_t tile, const float *leaves)
{
    const size_t L = edge->lanes, n = edge->n_components * L;
    const size_t to = owi_tree_node(edge, tile, edge->parent);
    const float *sum = nodes->sum + owi_tree_node(edge, tile, edge->node);
    const float *top = nodes->top + owi_tree_top(edge, tile, edge->node);
    float *parent = nodes->log_value + to;
    float *parent_top = nodes->top + owi_tree_top(edge, tile, edge->parent);
    const bool is_first = parent_top[0] == not_begun;

    for (size_t lane = 0; lane < L; lane++)
        parent_top[lane] = (is_first ? 0.0f : parent_top[lane]) + top[lane];
    if (!ops->add_log(n, sum, owi_cpu_least_sum, is_first ? leaves + to : parent, parent))
        return;
    for (size_t i = 0; i < n; i++)
        if (sum[i] < owi_cpu_least_sum)
            parent[i] += (float)owi_tree_edge_log_sum(edge, nodes, tile, i % L, i / L);
}

/* A root as the layer above sees it: with the tops of all below it. */
static void take_root(size_t K, size_t L, const float *below, const float *log_value,
                      const float *value, const float *top, size_t root,
                      const owi_layer_values *roots)
{
    float *out = roots->log_value + root * K * L;
    for (size_t k = 0; k < K; k++)
        for (size_t lane = 0; lane < L; lane++)
            out[k * L + lane] = log_value[k * L + lane] + below[lane];
    memcpy(roots->value + root * K * L, value, K * L * sizeof *value);
    memcpy(roots->top + root * L, top, L * sizeof *top);
}

/* A node that has no children is its leaf. */
static void begin_node(size_t K, size_t L, const float *leaves, float *log_value,
                       float *top)
{
    if (top[0] != not_begun) return;
    memcpy(log_value, leaves, K * L * sizeof *leaves);
    memset(top, 0, L * sizeof *top);
}

static void tree_of_tile(const owi_instruction_set *ops, const owi_tree_shape *shape,
                         owi_batch batch, owi_weights weights, size_t t, size_t tree,
                         const float *leaves, const owi_tree_values *nodes,
                         const owi_layer_values *roots)
{
    const size_t K = shape->n_components, L = batch.lanes, N = shape->n_nodes;
    const size_t first = t * shape->n_trees * N + tree * N;

    for (size_t p = N; p-- > 0;) {
        const size_t at = (first + p) * K * L;
        float *top = nodes->top + (first + p) * L, below[owi_tile_lanes];
        float largest[owi_tile_lanes];
        begin_node(K, L, leaves + at, nodes->log_value + at, top);
        ops->normalize(L, 1, K, nodes->log_value + at, nodes->value + at, largest);
        for (size_t lane = 0; lane < L; lane++) {
            below[lane] = top[lane];
            top[lane] += largest[lane];
        }
        if (p == 0) {
            take_root(K, L, below, nodes->log_value + at, nodes->value + at, top,
                      t * shape->n_trees + tree, roots);
            return;
        }
        const owi_tree_edge edge = owi_tree_edge_of(shape, weights, L, tree, p);
        multiply_edge(ops, &edge, owi_lanes_of(batch, t), nodes->value + at,
                      nodes->sum + at);
        send_message(ops, &edge, nodes, t, leaves);
    }
}

void owi_cpu_tree_forward(const owi_backend *self, const owi_tree_shape *shape,
                          owi_batch batch, owi_weights weights, const float *leaves,
                          const owi_tree_values *nodes, const owi_layer_values *roots)
{
    const size_t n = batch.n_tiles * shape->n_trees * shape->n_nodes * batch.lanes;

    for (size_t i = 0; i < n; i++) nodes->top[i] = not_begun;
    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t tree = 0; tree < shape->n_trees; tree++)
            tree_of_tile(owi_cpu_ops(self), shape, batch, weights, t, tree, leaves, nodes,
                         roots);
}
