/* SPDX-License-Identifier: MIT */
/* CSV files and what is read of them, as text. */
#ifndef OW_CSV_FIXTURE_H
#define OW_CSV_FIXTURE_H

#include "data/csv/csv.h"
#include "support/ow_test.h"

/* A text that grows; freed with free(). */
typedef struct {
    char *text;
    size_t size, capacity;
} ow_test_text;
void ow_test_text_add(ow_test_text *out, const char *bytes, size_t size);

/* What the file f.csv of these bytes gives: the header and then the rows, one a line, with
 * | between fields; a failure as "! sentence".  Read twice with a restart in between, and
 * shown once. */
ow_test_text ow_test_csv_show(const char *csv, size_t size, ow_read_options options,
                              owi_csv_sizes sizes);

/* The same text in blocks of any size. */
void assert_csv_bytes(const char *csv, size_t size, ow_read_options options,
                      const char *want);
void assert_csv(const char *csv, ow_read_options options, const char *want);

/* Blocks that small files fit in. */
extern const owi_csv_sizes ow_test_csv_sizes;

/* Its parts: a file without damage, freed with owi_rows_clear; all of its rows, added to
 * out unless that is NULL. */
owi_rows ow_test_csv_open(ow_context *ctx, const char *csv, ow_read_options options);
ow_status ow_test_csv_read(owi_rows *rows, ow_test_text *out, size_t *n_rows);

#endif
