/* SPDX-License-Identifier: MIT */
/* Files as they come out of the reader's raw side. */
#ifndef OW_ROWS_FIXTURE_H
#define OW_ROWS_FIXTURE_H

#include "support/ow_test.h"

/* A file whose cells are all numbers. */
typedef struct {
    size_t n_rows, n_columns;
    ow_layout layout;
    double *numbers; /* n_rows x n_columns */
} ow_test_rows;

/* Opens the bytes as a file of this name and reads every row, then rewinds and asserts that
 * the same rows come again.  On failure nothing is left to clear. */
ow_status ow_test_rows_read(ow_context *ctx, const void *bytes, size_t size,
                            const char *name, ow_test_rows *rows);
void ow_test_rows_clear(ow_test_rows *rows);

/* Cuts the file off after every one of its bytes, and the gzipped file too: each time
 * reading it must fail with OW_ERR_FORMAT, and whole it must not. */
void ow_test_rows_cut_everywhere(const void *bytes, size_t size, const char *name);

/* Reads the file with 0, 1, 2, ... allocations allowed, plain and gzipped. */
void ow_test_rows_sweep(const void *bytes, size_t size, const char *name);

/* The layout is this one. */
void ow_test_assert_layout(ow_layout got, ow_layout want);

#endif
