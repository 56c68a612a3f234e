/* SPDX-License-Identifier: MIT */
/* One sum node over pairs, for one row, in the log domain and in double.  `ref` is made of this;
 * fast backends fall back to it for the rows whose sum underflows in linear float arithmetic
 * (METHODS calls it the guard): factoring out each child's own maximum leaves nothing when the
 * best pair has a tiny weight. */
#ifndef OWI_PAIR_SUM_H
#define OWI_PAIR_SUM_H

#include "backend/backend.h"

/* Component i of the left child stands at left[i * stride], likewise right; weights are (K, K). */
typedef struct {
    const float *log_weight, *left, *right;
    size_t n_components, stride;
} owi_pair_sum;

/* log sum_ij exp(log_weight[i,j] + left[i] + right[j]); -infinity if every term is impossible. */
double owi_pair_log_sum(const owi_pair_sum *sum);

/* share[i,j] = exp(log_weight[i,j] + left[i] + right[j] - log_sum) of flow goes to component i of the
 * left and j of the right child, and, if asked for, into statistic[i,j]:  all three are added
 * to.  Nothing flows through an impossible sum. */
void owi_pair_flow(const owi_pair_sum *sum, double log_sum, double flow, float *flow_left,
                   float *flow_right, float *statistic);

/* The same for the root of class c: a sum over pairs of all its partitions. */
double owi_root_log_sum(const owi_root_shape *shape, owi_weights weights,
                        const owi_layer_values *in, size_t lanes, size_t tile, size_t c,
                        size_t lane);
void owi_root_flow(const owi_root_shape *shape, owi_weights weights,
                   const owi_layer_values *in, size_t lanes, size_t tile, size_t c,
                   size_t lane, double log_root, double seed, float *flow_in,
                   float *statistic);

/* Regions of the layer below the roots. */
size_t owi_root_n_regions(const owi_root_shape *shape);
/* Weights of one partition of one class. */
size_t owi_root_block(const owi_root_shape *shape);

#endif
