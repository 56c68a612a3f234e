/* SPDX-License-Identifier: MIT */
/* Small circuits with every kind of leaf, and rows for them. */
#ifndef OW_TINY_CIRCUITS_H
#define OW_TINY_CIRCUITS_H

#include "support/ow_test.h"

/* Seven columns: two numbers, a category of three levels, a bit, a number with point masses
 * at 0 and 1, a whole-number column (cell 1), another category of two levels. */
enum { ow_tiny_columns = 7 };
extern const ow_leaf ow_tiny_leaves[ow_tiny_columns];
/* The same with tails that begin among the numbers of the rows. */
extern const ow_leaf ow_tiny_tails[ow_tiny_columns];

/* The same with two numbers that follow from others: column 1 from columns 0 and 2, as they
 * are; column 5 from columns 1 and 4, in logarithms of a log1p scale. */
extern const ow_leaf ow_tiny_followers[ow_tiny_columns];
enum { ow_n_tiny_sheets = 2 };
extern const ow_sheet ow_tiny_sheets[ow_n_tiny_sheets];

/* Of this structure and size over those columns. */
ow_circuit_spec ow_tiny_spec(ow_structure structure, size_t depth, size_t n_classes);

/* n_rows rows that differ by class; missing: the share of values that is NaN. */
typedef struct {
    ow_row_array array;
    float *rows;
    int32_t *classes;
} ow_tiny_rows;
ow_tiny_rows ow_tiny_rows_new(size_t n_rows, size_t n_classes, double missing,
                              uint64_t seed);
void ow_tiny_rows_free(ow_tiny_rows *rows);

/* Started from rows, so that no two components are alike. */
ow_circuit *ow_tiny_circuit(ow_context *ctx, const ow_circuit_spec *spec,
                            ow_tiny_rows *rows);

#endif
