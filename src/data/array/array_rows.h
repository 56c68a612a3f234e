/* SPDX-License-Identifier: MIT */
/* Arrays of numbers in a file, seen as rows.  IDX and NPY differ in their heads only:
 * behind them both hold the elements of one array one after the other.  The first dimension
 * counts the rows; what one row holds decides the layout:
 *
 *     ()                one row of one column           table
 *     (n)               n rows of one column            table
 *     (n, columns)                                      table
 *     (n, h, w)         h * w columns                   image
 *     (n, h, w, c)      h * w * c columns               map
 *     more              all but the first multiplied    table
 *
 * Columns stand in C order (the last index runs fastest) whatever the order in the file.  A
 * NaN is a missing value; an infinity fails with its row and column. */
#ifndef OWI_ARRAY_ROWS_H
#define OWI_ARRAY_ROWS_H

#include "data/array/array.h"
#include "data/rows/reader.h"

/* Fills in columns, layout and state of rows, whose source stands behind the head_size
 * bytes of the head.  Reads the first row, so that memory for the columns is only ever
 * asked for when the file has that many.  Arrays in C order are read row by row; one in
 * Fortran order is held in memory whole, up to OWI_MOST_FORTRAN_BYTES. */
#define OWI_MOST_FORTRAN_BYTES ((size_t)1 << 32)
ow_status owi_array_rows_open(owi_rows *rows, const owi_array_head *head, size_t head_size);

/* The rest of an owi_format. */
ow_status owi_array_rows_next(owi_rows *rows, owi_cell *cells, bool *at_end);
ow_status owi_array_rows_restart(owi_rows *rows);
void owi_array_rows_close(owi_rows *rows);
uint64_t owi_array_rows_at(const owi_rows *rows);
/* Not for an array in Fortran order: OW_ERR_UNSUPPORTED. */
ow_status owi_array_rows_go_to(owi_rows *rows, uint64_t at, bool is_row, uint64_t limit);
size_t owi_array_rows_row_from(const owi_rows *rows, uint64_t at);
uint64_t owi_array_rows_byte_of(const owi_rows *rows, size_t row);
void owi_array_rows_place(const owi_rows *rows, char *text, size_t size);

/* Reads exactly size bytes of a head, of which `before` are already read; fewer are an
 * error that tells both numbers. */
ow_status owi_read_head(owi_rows *rows, void *bytes, size_t size, size_t before);

#endif
