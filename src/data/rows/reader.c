/* SPDX-License-Identifier: MIT */
/* Files as rows of cells: finds out the format, names the columns, puts labels from a file
 * of their own behind each row.
 *
 *     byte source -> owi_rows (CSV, IDX, NPY) -> cells  | label |
 *     byte source -> a reader of the labels  ----------->  ^
 *
 * Rows and labels are read in step, so that neither is ever held in memory. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "base/text/spelling.h"
#include "data/array/npy_header.h"
#include "data/rows/reader_private.h"
#include "data/schema/schema_private.h"

static const char label_name[] = "label";

static ow_status open_labels(ow_reader *reader, const char *path);

/* ---- Opening ---- */

/* A text file never begins with two zero bytes, so that what does is IDX, good or bad. */
static ow_status find_format(owi_byte_source *source, const owi_format **format)
{
    unsigned char first[owi_npy_magic_size];
    size_t n;
    OWI_TRY(owi_byte_source_peek(source, first, sizeof first, &n));
    if (n == sizeof first && memcmp(first, owi_npy_magic, sizeof first) == 0)
        *format = &owi_format_npy;
    else if (n >= 2 && first[0] == 0 && first[1] == 0)
        *format = &owi_format_idx;
    else
        *format = &owi_format_csv;
    return OW_OK;
}

static ow_status make_names(ow_reader *reader)
{
    const size_t n = reader->rows.n_columns;
    reader->made_names = owi_alloc_array(reader->ctx, n, owi_plain_name_size);
    if (reader->made_names == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < n; j++) {
        char *name = reader->made_names + j * owi_plain_name_size;
        owi_plain_name(j, name);
        reader->names[j] = name;
    }
    return OW_OK;
}

static ow_status name_columns(ow_reader *reader)
{
    const owi_rows *rows = &reader->rows;
    reader->names = owi_alloc_array(reader->ctx, reader->n_columns, sizeof *reader->names);
    if (reader->names == NULL) return OW_ERR_MEMORY;
    if (rows->column_names == NULL)
        OWI_TRY(make_names(reader));
    else
        for (size_t j = 0; j < rows->n_columns; j++)
            reader->names[j] = rows->column_names[j];
    if (reader->labels == NULL) return OW_OK;

    for (size_t j = 0; j < rows->n_columns; j++)
        if (strcmp(reader->names[j], label_name) == 0)
            return owi_fail(
                OW_ERR_FORMAT,
                "%s: there is a column \"%s\" already, apart from the labels in "
                "%s",
                rows->name, label_name, reader->labels->rows.name);
    reader->names[rows->n_columns] = label_name;
    return OW_OK;
}

static ow_status open_rows(ow_reader *reader, const ow_read_options *options)
{
    owi_rows *rows = &reader->rows;
    OWI_TRY(find_format(rows->source, &rows->format));
    OWI_TRY(rows->format->open(rows, options));
    if (options->labels != NULL) OWI_TRY(open_labels(reader, options->labels));
    reader->n_columns = rows->n_columns + (reader->labels != NULL ? 1 : 0);
    OWI_TRY(name_columns(reader));
    reader->cells = owi_alloc_array(reader->ctx, reader->n_columns, sizeof *reader->cells);
    return reader->cells != NULL ? OW_OK : OW_ERR_MEMORY;
}

/* Takes the source over, also when it fails. */
static ow_status open_source(ow_context *ctx, owi_byte_source *source,
                             const ow_read_options *options, ow_reader **out)
{
    static const ow_read_options defaults;
    ow_reader *reader = owi_alloc_zeroed(ctx, sizeof *reader);
    if (reader == NULL) {
        owi_byte_source_free(source);
        return OW_ERR_MEMORY;
    }
    reader->ctx = ctx;
    reader->rows.ctx = ctx;
    reader->rows.source = source;
    reader->rows.name = owi_byte_source_name(source);
    reader->at_start = true;
    const ow_status status = open_rows(reader, options != NULL ? options : &defaults);
    if (status == OW_OK)
        *out = reader;
    else
        ow_reader_free(reader);
    return status;
}

