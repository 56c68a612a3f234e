/* SPDX-License-Identifier: MIT */
/* What a column of an Arrow stream holds, from the format string of its schema. */
#ifndef OWI_ARROW_TYPE_H
#define OWI_ARROW_TYPE_H

#include "data/array/array.h"
#include "otherwise/arrow.h"

typedef enum {
    OWI_ARROW_NULL,
    OWI_ARROW_BOOL,
    OWI_ARROW_NUMBER, /* an element as in array.h                               */
    OWI_ARROW_HALF,
    OWI_ARROW_DECIMAL,
    OWI_ARROW_DATE,      /* days in 4 bytes, or milliseconds in 8               */
    OWI_ARROW_TIMESTAMP, /* 8 bytes                                             */
    OWI_ARROW_UTF8,      /* offsets of 4 or 8 bytes                             */
    OWI_ARROW_VIEW
} owi_arrow_kind;

typedef struct {
    owi_arrow_kind kind;
    owi_array_head element; /* numbers: what they are; offsets, dates: 4 or 8 bytes      */
    size_t size;            /* bytes of a value or of an offset                        */
    int64_t per_second;     /* time stamps: 1, 1000, ...                               */
    bool has_zone;          /* time stamps                                             */
    int scale;              /* decimals: digits after the point, perhaps below 0       */
    bool is_index;          /* an integer that may index a dictionary                  */
    const char *word;       /* what it is called in messages: "utf8"                   */
} owi_arrow_type;

/* Of the values; false for a format that is not read.  Then type->word may say what it is,
 * or be NULL. */
bool owi_arrow_type_parse(const char *format, owi_arrow_type *type);

/* Buffers that an array of this type must have; of views at least so many. */
int64_t owi_arrow_type_buffers(const owi_arrow_type *type);

#endif
