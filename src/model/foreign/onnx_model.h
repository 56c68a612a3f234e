/* SPDX-License-Identifier: MIT */
/* A model in ONNX format over rows of a schema, evaluated by onnxruntime.
 *
 * Its inputs are one tensor (rows, columns), with the schema's columns in their order; or
 * one input for each column that it reads, called as the column.  Its probabilities are a
 * tensor (rows, classes) or (rows, 1), or a sequence of maps from classes to numbers, as
 * skl2onnx writes by default.  Class names beside them only serve to check the order of the
 * classes. */
#ifndef OWI_ONNX_MODEL_H
#define OWI_ONNX_MODEL_H

#include "base/call.h"
#include "otherwise/schema.h"

typedef struct owi_onnx owi_onnx;

/* Takes bytes (from owi_alloc) over if it is successful; nothing is loaded.  name is for
 * sentences. */
ow_status owi_onnx_new(ow_context *ctx, const char *name, char *bytes, size_t size,
                       owi_onnx **out);
/* Does nothing for NULL. */
void owi_onnx_free(owi_onnx *onnx);
/* Where onnxruntime is; NULL: where it usually is. */
ow_status owi_onnx_set_library(owi_onnx *onnx, const char *path);

/* Loads onnxruntime and the model, the first time; whether the model's inputs are columns
 * of the schema, and its outputs n_scores numbers. */
ow_status owi_onnx_match(owi_onnx *onnx, const ow_schema *schema, size_t n_scores);
/* What it says of rows (n x columns) of a schema that it was matched with: scores is n x
 * n_scores.  May be called on several threads. */
ow_status owi_onnx_ask(const owi_call *call, owi_onnx *onnx, const ow_schema *schema,
                       size_t n, const double *values, size_t n_scores, bool are_proba,
                       double *scores);

/* The classes that the model names for rows, as texts. */
typedef struct {
    ow_context *ctx;
    char **texts; /* NULL: it names none */
    char *bytes;
} owi_onnx_labels;

/* labels is cleared by the caller, also after a failure. */
ow_status owi_onnx_ask_labels(const owi_call *call, owi_onnx *onnx, const ow_schema *schema,
                              size_t n, const double *values, owi_onnx_labels *labels);
void owi_onnx_labels_clear(owi_onnx_labels *labels);

#endif
