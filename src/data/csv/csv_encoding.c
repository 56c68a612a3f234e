/* SPDX-License-Identifier: MIT */
/* Records that are no UTF-8: most spreadsheets write Windows-1252 where nobody asks for
 * anything else. */
#include <stdint.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/utf8.h"
#include "data/csv/csv.h"

enum { most_bytes = 3 }; /* of a character of Windows-1252 in UTF-8 */

/* The character of a byte.  From A0 on they are those of Unicode; five bytes are none, and
 * stay the control characters that they are in Latin-1. */
static unsigned character(unsigned char byte)
{
    static const uint16_t from_80[] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026,
                                       0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
                                       0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018,
                                       0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                       0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
                                       0x017E, 0x0178};
    return byte < 0x80 || byte >= 0xA0 ? byte : from_80[byte - 0x80];
}

static char *put(char *out, unsigned c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xC0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3F));
    } else {
        *out++ = (char)(0xE0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    }
    return out;
}

/* The fields are moved to a buffer of their own, where they are as long as they become. */
static ow_status decode(owi_csv_stream *stream, size_t n_fields)
{
    owi_csv_record *record = &stream->record;
    size_t length = 0; /* of less than a record, whose length is limited */
    for (size_t i = 0; i < n_fields; i++) length += record->fields[i].length + 1;
    OWI_TRY(owi_grow(stream->ctx, &stream->decoded, &stream->decoded_capacity,
                     most_bytes * length, 1));
    char *out = stream->decoded;
    for (size_t i = 0; i < n_fields; i++) {
        owi_csv_field *field = &record->fields[i];
        char *const first = out;
        for (size_t k = 0; k < field->length; k++)
            out = put(out, character((unsigned char)field->text[k]));
        *out++ = '\0';
        field->text = first;
        field->length = (size_t)(out - 1 - first);
    }
    return OW_OK;
}

ow_status owi_csv_stream_decode(owi_csv_stream *stream)
{
    const owi_csv_record *record = &stream->record;
    const char *begin = stream->buffer + stream->begin;
    if (!record->any_high || owi_is_utf8(begin, (size_t)(record->next - begin)))
        return OW_OK;
    if (!stream->told_encoding)
        owi_log(stream->ctx, OW_LOG_WARN,
                "%s:%zu: this line is not UTF-8; such lines are read as Windows-1252, as "
                "spreadsheets write it, and printed as UTF-8",
                stream->name, stream->line);
    stream->told_encoding = true;
    return decode(stream, owi_smaller(record->n_fields, record->capacity));
}
