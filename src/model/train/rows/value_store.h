/* SPDX-License-Identifier: MIT */
/* Rows as a reader gave them, values and classes, kept so that they can be looked at again:
 * in memory as far as they fit, the rest in a temporary file. */
#ifndef OWI_VALUE_STORE_H
#define OWI_VALUE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/call.h"

typedef struct owi_value_store owi_value_store;

enum { owi_store_block = 1024 }; /* rows that are added at a time */

/* For rows of n_columns values; what exceeds most_bytes goes to a temporary file. */
ow_status owi_value_store_new(ow_context *ctx, size_t n_columns, size_t most_bytes,
                              owi_value_store **out);
/* Does nothing for NULL. */
void owi_value_store_free(owi_value_store *store);

/* The next n rows: owi_store_block, or fewer in the last call.  Values come back bit by
 * bit, except that every NaN is the usual one. */
ow_status owi_value_store_add(owi_value_store *store, const owi_call *call, size_t n,
                              const double *values, const int32_t *classes);
/* Whether an error was that of the temporary file, which could not be made, written or
 * read. */
bool owi_value_store_failed(const owi_value_store *store);
/* Bytes of the packed rows, in memory and in the temporary file. */
void owi_value_store_size(const owi_value_store *store, size_t *in_memory, size_t *in_file);

/* Rows from `first` on, in the order in which they were added: at least one and at most
 * max_rows of them, 0 past the last. */
ow_status owi_value_store_read(owi_value_store *store, const owi_call *call, size_t first,
                               size_t max_rows, double *values, int32_t *classes,
                               size_t *n_rows);

#endif
