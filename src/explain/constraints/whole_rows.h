/* SPDX-License-Identifier: MIT */
/* Rows as they will be after repair, while a method is still at work: levels whole, numbers
 * on their grid, linked columns alike.  A method that judges these finds answers that stay
 * answers.
 *
 * What owi_constraints_repair does, for rows that go a small step at a time: what depends
 * on the query alone is worked out once, a number is looked at only where it has left the
 * values known to become the same, and a row that comes out as it did the last time needs
 * no second judgement. */
#ifndef OWI_WHOLE_ROWS_H
#define OWI_WHOLE_ROWS_H

#include "base/numeric/row_lanes.h"
#include "explain/constraints/constraints.h"
#include "explain/core/soft_column.h"

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
    /* In lanes (row_lanes.h), (chunks, columns, lanes): */
    int32_t *own, *chosen; /* level of the query, and that of the last time              */
    float *low, *high;     /* numbers between them become seen                           */
    float *
        /* (chunks, width, lanes): infinity for other levels that may be, else -infinity */
        bar;
    double *seen;          /* n_rows x columns                                        */
    double *values, *next; /* n_rows x columns: the last time, and now                */
    double *raw, *change;  /* n_rows x columns: of repair                             */
    float *soft;           /* n_rows x width: rows that were lanes                    */
} owi_whole_rows;

/* For a block of queries, which stay the caller's. */
ow_status owi_whole_rows_init(owi_whole_rows *whole, ow_context *ctx, const ow_model *model,
                              const ow_constraints *constraints, size_t n_rows,
                              const double *queries);
void owi_whole_rows_clear(owi_whole_rows *whole);

/* Row number `row` of the block, soft, as it will be.  *changed: not as the last time, and
 * written to repaired, which is else left as it is.  Different rows may be made at the same
 * time. */
ow_status owi_whole_rows_make(owi_whole_rows *whole, size_t row, const float *soft,
                              float *repaired, bool *changed);

/* The same for n <= owi_row_lanes rows that stand in lanes, (width, lanes), from row number
 * `first` on, which begins a chunk of them; repaired and changed are those of the first
 * row.  No group has shares that are partly missing. */
ow_status owi_whole_rows_make_lanes(owi_whole_rows *whole, size_t first, size_t n,
                                    const float *lanes, float *repaired, bool *changed);

#endif
