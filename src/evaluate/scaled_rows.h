/* SPDX-License-Identifier: MIT */
/* Rows in scaled space, for exact neighbours by brute force: numbers over the training
 * range, a category one unit, and a value that only one of two rows has one unit too.  The
 * distance is the sum over the columns (Gower's, times their number).
 *
 * Rows are kept in tiles of 64, column by column, so that one row is compared with 64 at a
 * time. */
#ifndef OWI_SCALED_ROWS_H
#define OWI_SCALED_ROWS_H

#include "base/call.h"
#include "base/memory/workspace.h"
#include "otherwise/model.h"

typedef struct {
    ow_context *ctx;
    owi_workspace *workspace;
    size_t n_rows, n_columns, n_tiles;
    bool *is_number; /* n_columns                                              */
    double *low, *scale;
    float *scaled; /* n_columns: scratch                                      */
    float *tiles;  /* n_tiles x n_columns x 64                                */
} owi_scaled_rows;

enum { owi_scaled_tile = 64 };

/* Every stride-th of the rows (values, n_columns each), n_rows in all.  Either way
 * owi_scaled_rows_clear. */
ow_status owi_scaled_rows_init(owi_scaled_rows *rows, ow_context *ctx,
                               const ow_model *model, size_t n_rows, size_t stride,
                               const double *values);
void owi_scaled_rows_clear(owi_scaled_rows *rows);

/* One row in this space: n_columns floats. */
void owi_scale_row(const owi_scaled_rows *rows, const double *values, float *scaled);
/* A row that is kept. */
void owi_scaled_row(const owi_scaled_rows *rows, size_t row, float *scaled);

/* A neighbour and its distance. */
typedef struct {
    size_t row;
    float distance;
} owi_neighbour;

/* The k nearest rows of each of n scaled rows (n x n_columns), nearest first, of equals the
 * first; own[i], where own is not NULL, is a row that does not count.  k is less than
 * n_rows.  found is n x k. */
ow_status owi_find_neighbours(const owi_call *call, const owi_scaled_rows *rows, size_t n,
                              const float *scaled, const size_t *own, size_t k,
                              owi_neighbour *found);

#endif
