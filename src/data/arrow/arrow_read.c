/* SPDX-License-Identifier: MIT */
/* An Arrow stream as a source of rows.  Its arrays are chunks of rows, each a struct whose
 * children are the columns:
 *
 *     stream -> chunk, chunk, ... -> row i of a chunk -> cells
 *
 * Cells of texts point into the arrays.  Chunks are kept for a second look, or released
 * when the next one comes. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "data/arrow/arrow_array.h"
#include "data/rows/reader_private.h"
#include "data/schema/schema_private.h"

typedef struct {
    struct ArrowArrayStream stream;
    bool keeps, at_end;
    owi_arrow_column *columns;
    char *texts; /* what columns[j].text points into */
    struct ArrowArray *chunks;
    size_t n_chunks, capacity; /* those that are held                              */
    size_t chunk;              /* the one being read                               */
    int64_t row;               /* next row of it                                   */
    size_t n_given;            /* rows given so far                                */
    bool passed;               /* rows are gone that were not kept                 */
} arrow_state;

/* ---- The stream ---- */

static void release_array(struct ArrowArray *array)
{
    if (array->release != NULL) array->release(array);
    array->release = NULL;
}

static ow_status stream_failed(const owi_rows *rows, int code, const char *what)
{
    arrow_state *state = rows->state;
    const char *why = state->stream.get_last_error != NULL
                          ? state->stream.get_last_error(&state->stream)
                          : NULL;
    return owi_fail(OW_ERR_IO, "%s: the stream gives %s: %s", rows->name, what,
                    why != NULL ? why : strerror(code));
}

/* Puts stream, column and perhaps the row before a sentence about a column. */
static ow_status name_column(const owi_rows *rows, ow_status status, size_t j, size_t row)
{
    char quoted[owi_quote_size], place[64] = "";
    if (status != OW_ERR_FORMAT && status != OW_ERR_UNSUPPORTED) return status;
    if (row > 0) snprintf(place, sizeof place, "row %zu: ", row);
    return owi_fail(status, "%s: %scolumn %s: %s", rows->name, place,
                    owi_quote_text(rows->column_names[j], quoted), ow_error_message());
}

/* ---- The schema ---- */

static ow_status name_of_child(owi_rows *rows, const struct ArrowSchema *child, size_t j)
{
    char made[owi_plain_name_size];
    const char *name = child->name;
    if (name == NULL || name[0] == '\0') {
        owi_plain_name(j, made);
        name = made;
    }
    rows->column_names[j] = owi_copy_text(rows->ctx, name, strlen(name));
    return rows->column_names[j] != NULL ? OW_OK : OW_ERR_MEMORY;
}

static ow_status check_names(const owi_rows *rows)
{
    owi_string_map *names;
    char quoted[owi_quote_size];
    OWI_TRY(owi_string_map_new(rows->ctx, &names));
    ow_status status = OW_OK;
    for (size_t j = 0, index; j < rows->n_columns && status == OW_OK; j++) {
        const char *name = rows->column_names[j];
        status = owi_string_map_add(names, name, strlen(name), &index);
        if (status == OW_OK && index != j)
            status = owi_fail(OW_ERR_FORMAT, "%s: two columns are named %s", rows->name,
                              owi_quote_text(name, quoted));
    }
    owi_string_map_free(names);
    return status;
}

static bool is_printed(const owi_arrow_column *column)
{
    const owi_arrow_kind kind =
        column->has_dictionary ? column->values.kind : column->type.kind;
    return kind == OWI_ARROW_DECIMAL || kind == OWI_ARROW_DATE ||
           kind == OWI_ARROW_TIMESTAMP;
}

/* Room for the columns whose values are printed. */
static ow_status make_texts(owi_rows *rows)
{
    arrow_state *state = rows->state;
    size_t n = 0;
    for (size_t j = 0; j < rows->n_columns; j++) n += is_printed(&state->columns[j]);
    state->texts = owi_alloc_array(rows->ctx, n, owi_arrow_text_size);
    if (state->texts == NULL) return OW_ERR_MEMORY;
    n = 0;
    for (size_t j = 0; j < rows->n_columns; j++)
        if (is_printed(&state->columns[j]))
            state->columns[j].text = state->texts + n++ * owi_arrow_text_size;
    return OW_OK;
}

