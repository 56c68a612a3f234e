/* SPDX-License-Identifier: MIT */
/* The kernels of the CUDA engine and their arguments, as host and device see them.  The
 * layout of all buffers is backend.h's: (tile, entry, lane).  Kernels number rows through
 * all tiles: row n is lane n % L of tile n / L.
 *
 * This is C and CUDA C at once: nvcc compiles it for a GPU, and
 * tests/kernels/device_emulated.c compiles the same kernels for the processor. */
#ifndef OWI_DEVICE_KERNELS_H
#define OWI_DEVICE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* A block has so many threads; a product block makes this many lanes x outputs, and takes
 * so many terms at a time. */
enum {
    owi_block_threads = 64,
    owi_product_lanes = 64,
    owi_product_outputs = 32,
    owi_product_terms = 16
};

typedef struct {
    uint32_t n_rows; /* T * L                                    */
    uint32_t n_used; /* the rows behind are spare lanes          */
    uint32_t lanes;  /* L                                        */
} owi_device_rows;

/* leaf_up: out (R * K) from in (F).  leaf_down: out (F) += from in (R * K), for the regions
 * listed, none of which share a feature. */
typedef struct {
    owi_device_rows rows;
    uint32_t n_regions, n_components, n_features;
    uint32_t first_region; /* leaf_down: of this launch                */
    const uint32_t *scope_start, *scope;
    const float *theta, *bias; /* bias NULL: out is added to           */
    const float *in;
    float *out;
} owi_leaf_args;

/* Sums over rows of x[a] y[b], for groups of entries (a region, a block of pairs, an edge),
 * one after the other and each (n_x, n_y).  Rows are cut into slices, whose sums are added
 * in their order: the result does not depend on which block runs when. */
typedef struct {
    uint32_t x_first, y_first, n_y, scale;
    size_t out; /* where the group begins in the result */
} owi_moment_group;

typedef struct {
    owi_device_rows rows;
    uint32_t n_x, most_y, n_slices, slice_rows;
    const owi_moment_group *groups;
    const uint32_t *scope; /* y's entries are scope[y_first + b]; NULL: y_first + b */
    const float *x, *y;    /* y NULL: 1                                             */
    const float *scale;    /* a factor for each row; NULL: 1                        */
    uint32_t x_entries, y_entries, scale_entries;
    size_t n_out;
    float *partial; /* (slices, n_out) */
} owi_moment_args;

/* out[i] += weight[i] * sum of the slices; weight NULL: 1. */
typedef struct {
    size_t n;
    uint32_t n_slices;
    const float *partial, *weight;
    float *out;
} owi_add_args;

/* total[e] += sum over rows of flow[e]. */
typedef struct {
    owi_device_rows rows;
    uint32_t n_entries;
    const float *flow;
    float *total;
} owi_total_args;

/* top and value from log_value; log_sum, if not NULL, is what log_value is made of first.
 * */
typedef struct {
    owi_device_rows rows;
    uint32_t n_regions, n_components;
    const double *log_sum;
    float *log_value, *value, *top;
} owi_layer_args;

/* Pairs of regions 2q, 2q + 1 of the layer below (single: q alone), each with n_sums sums.
 * The weights of sum s of pair q begin at q * weight_pair + s * weight_sum. */
typedef enum {
    owi_pairs_inner,
    owi_pairs_shared_roots,
    owi_pairs_own_roots
} owi_pairs_kind;

typedef struct {
    owi_device_rows rows;
    owi_pairs_kind kind;
    uint32_t n_pairs, n_sums, n_components, n_right; /* n_right: K, or 1 if single */
    uint32_t single;
    uint32_t n_classes, n_partitions; /* of roots */
    size_t weight_pair, weight_sum;
    const float *linear, *log;
    const float *log_value, *value, *top; /* of the layer below                     */
    double *log_sum;                      /* (pairs * sums): of each sum            */
    double *log_root;                     /* (classes)                              */
    const float *flow;                    /* of the sums, or adjoints of the classes */
    float *flow_in;
    float *factor;     /* (pairs * sums): flow over linear sum; 0 under the guard    */
    uint32_t *guarded; /* (pairs * sums, row blocks): some row of it is under the guard */
    float *statistic;  /* pair_guard: added to                                       */
} owi_pair_args;

/* Trees, as backend.h has them. */
typedef struct {
    owi_device_rows rows;
    uint32_t n_trees, n_nodes, n_components;
    const uint32_t *parent;
    const float *linear, *log;
    const float *leaves;
    float *log_value, *value, *sum, *top;
    float *root_log_value, *root_value, *root_top;
    const float *flow_roots;
    float *flow;
    float *ratio;      /* (nodes, K): flow of the parent over sum; 0 under the guard */
    uint32_t *guarded; /* (edges, row blocks) */
    float *statistic;  /* tree_guard: added to */
} owi_tree_args;

/* name, arguments, whether its threads wait for each other */
#define OWI_DEVICE_KERNELS(_)                                                              \
    _(leaf_up, owi_leaf_args, 1)                                                           \
    _(leaf_down, owi_leaf_args, 1)                                                         \
    _(moments, owi_moment_args, 1)                                                         \
    _(add_slices, owi_add_args, 0)                                                         \
    _(totals, owi_total_args, 1)                                                           \
    _(normalize, owi_layer_args, 0)                                                        \
    _(pair_up, owi_pair_args, 0)                                                           \
    _(root_join, owi_pair_args, 0)                                                         \
    _(pair_down, owi_pair_args, 0)                                                         \
    _(pair_guard, owi_pair_args, 0)                                                        \
    _(tree_up, owi_tree_args, 0)                                                           \
    _(tree_down, owi_tree_args, 0)                                                         \
    _(tree_guard, owi_tree_args, 0)

#define OWI_KERNEL_NUMBER(name, args, waits) owi_kernel_##name,
typedef enum { OWI_DEVICE_KERNELS(OWI_KERNEL_NUMBER) owi_n_kernels } owi_device_kernel;

#endif
