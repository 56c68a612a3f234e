/* SPDX-License-Identifier: MIT */
/* The arrays of an Arrow stream: checked once when they come, then asked value by value. */
#ifndef OWI_ARROW_ARRAY_H
#define OWI_ARROW_ARRAY_H

#include "data/arrow/arrow_text.h"
#include "data/arrow/arrow_type.h"
#include "data/rows/reader.h"

/* A column of the stream. */
typedef struct {
    owi_arrow_type type;
    bool has_dictionary;   /* type is that of the indices */
    owi_arrow_type values; /* of the dictionary           */
    char *text;            /* room for values that are printed; NULL: there are none */
} owi_arrow_column;

/* The column that a schema describes, or OW_ERR_UNSUPPORTED with a sentence about it
 * (without the stream's name); text is left NULL. */
ow_status owi_arrow_column_read(const struct ArrowSchema *schema, owi_arrow_column *column);

/* Whether the array has the parts of such a column and at least n rows.  The sentence is
 * about the column, which it does not name. */
ow_status owi_arrow_array_check(const struct ArrowArray *array,
                                const owi_arrow_column *column, int64_t n);

/* Row i of an array that was checked, i below its length; the cell is lent as long as the
 * array lives, or until the next value of the column is asked for.  OW_ERR_FORMAT, with a
 * sentence about the value, where it points outside of its array or is no value. */
ow_status owi_arrow_array_cell(const struct ArrowArray *array,
                               const owi_arrow_column *column, int64_t i, owi_cell *cell);

/* Whether the bitmap of this array says that row i is null. */
bool owi_arrow_is_null(const struct ArrowArray *array, int64_t i);

#endif
