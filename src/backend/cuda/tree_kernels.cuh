/* SPDX-License-Identifier: MIT */
/* Trees: a thread has one row of one tree and goes through its nodes, the last first on the
 * way up.  Equations are in backend.h. */
#include "backend/cuda/device_code.cuh"

/* One row of one node. */
typedef struct {
    size_t at, top; /* in (T, R, K, L) and (T, R, L) */
    uint32_t K;
} tree_node;

__device__ static inline tree_node tree_node_of(const owi_tree_args *a, uint32_t tree,
                                                uint32_t p, uint32_t n)
{
    const uint32_t R = a->n_trees * a->n_nodes, r = tree * a->n_nodes + p;
    tree_node node;
    node.K = a->n_components;
    node.at = row_at(n, R * node.K) + (size_t)r * node.K * L;
    node.top = row_at(n, R) + (size_t)r * L;
    return node;
}

__device__ static inline size_t edge_at(const owi_tree_args *a, uint32_t tree, uint32_t p)
{
    return (size_t)(tree * (a->n_nodes - 1) + p - 1) * a->n_components * a->n_components;
}

/* The largest log-value of a node. */
__device__ static inline float node_largest(const owi_tree_args *a, tree_node node)
{
    float top = -INFINITY;
    for (uint32_t k = 0; k < node.K; k++)
        top = fmaxf(top, a->log_value[node.at + k * L]);
    return top;
}

/* Of message k of an edge, term j, relative to the node's largest component. */
__device__ static inline double edge_term(const owi_tree_args *a, tree_node node,
                                          const float *log_weight, double largest,
                                          uint32_t j)
{
    return (double)log_weight[j] + ((double)a->log_value[node.at + j * L] - largest);
}

/* log sum_j; log_weight is the row k of the edge's weights. */
__device__ static inline double edge_log_sum(const owi_tree_args *a, tree_node node,
                                             const float *log_weight)
{
    const double largest = (double)node_largest(a, node);
    double top = -INFINITY, sum = 0.0;
    if (largest == -INFINITY) return -INFINITY;
    for (uint32_t j = 0; j < node.K; j++)
        top = fmax(top, edge_term(a, node, log_weight, largest, j));
    if (top == -INFINITY) return -INFINITY;
    for (uint32_t j = 0; j < node.K; j++)
        sum += exp(edge_term(a, node, log_weight, largest, j) - top);
    return top + log(sum);
}

/* value and top of a node whose children have sent their messages. */
__device__ static inline void take_node(const owi_tree_args *a, tree_node node)
{
    const float largest = node_largest(a, node);
    for (uint32_t k = 0; k < node.K; k++)
        a->value[node.at + k * L] =
            largest == -INFINITY ? 0.0f
                                 : expf(a->log_value[node.at + k * L] - largest);
    a->top[node.top] += largest;
}

__device__ static inline void send_message(const owi_tree_args *a, tree_node node,
                                           tree_node parent, size_t edge, bool is_spare)
{
    for (uint32_t k = 0; k < node.K; k++) {
        const float *weight = a->linear + edge + (size_t)k * node.K;
        float sum = 0.0f;
        for (uint32_t j = 0; j < node.K; j++)
            sum += weight[j] * a->value[node.at + j * L];
        if (is_spare) sum = 1.0f;
        a->sum[node.at + k * L] = sum;
        a->log_value[parent.at + k * L] +=
            sum >= OWI_LEAST_SUM
                ? logf(sum)
                : (float)edge_log_sum(a, node, a->log + edge + (size_t)k * node.K);
    }
    a->top[parent.top] += a->top[node.top];
}

/* Grid: rows / 64, trees. */
__global__ void tree_up(const __grid_constant__ owi_tree_args a)
{
    const uint32_t n = thread_row(), tree = blockIdx.y, N = a.n_nodes, K = a.n_components;
    if (n >= a.rows.n_rows) return;
    for (uint32_t p = 0; p < N; p++) {
        const tree_node node = tree_node_of(&a, tree, p, n);
        for (uint32_t k = 0; k < K; k++)
            a.log_value[node.at + k * L] = a.leaves[node.at + k * L];
        a.top[node.top] = 0.0f;
    }
    for (uint32_t p = N; p-- > 1;) {
        const tree_node node = tree_node_of(&a, tree, p, n);
        take_node(&a, node);
        send_message(&a, node, tree_node_of(&a, tree, a.parent[tree * N + p], n),
                     edge_at(&a, tree, p), n >= a.rows.n_used);
    }
    /* The root as the layer above sees it: with the tops of all below it. */
    const tree_node root = tree_node_of(&a, tree, 0, n);
    const float below = a.top[root.top];
    const size_t to = row_at(n, a.n_trees * K) + (size_t)tree * K * L;
    take_node(&a, root);
    for (uint32_t k = 0; k < K; k++) {
        a.root_log_value[to + k * L] = a.log_value[root.at + k * L] + below;
        a.root_value[to + k * L] = a.value[root.at + k * L];
    }
    a.root_top[row_at(n, a.n_trees) + (size_t)tree * L] = a.top[root.top];
}

