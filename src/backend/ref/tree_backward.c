/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "backend/ref/ref_kernels.h"
#include "backend/tree_edge.h"

void owi_ref_tree_backward(const owi_backend *self, const owi_tree_shape *shape,
                           owi_batch batch, owi_weights weights,
                           const owi_tree_values *nodes, const float *flow_roots,
                           float *flow, float *statistic, float *scratch)
{
    (void)self, (void)scratch; /* the log domain needs neither */
    const size_t K = shape->n_components, L = batch.lanes, N = shape->n_nodes;
    const size_t R = shape->n_trees * N, size = K * L;

    memset(flow, 0, batch.n_tiles * R * size * sizeof *flow);
    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t tree = 0; tree < shape->n_trees; tree++) {
            memcpy(flow + (t * R + tree * N) * size,
                   flow_roots + (t * shape->n_trees + tree) * size, size * sizeof *flow);
            for (size_t p = 1; p < N; p++) {
                const owi_tree_edge edge = owi_tree_edge_of(shape, weights, L, tree, p);
                const float *from = flow + owi_tree_node(&edge, t, edge.parent);
                for (size_t i = 0; i < size; i++)
                    owi_tree_edge_flow(&edge, nodes, t, i % L, i / L, (double)from[i], flow,
                                       statistic);
            }
        }
}
