/* SPDX-License-Identifier: MIT */
/* A neural network of full layers with ReLU between them, on the backend's products: each
 * layer is a leaf layer (backend.h) of one region that sees all features.
 *
 *     z_0 = (x - shift) * scale, 0 where x is missing
 *     z_l = max(0, W_l z_(l-1) + b_l),  l = 1 ... n - 1
 *     out = W_n z_(n-1) + b_n
 *
 * What out is, is said by owi_mlp_output: log-odds of classes, whose softmax is P(c given
 * x), or numbers. */
#ifndef OWI_MLP_H
#define OWI_MLP_H

#include "backend/backend.h"
#include "base/call.h"
#include "otherwise/context.h"

/* Layers of weights, at most. */
enum { owi_mlp_most_layers = 8 };

typedef enum {
    OWI_MLP_CLASSES, /* learned by log-loss                              */
    OWI_MLP_NUMBERS  /* the inputs again, an autoencoder: by squares      */
} owi_mlp_output;

typedef struct {
    owi_mlp_output output;
    size_t n_layers;                       /* of weights                    */
    size_t sizes[owi_mlp_most_layers + 1]; /* inputs, hidden ones, outputs   */
} owi_mlp_spec;

typedef struct {
    ow_context *ctx;
    owi_mlp_spec spec;
    float *shift, *scale; /* (inputs)                                       */
    /* The parameter block: W_1 (outputs, inputs), b_1, W_2, b_2, ... */
    size_t n_parameters;
    float *block;
    float *weight[owi_mlp_most_layers], *bias[owi_mlp_most_layers]; /* views */
    uint32_t *identity; /* 0, 1, 2, ...: the scope of every layer           */
    uint32_t scope_start[owi_mlp_most_layers][2];
} owi_mlp;

/* Inputs, hidden layers and outputs; false if those are too many layers. */
bool owi_mlp_spec_fill(owi_mlp_spec *spec, owi_mlp_output output, size_t n_inputs,
                       size_t n_hidden, const size_t *hidden, size_t n_outputs);

/* All weights 0, shift 0, scale 1. */
ow_status owi_mlp_new(ow_context *ctx, const owi_mlp_spec *spec, owi_mlp **out);
/* Does nothing for NULL. */
void owi_mlp_free(owi_mlp *mlp);

static inline size_t owi_mlp_n_inputs(const owi_mlp *mlp)
{
    return mlp->spec.sizes[0];
}
static inline size_t owi_mlp_n_outputs(const owi_mlp *mlp)
{
    return mlp->spec.sizes[mlp->spec.n_layers];
}

/* n_outputs outputs of layer l, 0 ... n_layers - 1, as the backend knows layers. */
owi_leaf_shape owi_mlp_layer_shape(const owi_mlp *mlp, size_t layer, size_t n_outputs);

/* ---- Rows ---- */

/* Scratch for running a network on a call's threads; borrows it.  backend as for
 * ow_evaluator_new. */
typedef struct owi_mlp_runner owi_mlp_runner;
ow_status owi_mlp_runner_new(const owi_mlp *mlp, const char *backend, owi_mlp_runner **out);
void owi_mlp_runner_free(owi_mlp_runner *runner);
const owi_mlp *owi_mlp_runner_network(const owi_mlp_runner *runner);

/* out: n_rows x outputs.  An infinity fails with OW_ERR_NUMERIC and its row and entry. */
ow_status owi_mlp_forward(const owi_call *call, owi_mlp_runner *runner, size_t n_rows,
                          const float *rows, float *out);

/* The gradient of an objective with respect to the rows (n_rows x inputs; 0 where a value
 * is missing): flow fills in that with respect to the outputs of row number `row`.  It is
 * called from several threads, once for each row.  gradient NULL: flow is called, and that
 * is all. */
typedef void (*owi_mlp_flow_fn)(void *user, size_t row, const float *out, float *flow);
ow_status owi_mlp_backward_input(const owi_call *call, owi_mlp_runner *runner,
                                 size_t n_rows, const float *rows, owi_mlp_flow_fn flow,
                                 void *user, float *gradient);

#endif
