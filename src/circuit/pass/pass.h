/* SPDX-License-Identifier: MIT */
/* One pass over a batch of rows: forward from the leaves to the roots, backward from
 * adjoints at the roots. Buffers lie in one workspace, sized once.
 *
 *     owi_pass_forward(pass, n, rows, 0)      log_root of every class
 *     owi_pass_backward(pass, adjoint, stats)    flow to the leaves
 *     owi_pass_gradient(pass, gradient)       on to the inputs
 *
 * A per-class circuit is run copy by copy; a pass may be told to run only some of them, and
 * what the leaves of rows near these are worth (anchor_rows.h). */
#ifndef OWI_PASS_H
#define OWI_PASS_H

#include "base/memory/workspace.h"
#include "circuit/structure/circuit.h"
#include "circuit/structure/leaf_features.h"

enum { owi_most_depths = 32 };

/* Features (F, L) of a full tile of known rows, and what every copy's leaves make of them
 * (copy, regions, I, L); NULL: none. */
typedef struct {
    const float *features, *log_value;
} owi_tile_base;

typedef struct {
    const ow_circuit *circuit;
    const owi_backend *backend;
    owi_workspace *workspace;
    size_t most_rows;

    /* Set before forward by whoever wants them. */
    bool in_tiles; /* however few rows there are  */
    owi_tile_base base;

    /* The current batch. */
    owi_batch batch;
    size_t n_rows;
    const float *rows;
    size_t first_copy, n_copies; /* those that run */

    owi_feature_tiles tiles;
    /* By depth and copy: (T, regions, K, L) for each copy, one after the other. */
    owi_layer_values layer[owi_most_depths]; /* [1 ... depth]; [0] where depth is 0 */
    /* Trees: layer[0] is their roots, and these are (copy, T, leaf regions, I, L); the leaf
     * log-values of other circuits are layer[depth]'s. */
    float *leaf_log_value;
    owi_tree_values nodes;
    double *log_root;   /* (copy, T, classes of a copy, L), without the row's constant */
    float *adjoint;     /* likewise                                                    */
    float *adjoint_sum; /* (T, L)                                                      */
    float *flow[2];     /* two layers' worth of one copy, in turn                      */
    float *leaf_flow;   /* (copy, T, regions, I, L): kept, for gradients and statistics */
    float *d_features;
    float *packed_flow, *packed_features; /* of one copy and tile (adjoint_lanes.h) */
    uint32_t *chosen;                     /* (regions of a repetition): for samples */
    float *change;                        /* from the base: (F, L)                 */
    uint32_t *changed;                    /* bits of the features that have        */
    owi_marked marked;
    float *scratch;
    double *class_row; /* two rows of C figures, for whoever looks at one row at a time */
} owi_pass;

/* Sums over rows: what EM and gradient learning need; all are added to. */
typedef struct {
    float *leaf;       /* as the leaf parameters: sum of flow * feature      */
    float *leaf_whole; /* (copy, region, I): sum of flow, batches with nothing missing */
    float *leaf_gappy; /* likewise, the other batches                        */
    float *leaf_there; /* as gap_theta: sum of flow * [x is there], the other batches  */
    float *weight;     /* as the weights: sum of flow through each pair      */
} owi_statistics;

/* A pass for batches of up to most_rows rows, with or without what backward needs. */
ow_status owi_pass_init(owi_pass *pass, const ow_circuit *circuit,
                        const owi_backend *backend, size_t most_rows, bool with_backward);
void owi_pass_clear(owi_pass *pass);

/* All copies; first_row is for error messages. */
ow_status owi_pass_forward(owi_pass *pass, size_t n_rows, const float *rows,
                           size_t first_row);
/* Rows or soft rows, and only the copies [first_copy, first_copy + n_copies) of a per-class
 * circuit. */
ow_status owi_pass_forward_some(owi_pass *pass, size_t n_rows, const float *rows, bool soft,
                                size_t first_row, size_t first_copy, size_t n_copies);

/* log S(x given c) of a row of the batch; c among the classes that ran.  And of all rows,
 * n_rows x classes, where all ran. */
double owi_pass_log_class(const owi_pass *pass, size_t row, size_t c);
void owi_pass_log_classes(const owi_pass *pass, double *log_class);

/* One row's components of a region of one copy, at a depth from 1 (0 if that is all, or the
 * roots of trees) to D:
 * where the first one stands, how far the next ones are apart, and what the layer knows of
 * the region (backend.h). */
typedef struct {
    const float *log_value, *value;
    size_t stride;
    float top;
} owi_region_values;
owi_region_values owi_pass_region(const owi_pass *pass, size_t depth, size_t copy,
                                  size_t region, size_t row);

/* The same of a node of trees, its log-values relative to nothing in particular. */
owi_region_values owi_pass_node(const owi_pass *pass, size_t copy, size_t region,
                                size_t row);
/* A row's log-value of leaf component n of a copy at [n * stride]. */
const float *owi_pass_leaf_log_value(const owi_pass *pass, size_t copy, size_t row,
                                     size_t *stride);

/* Seeds at the roots are set one by one (the others are 0), then go down. */
void owi_pass_clear_adjoints(owi_pass *pass);
void owi_pass_set_adjoint(owi_pass *pass, size_t row, size_t c, float adjoint);
void owi_pass_backward(owi_pass *pass, const owi_statistics *statistics);

/* One row's flow to the leaf components of a copy after backward: component n at [n *
 * stride]. */
const float *owi_pass_leaf_flow(const owi_pass *pass, size_t copy, size_t row,
                                size_t *stride);

/* d objective / d input after backward: as the rows, which still must be there. */
void owi_pass_gradient(owi_pass *pass, float *gradient);

#endif
