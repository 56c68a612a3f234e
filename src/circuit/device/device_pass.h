/* SPDX-License-Identifier: MIT */
/* A pass (circuit/pass/pass.h) on a device with memory of its own: parameters are uploaded
 * when they have changed, rows go in by batch, class densities, gradients and sums come
 * out, and everything in between stays there.
 *
 * Buffers are backend.h's, of full tiles, with all copies of a per-class circuit side by
 * side as regions of one layer: (T, copies * regions, K, L).  What is not a product is the
 * host's, but for rows of plain numbers: values become features there, with its sentences
 * for values that cannot be. */
#ifndef OWI_DEVICE_PASS_H
#define OWI_DEVICE_PASS_H

#include "backend/cuda/device_layers.h"
#include "circuit/pass/evaluator.h"

/* One layer of pairs: of inner sums, or the roots. */
typedef struct {
    owi_layer_values out; /* of inner sums                                  */
    double *log_sum;      /* of each sum, for the way down                  */
    size_t weights;       /* where its weights begin                        */
    owi_moment_group *groups;
    size_t n_groups;
} owi_device_pairs;

typedef struct owi_step_room owi_step_room;

struct owi_device_pass {
    const ow_circuit *circuit;
    owi_device device;
    bool is_plain; /* rows become features, and features rows, on the device */

    /* The structure, there once and for all. */
    owi_device_leaf leaf, gap_leaf;
    float *shift;
    double *log_prior;
    uint32_t *parent;
    owi_moment_group *edge_groups;
    size_t n_edge_groups;

    /* The parameters, as of this version of the circuit's. */
    uint64_t version;
    float *theta, *bias, *gap_theta, *linear, *log_weight;

    /* Buffers for so many rows: one block, of which the rest is made. */
    size_t room_rows;
    bool with_sums;
    void *room;
    float *given, *made; /* n x width: rows as they come, gradients */
    float *features, *gap_features;
    double *row_constant;
    owi_layer_values leaves; /* of halves; the log-values are those of trees, too */
    owi_device_pairs inner[owi_most_depths], roots; /* inner[1 ... depth - 1]     */
    owi_layer_values tree_roots;
    owi_tree_values nodes;
    double *log_root, *log_class;
    float *factors; /* n x C: of the classes' seeds */
    float *adjoint, *adjoint_sum, *flow[2], *leaf_flow, *factor, *d_features;
    uint8_t *live;
    uint32_t *guarded, *odd;
    float *slices; /* of sums over rows                      */
    float *sums;   /* as owi_sum_layout has them             */

    /* On the host: what goes there and comes back. */
    size_t host_rows;
    owi_workspace *host;
    owi_feature_tiles tiles;
    bool *has_gaps; /* by tile */
    double *host_class;
    float *host_factors, *host_sum, *host_d_features;

    /* The current batch. */
    owi_batch batch;
    size_t n_rows;
    bool on_device; /* it was made from rows there */
    const float *rows;

    owi_step_room *steps; /* device_steps.c's */
};

ow_status owi_device_pass_new(const owi_device_api *api, const ow_circuit *circuit,
                              owi_device_pass **out);
void owi_device_pass_free(owi_device_pass *pass);

/* Up: log_class, n_rows x n_classes.  first_row is for sentences.  The room for so many
 * rows has been made. */
ow_status owi_device_forward(const owi_call *call, owi_device_pass *pass, size_t n_rows,
                             const float *rows, bool soft, size_t first_row,
                             double *log_class);
/* The seeds of the rows: factors (n_rows x n_classes, or NULL) of the classes'
 * log-densities, and of log S. */
ow_status owi_device_seed(owi_device_pass *pass, const double *factors, double density);
/* Down to the leaves, and on to the inputs: as the rows, which still must be there. */
ow_status owi_device_gradient(const owi_call *call, owi_device_pass *pass, float *gradient);

/* Sums for learning.  Down to the leaves, adding; and what has been added since the last
 * clearing, laid out as owi_sum_layout has it. */
void owi_device_clear_sums(owi_device_pass *pass);
void owi_device_add_sums(owi_device_pass *pass);
ow_status owi_device_read_sums(owi_device_pass *pass, float *block);

/* Room for batches of *n_rows rows; *n_rows becomes smaller where that is too many for the
 * device's memory, or more than it gains by. */
ow_status owi_device_make_room(owi_device_pass *pass, size_t *n_rows, bool with_sums);

/* Whether the rows are worth a device: little work is done sooner where the rows are.
 * Those that are asked for in tiles always go there: their results must not depend on how
 * many they are. */
bool owi_device_serves(const ow_circuit *circuit, const owi_row_request *asked);

/* owi_evaluate_rows and owi_differentiate_rows, batch after batch. */
ow_status owi_device_evaluate(const owi_call *call, owi_device_pass *pass,
                              const owi_row_request *asked, double *log_class);
ow_status owi_device_differentiate(const owi_call *call, owi_device_pass *pass,
                                   const owi_row_request *asked, size_t n_mixes,
                                   const ow_mix *mixes, double *log_class,
                                   float *gradients);

#endif
