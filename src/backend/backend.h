/* SPDX-License-Identifier: MIT */
/* The seam between a circuit and the machine: one kernel for each kind of layer, for a
 * whole batch of rows.
 *
 * Layout.  A batch is cut into tiles of `lanes` rows, and in a tile rows lie innermost: a
 * layer's buffer is (tile, entry, lane).  So the same column of all rows of a tile is one
 * run of memory, a scope is a list of such runs, and vector code works on lanes without
 * gathering.  lanes is owi_tile_lanes for batches and 1 for single rows; the last tile may
 * hold fewer rows than lanes, and what is computed in the other lanes is finite and never
 * looked at.  Whole groups of lanes without a row are passed over by the leaf kernels,
 * which have nearly all the work.
 *
 * Dimensions (doc/method.md): T tiles, L lanes, R regions, K components of a region, S
 * sums, C classes, F features.
 *
 * Kernels return nothing: sizes have been checked before.  `ref` is the oracle (plain
 * loops, double accumulators), every other backend is tested against it in
 * tests/kernels. */
#ifndef OWI_BACKEND_H
#define OWI_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/status.h"

/* Rows of a full tile, and of the groups that it is computed in. */
enum {
    owi_tile_lanes = 64,
    owi_lane_group = 16,
    owi_lane_groups = owi_tile_lanes / owi_lane_group
};

typedef struct {
    size_t n_tiles; /* T */
    size_t lanes;   /* L */
    size_t spare;   /* of the last tile's lanes, whole groups at the end without a row */
} owi_batch;

/* So many rows in full tiles. */
static inline owi_batch owi_tiles_of(size_t n_rows)
{
    const size_t n_tiles = (n_rows + owi_tile_lanes - 1) / owi_tile_lanes;
    const size_t n_groups = (n_rows + owi_lane_group - 1) / owi_lane_group;
    return (owi_batch){n_tiles, owi_tile_lanes,
                       n_tiles * owi_tile_lanes - n_groups * owi_lane_group};
}

/* The lanes of a tile that are computed. */
static inline size_t owi_lanes_of(owi_batch batch, size_t tile)
{
    return tile + 1 == batch.n_tiles ? batch.lanes - batch.spare : batch.lanes;
}

/* The leaf layer: region r holds K components, each linear in the features of its scope.
 * features[scope[scope_start[r]]] ... features[scope[scope_start[r+1] - 1]] are its
 * features; parameters of region r start at K * scope_start[r] and are (K, features of the
 * scope). */
typedef struct {
    size_t n_regions, n_components; /* R, K */
    size_t n_features;              /* F, of the whole row */
    const uint32_t *scope_start;    /* R + 1 */
    const uint32_t *scope;          /* no feature twice in a region */
    /* Where the features of every scope ascend, they may be given as bits, too, which makes
     * single rows faster: bit b of scope_bits[r * owi_scope_words(F) + w] is feature 32 w +
     * b.  Or NULL. */
    const uint32_t *scope_bits;
} owi_leaf_shape;

static inline size_t owi_scope_words(size_t n_features)
{
    return (n_features + 31) / 32;
}

/* An inner layer: region r has S sums over the pairs of components of its two children, the
 * regions 2r and 2r + 1 of the layer below.  Weights are (R, S, K, K). */
typedef struct {
    size_t n_regions, n_sums, n_components; /* R, S, K */
} owi_sum_shape;

/* The roots: class c is one sum over all pairs of all its partitions.  Partition p has the
 * children 2p and 2p + 1 of the layer below; class c owns n_partitions of them from c *
 * class_stride on (stride 0: all classes share theirs).  Weights are (C, partitions, K, K).
 * A circuit of depth 0 has no pairs: `single` is set, partition p is region p itself, and
 * weights are (C, partitions, K). */
typedef struct {
    size_t n_classes, n_partitions, class_stride, n_components; /* C, P, -, K */
    bool single;
} owi_root_shape;

/* A layer of trees: the regions of the layer below are the nodes of n_trees trees of
 * n_nodes each, each node behind its parent.  parent is (trees, nodes): the parent's number
 * in its tree; node 0 is the root.  With x the log-values of the layer below, going up,
 *
 *     log_value[p,k] = x[p,k] + sum over the children c of p of message[c,k],
 *     message[c,k]   = log sum_j weight[c,k,j] exp(log_value[c,j]).
 *
 * Weights are (trees, nodes - 1, K, K), of node 1 first. */
typedef struct {
    size_t n_trees, n_nodes, n_components; /* -, -, K */
    const uint32_t *parent;
} owi_tree_shape;

/* What a layer knows of every region after the forward pass:
 *
 *     top[r]       = max_k log_value[r,k]
 *     value[r,k]   = exp(log_value[r,k] - top[r]), 0 where that underflows
 *
 * top is -infinity where all log-values are, and value is 0 there. */
typedef struct {
    float *log_value; /* (T, R, K, L) */
    float *value;     /* (T, R, K, L) */
    float *top;       /* (T, R, L)    */
} owi_layer_values;

/* The same of the nodes of trees, R = trees * nodes.  log_value is without the tops of a
 * node's children, and top has them: far in a tail a sum of both would keep nothing of what
 * the components differ in.  sum[c,k] = sum_j weight[c,k,j] value[c,j], of which a message
 * is the logarithm plus the top of c; a root's is not set. */
typedef struct {
    float *log_value, *value, *sum; /* (T, R, K, L) */
    float *top;                     /* (T, R, L)    */
} owi_tree_values;

