/* SPDX-License-Identifier: MIT */
/* CSV as a format of reader.h: the first record names the columns, or is the first row of
 * columns x0, x1, ...; every further record is a row with as many fields. */
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "base/text/string_map.h"
#include "data/csv/csv.h"
#include "data/schema/schema_private.h"

static const owi_csv_sizes standard_sizes = {.block = 512 * 1024,
                                             .max_record = 64 * 1024 * 1024};

typedef struct {
    owi_csv_stream stream;
    bool has_header;
    size_t skip;        /* lines before the first record    */
    size_t below;       /* records below the header that are no rows */
    bool has_row_names; /* the first field of rows, which the header lacks */
    size_t n_rows;      /* given so far                     */
    size_t row_line;    /* of the row last given            */
    bool has_extra;     /* rows end with one more delimiter than the header */
    bool told_extra, told_header;
} csv_state;

/* ---- The header ---- */

/* The copy of a column's name; one without name is called as it would be without header. */
static char *copy_name(owi_rows *rows, const csv_state *csv, size_t column)
{
    static const char row_names[] = "rownames";
    if (csv->has_row_names && column == 0)
        return owi_copy_text(rows->ctx, row_names, sizeof row_names - 1);
    const owi_csv_field *field = &csv->stream.record.fields[column - csv->has_row_names];
    if (field->length > 0) return owi_copy_text(rows->ctx, field->text, field->length);
    char name[owi_plain_name_size];
    const size_t length = owi_plain_name(column, name);
    owi_log(rows->ctx, OW_LOG_INFO, "%s:%zu: column %zu has no name and is called %s",
            rows->name, csv->stream.line, column + 1, name);
    return owi_copy_text(rows->ctx, name, length);
}

static ow_status check_unique(const owi_rows *rows, const csv_state *csv,
                              owi_string_map *names)
{
    char quoted[owi_quote_size];
    for (size_t i = 0; i < rows->n_columns; i++) {
        const char *name = rows->column_names[i];
        const size_t length = strlen(name);
        size_t first;
        OWI_TRY(owi_string_map_add(names, name, length, &first));
        if (first < i)
            return owi_fail(
                OW_ERR_FORMAT,
                "%s:%zu: columns %zu and %zu are both named %s; rename one of them, or, "
                "if this line is a row and no header, use no_header (--no-header)",
                rows->name, csv->stream.line, first + 1, i + 1,
                owi_quote(name, length, quoted));
    }
    return OW_OK;
}

static void warn_of_numbers(const owi_rows *rows, const csv_state *csv)
{
    double number;
    for (size_t i = 0; i < csv->stream.record.n_fields; i++) {
        const owi_csv_field *field = &csv->stream.record.fields[i];
        if (!owi_parse_number(field->text, field->length, &number, NULL)) return;
    }
    owi_log(
        rows->ctx, OW_LOG_WARN,
        "%s:%zu: all column names are numbers; if this line is a row and no header, use "
        "no_header (--no-header)",
        rows->name, csv->stream.line);
}

static ow_status read_names(owi_rows *rows, csv_state *csv)
{
    owi_string_map *names = NULL;
    ow_status status = OW_ERR_MEMORY;
    owi_csv_undouble(&csv->stream.record);
    rows->column_names = owi_alloc_array(rows->ctx, rows->n_columns, sizeof(char *));
    if (rows->column_names == NULL) goto done;
    for (size_t i = 0; i < rows->n_columns; i++) {
        rows->column_names[i] = copy_name(rows, csv, i);
        if (rows->column_names[i] == NULL) goto done;
    }
    status = owi_string_map_new(rows->ctx, &names);
    if (status == OW_OK) status = check_unique(rows, csv, names);
    if (status == OW_OK) warn_of_numbers(rows, csv);
done:
    owi_string_map_free(names);
    return status;
}

/* ---- The format ---- */

static ow_status set_delimiter(owi_csv_stream *stream, char delimiter)
{
    if (delimiter == '\0') return owi_csv_stream_find_delimiter(stream);
    owi_csv_dialect_init(&stream->dialect, delimiter);
    return OW_OK;
}

static ow_status set_decimal(owi_rows *rows, csv_state *csv, char decimal)
{
    if (csv->stream.dialect.delimiter == ',') return OW_OK;
    char mark = decimal;
    if (decimal == '\0') OWI_TRY(owi_csv_stream_find_decimal(&csv->stream, &mark));
    rows->decimal_comma = mark == ',';
    return OW_OK;
}

/* Reading on may move the header, which is then scanned again. */
static ow_status find_row_names(owi_rows *rows, csv_state *csv)
{
    bool at_end;
    OWI_TRY(owi_csv_stream_has_row_names(&csv->stream, &csv->has_row_names));
    OWI_TRY(owi_csv_stream_next(&csv->stream, owi_max_columns, &at_end));
    csv->has_row_names = csv->has_row_names && rows->n_columns < owi_max_columns;
    if (!csv->has_row_names) return OW_OK;
    rows->n_columns++;
    owi_log(rows->ctx, OW_LOG_INFO,
            "%s: rows have one field more than the header; the first is taken for their "
            "names, as R writes them, and called rownames",
            rows->name);
    return OW_OK;
}

