/* SPDX-License-Identifier: MIT */
#include "backend/tree_edge.h"

#include <math.h>

/* One row of a node, relative to its largest component. */
typedef struct {
    const float *log_value, *log_weight;
    size_t stride;
    double top;
} edge_row;

static edge_row row_of(const owi_tree_edge *edge, const owi_tree_values *nodes, size_t tile,
                       size_t lane, size_t k)
{
    edge_row row = {nodes->log_value + owi_tree_node(edge, tile, edge->node) + lane,
                    edge->weight.log + k * edge->n_components, edge->lanes, -INFINITY};
    for (size_t j = 0; j < edge->n_components; j++)
        row.top = fmax(row.top, (double)row.log_value[j * row.stride]);
    return row;
}

static double term(const edge_row *row, size_t j)
{
    return (double)row->log_weight[j] +
           ((double)row->log_value[j * row->stride] - row->top);
}

static double log_sum_of(const edge_row *row, size_t n)
{
    double top = -INFINITY, sum = 0.0;
    if (row->top == -INFINITY) return -INFINITY;
    for (size_t j = 0; j < n; j++) top = fmax(top, term(row, j));
    if (top == -INFINITY) return -INFINITY;
    for (size_t j = 0; j < n; j++) sum += exp(term(row, j) - top);
    return top + log(sum);
}

double owi_tree_edge_log_sum(const owi_tree_edge *edge, const owi_tree_values *nodes,
                             size_t tile, size_t lane, size_t k)
{
    const edge_row row = row_of(edge, nodes, tile, lane, k);
    return log_sum_of(&row, edge->n_components);
}

void owi_tree_edge_flow(const owi_tree_edge *edge, const owi_tree_values *nodes,
                        size_t tile, size_t lane, size_t k, double flow_k, float *flow,
                        float *statistic)
{
    const edge_row row = row_of(edge, nodes, tile, lane, k);
    const double log_sum = log_sum_of(&row, edge->n_components);
    float *to = flow + owi_tree_node(edge, tile, edge->node) + lane;
    if (log_sum == -INFINITY || flow_k == 0.0) return;
    for (size_t j = 0; j < edge->n_components; j++) {
        const float share = (float)(flow_k * exp(term(&row, j) - log_sum));
        to[j * edge->lanes] += share;
        if (statistic != NULL) statistic[edge->at + k * edge->n_components + j] += share;
    }
}
