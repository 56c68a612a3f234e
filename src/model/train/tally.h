/* SPDX-License-Identifier: MIT */
/* Decisions about rows that were not learned from, counted one by one, and the figures that
 * come of them (ow_quality): accuracy with its interval, AUC, log-loss, confusion and
 * calibration. */
#ifndef OWI_TALLY_H
#define OWI_TALLY_H

#include "base/call.h"
#include "base/numeric/rng.h"
#include "otherwise/model.h"

typedef struct {
    ow_context *ctx;
    size_t n_classes, n_rows, n_right;
    double loss;                     /* the sum of -log P(class given x) */
    const ow_model *model;           /* whose cut-offs decide; NULL: there are none */
    size_t *confusion;               /* (classes, classes); borrowed */
    ow_calibration_bin *calibration; /* borrowed */
    /* A uniform sample of the rows for AUC, which wants them in order: their classes, and
     * the log-odds of every class.  At most most_kept of them. */
    size_t n_kept, most_kept, capacity, odds_capacity;
    int32_t *classes;
    double *log_odds; /* (n_kept, classes) */
    owi_rng rng;
} owi_tally;

/* Sets confusion and calibration to zero.  Clear must follow. */
void owi_tally_begin(owi_tally *tally, ow_context *ctx, size_t n_classes, uint64_t seed,
                     size_t *confusion, ow_calibration_bin *calibration);
/* Zeroed or begun: clear does for both. */
void owi_tally_clear(owi_tally *tally);

/* Counts a row of class y by log P(c given x) of each class. */
ow_status owi_tally_add(owi_tally *tally, const double *log_proba, size_t y);

/* The figures of the rows so far; calibration's sums become means, so that nothing can be
 * added afterwards. */
ow_status owi_tally_finish(owi_tally *tally, const owi_call *call, ow_quality *quality);

/* Accuracy, its interval and the majority from a confusion table; all zero without rows. */
void owi_quality_from_confusion(ow_quality *quality, size_t n_classes,
                                const size_t *confusion);

#endif
