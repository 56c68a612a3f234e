/* SPDX-License-Identifier: MIT */
/* Arrow streams made by hand, from plain descriptions, and a count of what is not released.
 * What is given to the reader are copies of their own, so that memory checkers see it when
 * a released struct is used. */
#ifndef OW_ARROW_STREAM_H
#define OW_ARROW_STREAM_H

#include "otherwise/arrow.h"
#include "support/ow_test.h"

enum { ow_test_arrow_buffers = 6 };

/* A column as the stream's schema has it. */
typedef struct {
    const char *name, *format;
    const char *dictionary; /* format of the dictionary's values; NULL: there is none */
} ow_test_arrow_field;

/* An array without children.  buffers are lent. */
typedef struct ow_test_arrow_array {
    int64_t length, null_count, offset, n_buffers;
    const void *buffers[ow_test_arrow_buffers];
    const struct ow_test_arrow_array *dictionary;
} ow_test_arrow_array;

/* Some rows: a struct of as many arrays as there are fields. */
typedef struct {
    int64_t length, offset, null_count;
    const void *validity;
    const ow_test_arrow_array *columns;
} ow_test_arrow_batch;

typedef struct {
    const char *format; /* of the stream; NULL: "+s"                                   */
    int64_t n_fields;
    const ow_test_arrow_field *fields;
    size_t n_batches;
    const ow_test_arrow_batch *batches;
    int schema_error;   /* what get_schema returns; 0: the schema                      */
    int next_error;     /* what get_next returns instead of the end                    */
    const char *reason; /* what get_last_error says                                    */

    size_t n_given; /* batches so far                                                  */
    size_t n_live;  /* schemas, arrays and streams that are not released               */
} ow_test_arrow;

/* Made is borrowed and must outlive the stream. */
void ow_test_arrow_open(ow_test_arrow *made, struct ArrowArrayStream *stream);

#endif
