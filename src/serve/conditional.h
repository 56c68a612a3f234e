/* SPDX-License-Identifier: MIT */
/* P(c given x_A) of a classifier that cannot sum columns out: the mean of what it says of
 * samples, in which the columns outside A are drawn from the circuit given x_A. */
#ifndef SERVE_CONDITIONAL_H
#define SERVE_CONDITIONAL_H

#include "otherwise/model.h"

enum { conditional_samples = 64 }; /* of each row */

typedef struct {
    const ow_model *model;
    ow_evaluator *evaluator;
    size_t n_columns, n_classes, width; /* width: of an encoded row */
    uint64_t seed;                      /* of the next draws        */
    float *encoded;
    double *values, *proba;
} conditional;

/* For up to most_rows rows at a time. */
ow_status conditional_init(conditional *c, const ow_model *model, size_t most_rows,
                           uint64_t seed);
void conditional_clear(conditional *c);

/* rows: n x columns, NaN for what is not known.  proba: n x classes. */
ow_status conditional_predict(conditional *c, ow_predictor *predictor, size_t n,
                              const double *rows, const ow_call *call, double *proba);

#endif
