/* SPDX-License-Identifier: MIT */
#include "backend/pair_sum.h"

#include <math.h>

double owi_pair_log_sum(const owi_pair_sum *sum)
{
    const size_t K = sum->n_components;

    double top = -INFINITY;
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++)
            top = fmax(top, (double)sum->log_weight[i * K + j] +
                                sum->left[i * sum->stride] + sum->right[j * sum->stride]);
    if (top == -INFINITY) return -INFINITY; /* -inf - -inf below would be NaN */

    double total = 0.0;
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++)
            total += exp((double)sum->log_weight[i * K + j] + sum->left[i * sum->stride] +
                         sum->right[j * sum->stride] - top);
    return top + log(total);
}

void owi_pair_flow(const owi_pair_sum *sum, double log_sum, double flow, float *flow_left,
                   float *flow_right, float *statistic)
{
    const size_t K = sum->n_components;
    if (log_sum == -INFINITY || flow == 0.0) return;

    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++) {
            const float share = (float)(flow * exp((double)sum->log_weight[i * K + j] +
                                                   sum->left[i * sum->stride] +
                                                   sum->right[j * sum->stride] - log_sum));
            flow_left[i * sum->stride] += share;
            flow_right[j * sum->stride] += share;
            if (statistic != NULL) statistic[i * K + j] += share;
        }
}

size_t owi_root_n_regions(const owi_root_shape *shape)
{
    const size_t n_groups = shape->class_stride == 0 ? 1 : shape->n_classes;
    return n_groups * shape->n_partitions * (shape->single ? 1 : 2);
}

size_t owi_root_block(const owi_root_shape *shape)
{
    return shape->single ? shape->n_components : shape->n_components * shape->n_components;
}

/* A partition with one child is a pair whose right child is certain: K components on the left,
 * one of log-value 0 on the right.  These walk the partitions of a class. */
typedef struct {
    const float *log_weight; /* (K) or (K, K) */
    size_t child; /* offset of the left child's first component in a (T, R, K, L) buffer */
} partition;

static partition partition_at(const owi_root_shape *shape, const float *log_weights,
                              size_t lanes, size_t tile, size_t c, size_t p, size_t lane)
{
    const size_t K = shape->n_components, width = shape->single ? 1 : 2;
    const size_t region =
        tile * owi_root_n_regions(shape) + (c * shape->class_stride + p) * width;
    return (partition){
        log_weights + (c * shape->n_partitions + p) * owi_root_block(shape),
        region * K * lanes + lane,
    };
}

/* log sum_i exp(log_weight[i] + left[i]). */
static double single_log_sum(const float *log_weight, const float *left, size_t n,
                             size_t stride)
{
    double top = -INFINITY, total = 0.0;
    for (size_t i = 0; i < n; i++)
        top = fmax(top, (double)log_weight[i] + left[i * stride]);
    if (top == -INFINITY) return -INFINITY;
    for (size_t i = 0; i < n; i++)
        total += exp((double)log_weight[i] + left[i * stride] - top);
    return top + log(total);
}

double owi_root_log_sum(const owi_root_shape *shape, owi_weights weights,
                        const owi_layer_values *in, size_t lanes, size_t tile, size_t c,
                        size_t lane)
{
    const size_t K = shape->n_components;
    double sum = -INFINITY;

    for (size_t p = 0; p < shape->n_partitions; p++) {
        const partition at = partition_at(shape, weights.log, lanes, tile, c, p, lane);
        const float *left = in->log_value + at.child;
        const owi_pair_sum pairs = {at.log_weight, left, left + K * lanes, K, lanes};
        const double part = shape->single ? single_log_sum(at.log_weight, left, K, lanes)
                                          : owi_pair_log_sum(&pairs);
        /* log(exp(sum) + exp(part)), the larger one factored out. */
        const double high = fmax(sum, part), low = fmin(sum, part);
        sum = low == -INFINITY ? high : high + log1p(exp(low - high));
    }
    return sum;
}

void owi_root_flow(const owi_root_shape *shape, owi_weights weights,
                   const owi_layer_values *in, size_t lanes, size_t tile, size_t c,
                   size_t lane, double log_root, double seed, float *flow_in,
                   float *statistic)
{
    const size_t K = shape->n_components;
    if (log_root == -INFINITY || seed == 0.0) return;

    for (size_t p = 0; p < shape->n_partitions; p++) {
        const partition at = partition_at(shape, weights.log, lanes, tile, c, p, lane);
        const float *left = in->log_value + at.child;
        float *statistic_p =
            statistic != NULL ? statistic + (at.log_weight - weights.log) : NULL;
        if (!shape->single) {
            const owi_pair_sum pairs = {at.log_weight, left, left + K * lanes, K, lanes};
            owi_pair_flow(&pairs, log_root, seed, flow_in + at.child,
                          flow_in + at.child + K * lanes, statistic_p);
            continue;
        }
        for (size_t i = 0; i < K; i++) {
            const float share =
                (float)(seed * exp((double)at.log_weight[i] + left[i * lanes] - log_root));
            flow_in[at.child + i * lanes] += share;
            if (statistic_p != NULL) statistic_p[i] += share;
        }
    }
}
