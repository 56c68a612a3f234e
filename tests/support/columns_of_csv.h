/* SPDX-License-Identifier: MIT */
/* The columns of a CSV file as arrays in memory: numbers where every value is one, else
 * texts. */
#ifndef OW_COLUMNS_OF_CSV_H
#define OW_COLUMNS_OF_CSV_H

#include "support/ow_test.h"

enum { ow_test_most_columns = 64 };

typedef struct {
    size_t n_rows, n_columns;
    char *names[ow_test_most_columns];
    char **texts[ow_test_most_columns];    /* (rows) always; NULL: missing     */
    double *numbers[ow_test_most_columns]; /* (rows) NULL where some are texts */
} ow_test_columns;

void ow_test_columns_read(const char *path, ow_test_columns *columns);
void ow_test_columns_clear(ow_test_columns *columns);

/* A reader over them, by ow_reader_add_numbers and ow_reader_add_texts. */
ow_reader *ow_test_columns_reader(ow_context *ctx, const ow_test_columns *columns,
                                  const char *name);

#endif
