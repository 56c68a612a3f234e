/* SPDX-License-Identifier: MIT */
/* Rows of a block, so many at a time, entry by entry: (width, lanes), a row to a lane, for
 * steps that do the same to all of them. */
#ifndef OWI_ROW_LANES_H
#define OWI_ROW_LANES_H

#include <stddef.h>

enum { owi_row_lanes = 16 };

/* Up to that many rows, n x width; spare lanes repeat the last one. */
void owi_rows_to_lanes(size_t n, size_t width, const float *rows, float *lanes);
void owi_lanes_to_rows(size_t n, size_t width, const float *lanes, float *rows);

#endif