/* Floats of scratch that a sum, tree or root kernel may use: for every tile a row of
 * figures and the components of two regions, and a block of pair weights. */
static inline size_t owi_scratch_floats(size_t n_components, owi_batch batch)
{
    const size_t K = n_components;
    return batch.n_tiles * (owi_tile_lanes + 2 * K * batch.lanes) + K * K;
}

/* Weights in both forms: what is too small for a float is 0 in the first and found in the
 * second. */
typedef struct {
    const float *linear, *log;
} owi_weights;

/* Some of the features, for each group of a tile's lanes (tile, group, words of F): bit b
 * of word w is feature 32 w + b.  index and columns are room for a list of F of them. */
typedef struct {
    const uint32_t *bits;
    uint32_t *index;
    size_t *columns;
} owi_marked;

typedef struct owi_backend owi_backend;

struct owi_backend {
    const char *name;
    const void *detail; /* the backend's own; kernels find it through self */

    /* log_value[r,k] = bias[r,k] + sum_f theta[r,k,f] features[scope[r,f]]; without bias
     * (NULL) the sum is added to what log_value holds.  0 in spare lanes. */
    void (*leaf_forward)(const owi_backend *self, const owi_leaf_shape *shape,
                         owi_batch batch, const float *theta, const float *bias,
                         const float *features, float *log_value);

    /* log_value[r,k] += sum_f theta[r,k,f] change[scope[r,f]] over the features that are
     * marked, for full tiles; spare lanes stay. Features that are not marked have not
     * changed, of any row of the group. */
    void (*leaf_change)(const owi_backend *self, const owi_leaf_shape *shape,
                        owi_batch batch, const float *theta, const owi_marked *marked,
                        const float *change, float *log_value);

    /* d_features[f] += sum over regions and components that see f of theta[r,k,f]
     * flow[r,k]; spare lanes stay.  A single row may leave out flows below 2^-26 of its
     * largest: every repetition sees every feature, so nothing of them would be left in a
     * sum of floats. */
    void (*leaf_backward)(const owi_backend *self, const owi_leaf_shape *shape,
                          owi_batch batch, const float *theta, const float *flow,
                          float *d_features);

    /* statistic[r,k,f] += sum over rows of flow[r,k] features[scope[r,f]]; and, if total is
     * not NULL, total[r,k] += sum over rows of flow[r,k]. */
    void (*leaf_statistics)(const owi_backend *self, const owi_leaf_shape *shape,
                            owi_batch batch, const float *flow, const float *features,
                            float *statistic, float *total);

    /* top and value from log_value. */
    void (*normalize)(const owi_backend *self, size_t n_regions, size_t n_components,
                      owi_batch batch, const owi_layer_values *layer);

    /* out->log_value[r,s] = log sum_ij weight[r,s,i,j] in[2r,i] in[2r+1,j]; top and value
     * too. */
    void (*sum_forward)(const owi_backend *self, const owi_sum_shape *shape,
                        owi_batch batch, owi_weights weights, const owi_layer_values *in,
                        const owi_layer_values *out, float *scratch);

    /* flow_in[2r,i] = sum_s,j flow_out[r,s] * (share of the pair i,j in sum s), and so for
     * 2r+1; statistic, if not NULL, [r,s,i,j] += sum over rows of flow_out[r,s] * that
     * share.  Shares are of the sum made again: far in a tail a float's rounding of its
     * log-value is more than all of it. */
    void (*sum_backward)(const owi_backend *self, const owi_sum_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         const float *flow_out, float *flow_in, float *statistic,
                         float *scratch);

    /* leaves (T, R, K, L) is x above; roots, (T, trees, K, L), gets the roots of the trees,
     * whole.  Messages are 0 in spare lanes. */
    void (*tree_forward)(const owi_backend *self, const owi_tree_shape *shape,
                         owi_batch batch, owi_weights weights, const float *leaves,
                         const owi_tree_values *nodes, const owi_layer_values *roots);

    /* flow (T, R, K, L) = of flow_roots (T, trees, K, L) what goes to each component of
     * each node, which is also its leaf's: flow[c,j] = sum_k flow[parent,k] * (share of j
     * in message[c,k]); statistic, if not NULL, [c,k,j] += sum over rows of that term.
     * Nothing flows in spare lanes. */
    void (*tree_backward)(const owi_backend *self, const owi_tree_shape *shape,
                          owi_batch batch, owi_weights weights,
                          const owi_tree_values *nodes, const float *flow_roots,
                          float *flow, float *statistic, float *scratch);

    /* log_root[c] (T, C, L) = log of the class's sum. */
    void (*root_forward)(const owi_backend *self, const owi_root_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         double *log_root, float *scratch);

    /* As sum_backward, from the roots: adjoint (T, C, L) is d objective / d log root; where
     * a root is impossible (-infinity) nothing flows. flow_in is overwritten. */
    void (*root_backward)(const owi_backend *self, const owi_root_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          const double *log_root, const float *adjoint, float *flow_in,
                          float *statistic, float *scratch);
};

/* By name: "ref", "cpu" (the fastest instruction set of this machine), or one instruction
 * set by its own name, "cpu-avx512", "cpu-avx2", "cpu-plain"; NULL: there is none.  The
 * list of those that run here, in a fixed order: NULL past the end. */
const owi_backend *owi_backend_find(const char *name);
const owi_backend *owi_backend_get(size_t index);
/* As find, NULL for "cpu", which is also what goes with a GPU's names (device_open.h);
 * OW_ERR_UNSUPPORTED and the names there are for one that is not there. */
ow_status owi_backend_choose(const char *name, const owi_backend **out);

#endif
