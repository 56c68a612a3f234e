/* SPDX-License-Identifier: MIT */
/* What stands around the header of a table and is no part of it. */
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/number.h"
#include "data/csv/csv.h"

ow_status owi_csv_stream_pass_separator(owi_csv_stream *stream, char *delimiter)
{
    static const char word[] = "sep=";
    enum { n_word = sizeof word - 1 };
    *delimiter = '\0';
    OWI_TRY(owi_csv_stream_fill(stream, n_word + 2));
    const char *first = stream->buffer + stream->begin;
    if (stream->end - stream->begin < n_word + 2) return OW_OK;
    if (memcmp(first, word, n_word) != 0 || first[n_word] == '\0' ||
        strchr(",;\t| ", first[n_word]) == NULL)
        return OW_OK;
    if (first[n_word + 1] != '\n' && first[n_word + 1] != '\r') return OW_OK;
    *delimiter = first[n_word];
    return owi_csv_stream_pass_line(stream);
}

/* How many delimiters, of any kind, a line has. */
static size_t count_delimiters(const char *at, const char *end)
{
    size_t n = 0;
    for (; at < end && *at != '\n' && *at != '\r'; at++)
        n += *at != '\0' && strchr(",;\t|", *at) != NULL;
    return n;
}

ow_status owi_csv_stream_pass_comments(owi_csv_stream *stream, size_t *n_lines)
{
    *n_lines = 0;
    OWI_TRY(owi_csv_stream_fill(stream, owi_csv_sample_size));
    const char *const end = stream->buffer + stream->end;
    const char *at = stream->buffer + stream->begin;
    size_t n_hashes = 0, n_last = 0;
    while (at < end && *at == '#') {
        n_last = count_delimiters(at, end);
        at += strcspn(at, "\r\n");
        at += at < end && at[0] == '\r' && at[1] == '\n';
        at += at < end;
        n_hashes++;
    }
    at += strspn(at, "\r\n");
    if (n_hashes == 0 || at == end) return OW_OK;
    /* A line with as many fields as the next one is the header: "#id,income". */
    if (n_last == count_delimiters(at, end)) n_hashes--;
    for (; *n_lines < n_hashes; ++*n_lines) OWI_TRY(owi_csv_stream_pass_line(stream));
    if (n_hashes > 0)
        owi_log(stream->ctx, OW_LOG_INFO,
                "%s: the first %zu line%s with # and %s passed over", stream->name,
                n_hashes, n_hashes == 1 ? " begins" : "s begin",
                n_hashes == 1 ? "is" : "are");
    return OW_OK;
}

/* ---- Lines above the header ---- */

enum {
    most_looked_at = 100, /* records                          */
    most_above = 25,      /* of them above the header         */
    least_fields = 3,     /* of the table                     */
    least_rows = 3        /* of the table, its header counted */
};

/* How many fields the first records have, and at which line each begins, counted from the
 * line to come.  A record that the sample does not hold whole is not listed. */
typedef struct {
    size_t n, n_fields[most_looked_at], lines[most_looked_at];
    char *begins[most_looked_at];
} record_list;

static void list_records(const owi_csv_stream *stream, record_list *list)
{
    owi_csv_record record = {.capacity = 0};
    char *begin = stream->buffer + stream->begin, *end = stream->buffer + stream->end;
    size_t line = 0;
    list->n = 0;
    while (begin < end && list->n < most_looked_at &&
           owi_csv_scan(&stream->dialect, begin, end, stream->ended, &record) ==
               OWI_CSV_RECORD) {
        if (!record.blank) {
            list->begins[list->n] = begin;
            list->n_fields[list->n] = record.n_fields;
            list->lines[list->n++] = line;
        }
        line += record.n_lines;
        begin = record.next;
    }
}

/* The first record that has as many fields as all that follow, where those before it have
 * half as many at most; 0 if the table begins with the first. */
static size_t find_header(const record_list *list)
{
    if (list->n < least_rows + 1) return 0;
    const size_t n_fields = list->n_fields[list->n - 1];
    size_t first = list->n - 1;
    while (first > 0 && list->n_fields[first - 1] == n_fields) first--;
    if (n_fields < least_fields || first > most_above || list->n - first < least_rows)
        return 0;
    for (size_t i = 0; i < first; i++)
        if (list->n_fields[i] * 2 > n_fields) return 0;
    return first;
}

