/* SPDX-License-Identifier: MIT */
/* The rows that the model was trained on: what methods, neighbours and judge get of those
 * that an experiment was given. */
#ifndef OWI_KNOWN_ROWS_H
#define OWI_KNOWN_ROWS_H

#include "base/call.h"
#include "otherwise/evaluate.h"

/* All zero: none. */
typedef struct {
    ow_context *ctx;
    size_t n_rows, n_columns;
    const double *values; /* n_rows x n_columns                               */
    double *labelled;     /* those, where rows without label are left out; else NULL */
    int32_t *predicted;   /* by the classifier                                */
    int32_t *classes;     /* labels; where no row has one, as predicted       */
} owi_known_rows;

/* Where some rows have a label, those without are left out, as in training: they are of a
 * class that the model does not know. Either way owi_known_rows_clear. */
ow_status owi_known_rows_init(owi_known_rows *known, const ow_experiment *asked,
                              const owi_call *call, ow_classifier *classifier);
void owi_known_rows_clear(owi_known_rows *known);

#endif