/* The first record tells the number of columns. */
static ow_status read_first_record(owi_rows *rows, csv_state *csv)
{
    const owi_csv_record *record = &csv->stream.record;
    bool at_end;
    OWI_TRY(owi_csv_stream_next(&csv->stream, owi_max_columns, &at_end));
    if (at_end) return owi_fail(OW_ERR_FORMAT, "%s: nothing but blank lines", rows->name);
    if (record->n_fields > owi_max_columns)
        return owi_fail(OW_ERR_FORMAT, "%s:%zu: %zu columns, at most %d are possible",
                        rows->name, csv->stream.line, record->n_fields, owi_max_columns);
    rows->n_columns = record->n_fields;
    if (!csv->has_header) return OW_OK;
    OWI_TRY(find_row_names(rows, csv));
    OWI_TRY(owi_csv_stream_decode(&csv->stream));
    OWI_TRY(read_names(rows, csv));
    owi_csv_stream_consume(&csv->stream);
    return OW_OK;
}

static ow_status pass_records(owi_csv_stream *stream, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool at_end;
        OWI_TRY(owi_csv_stream_next(stream, 0, &at_end));
        if (at_end) return OW_OK;
        owi_csv_stream_consume(stream);
    }
    return OW_OK;
}

ow_status owi_csv_open_with_sizes(owi_rows *rows, const ow_read_options *options,
                                  owi_csv_sizes sizes)
{
    const char delimiter = options->delimiter;
    char quoted[owi_quote_size];
    if (delimiter != '\0' && strchr(",;\t| ", delimiter) == NULL)
        return owi_fail(OW_ERR_ARGUMENT,
                        "delimiter %s is none of comma, semicolon, tab, bar and space",
                        owi_quote(&delimiter, 1, quoted));
    if (options->decimal != '\0' && strchr(".,", options->decimal) == NULL)
        return owi_fail(OW_ERR_ARGUMENT, "decimal mark %s is neither point nor comma",
                        owi_quote(&options->decimal, 1, quoted));
    csv_state *csv = owi_alloc_zeroed(rows->ctx, sizeof *csv);
    if (csv == NULL) return OW_ERR_MEMORY;
    rows->state = csv;
    rows->layout = (ow_layout){.kind = OW_LAYOUT_TABLE};
    csv->has_header = !options->no_header;
    csv->skip = options->skip;
    OWI_TRY(owi_csv_stream_init(&csv->stream, rows->ctx, rows->source, rows->name, sizes));
    OWI_TRY(owi_csv_stream_start(&csv->stream, csv->skip));
    char told;
    OWI_TRY(owi_csv_stream_pass_separator(&csv->stream, &told));
    csv->skip += told != '\0';
    size_t n_comments;
    OWI_TRY(owi_csv_stream_pass_comments(&csv->stream, &n_comments));
    csv->skip += n_comments;
    OWI_TRY(set_delimiter(&csv->stream, delimiter != '\0' ? delimiter : told));
    if (csv->has_header && options->skip == 0) {
        size_t n_above;
        OWI_TRY(owi_csv_stream_pass_preamble(&csv->stream, &n_above));
        csv->skip += n_above;
    }
    OWI_TRY(set_decimal(rows, csv, options->decimal));
    OWI_TRY(read_first_record(rows, csv));
    if (!csv->has_header) return OW_OK;
    OWI_TRY(owi_csv_stream_count_below(&csv->stream, &csv->below));
    return pass_records(&csv->stream, csv->below);
}

static ow_status open(owi_rows *rows, const ow_read_options *options)
{
    return owi_csv_open_with_sizes(rows, options, standard_sizes);
}

static ow_status restart(owi_rows *rows)
{
    csv_state *csv = rows->state;
    csv->n_rows = 0;
    OWI_TRY(owi_csv_stream_start(&csv->stream, csv->skip));
    return pass_records(&csv->stream, csv->has_header ? 1 + csv->below : 0);
}

/* Whether the record is the file's last and has no line end. */
static bool is_cut_off(const owi_csv_stream *stream)
{
    return stream->ended && stream->record.next == stream->buffer + stream->end &&
           stream->record.n_lines == 0;
}

/* The first two records may be no part of the table, which then starts further down. */
static ow_status fail_ragged(const owi_rows *rows, const csv_state *csv)
{
    const bool at_start = csv->n_rows + csv->has_header < 2;
    const size_t n = csv->stream.record.n_fields, wanted = rows->n_columns + csv->has_extra;
    return owi_fail(
        OW_ERR_FORMAT, "%s:%zu: %zu field%s, expected %zu%s", rows->name, csv->stream.line,
        n, n == 1 ? "" : "s", wanted,
        at_start ? "; if the table starts further down, pass over the lines before "
                   "it with skip (--skip N)"
        : n < wanted && is_cut_off(&csv->stream)
            ? "; the file ends here without a line end, so that it may have been "
              "cut off"
            : "");
}

