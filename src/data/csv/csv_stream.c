/* SPDX-License-Identifier: MIT */
/* Records out of a stream, in memory that only grows with the longest of them. */
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/quote.h"
#include "data/csv/csv.h"

enum { behind_limit = 4 * 1024 }; /* read at a time, and more where a record is longer */

ow_status owi_csv_stream_init(owi_csv_stream *stream, ow_context *ctx,
                              owi_byte_source *source, const char *name,
                              owi_csv_sizes sizes)
{
    *stream = (owi_csv_stream){
        .ctx = ctx, .source = source, .name = name, .sizes = sizes, .line = 1};
    OWI_TRY(owi_grow(ctx, &stream->buffer, &stream->capacity, sizes.block + 1, 1));
    stream->buffer[0] = '\0';
    return OW_OK;
}

void owi_csv_stream_clear(owi_csv_stream *stream)
{
    if (stream->ctx == NULL) return;
    owi_free(stream->ctx, stream->record.fields);
    owi_free(stream->ctx, stream->decoded);
    owi_free(stream->ctx, stream->buffer);
}

/* Moves what is left to the front and reads another block behind it; as much again, where
 * what is left is longer, so that the parts of a long record are scanned twice on
 * average. */
static ow_status refill(owi_csv_stream *stream)
{
    size_t used = stream->end - stream->begin, n;
    owi_csv_forget_bytes(&stream->record);
    if (stream->begin > 0) memmove(stream->buffer, stream->buffer + stream->begin, used);
    stream->begin = 0;
    stream->end = used;
    if (used + 1 >= stream->capacity)
        OWI_TRY(owi_grow(stream->ctx, &stream->buffer, &stream->capacity,
                         used + stream->sizes.block + 1, 1));
    const size_t room = stream->capacity - 1 - used;
    size_t wanted = owi_smaller(room, owi_larger(used, stream->sizes.block));
    if (stream->limit > stream->taken)
        wanted = owi_smaller(wanted, stream->limit - stream->taken);
    else if (stream->limit > 0)
        wanted = owi_smaller(wanted, owi_larger(used, behind_limit));
    OWI_TRY(owi_byte_source_read(stream->source, stream->buffer + used, wanted, &n));
    stream->end += n;
    stream->taken += n;
    stream->buffer[stream->end] = '\0';
    stream->ended = n < wanted;
    return OW_OK;
}

ow_status owi_csv_stream_fill(owi_csv_stream *stream, size_t size)
{
    while (stream->end - stream->begin < size && !stream->ended) OWI_TRY(refill(stream));
    return OW_OK;
}

static ow_status pass_byte_order_mark(owi_csv_stream *stream)
{
    OWI_TRY(owi_csv_stream_fill(stream, 3));
    const char *first = stream->buffer + stream->begin;
    const size_t size = stream->end - stream->begin;
    if (size >= 3 && memcmp(first, "\xef\xbb\xbf", 3) == 0) stream->begin += 3;
    if (size >= 2 &&
        (memcmp(first, "\xff\xfe", 2) == 0 || memcmp(first, "\xfe\xff", 2) == 0))
        return owi_fail(
            OW_ERR_FORMAT,
            "%s: the text is UTF-16; convert it to UTF-8 first, for example with "
            "iconv -f utf-16 -t utf-8",
            stream->name);
    return OW_OK;
}

ow_status owi_csv_stream_pass_line(owi_csv_stream *stream)
{
    for (;;) {
        OWI_TRY(owi_csv_stream_fill(stream, 2)); /* CR and LF are one line end */
        if (stream->begin == stream->end) return OW_OK;
        const char *p = stream->buffer + stream->begin++;
        if (*p != '\n' && *p != '\r') continue;
        if (p[0] == '\r' && p[1] == '\n') stream->begin++;
        stream->line++;
        return OW_OK;
    }
}

