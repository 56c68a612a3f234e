/* SPDX-License-Identifier: MIT */
/* Rows as they will be after repair, while a method is still at work: levels whole, numbers on their grid, linked columns alike.  A
 * method that judges these finds answers that stay answers.
 *
 * What owi_constraints_repair does, for rows that go a small step at a time: what depends on the query alone is worked out once, a
 * number is looked at only where it has left the values known to become the same, and a row that comes out as it did the last
 * time needs no second judgement. */
#ifndef OWI_WHOLE_ROWS_H
#define OWI_WHOLE_ROWS_H

#include "explain/constraints.h"
#include "explain/soft_column.h"

/* Soft values from low to high become this value: repair never turns a larger one into a smaller. */
typedef struct {
    float low, high;
    double value;
} owi_seen_number;

typedef struct {
    ow_context *ctx;
    const ow_model *model;
    const ow_constraints *constraints;
    size_t n_columns, width;
    const double *queries;    /* n_rows x columns                                        */
    bool *begun;              /* n_rows: values are there                                */
    bool *frozen;             /* n_columns                                               */
    owi_soft_column *columns; /* likewise                                                */
    double *scale;            /* likewise                                                */
    uint32_t *own;            /* n_rows x columns: where the query has its share         */
    bool *allowed;            /* n_rows x width: other levels that it may become         */
    owi_seen_number *seen;    /* n_rows x columns                                        */
    double *values, *next;    /* n_rows x columns: the last time, and now                */
    double *raw, *change;     /* n_rows x columns: of repair                             */
} owi_whole_rows;

/* For a block of queries, which stay the caller's. */
ow_status owi_whole_rows_init(owi_whole_rows *whole, ow_context *ctx, const ow_model *model,
                              const ow_constraints *constraints, size_t n_rows,
                              const double *queries);
void owi_whole_rows_clear(owi_whole_rows *whole);

/* Row number `row` of the block, soft, as it will be.  *changed: not as the last time, and written to repaired, which is else left
 * as it is.  Different rows may be made at the same time. */
ow_status owi_whole_rows_make(owi_whole_rows *whole, size_t row, const float *soft,
                              float *repaired, bool *changed);

#endif
