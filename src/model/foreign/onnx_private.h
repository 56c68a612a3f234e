/* SPDX-License-Identifier: MIT */
/* The inside of an ONNX model. */
#ifndef OWI_ONNX_PRIVATE_H
#define OWI_ONNX_PRIVATE_H

#include <pthread.h>

#include "model/foreign/onnx_library.h"
#include "model/foreign/onnx_model.h"

typedef struct {
    char *name; /* onnxruntime's */
    int kind;   /* owi_ort_tensor, ... */
    int type;   /* of a tensor's elements */
    size_t rank;
    int64_t width; /* of its last dimension; below 1: any */
} owi_onnx_port;

struct owi_onnx {
    ow_context *ctx;
    char *name, *library, *bytes;
    size_t size;
    pthread_mutex_t lock; /* of opening it */
    bool is_open;
    owi_ort_api api;
    owi_ort_env *env;
    owi_ort_session *session;
    owi_ort_allocator *allocator;
    owi_onnx_port *inputs, *outputs;
    size_t n_inputs, n_outputs;
    size_t scores; /* the output that holds probabilities or the number */
};

/* A failure in onnxruntime's words: "NAME: WHAT: ...".  Releases the status. */
ow_status owi_onnx_fail(const owi_onnx *onnx, const char *what, owi_ort_status *status);
/* Passes a failure on; only where nothing is owned yet. */
#define OWI_ORT_TRY(onnx, what, call)                                                      \
    do {                                                                                   \
        owi_ort_status *owi_ort_try = (call);                                              \
        if (owi_ort_try != NULL) return owi_onnx_fail(onnx, what, owi_ort_try);            \
    } while (0)

/* onnx_model.c: output number `which` for n rows, which the caller releases. */
ow_status owi_onnx_run(const owi_call *call, const owi_onnx *onnx, const ow_schema *schema,
                       size_t n, const double *values, size_t which,
                       owi_ort_value **output);

/* onnx_rows.c: whether the inputs are columns of the schema; and the values of rows as
 * input number i, which the caller releases. */
ow_status owi_onnx_match_inputs(const owi_onnx *onnx, const ow_schema *schema);
ow_status owi_onnx_make_input(const owi_onnx *onnx, const ow_schema *schema, size_t i,
                              size_t n, const double *values, owi_ort_value **out);

/* onnx_scores.c: which output has the scores; and these of n rows. */
ow_status owi_onnx_choose_output(owi_onnx *onnx, size_t n_scores);
ow_status owi_onnx_read_scores(const owi_onnx *onnx, const owi_ort_value *output, size_t n,
                               size_t n_scores, bool are_proba, double *scores);

#endif