ow_status owi_csv_stream_start(owi_csv_stream *stream, size_t n_lines)
{
    stream->begin = stream->end = 0;
    stream->taken = stream->limit = 0;
    stream->ended = false;
    stream->line = 1;
    OWI_TRY(pass_byte_order_mark(stream));
    OWI_TRY(owi_csv_stream_fill(stream, 1));
    if (stream->begin == stream->end)
        return owi_fail(OW_ERR_FORMAT, "%s: the file is empty", stream->name);
    for (size_t i = 0; i < n_lines; i++) {
        OWI_TRY(owi_csv_stream_pass_line(stream));
        OWI_TRY(owi_csv_stream_fill(stream, 1));
        if (stream->begin == stream->end)
            return owi_fail(OW_ERR_FORMAT,
                            "%s: nothing is left of its %zu lines after passing over %zu",
                            stream->name, i + 1, n_lines);
    }
    return OW_OK;
}

uint64_t owi_csv_stream_at(const owi_csv_stream *stream)
{
    return stream->taken - (stream->end - stream->begin);
}

ow_status owi_csv_stream_go_to(owi_csv_stream *stream, uint64_t at)
{
    OWI_TRY(owi_byte_source_seek(stream->source, at));
    owi_csv_forget_bytes(&stream->record);
    stream->begin = stream->end = 0;
    stream->buffer[0] = '\0';
    stream->taken = at;
    stream->ended = false;
    stream->line = 1;
    return OW_OK;
}

ow_status owi_csv_stream_go_to_line(owi_csv_stream *stream, uint64_t at)
{
    if (at == 0) return owi_csv_stream_go_to(stream, 0);
    OWI_TRY(owi_csv_stream_go_to(stream, at - 1));
    for (;;) {
        OWI_TRY(owi_csv_stream_fill(stream, 1));
        if (stream->begin == stream->end) return OW_OK;
        const char *from = stream->buffer + stream->begin;
        const char *found = memchr(from, '\n', stream->end - stream->begin);
        stream->begin = found != NULL ? (size_t)(found + 1 - stream->buffer) : stream->end;
        if (found != NULL) return OW_OK;
    }
}

ow_status owi_csv_stream_find_delimiter(owi_csv_stream *stream)
{
    OWI_TRY(owi_csv_stream_fill(stream, owi_csv_sample_size));
    const size_t size = stream->end - stream->begin;
    char *begin = stream->buffer + stream->begin;
    const char delimiter = owi_csv_find_delimiter(begin, begin + size, stream->ended);
    owi_csv_dialect_init(&stream->dialect, delimiter);
    return OW_OK;
}

/* What the numbers of a sample are written with. */
typedef struct {
    size_t n_points, n_commas; /* the points: but for those with three digits behind them */
    size_t n_thousands;        /* of the commas: those with three digits behind them */
} decimal_marks;

static void count_marks(const owi_csv_record *record, decimal_marks *marks)
{
    for (size_t i = 0; i < owi_smaller(record->n_fields, record->capacity); i++) {
        const owi_csv_field *field = &record->fields[i];
        const char mark = field->length >= 4 ? field->text[field->length - 4] : '\0';
        if (mark != '.' && owi_csv_is_decimal(field->text, field->length, '.'))
            marks->n_points++;
        if (!owi_csv_is_decimal(field->text, field->length, ',')) continue;
        marks->n_commas++;
        marks->n_thousands += mark == ',';
    }
}

ow_status owi_csv_stream_find_decimal(owi_csv_stream *stream, char *mark)
{
    enum { most_fields = 1000 }; /* that are looked at, of each record */
    decimal_marks marks = {0};
    owi_csv_record record = {.capacity = most_fields};
    *mark = '.';
    OWI_TRY(owi_csv_stream_fill(stream, owi_csv_sample_size));
    record.fields = owi_alloc_array(stream->ctx, most_fields, sizeof *record.fields);
    if (record.fields == NULL) return OW_ERR_MEMORY;
    char *begin = stream->buffer + stream->begin, *end = stream->buffer + stream->end;
    while (begin < end && owi_csv_scan(&stream->dialect, begin, end, stream->ended,
                                       &record) == OWI_CSV_RECORD) {
        if (!record.blank) count_marks(&record, &marks);
        begin = record.next;
    }
    owi_free(stream->ctx, record.fields);
    if (marks.n_points == 0 && marks.n_commas > marks.n_thousands) *mark = ',';
    return OW_OK;
}

