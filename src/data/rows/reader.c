/* SPDX-License-Identifier: MIT */
/* Rows of cells, wherever they come from: finds out the format of a file, names the
 * columns, puts labels from a file of their own (reader_labels.c) and columns from memory
 * (reader_columns.c) behind each row.
 *
 *     bytes  -> CSV, IDX, NPY  \
 *     stream -> Arrow           -> cells  | label | columns from memory |
 *     memory -> nothing        /             ^
 *     bytes  -> a reader of the labels ------/
 *
 * Rows and labels are read in step, so that neither is ever held in memory. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/options.h"
#include "base/text/name_list.h"
#include "base/text/quote.h"
#include "base/text/spelling.h"
#include "data/array/npy_header.h"
#include "data/rows/reader_private.h"
#include "data/schema/schema_private.h"

/* ---- Opening ---- */

/* A text file never begins with two zero bytes, so that what does is IDX, good or bad. */
ow_status owi_find_format(owi_byte_source *source, const owi_format **format)
{
    unsigned char first[owi_kind_size];
    size_t n;
    OWI_TRY(owi_byte_source_peek(source, first, sizeof first, &n));
    OWI_TRY(owi_check_file_kind(owi_byte_source_name(source), first, n));
    if (n >= owi_npy_magic_size && memcmp(first, owi_npy_magic, owi_npy_magic_size) == 0)
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
    if (rows->column_names == NULL && rows->n_columns > 0)
        OWI_TRY(make_names(reader));
    else
        for (size_t j = 0; j < rows->n_columns; j++)
            reader->names[j] = rows->column_names[j];
    if (reader->labels == NULL) return OW_OK;

    for (size_t j = 0; j < rows->n_columns; j++)
        if (strcmp(reader->names[j], owi_label_name) == 0)
            return owi_fail(
                OW_ERR_FORMAT,
                "%s: there is a column \"%s\" already, apart from the labels in "
                "%s",
                rows->name, owi_label_name, reader->labels->rows.name);
    reader->names[rows->n_columns] = owi_label_name;
    return OW_OK;
}

static ow_status open_rows(ow_reader *reader, const ow_read_options *options)
{
    owi_rows *rows = &reader->rows;
    if (rows->format == NULL) OWI_TRY(owi_find_format(rows->source, &rows->format));
    if (rows->format->open != NULL) OWI_TRY(rows->format->open(rows, options));
    if (options->labels != NULL) OWI_TRY(owi_reader_open_labels(reader, options->labels));
    reader->n_columns = rows->n_columns + (reader->labels != NULL ? 1 : 0);
    OWI_TRY(name_columns(reader));
    reader->cells = owi_alloc_array(reader->ctx, reader->n_columns, sizeof *reader->cells);
    return reader->cells != NULL ? OW_OK : OW_ERR_MEMORY;
}

ow_status owi_reader_open_rows(ow_context *ctx, const owi_rows *rows,
                               const ow_read_options *options, const owi_call *call,
                               ow_reader **out)
{
    ow_read_options own = {.size = sizeof own};
    owi_rows taken = *rows;
    *out = NULL;
    ow_status status = OWI_OPTIONS_TAKE(ow_read_options, options, &own);
    ow_reader *reader = NULL;
    if (status == OW_OK) {
        reader = owi_alloc_zeroed(ctx, sizeof *reader);
        if (reader == NULL) status = OW_ERR_MEMORY;
    }
    if (status != OW_OK) {
        owi_rows_clear(&taken);
        return status;
    }
    reader->ctx = ctx;
    reader->call = call;
    reader->rows = taken;
    reader->at_start = true;
    status = open_rows(reader, &own);
    if (status == OW_OK)
        *out = reader;
    else
        ow_reader_free(reader);
    return status;
}

ow_status owi_reader_open_source(ow_context *ctx, owi_byte_source *source,
                                 const ow_read_options *options, const owi_call *call,
                                 ow_reader **out)
{
    const owi_rows rows = {.ctx = ctx,
                           .source = source,
                           .name = owi_byte_source_name(source)};
    return owi_reader_open_rows(ctx, &rows, options, call, out);
}

ow_status ow_reader_open(ow_context *ctx, const char *path, const ow_read_options *options,
                         const ow_call *call, ow_reader **out)
{
    OWI_REQUIRE(ctx != NULL && path != NULL && out != NULL);
    *out = NULL;
    ow_read_options own = {.size = sizeof own};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_read_options, options, &own));
    if (own.labels != NULL && strcmp(path, "-") == 0 && strcmp(own.labels, "-") == 0)
        return owi_fail(OW_ERR_ARGUMENT,
                        "standard input cannot hold both the rows and the labels");
    owi_byte_source *source;
    owi_call running;
    OWI_TRY(owi_call_begin(&running, ctx, call));
    OWI_TRY(owi_byte_source_open(ctx, path, &running, &source));
    OWI_TRY(owi_reader_open_source(ctx, source, &own, &running, out));
    owi_reader_set_call(*out, NULL);
    const ow_status status = owi_reader_keep_paths(*out, 1, &path, &own);
    if (status == OW_OK) return OW_OK;
    ow_reader_free(*out);
    *out = NULL;
    return status;
}

