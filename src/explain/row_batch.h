/* SPDX-License-Identifier: MIT */
/* Some rows of a block to the classifier at a time: those that a method is still at work on.
 *
 * What comes back for a row does not depend on which rows are asked for with it.  The engine sums the same for all rows of a
 * tile, but otherwise for a few rows, and otherwise for tiles in which a value is missing; so rows with different gaps go apart,
 * and the last tile is filled up with copies. */
#ifndef OWI_ROW_BATCH_H
#define OWI_ROW_BATCH_H

#include <stdint.h>

#include "otherwise/classifier.h"

typedef struct {
    ow_context *ctx;
    ow_classifier *classifier;
    size_t width, n_classes;
    bool fill_tiles;
    float *rows, *gradient;
    double *factor, *log_proba;
    uint32_t *order, *left;
} owi_row_batch;

/* For blocks of up to most_rows rows.  fill_tiles: the classifier runs on the engine; somebody else's is not asked for more rows than
 * there are. */
ow_status owi_row_batch_init(owi_row_batch *batch, ow_context *ctx,
                             ow_classifier *classifier, bool fill_tiles, size_t most_rows);
void owi_row_batch_clear(owi_row_batch *batch);

/* ow_classify and ow_classifier_differentiate for the rows numbered which[0 ... n - 1]; all arrays are of the whole block,
 * and results of other rows stay as they are. */
ow_status owi_row_batch_classify(owi_row_batch *batch, size_t n, const uint32_t *which,
                                 const float *rows, double *log_proba);
ow_status owi_row_batch_differentiate(owi_row_batch *batch, size_t n, const uint32_t *which,
                                      const float *rows, const double *factor,
                                      double *log_proba, float *gradient);

#endif
