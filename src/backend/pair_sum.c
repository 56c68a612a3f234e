/* SPDX-License-Identifier: MIT */
#include "backend/pair_sum.h"

#include <math.h>

/* One row of a block: log-weight + left + right of the pair i, j. */
typedef struct {
    const float *log_weight, *left, *right;
    size_t n_left, n_right, stride;
} row_terms;

static row_terms terms_of(const owi_pairs *pairs, size_t tile, size_t lane)
{
    static const float certain = 0.0f;
    const size_t K = pairs->n_components, L = pairs->lanes;
    const float *left = pairs->in->log_value + owi_pairs_child(pairs, tile) + lane;
    const float *right = pairs->single ? &certain : left + K * L;
    return (row_terms){pairs->weight.log, left, right, K, pairs->n_right, L};
}

static double term(const row_terms *row, size_t i, size_t j)
{
    return (double)row->log_weight[i * row->n_right + j] + row->left[i * row->stride] +
           row->right[j * row->stride];
}

double owi_pairs_log_sum(const owi_pairs *pairs, size_t tile, size_t lane)
{
    const row_terms row = terms_of(pairs, tile, lane);

    double top = -INFINITY;
    for (size_t i = 0; i < row.n_left; i++)
        for (size_t j = 0; j < row.n_right; j++) top = fmax(top, term(&row, i, j));
    if (top == -INFINITY) return -INFINITY; /* -inf - -inf below would be NaN */

    double total = 0.0;
    for (size_t i = 0; i < row.n_left; i++)
        for (size_t j = 0; j < row.n_right; j++) total += exp(term(&row, i, j) - top);
    return top + log(total);
}

void owi_pairs_flow(const owi_pairs *pairs, size_t tile, size_t lane, double log_sum,
                    double flow, float *flow_in, float *statistic)
{
    if (log_sum == -INFINITY || flow == 0.0) return;
    const row_terms row = terms_of(pairs, tile, lane);
    float *flow_left = flow_in + owi_pairs_child(pairs, tile) + lane;
    float *flow_right = flow_left + row.n_left * row.stride;

    for (size_t i = 0; i < row.n_left; i++)
        for (size_t j = 0; j < row.n_right; j++) {
            /* Of a sum that rounding has made too small, a share would exceed 1. */
            const float share = (float)(flow * fmin(exp(term(&row, i, j) - log_sum), 1.0));
            flow_left[i * row.stride] += share;
            if (!pairs->single) flow_right[j * row.stride] += share;
            if (statistic != NULL) statistic[i * row.n_right + j] += share;
        }
}

double owi_root_log_sum(const owi_root_shape *shape, owi_weights weights,
                        const owi_layer_values *in, size_t lanes, size_t c, size_t tile,
                        size_t lane)
{
    double sum = -INFINITY;
    for (size_t p = 0; p < shape->n_partitions; p++) {
        const owi_pairs pairs = owi_root_pairs(shape, weights, in, lanes, c, p);
        const double part = owi_pairs_log_sum(&pairs, tile, lane);
        /* log(exp(sum) + exp(part)), the larger one factored out. */
        const double high = fmax(sum, part), low = fmin(sum, part);
        sum = low == -INFINITY ? high : high + log1p(exp(low - high));
    }
    return sum;
}
