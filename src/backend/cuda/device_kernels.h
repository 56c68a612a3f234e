/* SPDX-License-Identifier: MIT */
/* The kernels of the CUDA engine and their arguments, as host and device see them.  The
 * layout of all buffers is backend.h's, (tile, entry, lane), with tiles of 64 lanes always.
 * Kernels number rows through all tiles: row n is lane n % 64 of tile n / 64.
 *
 * This is C and CUDA C at once: nvcc compiles it for a GPU, and
 * tests/kernels/device_emulated.c compiles the same kernels for the processor. */
#ifndef OWI_DEVICE_KERNELS_H
#define OWI_DEVICE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Lanes of a tile, owi_tile_lanes of backend.h; and threads of a block of the kernels that
 * have one thread for a row. */
enum { owi_device_lanes = 64, owi_block_threads = 64 };

/* A block of moments has so many x and y. */
enum { owi_moment_xs = 20, owi_moment_ys = 56 };

/* Columns of a block of rows_in and rows_out. */
enum { owi_row_columns = 32 };

typedef struct {
    uint32_t n_rows; /* 64 of each tile                */
    uint32_t n_used; /* the rows behind are spare lanes */
} owi_device_rows;

/* Which copies a tile has an adjoint in: live[tile * n_copies + copy], 0 or 1.  What is not
 * live is neither computed nor written.  live NULL: all. */
typedef struct {
    const uint8_t *live;
    uint32_t n_copies;
} owi_device_live;

/* One group of entries that a sum over rows is made of: n_y of y from y_first on, as many
 * of x as the layer has components from x_first on. */
typedef struct {
    uint32_t x_first, y_first, n_y, scale;
    size_t out; /* where the group begins in the result */
} owi_moment_group;

/* The leaf layer's parameters as its kernels read them: the features of each region ascend,
 * and a region's are filled up to a multiple of 8 with features 0 of parameter 0.  There is
 * one table after the other for each `outputs` components; a row of it has their parameters
 * of one feature, 0 behind the last, and then the feature's number, as bits, in the first
 * of owi_leaf_tail floats.
 *
 * Features are divided into n_parts runs of `part` each; those of region r that are in part
 * p are from part_start[p * n_regions + r] to part_start[(p + 1) * n_regions + r]. */
typedef struct {
    uint32_t row, region;
} owi_leaf_entry;
typedef struct {
    uint32_t outputs, n_rows; /* rows of one table                                   */
    uint32_t n_parts, part;
    uint32_t *start;       /* (regions + 1): where a region begins                     */
    uint32_t *feature;     /* (rows)                                                   */
    uint32_t *place;       /* likewise: its number in the region as it was given       */
    uint32_t *part_start;  /* (parts + 1, regions)                                     */
    uint32_t *mask;        /* (parts, regions): which features of a part are a region's */
    float *packed;         /* (tables, rows, outputs + owi_leaf_tail)                  */
    uint32_t *entry_count; /* (features)                                                */
    uint32_t *entry_start; /* (features + 1): where the entries of a feature begin     */
    owi_leaf_entry *entry; /* its rows, by region                                       */
} owi_leaf_tables;

enum { owi_leaf_pad = 8, owi_leaf_tail = 4 };

/* Features of a part, at most; regions of a block of leaf_up. */
enum { owi_most_part = 49, owi_up_regions = 4 };

/* Features of a part of leaf_tile, whose sums are in registers; warps of its blocks. */
enum { owi_tile_part = 24, owi_tile_warps = 6 };

/* Threads of a block of leaf_few_up and leaf_few_down. */
enum { owi_few_threads = 256 };

/* leaf_up: out (R * K) from in (F), with value and top of a layer, too, unless value is
 * NULL. leaf_down: out (F) from in (R * K).  leaf_...: the tables and groups. */
