/* SPDX-License-Identifier: MIT */
/* The rows of text files, read by the processes of a team together: each reads its ranges
 * (data/shared/file_ranges.h) and gives their rows to all, so that all of them get every
 * row, in the order of the files, and each has read its share.
 *
 * Nothing unusual is handled here: where a process finds something that people have to be
 * told, an error or a warning, all of them give up, and read everything by themselves. */
#ifndef OWI_SHARED_ROWS_H
#define OWI_SHARED_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/call.h"
#include "otherwise/data.h"

typedef struct owi_shared_rows owi_shared_rows;

/* *out is NULL where nothing is shared: there is no team, or the rows are not those of text
 * files alone.  Fails where the processes see other files, or had another schema from
 * them.  The reader, bound, is borrowed and left as it is. */
ow_status owi_shared_rows_new(const owi_call *call, const ow_reader *reader,
                              owi_shared_rows **out);
/* Does nothing for NULL. */
void owi_shared_rows_free(owi_shared_rows *shared);

/* Further rows: max_rows of them, or fewer at the end.  All processes ask for as many.  0
 * rows as well once they have given up. */
ow_status owi_shared_rows_next(owi_shared_rows *shared, size_t max_rows, double *values,
                               int32_t *classes, size_t *n_rows);
bool owi_shared_rows_gave_up(const owi_shared_rows *shared);

/* Bytes of files that this process has read, all ranges together. */
uint64_t owi_shared_rows_bytes(const owi_shared_rows *shared);

#endif
