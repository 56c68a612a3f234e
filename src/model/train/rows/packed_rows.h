/* SPDX-License-Identifier: MIT */
/* Rows of values with their classes as bytes, for storing and sending them.  Most columns
 * of most tables hold levels, small whole numbers or floats, so each column takes the
 * smallest form that gives back every value of the block:
 *
 *     byte     0, 1, ..., 254, and 255 for NaN     1 byte
 *     single   a float                             4 bytes
 *     full     any double                          8 bytes
 *
 *     | form of each column | classes | row 0 | row 1 | ...      a row: its columns in turn
 *
 * An image of bytes thus takes as much as in its file. */
#ifndef OWI_PACKED_ROWS_H
#define OWI_PACKED_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/call.h"

/* All zero is empty; the owner frees bytes with owi_free. */
typedef struct {
    unsigned char *bytes;
    size_t n_bytes, capacity;
} owi_packed;

/* Puts a block of n rows behind what is there.  Values come back bit by bit, except that
 * every NaN is the usual one. */
ow_status owi_pack_rows(owi_packed *packed, const owi_call *call, size_t n_columns,
                        size_t n, const double *values, const int32_t *classes);
/* The size of a block of n rows that begins here. */
size_t owi_packed_size(size_t n_columns, size_t n, const unsigned char *block);
/* Rows `first` to first + n_wanted - 1 of a block of n. */
ow_status owi_unpack_rows(const owi_call *call, size_t n_columns, size_t n,
                          const unsigned char *block, size_t first, size_t n_wanted,
                          double *values, int32_t *classes);

#endif