typedef struct {
    owi_device_rows rows;
    uint32_t n_regions, n_components, n_features;
    const uint32_t *scope_start, *scope;
    const float *theta, *bias; /* bias NULL: out is added to */
    const float *in;
    float *out, *value, *top;
    uint32_t add; /* leaf_down: whether out is added to */
    owi_device_live live;
    owi_leaf_tables tables;
    owi_moment_group *groups;
} owi_leaf_args;

/* Sums over rows of x[a] y[b], for groups of entries (a region, a block of pairs, an edge),
 * one after the other and each (n_x, n_y).  Rows are cut into slices, whose sums are added
 * in their order: the result does not depend on which block runs when. */
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

/* Sums whose weights a block has at once, of the kernels for few components. */
enum { owi_pair_sums = 5 };

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
    float *factor;        /* (pairs * sums): flow over linear sum; 0 under the guard    */
    uint32_t *guarded;    /* (pairs * sums, tiles): some row of it is under the guard   */
    float *statistic;     /* pair_guard: added to                                       */
    owi_device_live live; /* of the way down                                         */
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
    uint32_t *guarded; /* (edges, tiles) */
    float *statistic;  /* tree_guard: added to */
} owi_tree_args;

/* Rows of a circuit whose columns are all numbers with one fixed variance, row-major, n x D
 * floats: features (tile, D, lane) = row - shift, and row_constant (tile, lane) = constant
 * + factor * sum of the squares.  Spare lanes repeat the last row.  Where a value is NaN,
 * infinite or farther than `farthest` from its shift, *odd is set to 1, and what is made of
 * that row means nothing.  Each 32 columns are a part of row_constant, (tile, part, lane);
 * `constant` is in the first. */
typedef struct {
    uint32_t n, n_columns;
    const float *rows, *shift;
    float farthest;
    double constant, factor;
    float *features;
    double *row_constant;
    uint32_t *odd;
} owi_rows_in_args;

/* The gradient of such rows, d_features - adjoint_sum * precision * features, as rows: to
 * `gradient` (n x D), if that is not NULL; and if `to` is not NULL, a step along it, to =
 * from + step * gradient where the column moves and `from` elsewhere (moves NULL: all do).
 * *odd is set to 1 where a step ends at what is not finite. */
typedef struct {
    uint32_t n, n_columns;
    const float *d_features, *features;
    const float *adjoint_sum; /* (tile, lane) */
    float precision;
    float *gradient;
    const float *from, *moves; /* (n x D); (D) */
    double step;
    float *to; /* (n x D), may be `from` */
    uint32_t *odd;
} owi_rows_out_args;

/* Adjoints of the roots of n rows, and their sum.  The adjoint of class c is
 *
 *     factor[row, c] + density * posterior[row, c] + (c = plus[row]) - (c = minus[row])
 *
 * where a posterior below 1.5e-8 counts as 0.  What is NULL is left out, as is the
 * posterior where density is 0; a class that does not exist is none.  Spare lanes have
 * adjoint 0. */
typedef struct {
    uint32_t n, n_tiles, n_classes;
    const double *log_root, *log_prior; /* (tile, C, lane); (C) */
    const float *factor;                /* (n x C) */
    double density;
    const int32_t *plus, *minus;  /* (n) */
    float *adjoint, *adjoint_sum; /* (tile, C, lane); (tile, lane) */
    uint8_t *live;                /* (tile, copies), may be NULL */
    uint32_t n_copies;            /* 1, or a copy for each class */
} owi_seed_args;

/* log_class (n x C) = log_root + row_constant, which is the sum of its parts. */
typedef struct {
    uint32_t n, n_classes, n_parts;
    const double *log_root, *row_constant; /* (tile, C, lane); (tile, part, lane) */
    double *log_class;
} owi_class_args;