/* Whether the record is the header once more, as where files were joined. */
static bool repeats_header(const owi_rows *rows, const csv_state *csv)
{
    const owi_csv_record *record = &csv->stream.record;
    for (size_t i = 0; i < rows->n_columns; i++) {
        const owi_csv_field *field = &record->fields[i];
        const char *name = rows->column_names[i];
        if (field->length != strlen(name) || memcmp(field->text, name, field->length) != 0)
            return false;
    }
    return true;
}

/* Nearly all rows are told from the header by their first byte. */
static bool may_repeat_header(const owi_rows *rows, const csv_state *csv)
{
    const owi_csv_field *first = csv->stream.record.fields;
    return csv->has_header && rows->n_columns >= 2 &&
           (first->length == 0 || first->text[0] == rows->column_names[0][0]);
}

static bool is_behind_limit(const owi_csv_stream *stream)
{
    return stream->limit > 0 && owi_csv_stream_at(stream) >= stream->limit;
}

/* The next record that is no header.  Whether rows end with a delimiter that the header
 * lacks is settled by the first: an empty field elsewhere may be one too many. */
static ow_status next_record(owi_rows *rows, csv_state *csv, bool *at_end)
{
    owi_csv_record *record = &csv->stream.record;
    const size_t n = rows->n_columns;
    for (;;) {
        *at_end = is_behind_limit(&csv->stream);
        if (*at_end) return OW_OK;
        OWI_TRY(owi_csv_stream_next(&csv->stream, n + 1, at_end));
        if (*at_end) return OW_OK;
        if (record->any_high) OWI_TRY(owi_csv_stream_decode(&csv->stream));
        const bool ends_empty = record->n_fields == n + 1 && record->fields[n].length == 0;
        if (record->n_fields == n && may_repeat_header(rows, csv) &&
            repeats_header(rows, csv)) {
            if (!csv->told_header)
                owi_log(rows->ctx, OW_LOG_WARN,
                        "%s:%zu: this line is the header once more and is passed over, and "
                        "so are others like it",
                        rows->name, csv->stream.line);
            csv->told_header = true;
            owi_csv_stream_consume(&csv->stream);
            continue;
        }
        if (csv->n_rows == 0 && csv->has_header) csv->has_extra = ends_empty;
        if (csv->has_extra ? !ends_empty : record->n_fields != n)
            return fail_ragged(rows, csv);
        if (csv->has_extra && !csv->told_extra)
            owi_log(rows->ctx, OW_LOG_WARN,
                    "%s:%zu: rows end with one delimiter more than the header; what is "
                    "behind it is empty and left out",
                    rows->name, csv->stream.line);
        csv->told_extra = csv->has_extra;
        return OW_OK;
    }
}

static ow_status next(owi_rows *rows, owi_cell *cells, bool *at_end)
{
    csv_state *csv = rows->state;
    owi_csv_record *record = &csv->stream.record;
    OWI_TRY(next_record(rows, csv, at_end));
    if (*at_end && csv->n_rows == 0)
        return owi_fail(OW_ERR_FORMAT, "%s: no rows below the header", rows->name);
    if (*at_end) return OW_OK;
    owi_csv_undouble(record);
    for (size_t i = 0; i < rows->n_columns; i++)
        cells[i] =
            (owi_cell){.text = record->fields[i].text, .length = record->fields[i].length};
    csv->row_line = csv->stream.line;
    csv->n_rows++;
    owi_csv_stream_consume(&csv->stream);
    return OW_OK;
}

static uint64_t at(const owi_rows *rows)
{
    const csv_state *csv = rows->state;
    return owi_csv_stream_at(&csv->stream);
}

static ow_status go_to(owi_rows *rows, uint64_t at, bool is_row, uint64_t limit)
{
    csv_state *csv = rows->state;
    OWI_REQUIRE(csv->n_rows > 0);
    csv->stream.limit = limit;
    return is_row ? owi_csv_stream_go_to(&csv->stream, at)
                  : owi_csv_stream_go_to_line(&csv->stream, at);
}

static void add_lines(owi_rows *rows, size_t n)
{
    csv_state *csv = rows->state;
    csv->stream.line += n;
    csv->row_line += n;
}

static void close(owi_rows *rows)
{
    csv_state *csv = rows->state;
    if (csv == NULL) return;
    owi_csv_stream_clear(&csv->stream);
    owi_free(rows->ctx, csv);
    rows->state = NULL;
}

static void place(const owi_rows *rows, char *text, size_t size)
{
    const csv_state *csv = rows->state;
    snprintf(text, size, "%s:%zu", rows->name, csv->row_line);
}

static double share(const owi_rows *rows)
{
    const csv_state *csv = rows->state;
    return owi_byte_source_share(rows->source, csv->stream.end - csv->stream.begin);
}

const owi_format owi_format_csv = {.name = "CSV",
                                   .open = open,
                                   .next = next,
                                   .restart = restart,
                                   .close = close,
                                   .share = share,
                                   .place = place,
                                   .at = at,
                                   .go_to = go_to,
                                   .add_lines = add_lines};
