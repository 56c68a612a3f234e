/* SPDX-License-Identifier: MIT */
/* A category that somebody has spread over columns of 0 and 1 (Soil_Type1, ...,
 * Soil_Type40): no row has a 1 in two of them. Rows are looked at once, in memory that does
 * not grow with them.
 *
 * Only neighbours whose names have a common beginning can be such columns.  They may hold
 * the words true and false as well, and all of them may be 0 in a row (a category whose
 * first level was left out, or a value that was not known). */
#ifndef OWI_INDICATOR_COLUMNS_H
#define OWI_INDICATOR_COLUMNS_H

#include "base/memory/byte_list.h"
#include "data/rows/reader.h"

typedef struct owi_indicators owi_indicators;

/* names: n_columns, NULL for a column that is not to be looked at.  Lent for the call. */
ow_status owi_indicators_new(ow_context *ctx, size_t n_columns, const char *const *names,
                             owi_indicators **out);
void owi_indicators_free(owi_indicators *indicators);

/* The next row, a cell for each column. */
void owi_indicators_add_row(owi_indicators *indicators, const owi_cell *cells);

/* For rows that others have looked at: the same columns without any row, as a new one and
 * again; those of both; as bytes and back. */
ow_status owi_indicators_copy(const owi_indicators *indicators, owi_indicators **out);
void owi_indicators_restart(owi_indicators *indicators);
void owi_indicators_join(owi_indicators *a, const owi_indicators *b);
ow_status owi_indicators_write(const owi_indicators *indicators, owi_byte_list *to);
void owi_indicators_read(const unsigned char **from, owi_indicators *indicators);

/* group[j] becomes the number of the category that column j is part of, 1, 2, ... in the
 * order of columns, or 0.  Only where that cannot well be chance: columns with as many ones
 * that do not care for each other would avoid each other less than once in a million. */
void owi_indicators_finish(const owi_indicators *indicators, size_t *group);

/* 1 for "1" and "true", 0 for "0" and "false", -1 for anything else. */
int owi_indicator_value(const char *text, size_t length);

#endif
