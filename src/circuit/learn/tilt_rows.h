/* SPDX-License-Identifier: MIT */
/* Rows as fitting a tilt sees them: features and the class logits of a circuit, all in
 * memory. */
#ifndef OWI_TILT_ROWS_H
#define OWI_TILT_ROWS_H

#include "circuit/structure/circuit.h"
#include "otherwise/learn.h"

/* L lanes to a tile, as kernels have them.  A missing value counts as an average one. */
typedef struct {
    const owi_call *call; /* of the one that reads and fits */
    ow_context *ctx;
    size_t n_rows, n_tiles;
    size_t n_classes, n_features; /* C, F */
    float *features;              /* (tiles, F, L); squares are 0                    */
    int32_t *classes;             /* (rows)                                          */
    double *logit;      /* (rows, C): log S(x given c) + log of c's share of the rows */
    double *class_rows; /* (C)                                             */
    double *class_sum;  /* (C, F): features of the rows of each class      */
    size_t feature_capacity, class_capacity, logit_capacity;
} owi_tilt_rows;

/* All rows of a source, and what the evaluator's circuit makes of them. */
ow_status owi_tilt_rows_read(owi_tilt_rows *rows, const owi_call *call,
                             ow_evaluator *evaluator, const ow_row_source *source);
void owi_tilt_rows_clear(owi_tilt_rows *rows);

#endif
