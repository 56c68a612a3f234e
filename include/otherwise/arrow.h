/* SPDX-License-Identifier: MIT */
/* A reader of Arrow streams.  pyarrow, pandas, polars, DuckDB and many other programs pass
 * tables on through the Arrow C data and C stream interfaces, which are published
 * definitions of plain structs; no Arrow library is needed.  The other program fills in the
 * struct, and the reader takes it over:
 *
 *     struct ArrowArrayStream stream = {0};
 *     ...
 *     ow_reader *reader = NULL;
 *     ow_schema *schema = NULL;
 *     ow_status st = ow_reader_open_arrow(ctx, &stream, "applicants", true, &reader);
 *     if (st == OW_OK) st = ow_schema_infer(reader, NULL, NULL, &schema);
 *
 * Threads: only one thread at a time may use a reader.  The stream's callbacks are called
 * on the thread that uses the reader. */
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

/* The structs of the Arrow C data interface, exactly as its specification has them.  Every
 * header that defines them uses the same include guards, so that headers of several
 * libraries can be included together. */
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

/* Opens a reader of a stream of record batches, that is, of a stream whose type is a
 * struct; any other stream fails with OW_ERR_UNSUPPORTED.  name is used as the stream's
 * name in messages.
 *
 * The reader takes ownership of the stream, even if this function fails: afterwards
 * stream->release is NULL, and ow_reader_free releases the stream.
 *
 * If keep is true, the reader holds all arrays until it is freed, without copying them, so
 * that the rows can be read several times, as inferring a schema and then training does.
 * If it is false, each array is released once its rows have been read, and the rows can be
 * read only once, like those of a pipe.
 *
 * Types and what their values become.  Arrays may be sliced, and the stream may have any
 * number of batches.  A null is a missing value.
 *
 *     int8 ... int64, uint8 ... uint64     numbers; above 2^53, the nearest double
 *     float16, float32, float64            numbers; NaN is a missing value,
 *                                          an infinity is an error
 *     bool                                 0 or 1
 *     decimal128                           numbers with `scale` decimals
 *     utf8, large utf8, utf8 view          texts; "", "?", "NA", "NaN", "null" are missing
 *     date32, date64                       texts: 2024-02-29
 *     timestamp (s, ms, us, ns)            texts: 2024-02-29T12:30:00, with the fraction
 *                                          of a second if it is not 0, and with Z if
 *                                          the type has a time zone
 *     dictionaries of these                the values that the indices refer to
 *     null                                 missing
 *
 * Dates become texts in ISO 8601, the form that CSV files have.  Every other type (binary,
 * lists, structs, times of day, durations, decimals of other widths) fails with
 * OW_ERR_UNSUPPORTED; the message names the column and the type.
 *
 * The reader checks lengths, offsets, the numbers of buffers and children, null counts,
 * the offsets of texts, views and dictionary indices.  Data that break the interface's
 * rules fail with OW_ERR_FORMAT.  The interface does not tell the size of a buffer, so a
 * buffer that is too short for its array's length cannot be detected. */
OW_API OW_MUST_CHECK ow_status ow_reader_open_arrow(ow_context *ctx,
                                                    struct ArrowArrayStream *stream,
                                                    const char *name, bool keep,
                                                    ow_reader **out);

#ifdef __cplusplus
}
#endif
#endif