/* name, arguments, whether its threads wait for each other, threads of a block */
#define OWI_DEVICE_KERNELS(_)                                                              \
    _(leaf_groups, owi_leaf_args, 0, 64)                                                   \
    _(leaf_order, owi_leaf_args, 0, 64)                                                    \
    _(leaf_parts, owi_leaf_args, 0, 64)                                                    \
    _(leaf_masks, owi_leaf_args, 0, 64)                                                    \
    _(leaf_counts, owi_leaf_args, 0, 64)                                                   \
    _(leaf_entries, owi_leaf_args, 0, 64)                                                  \
    _(leaf_pack, owi_leaf_args, 0, 64)                                                     \
    _(leaf_up_8, owi_leaf_args, 1, 128)                                                    \
    _(leaf_up_16, owi_leaf_args, 1, 128)                                                   \
    _(leaf_up_20, owi_leaf_args, 1, 128)                                                   \
    _(leaf_up_32, owi_leaf_args, 1, 128)                                                   \
    _(leaf_down_8, owi_leaf_args, 1, 32)                                                   \
    _(leaf_down_16, owi_leaf_args, 1, 32)                                                  \
    _(leaf_down_20, owi_leaf_args, 1, 32)                                                  \
    _(leaf_down_32, owi_leaf_args, 1, 32)                                                  \
    _(leaf_tile_8, owi_leaf_args, 1, 192)                                                  \
    _(leaf_tile_16, owi_leaf_args, 1, 192)                                                 \
    _(leaf_tile_20, owi_leaf_args, 1, 192)                                                 \
    _(leaf_tile_32, owi_leaf_args, 1, 192)                                                 \
    _(leaf_few_up_8, owi_leaf_args, 1, 256)                                                \
    _(leaf_few_up_16, owi_leaf_args, 1, 256)                                               \
    _(leaf_few_up_20, owi_leaf_args, 1, 256)                                               \
    _(leaf_few_up_32, owi_leaf_args, 1, 256)                                               \
    _(leaf_few_down_8, owi_leaf_args, 1, 256)                                              \
    _(leaf_few_down_16, owi_leaf_args, 1, 256)                                             \
    _(leaf_few_down_20, owi_leaf_args, 1, 256)                                             \
    _(leaf_few_down_32, owi_leaf_args, 1, 256)                                             \
    _(moments, owi_moment_args, 1, 32)                                                     \
    _(add_slices, owi_add_args, 0, 64)                                                     \
    _(totals, owi_total_args, 1, 64)                                                       \
    _(normalize, owi_layer_args, 0, 64)                                                    \
    _(pair_up_8, owi_pair_args, 1, 128)                                                    \
    _(pair_up_16, owi_pair_args, 1, 128)                                                   \
    _(pair_up_20, owi_pair_args, 1, 128)                                                   \
    _(pair_up_32, owi_pair_args, 1, 128)                                                   \
    _(pair_down_8, owi_pair_args, 1, 128)                                                  \
    _(pair_down_16, owi_pair_args, 1, 128)                                                 \
    _(pair_down_20, owi_pair_args, 1, 128)                                                 \
    _(pair_down_32, owi_pair_args, 1, 128)                                                 \
    _(pair_up, owi_pair_args, 0, 64)                                                       \
    _(root_join, owi_pair_args, 0, 64)                                                     \
    _(pair_down, owi_pair_args, 0, 64)                                                     \
    _(pair_guard, owi_pair_args, 0, 64)                                                    \
    _(tree_up, owi_tree_args, 0, 64)                                                       \
    _(tree_down, owi_tree_args, 0, 64)                                                     \
    _(tree_guard, owi_tree_args, 0, 64)                                                    \
    _(rows_in, owi_rows_in_args, 1, 256)                                                   \
    _(rows_out, owi_rows_out_args, 1, 256)                                                 \
    _(seeds, owi_seed_args, 1, 64)                                                         \
    _(class_logs, owi_class_args, 0, 64)

#define OWI_KERNEL_NUMBER(name, args, waits, threads) owi_kernel_##name,
typedef enum { OWI_DEVICE_KERNELS(OWI_KERNEL_NUMBER) owi_n_kernels } owi_device_kernel;

#endif
