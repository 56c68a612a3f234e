/* SPDX-License-Identifier: MIT */
/* Rows from an Arrow stream, as pyarrow, pandas, polars, DuckDB and many others give them:
 * through the Arrow C data and C stream interfaces, two published lists of plain structs.
 * No Arrow library is needed.  The producer fills the struct in:
 *
 *     struct ArrowArrayStream stream = {0};
 *     ...
 *     ow_reader *reader = NULL;
 *     ow_schema *schema = NULL;
 *     ow_status st = ow_reader_open_arrow(ctx, &stream, "applicants", true, &reader);
 *     if (st == OW_OK) st = ow_schema_infer(reader, NULL, NULL, &schema);
 *
 * Threads: one thread per reader, which calls the stream from that thread. */
#ifndef OTHERWISE_ARROW_H
#define OTHERWISE_ARROW_H

#include <stdbool.h>
#include <stdint.h>

#include "otherwise/context.h"
#include "otherwise/data.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The structs of the Arrow C data interface.  Every program that uses it defines them under
 * the same guards, so that headers of several libraries get on. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* A reader over a stream of record batches (structs; any other stream is
 * OW_ERR_UNSUPPORTED).  name stands for the stream in messages.
 *
 * The stream is moved into the reader, also where this fails: stream->release is NULL
 * afterwards, and ow_reader_free releases what is left of it.  keep: the arrays are held
 * until then, without a copy, so that the rows can be read again, as inference and then
 * training do.  Without keep each array is released once its rows have been read, and the
 * rows can be read only once, as of a pipe.
 *
 * How values are read, in arrays that may be sliced, hold nulls and come in any number of
 * chunks; a null is a missing value:
 *
 *     int8 ... int64, uint8 ... uint64     numbers; beyond 2^53 the nearest double
 *     float16, float32, float64            numbers; NaN is missing, an infinity an error
 *     bool                                 0 or 1
 *     decimal128                           numbers, with their scale as decimals
 *     utf8, large utf8, utf8 view          texts; "", "?", "NA", "NaN", "null" are missing
 *     date32, date64                       texts: 2024-02-29
 *     timestamp (s, ms, us, ns)            texts: 2024-02-29T12:30:00, with a fraction if
 *                                          there is one, and Z if the type has a zone
 *     dictionaries of these                the values that the indices point at
 *     null                                 missing
 *
 * Dates are texts in ISO 8601, as CSV files have them.  Anything else (binary, lists,
 * structs, times of day, durations, decimals of other widths, ...) is OW_ERR_UNSUPPORTED
 * with a sentence that names column and type.
 *
 * Lengths, offsets, counts of buffers and children, null counts, offsets of texts, views
 * and dictionary indices are checked; what breaks the interface is OW_ERR_FORMAT.  How
 * large a buffer is, the interface does not say: that is for the producer to get right. */
OW_API OW_MUST_CHECK ow_status ow_reader_open_arrow(ow_context *ctx,
                                                    struct ArrowArrayStream *stream,
                                                    const char *name, bool keep,
                                                    ow_reader **out);

#ifdef __cplusplus
}
#endif
#endif
