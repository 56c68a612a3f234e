/* SPDX-License-Identifier: MIT */
/* One block of pair weights, and one row of it in the log domain and in double.  `ref` is
 * made of this; fast backends fall back to it for the rows whose sum underflows in linear
 * float arithmetic (the guard of doc/method.md): factoring out each child's own maximum
 * leaves nothing when the best pair has a tiny weight. */
#ifndef OWI_PAIR_SUM_H
#define OWI_PAIR_SUM_H

#include "backend/backend.h"

/* The weights (K, K) between the components of two regions.  A `single` region has no
 * partner and (K, 1) weights: its partner is certain, one component of log-value 0. */
typedef struct {
    owi_weights weight;           /* of this block */
    size_t at;                    /* where it stands among the layer's weights */
    const owi_layer_values *in;   /* the layer below, n_regions in a tile */
    size_t n_regions, left;       /* left is the first of the two, the other follows */
    size_t n_components, n_right; /* K, and K or 1 */
    bool single;
    size_t lanes;
} owi_pairs;

/* Sum s of region r. */
static inline owi_pairs owi_sum_pairs(const owi_sum_shape *shape, owi_weights weights,
                                      const owi_layer_values *in, size_t lanes, size_t r,
                                      size_t s)
{
    const size_t K = shape->n_components, at = (r * shape->n_sums + s) * K * K;
    return (owi_pairs){.weight = {weights.linear + at, weights.log + at},
                       .at = at,
                       .in = in,
                       .n_regions = 2 * shape->n_regions,
                       .left = 2 * r,
                       .n_components = K,
                       .n_right = K,
                       .lanes = lanes};
}

/* Regions of the layer below the roots. */
static inline size_t owi_root_n_regions(const owi_root_shape *shape)
{
    const size_t n_groups = shape->class_stride == 0 ? 1 : shape->n_classes;
    return n_groups * shape->n_partitions * (shape->single ? 1 : 2);
}

/* Partition p of class c. */
static inline owi_pairs owi_root_pairs(const owi_root_shape *shape, owi_weights weights,
                                       const owi_layer_values *in, size_t lanes, size_t c,
                                       size_t p)
{
    const size_t K = shape->n_components, n_right = shape->single ? 1 : K;
    const size_t at = (c * shape->n_partitions + p) * K * n_right;
    return (owi_pairs){.weight = {weights.linear + at, weights.log + at},
                       .at = at,
                       .in = in,
                       .n_regions = owi_root_n_regions(shape),
                       .left = (c * shape->class_stride + p) * (shape->single ? 1 : 2),
                       .n_components = K,
                       .n_right = n_right,
                       .single = shape->single,
                       .lanes = lanes};
}

/* Where the left child begins in a buffer of the layer below, (T, R, K, L); and its lanes
 * in one of tops, (T, R, L).  The right child's follow. */
static inline size_t owi_pairs_child(const owi_pairs *pairs, size_t tile)
{
    return (tile * pairs->n_regions + pairs->left) * pairs->n_components * pairs->lanes;
}
static inline size_t owi_pairs_top(const owi_pairs *pairs, size_t tile)
{
    return (tile * pairs->n_regions + pairs->left) * pairs->lanes;
}

/* log sum_ij exp(log_weight[i,j] + left[i] + right[j]); -infinity if every term is
 * impossible. */
double owi_pairs_log_sum(const owi_pairs *pairs, size_t tile, size_t lane);

/* exp(log_weight[i,j] + left[i] + right[j] - log_sum) of flow goes to component i of the
 * left and j of the right child, and into the block's statistic[i,j] unless that is NULL:
 * all three are added to. Nothing flows through an impossible sum. */
void owi_pairs_flow(const owi_pairs *pairs, size_t tile, size_t lane, double log_sum,
                    double flow, float *flow_in, float *statistic);

/* The root of class c: a sum over the pairs of all its partitions. */
double owi_root_log_sum(const owi_root_shape *shape, owi_weights weights,
                        const owi_layer_values *in, size_t lanes, size_t c, size_t tile,
                        size_t lane);

#endif