/* ---- Records ---- */

static ow_status fail_unclosed(const owi_csv_stream *stream, const char *how)
{
    return owi_fail(OW_ERR_FORMAT, "%s:%zu: the quote that opens here is not closed%s",
                    stream->name, stream->line + stream->record.quote_line, how);
}

static ow_status fail_too_long(const owi_csv_stream *stream)
{
    char limit[64];
    snprintf(limit, sizeof limit, " within %zu bytes", stream->sizes.max_record);
    if (stream->record.in_quotes) return fail_unclosed(stream, limit);
    return owi_fail(OW_ERR_FORMAT, "%s:%zu: the line does not end%s", stream->name,
                    stream->line, limit);
}

static ow_status fail_after_quote(const owi_csv_stream *stream)
{
    const char *text = stream->record.next, *p = text;
    char quoted[owi_quote_size];
    while (!stream->dialect.ends_field[(unsigned char)*p]) p++;
    return owi_fail(
        OW_ERR_FORMAT,
        "%s:%zu: field %zu: %s after the closing quote, expected a %s or the end "
        "of the line",
        stream->name, stream->line + stream->record.n_lines, stream->record.n_fields + 1,
        owi_quote(text, (size_t)(p - text), quoted),
        owi_csv_delimiter_name(stream->dialect.delimiter));
}

static ow_status fail_nul(const owi_csv_stream *stream)
{
    return owi_fail(
        OW_ERR_FORMAT,
        "%s:%zu: a NUL byte, which no text has (UTF-16 must be converted to UTF-8 "
        "first)",
        stream->name, stream->line + stream->record.n_lines);
}

/* Room for the fields of the record just scanned; *grown: it has to be scanned again. */
static ow_status make_room(owi_csv_stream *stream, size_t max_fields, bool *grown)
{
    owi_csv_record *record = &stream->record;
    const size_t wanted = owi_smaller(record->n_fields, max_fields);
    *grown = wanted > record->capacity;
    return owi_grow(stream->ctx, &record->fields, &record->capacity, wanted,
                    sizeof *record->fields);
}

/* Whether the record is longer than one may be, as far as it is known.  Bytes behind a
 * record or an error in it are none of its own. */
static bool is_too_long(const owi_csv_stream *stream, owi_csv_outcome outcome)
{
    const char *begin = stream->buffer + stream->begin, *reached = begin;
    if (outcome == OWI_CSV_RECORD) reached = stream->record.next;
    if (outcome == OWI_CSV_MORE || outcome == OWI_CSV_UNCLOSED)
        reached = stream->buffer + stream->end;
    return (size_t)(reached - begin) > stream->sizes.max_record;
}

ow_status owi_csv_stream_next(owi_csv_stream *stream, size_t max_fields, bool *at_end)
{
    for (;;) {
        *at_end = stream->ended && stream->begin == stream->end;
        if (*at_end) return OW_OK;
        bool grown = false;
        const owi_csv_outcome outcome =
            owi_csv_scan(&stream->dialect, stream->buffer + stream->begin,
                         stream->buffer + stream->end, stream->ended, &stream->record);
        if (is_too_long(stream, outcome)) return fail_too_long(stream);
        switch (outcome) {
        case OWI_CSV_RECORD:
            if (stream->record.blank) {
                owi_csv_stream_consume(stream);
                continue;
            }
            OWI_TRY(make_room(stream, max_fields, &grown));
            if (grown) continue;
            return OW_OK;
        case OWI_CSV_MORE:
            OWI_TRY(refill(stream));
            continue;
        case OWI_CSV_UNCLOSED:
            return fail_unclosed(stream, "");
        case OWI_CSV_AFTER_QUOTE:
            return fail_after_quote(stream);
        case OWI_CSV_NUL:
            return fail_nul(stream);
        }
    }
}

void owi_csv_stream_consume(owi_csv_stream *stream)
{
    stream->begin = (size_t)(stream->record.next - stream->buffer);
    stream->line += stream->record.n_lines;
}
