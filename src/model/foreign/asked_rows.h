/* SPDX-License-Identifier: MIT */
/* Foreign models that are asked row by row, programs and ONNX, over the rows of a schema:
 * which class each of their scores is of, and probabilities from what they say. */
#ifndef OWI_ASKED_ROWS_H
#define OWI_ASKED_ROWS_H

#include "base/call.h"
#include "model/foreign/foreign.h"

typedef struct {
    ow_context *ctx;
    const owi_foreign *foreign;
    const ow_schema *schema;
    size_t n_scores;  /* one for each class, or one number that a limit divides          */
    size_t *class_of; /* the schema's class of each score */
    double *scores;   /* (block, n_scores) */
} owi_asked_rows;

/* foreign and schema are borrowed. */
ow_status owi_asked_rows_new(const owi_foreign *foreign, const ow_schema *schema,
                             owi_asked_rows **out);
void owi_asked_rows_free(owi_asked_rows *asked);

/* P(c given x), in the schema's order of classes: an owi_values_fn whose user is an
 * owi_asked_rows. */
ow_status owi_asked_rows_predict(const owi_call *call, void *user, size_t n_rows,
                                 const double *values, double *proba);
/* What the model itself says: n x n_scores. */
ow_status owi_asked_rows_scores(const owi_call *call, const owi_asked_rows *asked, size_t n,
                                const double *values, double *scores);

#endif
