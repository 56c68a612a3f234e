/* SPDX-License-Identifier: MIT */
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

/* The logarithms of the sums go to the parent; of those that have underflowed they are made
 * again. */
static void send_message(const owi_instruction_set *ops, const owi_tree_edge *edge,
                         const owi_tree_values *nodes, size_t tile)
{
    const size_t L = edge->lanes, n = edge->n_components * L;
    const float *sum = nodes->sum + owi_tree_node(edge, tile, edge->node);
    float *parent = nodes->log_value + owi_tree_node(edge, tile, edge->parent);

    if (!ops->add_log(n, sum, owi_cpu_least_sum, parent)) return;
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

static void tree_of_tile(const owi_instruction_set *ops, const owi_tree_shape *shape,
                         owi_batch batch, owi_weights weights, size_t t, size_t tree,
                         const owi_tree_values *nodes, const owi_layer_values *roots)
{
    const size_t K = shape->n_components, L = batch.lanes, N = shape->n_nodes;
    const size_t first = t * shape->n_trees * N + tree * N;

    for (size_t p = N; p-- > 0;) {
        const size_t at = (first + p) * K * L;
        float *top = nodes->top + (first + p) * L, below[owi_tile_lanes];
        float largest[owi_tile_lanes];
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
        float *parent_top = nodes->top + owi_tree_top(&edge, t, edge.parent);
        multiply_edge(ops, &edge, owi_lanes_of(batch, t), nodes->value + at,
                      nodes->sum + at);
        send_message(ops, &edge, nodes, t);
        for (size_t lane = 0; lane < L; lane++) parent_top[lane] += top[lane];
    }
}

void owi_cpu_tree_forward(const owi_backend *self, const owi_tree_shape *shape,
                          owi_batch batch, owi_weights weights, const float *leaves,
                          const owi_tree_values *nodes, const owi_layer_values *roots)
{
    const size_t K = shape->n_components, L = batch.lanes;
    const size_t R = shape->n_trees * shape->n_nodes;

    memset(nodes->top, 0, batch.n_tiles * R * L * sizeof *nodes->top);
    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t tree = 0; tree < shape->n_trees; tree++) {
            /* Tree by tree: what is copied is still in a cache when it is added to. */
            const size_t N = shape->n_nodes, first = (t * R + tree * N) * K * L;
            memcpy(nodes->log_value + first, leaves + first, N * K * L * sizeof *leaves);
            tree_of_tile(owi_cpu_ops(self), shape, batch, weights, t, tree, nodes, roots);
        }
}
