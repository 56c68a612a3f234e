/* SPDX-License-Identifier: MIT */
/* Rows as they will be after repair, while a method is still at work: levels whole, numbers on their grid, linked columns alike.  A
 * method that judges these finds answers that stay answers. */
#ifndef OWI_WHOLE_ROWS_H
#define OWI_WHOLE_ROWS_H

#include "explain/constraints.h"

typedef struct {
    ow_context *ctx;
    const ow_model *model;
    const ow_constraints *constraints;
    double *queries, *values; /* most_rows x columns */
    float *rows;              /* most_rows x soft width */
} owi_whole_rows;

ow_status owi_whole_rows_init(owi_whole_rows *whole, ow_context *ctx, const ow_model *model,
                              const ow_constraints *constraints, size_t most_rows);
void owi_whole_rows_clear(owi_whole_rows *whole);

/* For the rows numbered which[0 ... n - 1] of a block: values are the queries', x and repaired soft rows. */
ow_status owi_whole_rows_make(owi_whole_rows *whole, size_t n, const uint32_t *which,
                              const double *values, const float *x, float *repaired);

#endif
