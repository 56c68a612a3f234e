/* SPDX-License-Identifier: MIT */
/* Some of a file's rows as the file has them, spread evenly over all of them: kept while
 * the rows are read for the first time, before it is known what their cells mean. */
#ifndef OWI_CELL_SAMPLE_H
#define OWI_CELL_SAMPLE_H

#include <stdint.h>

#include "data/rows/reader.h"

enum { owi_most_sampled = 10000 };

/* A cell: a text, which begins at `at` in the texts, or a number. */
typedef struct {
    union {
        size_t at;
        double number;
    };
    uint32_t length;
    bool is_text;
} owi_sampled_cell;

/* Every stride-th row; where there is no room left, every second of them goes and the
 * stride doubles.  All zero but for the first two can be cleared. */
typedef struct {
    ow_context *ctx;
    size_t n_columns;
    size_t n_rows, n_seen, stride;
    size_t cell_capacity, n_text, text_capacity;
    owi_sampled_cell *cells; /* n_rows x n_columns */
    char *texts;
} owi_cell_sample;

ow_status owi_cell_sample_add(owi_cell_sample *sample, const owi_cell *cells);
/* Lends the cells of a row. */
void owi_cell_sample_row(const owi_cell_sample *sample, size_t row, owi_cell *cells);
void owi_cell_sample_clear(owi_cell_sample *sample);

#endif