ow_status ow_reader_open(ow_context *ctx, const char *path, const ow_read_options *options,
                         ow_reader **out)
{
    OWI_REQUIRE(ctx != NULL && path != NULL && out != NULL);
    *out = NULL;
    if (options != NULL && options->labels != NULL && strcmp(path, "-") == 0 &&
        strcmp(options->labels, "-") == 0)
        return owi_fail(OW_ERR_ARGUMENT,
                        "standard input cannot hold both the rows and the labels");
    owi_byte_source *source;
    OWI_TRY(owi_byte_source_open(ctx, path, &source));
    return open_source(ctx, source, options, out);
}

ow_status ow_reader_open_memory(ow_context *ctx, const void *bytes, size_t size,
                                const char *name, const ow_read_options *options,
                                ow_reader **out)
{
    OWI_REQUIRE(ctx != NULL && (bytes != NULL || size == 0) && name != NULL && out != NULL);
    *out = NULL;
    owi_byte_source *source;
    OWI_TRY(owi_byte_source_open_memory(ctx, bytes, size, name, &source));
    return open_source(ctx, source, options, out);
}

void owi_rows_clear(owi_rows *rows)
{
    if (rows->format != NULL) rows->format->close(rows);
    for (size_t j = 0; rows->column_names != NULL && j < rows->n_columns; j++)
        owi_free(rows->ctx, rows->column_names[j]);
    owi_free(rows->ctx, rows->column_names);
    owi_byte_source_free(rows->source);
}

void ow_reader_free(ow_reader *reader)
{
    if (reader == NULL) return;
    ow_context *ctx = reader->ctx;
    owi_rows_clear(&reader->rows);
    ow_reader_free(reader->labels);
    owi_binding_clear(ctx, &reader->binding);
    owi_class_filter_free(ctx, reader->filter);
    owi_free(ctx, reader->names);
    owi_free(ctx, reader->made_names);
    owi_free(ctx, reader->cells);
    if (reader->id != NULL) {
        owi_free(ctx, reader->id->text);
        owi_free(ctx, reader->id->start);
    }
    owi_free(ctx, reader->id);
    owi_free(ctx, reader);
}

/* ---- Labels ---- */

/* Whether a text begins with a line that holds the word label alone, perhaps quoted. */
static ow_status has_label_header(owi_byte_source *source, bool *has_header)
{
    static const char *const headers[] = {"label\n", "label\r", "\"label\"\n",
                                          "\"label\"\r"};
    char first[16];
    size_t n;
    OWI_TRY(owi_byte_source_peek(source, first, sizeof first, &n));
    const size_t start = n >= 3 && memcmp(first, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *has_header = false;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        const size_t length = strlen(headers[i]);
        if (n - start >= length && memcmp(first + start, headers[i], length) == 0)
            *has_header = true;
    }
    return OW_OK;
}

static ow_status wrong_label_count(const ow_reader *reader, size_t n_labels, size_t n_rows)
{
    return owi_fail(OW_ERR_FORMAT, "%s: %zu label%s, but %s has %zu row%s",
                    reader->labels->rows.name, n_labels, n_labels == 1 ? "" : "s",
                    reader->rows.name, n_rows, n_rows == 1 ? "" : "s");
}

/* A label may hold commas and spaces: of what separates fields, only a tab does here. */
static ow_status open_labels(ow_reader *reader, const char *path)
{
    ow_read_options options = {.delimiter = '\t'};
    bool has_header;
    owi_byte_source *source;
    OWI_TRY(owi_byte_source_open(reader->ctx, path, &source));
    const ow_status status = has_label_header(source, &has_header);
    if (status != OW_OK) {
        owi_byte_source_free(source);
        return status;
    }
    options.no_header = !has_header;
    OWI_TRY(open_source(reader->ctx, source, &options, &reader->labels));

    const ow_reader *labels = reader->labels;
    if (labels->n_columns != 1)
        return owi_fail(OW_ERR_FORMAT, "%s: expected one label a row, got %zu columns",
                        labels->rows.name, labels->n_columns);
    const size_t n_labels = labels->rows.n_rows, n_rows = reader->rows.n_rows;
    if (n_labels != 0 && n_rows != 0 && n_labels != n_rows)
        return wrong_label_count(reader, n_labels, n_rows);
    return OW_OK;
}

/* How many rows there are in all, by reading on. */
static ow_status count_rows(ow_reader *reader, size_t *n)
{
    for (bool at_end = false; !at_end;) {
        OWI_TRY(reader->rows.format->next(&reader->rows, reader->cells, &at_end));
        if (!at_end) reader->n_read++;
    }
    *n = reader->n_read;
    return OW_OK;
}

