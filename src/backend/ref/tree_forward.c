/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "backend/ref/ref_kernels.h"
#include "backend/tree_edge.h"

/* value and top of one node; top holds the sum of its children's tops, which is returned
 * for each lane. */
static void take_node(size_t K, size_t L, const float *log_value, float *value, float *top,
                      float *below)
{
    for (size_t lane = 0; lane < L; lane++) {
        float largest = -INFINITY;
        for (size_t k = 0; k < K; k++) largest = fmaxf(largest, log_value[k * L + lane]);
        for (size_t k = 0; k < K; k++)
            value[k * L + lane] =
                largest == -INFINITY
                    ? 0.0f
                    : (float)exp((double)log_value[k * L + lane] - (double)largest);
        below[lane] = top[lane];
        top[lane] += largest;
    }
}

static void send_message(const owi_tree_edge *edge, const owi_tree_values *nodes,
                         size_t tile, size_t lanes)
{
    const size_t K = edge->n_components, L = edge->lanes;
    float *sum = nodes->sum + owi_tree_node(edge, tile, edge->node);
    float *parent = nodes->log_value + owi_tree_node(edge, tile, edge->parent);
    const float *top = nodes->top + owi_tree_top(edge, tile, edge->node);
    float *parent_top = nodes->top + owi_tree_top(edge, tile, edge->parent);

    for (size_t lane = 0; lane < L; lane++) {
        for (size_t k = 0; k < K; k++) {
            const double message =
                lane < lanes ? owi_tree_edge_log_sum(edge, nodes, tile, lane, k) : 0.0;
            sum[k * L + lane] = (float)exp(message);
            parent[k * L + lane] += (float)message;
        }
        parent_top[lane] += top[lane];
    }
}

/* A root as the layer above sees it: with the tops of all below. */
static void take_root(size_t K, size_t L, size_t node, size_t root, const float *below,
                      const owi_tree_values *nodes, const owi_layer_values *roots)
{
    for (size_t k = 0; k < K; k++)
        for (size_t lane = 0; lane < L; lane++) {
            const size_t from = (node * K + k) * L + lane, to = (root * K + k) * L + lane;
            roots->log_value[to] = nodes->log_value[from] + below[lane];
            roots->value[to] = nodes->value[from];
            roots->top[root * L + lane] = nodes->top[node * L + lane];
        }
}

void owi_ref_tree_forward(const owi_backend *self, const owi_tree_shape *shape,
                          owi_batch batch, owi_weights weights, const float *leaves,
                          const owi_tree_values *nodes, const owi_layer_values *roots)
{
    (void)self; /* plain memory, no instruction set to choose */
    const size_t K = shape->n_components, L = batch.lanes, N = shape->n_nodes;
    const size_t R = shape->n_trees * N;
    float below[owi_tile_lanes];

    memcpy(nodes->log_value, leaves, batch.n_tiles * R * K * L * sizeof *leaves);
    memset(nodes->top, 0, batch.n_tiles * R * L * sizeof *nodes->top);
    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t tree = 0; tree < shape->n_trees; tree++) {
            for (size_t p = N; p-- > 0;) {
                const size_t node = t * R + tree * N + p;
                take_node(K, L, nodes->log_value + node * K * L,
                          nodes->value + node * K * L, nodes->top + node * L, below);
                if (p == 0) break;
                const owi_tree_edge edge = owi_tree_edge_of(shape, weights, L, tree, p);
                send_message(&edge, nodes, t, owi_lanes_of(batch, t));
            }
            take_root(K, L, t * R + tree * N, t * shape->n_trees + tree, below, nodes,
                      roots);
        }
}