ow_status ow_reader_open_memory(ow_context *ctx, const void *bytes, size_t size,
                                const char *name, const ow_read_options *options,
                                ow_reader **out)
{
    OWI_REQUIRE(ctx != NULL && (bytes != NULL || size == 0) && name != NULL && out != NULL);
    *out = NULL;
    owi_byte_source *source;
    OWI_TRY(owi_byte_source_open_memory(ctx, bytes, size, name, &source));
    return owi_reader_open_source(ctx, source, options, NULL, out);
}

void owi_rows_clear(owi_rows *rows)
{
    if (rows->format != NULL) rows->format->close(rows);
    for (size_t j = 0; rows->column_names != NULL && j < rows->n_columns; j++)
        owi_free(rows->ctx, rows->column_names[j]);
    owi_free(rows->ctx, rows->column_names);
    owi_free(rows->ctx, rows->own_name);
    owi_byte_source_free(rows->source);
}

void ow_reader_free(ow_reader *reader)
{
    if (reader == NULL) return;
    ow_context *ctx = reader->ctx;
    owi_rows_clear(&reader->rows);
    ow_reader_free(reader->labels);
    owi_memory_columns_clear(ctx, &reader->memory);
    owi_binding_clear(ctx, &reader->binding);
    owi_class_filter_free(ctx, reader->filter);
    owi_reader_free_paths(reader);
    owi_free(ctx, reader->names);
    owi_free(ctx, reader->made_names);
    owi_free(ctx, reader->cells);
    if (reader->id != NULL) {
        owi_free(ctx, reader->id->text);
        owi_free(ctx, reader->id->start);
    }
    owi_free(ctx, reader->id);
    owi_free(ctx, reader->texts.text);
    owi_free(ctx, reader->texts.start);
    owi_free(ctx, reader);
}

/* ---- Rows ---- */

static ow_status read_row(ow_reader *reader, bool *at_end)
{
    OWI_TRY(reader->rows.format->next(&reader->rows, reader->cells, at_end));
    if (reader->labels != NULL) OWI_TRY(owi_reader_next_label(reader, *at_end));
    if (reader->memory.n > 0) OWI_TRY(owi_reader_next_of_memory(reader, *at_end));
    if (!*at_end) reader->n_read++;
    return OW_OK;
}

ow_status owi_reader_next_cells(ow_reader *reader, const owi_cell **cells, bool *at_end)
{
    reader->at_start = false;
    *cells = reader->cells;
    for (bool keeps = false; !keeps;) {
        OWI_TRY(owi_reader_tick(reader));
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
    if (reader->rows.source != NULL) OWI_TRY(owi_byte_source_rewind(reader->rows.source));
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
    const owi_byte_source *source = reader->rows.source;
    return (source != NULL ? owi_byte_source_bytes_read(source) : 0) +
           (reader->labels != NULL ? owi_reader_bytes_read(reader->labels) : 0);
}

/* Asking takes as long as reading a few cells: once in some microseconds is enough. */
ow_status owi_reader_tick(ow_reader *reader)
{
    enum { cells_of_tick = 512 };
    reader->n_unheard += reader->n_columns;
    if (reader->call == NULL || reader->n_unheard < cells_of_tick) return OW_OK;
    reader->n_unheard = 0;
    return owi_call_tick(reader->call);
}

void owi_reader_set_call(ow_reader *reader, const owi_call *call)
{
    reader->call = call;
    if (reader->rows.source != NULL) owi_byte_source_set_call(reader->rows.source, call);
    if (reader->labels != NULL) owi_reader_set_call(reader->labels, call);
}

ow_context *owi_reader_context(const ow_reader *reader)
{
    return reader->ctx;
}

static const char *name_of(const void *user, size_t column)
{
    return ow_reader_column_name(user, column);
}

/* Whether the first line may be a title: it is one field, or has fields without a name. */
static bool seems_to_start_below(const ow_reader *reader)
{
    char plain[owi_plain_name_size];
    if (reader->rows.layout.kind != OW_LAYOUT_TABLE) return false;
    for (size_t j = 0; j < reader->n_columns; j++) {
        owi_plain_name(j, plain);
        if (strcmp(plain, reader->names[j]) == 0) return true;
    }
    return reader->n_columns == 1;
}

ow_status owi_reader_no_column(const ow_reader *reader, ow_status status, const char *name)
{
    char quoted[owi_quote_size];
    if (reader->made_names == NULL) {
        owi_fail_unknown(status, reader->rows.name, "column", name, reader->n_columns,
                         name_of, reader);
        if (strstr(ow_error_message(), "did you mean") != NULL) return status;
        owi_name_list names = {0};
        for (size_t j = 0; j < reader->n_columns && !names.is_cut; j++)
            owi_name_list_add(&names, owi_quote_text(reader->names[j], quoted));
        return owi_fail(status, "%s; the columns are %s%s", ow_error_message(), names.text,
                        seems_to_start_below(reader)
                            ? "; if the table starts further down, pass over the lines "
                              "before it with skip (--skip N)"
                            : "");
    }
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

bool owi_reader_decimal_comma(const ow_reader *reader)
{
    return reader->rows.decimal_comma;
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