static ow_status read_columns(owi_rows *rows, const struct ArrowSchema *schema)
{
    arrow_state *state = rows->state;
    char quoted[owi_quote_size];
    if (schema->format == NULL || strcmp(schema->format, "+s") != 0)
        return owi_fail(
            OW_ERR_UNSUPPORTED,
            "%s: expected a stream of record batches (format \"+s\"), got %s", rows->name,
            owi_quote_text(schema->format != NULL ? schema->format : "", quoted));
    if (schema->n_children < 1 || schema->n_children > owi_max_columns ||
        schema->children == NULL)
        return owi_fail(OW_ERR_FORMAT, "%s: %" PRId64 " columns, expected 1 to %d",
                        rows->name, schema->n_children, owi_max_columns);
    const size_t n = (size_t)schema->n_children;
    state->columns = owi_alloc_array(rows->ctx, n, sizeof *state->columns);
    rows->column_names = owi_alloc_array(rows->ctx, n, sizeof *rows->column_names);
    if (state->columns == NULL || rows->column_names == NULL) return OW_ERR_MEMORY;
    rows->n_columns = n;
    for (size_t j = 0; j < n; j++) {
        const struct ArrowSchema *child = schema->children[j];
        if (child == NULL)
            return owi_fail(OW_ERR_FORMAT, "%s: column %zu has no schema", rows->name,
                            j + 1);
        OWI_TRY(name_of_child(rows, child, j));
        OWI_TRY(name_column(rows, owi_arrow_column_read(child, &state->columns[j]), j, 0));
    }
    OWI_TRY(check_names(rows));
    return make_texts(rows);
}

static ow_status read_schema(owi_rows *rows)
{
    arrow_state *state = rows->state;
    struct ArrowSchema schema = {0};
    if (state->stream.get_schema == NULL || state->stream.get_next == NULL)
        return owi_fail(OW_ERR_FORMAT, "%s: the stream lacks functions", rows->name);
    const int code = state->stream.get_schema(&state->stream, &schema);
    if (code != 0) return stream_failed(rows, code, "no schema");
    const ow_status status = read_columns(rows, &schema);
    if (schema.release != NULL) schema.release(&schema);
    return status;
}

/* ---- Chunks ---- */

static ow_status check_chunk(const owi_rows *rows, const struct ArrowArray *chunk)
{
    const arrow_state *state = rows->state;
    const owi_arrow_column whole = {.type = {.kind = OWI_ARROW_NULL, .word = "struct"}};
    const ow_status status = owi_arrow_array_check(chunk, &whole, 0);
    if (status != OW_OK)
        return owi_fail(status, "%s: a batch: %s", rows->name, ow_error_message());
    if (chunk->n_children != (int64_t)rows->n_columns || chunk->children == NULL)
        return owi_fail(OW_ERR_FORMAT, "%s: a batch of %" PRId64 " columns, expected %zu",
                        rows->name, chunk->n_children, rows->n_columns);
    for (size_t j = 0; j < rows->n_columns; j++)
        OWI_TRY(name_column(rows,
                            owi_arrow_array_check(chunk->children[j], &state->columns[j],
                                                  chunk->offset + chunk->length),
                            j, 0));
    return OW_OK;
}

/* The next chunk from the stream, which stands in chunks[state->chunk] afterwards; at the
 * end there is none. */
static ow_status take_chunk(owi_rows *rows)
{
    arrow_state *state = rows->state;
    struct ArrowArray chunk = {0};
    if (!state->keeps && state->n_chunks > 0) {
        release_array(&state->chunks[0]);
        state->n_chunks = 0;
        state->chunk = 0;
        state->passed = true;
    }
    OWI_TRY(owi_grow(rows->ctx, &state->chunks, &state->capacity, state->n_chunks + 1,
                     sizeof *state->chunks));
    const int code = state->stream.get_next(&state->stream, &chunk);
    if (code != 0) return stream_failed(rows, code, "no further rows");
    state->at_end = chunk.release == NULL;
    if (state->at_end) return OW_OK;
    const ow_status status = check_chunk(rows, &chunk);
    if (status != OW_OK) {
        release_array(&chunk);
        return status;
    }
    state->chunks[state->n_chunks++] = chunk;
    return OW_OK;
}