/* The label of the row just read, which must not end before or after the rows. */
static ow_status next_label(ow_reader *reader, bool rows_at_end)
{
    const owi_cell *label;
    bool labels_at_end;
    OWI_TRY(owi_reader_next_cells(reader->labels, &label, &labels_at_end));
    if (labels_at_end != rows_at_end) {
        size_t n_rows, n_labels;
        if (!rows_at_end) reader->n_read++;
        OWI_TRY(count_rows(reader, &n_rows));
        OWI_TRY(count_rows(reader->labels, &n_labels));
        return wrong_label_count(reader, n_labels, n_rows);
    }
    if (!labels_at_end) reader->cells[reader->rows.n_columns] = *label;
    return OW_OK;
}

/* ---- Rows ---- */

static ow_status read_row(ow_reader *reader, bool *at_end)
{
    OWI_TRY(reader->rows.format->next(&reader->rows, reader->cells, at_end));
    if (reader->labels != NULL) OWI_TRY(next_label(reader, *at_end));
    if (!*at_end) reader->n_read++;
    return OW_OK;
}

ow_status owi_reader_next_cells(ow_reader *reader, const owi_cell **cells, bool *at_end)
{
    reader->at_start = false;
    *cells = reader->cells;
    for (bool keeps = false; !keeps;) {
        OWI_TRY(read_row(reader, at_end));
        if (*at_end || reader->filter == NULL) return OW_OK;
        OWI_TRY(owi_reader_keeps(reader, &keeps));
    }
    return OW_OK;
}

/* Where nothing has been read there is nothing to go back to: so a pipe can be read from
 * its start, too. */
ow_status ow_reader_rewind(ow_reader *reader)
{
    OWI_REQUIRE(reader != NULL);
    if (reader->at_start) return OW_OK;
    OWI_TRY(owi_byte_source_rewind(reader->rows.source));
    OWI_TRY(reader->rows.format->restart(&reader->rows));
    if (reader->labels != NULL) OWI_TRY(ow_reader_rewind(reader->labels));
    reader->n_read = 0;
    reader->at_start = true;
    return OW_OK;
}

/* ---- Getters ---- */

size_t ow_reader_n_columns(const ow_reader *reader)
{
    return reader->n_columns;
}

const char *ow_reader_column_name(const ow_reader *reader, size_t column)
{
    return reader->names[column];
}

ow_layout ow_reader_layout(const ow_reader *reader)
{
    return reader->rows.layout;
}

double ow_reader_share(const ow_reader *reader)
{
    const owi_rows *rows = &reader->rows;
    if (rows->format->share != NULL) return rows->format->share(rows);
    return rows->n_rows > 0 ? (double)reader->n_read / (double)rows->n_rows : NAN;
}

uint64_t owi_reader_bytes_read(const ow_reader *reader)
{
    return owi_byte_source_bytes_read(reader->rows.source) +
           (reader->labels != NULL ? owi_reader_bytes_read(reader->labels) : 0);
}

void owi_reader_set_deaf(ow_reader *reader, bool deaf)
{
    owi_byte_source_set_deaf(reader->rows.source, deaf);
    if (reader->labels != NULL) owi_reader_set_deaf(reader->labels, deaf);
}

ow_context *owi_reader_context(const ow_reader *reader)
{
    return reader->ctx;
}

static const char *name_of(const void *user, size_t column)
{
    return ow_reader_column_name(user, column);
}

ow_status owi_reader_no_column(const ow_reader *reader, ow_status status, const char *name)
{
    char quoted[owi_quote_size];
    if (reader->made_names == NULL)
        return owi_fail_unknown(status, reader->rows.name, "column", name,
                                reader->n_columns, name_of, reader);
    return owi_fail(status,
                    "%s: there is no column %s; the file names none, so that they are x0, "
                    "x1, ...",
                    reader->rows.name, owi_quote_text(name, quoted));
}

bool owi_reader_tells_first(ow_reader *reader, owi_note note)
{
    const bool first = !reader->told[note];
    reader->told[note] = true;
    return first;
}

bool owi_reader_has_bytes(const ow_reader *reader)
{
    return reader->rows.has_bytes;
}

const char *owi_reader_name(const ow_reader *reader)
{
    return reader->rows.name;
}

void owi_reader_place(const ow_reader *reader, char *text, size_t size)
{
    reader->rows.format->place(&reader->rows, text, size);
}
