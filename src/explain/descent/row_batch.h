/* SPDX-License-Identifier: MIT */
/* Some rows of a block to the classifier at a time: those that a method is still at work
 * on.
 *
 * What comes back for a row does not depend on which rows are asked for with it.  The
 * engine sums alike for all rows of a tile, but in another order for a few single rows, and
 * for tiles in which a value is missing.  So rows with different gaps are asked for apart,
 * and all of them in tiles, however few they are. */
#ifndef OWI_ROW_BATCH_H
#define OWI_ROW_BATCH_H

#include <stdint.h>

#include "base/memory/workspace.h"
#include "circuit/pass/anchor_rows.h"
#include "otherwise/classifier.h"

typedef struct {
    const owi_call *call;
    ow_context *ctx;
    ow_classifier *classifier;
    ow_evaluator *evaluator; /* of a circuit; NULL: the classifier is something else */
    size_t width, n_classes;
    owi_anchor_rows *base; /* NULL: none */
    owi_workspace *workspace;
    float *rows, *gradient;
    double *factor, *log_proba;
    uint32_t *order, *left;
} owi_row_batch;

/* For blocks of up to most_rows rows. */
ow_status owi_row_batch_init(owi_row_batch *batch, const owi_call *call,
                             ow_classifier *classifier, size_t most_rows);
/* The n rows of the block will stay near these: calls for all of them multiply only what
 * differs.  A matter of speed, for circuits. Without, or with a gap among them, they are
 * asked for as the others. */
ow_status owi_row_batch_stay_near(owi_row_batch *batch, size_t n, const float *rows);
void owi_row_batch_clear(owi_row_batch *batch);

/* ow_classifier_classify and ow_classifier_differentiate for the rows numbered which[0 ...
 * n - 1]; all arrays are of the whole block, and results of other rows stay as they are. */
ow_status owi_row_batch_classify(owi_row_batch *batch, size_t n, const uint32_t *which,
                                 const float *rows, double *log_proba);
ow_status owi_row_batch_differentiate(owi_row_batch *batch, size_t n, const uint32_t *which,
                                      const float *rows, const double *factor,
                                      double *log_proba, float *gradient);
/* The same for all n rows of the block. */
ow_status owi_row_batch_classify_all(owi_row_batch *batch, size_t n, const float *rows,
                                     double *log_proba);
ow_status owi_row_batch_differentiate_all(owi_row_batch *batch, size_t n, const float *rows,
                                          const double *factor, double *log_proba,
                                          float *gradient);

#endif
