/* SPDX-License-Identifier: MIT */
/* Encoded rows that are too many for memory: a temporary file that has no name, read in an
 * order that mixes it. */
#ifndef OWI_ROW_SPOOL_H
#define OWI_ROW_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/context.h"

typedef struct owi_row_spool owi_row_spool;

/* Rows of so many floats, in a file below $TMPDIR, or else /var/tmp.  OW_ERR_IO where none
 * can be made. */
ow_status owi_row_spool_new(ow_context *ctx, size_t width, owi_row_spool **out);
/* Whether an error was that of the temporary file, which could not be written or read. */
bool owi_row_spool_failed(const owi_row_spool *spool);
/* Bytes of its temporary file. */
size_t owi_row_spool_size(const owi_row_spool *spool);
/* Does nothing for NULL. */
void owi_row_spool_free(owi_row_spool *spool);

/* n rows more (n x width) with their classes. */
ow_status owi_row_spool_add(owi_row_spool *spool, size_t n, const float *rows,
                            const int32_t *classes);
/* All rows are there: from now on they are read, in an order drawn with the seed. */
ow_status owi_row_spool_finish(owi_row_spool *spool, uint64_t seed);

/* Rows `first` to first + max_rows - 1 of that order, as far as there are so many.  A file
 * sorted by class has all classes in any 1024 rows side by side, as nearly as possible by
 * their shares. */
ow_status owi_row_spool_read(owi_row_spool *spool, size_t first, size_t max_rows,
                             float *rows, int32_t *classes, size_t *n_rows);

#endif