/* Whether the fields of a record, of the first so many, are names and no numbers. */
static bool are_names(const owi_csv_stream *stream, char *begin)
{
    enum { most_names = 64 };
    owi_csv_field fields[most_names];
    owi_csv_record record = {.fields = fields, .capacity = most_names};
    double number;
    owi_csv_scan(&stream->dialect, begin, stream->buffer + stream->end, stream->ended,
                 &record);
    for (size_t i = 0; i < record.n_fields && i < record.capacity; i++)
        if (fields[i].length == 0 ||
            owi_parse_number(fields[i].text, fields[i].length, &number, NULL))
            return false;
    return true;
}

ow_status owi_csv_stream_pass_preamble(owi_csv_stream *stream, size_t *n_lines)
{
    record_list list;
    *n_lines = 0;
    if (stream->dialect.delimiter == ' ') return OW_OK;
    OWI_TRY(owi_csv_stream_fill(stream, owi_csv_sample_size));
    list_records(stream, &list);
    const size_t header = find_header(&list);
    if (header == 0 || !are_names(stream, list.begins[header])) return OW_OK;
    const size_t n = list.lines[header];
    for (; *n_lines < n; ++*n_lines) OWI_TRY(owi_csv_stream_pass_line(stream));
    owi_log(stream->ctx, OW_LOG_WARN,
            "%s: the table starts in line %zu; the lines above have fewer fields and are "
            "passed over",
            stream->name, stream->line);
    return OW_OK;
}

/* ---- Records below the header ---- */

/* Whether a record ends with a delimiter. */
static bool ends_empty(const owi_csv_stream *stream, const char *begin,
                       const owi_csv_record *record)
{
    const char *end = record->next;
    while (end > begin && (end[-1] == '\n' || end[-1] == '\r')) end--;
    return end > begin && end[-1] == stream->dialect.delimiter;
}

ow_status owi_csv_stream_has_row_names(owi_csv_stream *stream, bool *has_names)
{
    enum { most_rows = 3 };
    const size_t n_fields = stream->record.n_fields;
    owi_csv_record record = {.capacity = 0};
    size_t n_longer = 0;
    *has_names = false;
    if (n_fields < 2) return OW_OK; /* a title, perhaps */
    const size_t header = (size_t)(stream->record.next - stream->buffer) - stream->begin;
    OWI_TRY(owi_csv_stream_fill(stream, header + owi_csv_sample_size));
    char *begin = stream->buffer + stream->begin + header;
    for (size_t i = 0; i < most_rows; i++) {
        if (owi_csv_scan(&stream->dialect, begin, stream->buffer + stream->end,
                         stream->ended, &record) != OWI_CSV_RECORD)
            break;
        if (record.n_fields != n_fields + 1 || ends_empty(stream, begin, &record))
            return OW_OK;
        n_longer++;
        begin = record.next;
        if (begin == stream->buffer + stream->end) break;
    }
    *has_names = n_longer >= 2;
    return OW_OK;
}

static bool is_import_id(const owi_csv_field *field)
{
    static const char start[] = "{\"\"ImportId\"\"", other[] = "{\"ImportId\"";
    const size_t n = sizeof start - 1, m = sizeof other - 1;
    return (field->length >= n && memcmp(field->text, start, n) == 0) ||
           (field->length >= m && memcmp(field->text, other, m) == 0);
}

ow_status owi_csv_stream_count_below(owi_csv_stream *stream, size_t *n_records)
{
    enum { most_below = 2 };
    owi_csv_field first;
    owi_csv_record record = {.fields = &first, .capacity = 1};
    *n_records = 0;
    OWI_TRY(owi_csv_stream_fill(stream, owi_csv_sample_size));
    char *begin = stream->buffer + stream->begin, *end = stream->buffer + stream->end;
    for (size_t i = 0; i < most_below; i++) {
        if (owi_csv_scan(&stream->dialect, begin, end, stream->ended, &record) !=
            OWI_CSV_RECORD)
            return OW_OK;
        if (record.n_fields > 0 && is_import_id(&first)) *n_records = i + 1;
        begin = record.next;
    }
    if (*n_records > 0)
        owi_log(stream->ctx, OW_LOG_INFO,
                "%s: below the header are the questions and import ids of Qualtrics, which "
                "are passed over",
                stream->name);
    return OW_OK;
}