/* Goes to the chunk that has the next row. */
static ow_status find_row(owi_rows *rows, bool *at_end)
{
    arrow_state *state = rows->state;
    *at_end = false;
    for (;;) {
        if (state->chunk < state->n_chunks) {
            if (state->row < state->chunks[state->chunk].length) return OW_OK;
            state->chunk++;
            state->row = 0;
        } else {
            *at_end = state->at_end;
            if (*at_end) return OW_OK;
            OWI_TRY(take_chunk(rows));
        }
    }
}

/* ---- The format's functions ---- */

static ow_status next_row(owi_rows *rows, owi_cell *cells, bool *at_end)
{
    arrow_state *state = rows->state;
    OWI_TRY(find_row(rows, at_end));
    if (*at_end) return OW_OK;
    const struct ArrowArray *chunk = &state->chunks[state->chunk];
    const int64_t row = state->row++;
    const bool is_null = owi_arrow_is_null(chunk, row);
    state->n_given++;
    for (size_t j = 0; j < rows->n_columns; j++) {
        cells[j] = (owi_cell){.number = NAN};
        if (is_null) continue;
        OWI_TRY(name_column(rows,
                            owi_arrow_array_cell(chunk->children[j], &state->columns[j],
                                                 chunk->offset + row, &cells[j]),
                            j, state->n_given));
    }
    return OW_OK;
}

static ow_status restart(owi_rows *rows)
{
    arrow_state *state = rows->state;
    if (state->passed)
        return owi_fail(OW_ERR_IO,
                        "%s can be read only once: its arrays were not to be kept",
                        rows->name);
    state->chunk = 0;
    state->row = 0;
    state->n_given = 0;
    return OW_OK;
}

static void close_stream(owi_rows *rows)
{
    arrow_state *state = rows->state;
    for (size_t i = 0; i < state->n_chunks; i++) release_array(&state->chunks[i]);
    if (state->stream.release != NULL) state->stream.release(&state->stream);
    owi_free(rows->ctx, state->chunks);
    owi_free(rows->ctx, state->columns);
    owi_free(rows->ctx, state->texts);
    owi_free(rows->ctx, state);
}

/* How long a stream is, shows at its end. */
static double share(const owi_rows *rows)
{
    (void)rows;
    return NAN;
}

static void place(const owi_rows *rows, char *text, size_t size)
{
    const arrow_state *state = rows->state;
    snprintf(text, size, "%s: row %zu", rows->name, state->n_given);
}

static const owi_format arrow_stream = {.name = "Arrow",
                                        .next = next_row,
                                        .restart = restart,
                                        .close = close_stream,
                                        .share = share,
                                        .place = place};

ow_status ow_reader_open_arrow(ow_context *ctx, struct ArrowArrayStream *stream,
                               const char *name, bool keep, ow_reader **out)
{
    OWI_REQUIRE(ctx != NULL && stream != NULL && name != NULL && out != NULL);
    OWI_REQUIRE(stream->release != NULL);
    *out = NULL;
    arrow_state *state = owi_alloc_zeroed(ctx, sizeof *state);
    if (state == NULL) {
        stream->release(stream);
        return OW_ERR_MEMORY;
    }
    state->stream = *stream;
    state->keeps = keep;
    stream->release = NULL;
    owi_rows rows = {.ctx = ctx, .format = &arrow_stream, .state = state};
    rows.own_name = owi_copy_text(ctx, name, strlen(name));
    rows.name = rows.own_name;
    const ow_status status = rows.own_name != NULL ? read_schema(&rows) : OW_ERR_MEMORY;
    if (status == OW_OK) return owi_reader_open_rows(ctx, &rows, NULL, NULL, out);
    owi_rows_clear(&rows);
    return status;
}
