/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "backend/cpu/cpu_kernels.h"
#include "backend/tree_edge.h"

/* One tile of an edge:  r[k] = flow[parent,k] / sum[k], 0 where the sum has underflowed,
 * flow[j] = value[j] sum_k weight[k,j] r[k]. */
static void flow_tile(const owi_instruction_set *ops, const owi_tree_edge *edge,
                      owi_batch batch, const owi_tree_values *nodes, size_t t, float *r,
                      float *flow, float *statistic)
{
    const size_t K = edge->n_components, L = edge->lanes;
    const size_t at = owi_tree_node(edge, t, edge->node);
    const float *from = flow + owi_tree_node(edge, t, edge->parent);
    const owi_matrix transposed = {edge->weight.linear, 1, K, NULL};

    const bool guarded = ops->divide(K * L, from, nodes->sum + at, owi_cpu_least_sum, r);
    const size_t lanes = owi_lanes_of(batch, t);
    if (lanes < L) memset(flow + at, 0, K * L * sizeof *flow);
    ops->multiply_times(lanes, K, K, transposed, r, nodes->value + at, flow + at);
    for (size_t i = 0; i < K * L && guarded; i++)
        if (nodes->sum[at + i] < owi_cpu_least_sum)
            owi_tree_edge_flow(edge, nodes, t, i % L, i / L, (double)from[i], flow,
                               statistic);
}

/* statistic[k,j] += weight[k,j] sum over rows of r[k] value[j]; r is (T, K, L). */
static void add_statistic(const owi_instruction_set *ops, const owi_tree_edge *edge,
                          size_t n_tiles, const float *r, const float *value,
                          float *product, float *statistic)
{
    const size_t K = edge->n_components, L = edge->lanes;
    const owi_rows_in x = {.rows = r, .step = K * L};
    const owi_rows_in y = {.rows = value + owi_tree_node(edge, 0, edge->node),
                           .step = edge->n_nodes * K * L};
    memset(product, 0, K * K * sizeof *product);
    ops->dots(L, n_tiles, K, K, x, y, product);
    for (size_t i = 0; i < K * K; i++)
        statistic[edge->at + i] += edge->weight.linear[i] * product[i];
}

void owi_cpu_tree_backward(const owi_backend *self, const owi_tree_shape *shape,
                           owi_batch batch, owi_weights weights,
                           const owi_tree_values *nodes, const float *flow_roots,
                           float *flow, float *statistic, float *scratch)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t K = shape->n_components, L = batch.lanes, T = batch.n_tiles;
    const size_t N = shape->n_nodes, R = shape->n_trees * N, size = K * L;

    for (size_t tree = 0; tree < shape->n_trees; tree++) {
        for (size_t t = 0; t < T; t++)
            memcpy(flow + (t * R + tree * N) * size,
                   flow_roots + (t * shape->n_trees + tree) * size, size * sizeof *flow);
        for (size_t p = 1; p < N; p++) {
            const owi_tree_edge edge = owi_tree_edge_of(shape, weights, L, tree, p);
            for (size_t t = 0; t < T; t++)
                flow_tile(ops, &edge, batch, nodes, t, scratch + t * size, flow, statistic);
            if (statistic != NULL)
                add_statistic(ops, &edge, T, scratch, nodes->value, scratch + T * size,
                              statistic);
        }
    }
}