/* Flow of message k under the guard, to the components of the node. */
__device__ static inline void flow_guarded_edge(const owi_tree_args *a, tree_node node,
                                                const float *log_weight, float flow)
{
    const double log_sum = edge_log_sum(a, node, log_weight);
    const double largest = (double)node_largest(a, node);
    if (log_sum == -INFINITY || flow == 0.0f) return;
    for (uint32_t j = 0; j < node.K; j++)
        a->flow[node.at + j * L] += (float)(
            (double)flow * exp(edge_term(a, node, log_weight, largest, j) - log_sum));
}

/* flow[c,j] = value[c,j] sum_k weight[k,j] ratio[c,k],  ratio = flow[parent,k] / sum[c,k].
 * Grid: rows / 64, trees. */
__global__ void tree_down(const __grid_constant__ owi_tree_args a)
{
    const uint32_t n = thread_row(), tree = blockIdx.y, N = a.n_nodes, K = a.n_components;
    if (n >= a.rows.n_rows) return;
    const tree_node root = tree_node_of(&a, tree, 0, n);
    const size_t from = row_at(n, a.n_trees * K) + (size_t)tree * K * L;
    for (uint32_t k = 0; k < K; k++)
        a.flow[root.at + k * L] = a.flow_roots[from + k * L];
    for (uint32_t p = 1; p < N; p++) {
        const tree_node node = tree_node_of(&a, tree, p, n);
        const tree_node parent = tree_node_of(&a, tree, a.parent[tree * N + p], n);
        const size_t edge = edge_at(&a, tree, p);
        for (uint32_t k = 0; k < K; k++) {
            const float sum = a.sum[node.at + k * L];
            a.ratio[node.at + k * L] =
                sum >= OWI_LEAST_SUM && n < a.rows.n_used
                    ? a.flow[parent.at + k * L] / sum
                    : 0.0f;
        }
        for (uint32_t j = 0; j < K; j++) {
            float back = 0.0f;
            for (uint32_t k = 0; k < K; k++)
                back += a.linear[edge + (size_t)k * K + j] * a.ratio[node.at + k * L];
            a.flow[node.at + j * L] = back * a.value[node.at + j * L];
        }
        for (uint32_t k = 0; k < K && n < a.rows.n_used; k++) {
            if (a.sum[node.at + k * L] >= OWI_LEAST_SUM) continue;
            a.guarded[(tree * (N - 1) + p - 1) * gridDim.x + blockIdx.x] = 1;
            flow_guarded_edge(&a, node, a.log + edge + (size_t)k * K,
                              a.flow[parent.at + k * L]);
        }
    }
}

/* statistic[edge,k,j] += the shares of the rows under the guard, in their order.
 * Grid: weights of an edge / 64, edges of a tree, trees. */
__global__ void tree_guard(const __grid_constant__ owi_tree_args a)
{
    const uint32_t e = thread_row(), p = blockIdx.y + 1, tree = blockIdx.z;
    const uint32_t K = a.n_components, N = a.n_nodes, k = e / K, j = e % K;
    const uint32_t n_blocks = (a.rows.n_rows + owi_block_threads - 1) / owi_block_threads;
    const uint32_t *guarded = a.guarded + (size_t)(tree * (N - 1) + p - 1) * n_blocks;
    float sum = 0.0f;
    if (e >= K * K) return;
    const size_t edge = edge_at(&a, tree, p);
    const float *log_weight = a.log + edge + (size_t)k * K;
    for (uint32_t b = 0; b < n_blocks; b++) {
        if (!guarded[b]) continue;
        for (uint32_t n = b * owi_block_threads;
             n < (b + 1) * owi_block_threads && n < a.rows.n_used; n++) {
            const tree_node node = tree_node_of(&a, tree, p, n);
            const tree_node parent = tree_node_of(&a, tree, a.parent[tree * N + p], n);
            const float flow = a.flow[parent.at + k * L];
            if (a.sum[node.at + k * L] >= OWI_LEAST_SUM || flow == 0.0f) continue;
            const double log_sum = edge_log_sum(&a, node, log_weight);
            if (log_sum == -INFINITY) continue;
            sum += (float)((double)flow *
                           exp(edge_term(&a, node, log_weight,
                                         (double)node_largest(&a, node), j) -
                               log_sum));
        }
    }
    a.statistic[edge + e] += sum;
}
