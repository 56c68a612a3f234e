/* SPDX-License-Identifier: MIT */
/* What rows add to a column (column_stats.h) and does not depend on their order: how often
 * its values occur, and figures of numbers that are not counted.  Processes that share the
 * rows keep this by themselves, and put it together where somebody has to know it. */
#ifndef OWI_COLUMN_COUNTS_H
#define OWI_COLUMN_COUNTS_H

#include "base/memory/byte_list.h"
#include "data/infer/column_stats.h"

/* All zero is nothing. */
typedef struct {
    size_t n_missing, n_present, n_stray; /* n_present: of what is not counted */
    size_t n_counts, capacity;
    uint64_t *counts; /* of the column's values, by number */
    bool is_broken;   /* some number is not whole          */
    int decimals;
    owi_extremes extremes;
    owi_number_sums *sums; /* NULL: no number was summed     */
} owi_column_counts;

void owi_column_counts_clear(owi_column_counts *counts, ow_context *ctx);
/* Back to nothing, with room for the values that a column has. */
ow_status owi_column_counts_begin(owi_column_counts *counts, ow_context *ctx,
                                  const owi_column_stats *whole);
/* A number of a column that is settled. */
ow_status owi_column_counts_add_number(owi_column_counts *counts, ow_context *ctx,
                                       const owi_column_stats *whole, double number,
                                       int decimals);

/* a becomes what both have seen. */
ow_status owi_column_counts_join(owi_column_counts *a, ow_context *ctx,
                                 const owi_column_counts *b);
ow_status owi_column_counts_write(const owi_column_counts *counts, owi_byte_list *to);
/* Adds what a process has written to the column. */
void owi_column_counts_apply(const unsigned char **from, owi_column_stats *whole);

#endif
