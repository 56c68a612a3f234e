/* SPDX-License-Identifier: MIT */
/* Columns from memory: behind those of a file, an array or a stream, or alone, where the
 * reader's own rows have no column at all and are only counted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/quote.h"
#include "data/rows/reader_private.h"
#include "data/schema/schema_private.h"

/* ---- Rows that are only counted ---- */

/* The state is the number of rows given so far. */
static ow_status count_row(owi_rows *rows, owi_cell *cells, bool *at_end)
{
    size_t *given = rows->state;
    (void)cells;
    *at_end = *given == rows->n_rows;
    if (!*at_end) ++*given;
    return OW_OK;
}

static ow_status restart_count(owi_rows *rows)
{
    *(size_t *)rows->state = 0;
    return OW_OK;
}

static void close_count(owi_rows *rows)
{
    owi_free(rows->ctx, rows->state);
}

static void place_of_count(const owi_rows *rows, char *text, size_t size)
{
    snprintf(text, size, "%s: row %zu", rows->name, *(const size_t *)rows->state);
}

static const owi_format counted_rows = {.name = "memory",
                                        .next = count_row,
                                        .restart = restart_count,
                                        .close = close_count,
                                        .place = place_of_count};

ow_status ow_reader_open_columns(ow_context *ctx, size_t n_rows, const char *name,
                                 ow_reader **out)
{
    OWI_REQUIRE(ctx != NULL && name != NULL && out != NULL);
    *out = NULL;
    owi_rows rows = {.ctx = ctx, .format = &counted_rows, .n_rows = n_rows};
    rows.state = owi_alloc_zeroed(ctx, sizeof(size_t));
    rows.own_name = owi_copy_text(ctx, name, strlen(name));
    rows.name = rows.own_name;
    if (rows.state != NULL && rows.own_name != NULL)
        return owi_reader_open_rows(ctx, &rows, NULL, NULL, out);
    owi_rows_clear(&rows);
    return OW_ERR_MEMORY;
}

/* ---- Adding ---- */

void owi_memory_columns_clear(ow_context *ctx, owi_memory_columns *memory)
{
    for (size_t k = 0; k < memory->n; k++) owi_free(ctx, memory->columns[k].name);
    owi_free(ctx, memory->columns);
    *memory = (owi_memory_columns){0};
}

static ow_status check_added(const ow_reader *reader, const char *name, size_t n_rows)
{
    char quoted[owi_quote_size];
    owi_quote_text(name, quoted);
    if (!reader->at_start || reader->binding.schema != NULL)
        return owi_fail(OW_ERR_ARGUMENT,
                        "%s: column %s is added too late: add columns before a row is read "
                        "or a schema is bound",
                        reader->rows.name, quoted);
    for (size_t j = 0; j < reader->n_columns; j++)
        if (strcmp(reader->names[j], name) == 0)
            return owi_fail(OW_ERR_ARGUMENT, "%s: there is a column %s already",
                            reader->rows.name, quoted);
    const size_t known = reader->rows.n_rows;
    if ((known > 0 || reader->rows.format == &counted_rows) && n_rows != known)
        return owi_fail(OW_ERR_ARGUMENT,
                        "%s: column %s has %zu rows, and the others have %zu",
                        reader->rows.name, quoted, n_rows, known);
    if (reader->n_columns < owi_max_columns) return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT, "%s: more than %d columns", reader->rows.name,
                    owi_max_columns);
}

static ow_status add_column(ow_reader *reader, const char *name, owi_memory_column column)
{
    owi_memory_columns *memory = &reader->memory;
    ow_context *ctx = reader->ctx;
    OWI_TRY(check_added(reader, name, column.n_rows));
    const size_t n = reader->n_columns + 1;
    const char **names = owi_resize_array(ctx, reader->names, n, sizeof *names);
    if (names == NULL) return OW_ERR_MEMORY;
    reader->names = names;
    owi_cell *cells = owi_resize_array(ctx, reader->cells, n, sizeof *cells);
    if (cells == NULL) return OW_ERR_MEMORY;
    reader->cells = cells;
    OWI_TRY(owi_grow(ctx, &memory->columns, &memory->capacity, memory->n + 1,
                     sizeof *memory->columns));
    column.name = owi_copy_text(ctx, name, strlen(name));
    if (column.name == NULL) return OW_ERR_MEMORY;
    memory->columns[memory->n++] = column;
    names[reader->n_columns++] = column.name;
    return OW_OK;
}

ow_status ow_reader_add_numbers(ow_reader *reader, const char *name, ow_element_type type,
                                size_t n_rows, const void *values, size_t stride)
{
    OWI_REQUIRE(reader != NULL && name != NULL && (values != NULL || n_rows == 0));
    owi_memory_column column = {.n_rows = n_rows, .values = values, .stride = stride};
    OWI_REQUIRE(owi_array_set_type(&column.type, type));
    if (stride == 0) column.stride = owi_element_size(column.type.element);
    return add_column(reader, name, column);
}

ow_status ow_reader_add_texts(ow_reader *reader, const char *name, size_t n_rows,
                              const char *const *texts)
{
    OWI_REQUIRE(reader != NULL && name != NULL && (texts != NULL || n_rows == 0));
    return add_column(reader, name, (owi_memory_column){.n_rows = n_rows, .texts = texts});
}

ow_status ow_reader_add_codes(ow_reader *reader, const char *name, ow_element_type type,
                              size_t n_rows, const void *codes, size_t stride,
                              const char *const *levels, size_t n_levels)
{
    OWI_REQUIRE(reader != NULL && name != NULL && (codes != NULL || n_rows == 0));
    OWI_REQUIRE(levels != NULL);
    for (size_t k = 0; k < n_levels; k++) OWI_REQUIRE(levels[k] != NULL);
    owi_memory_column column = {.n_rows = n_rows,
                                .values = codes,
                                .stride = stride,
                                .texts = levels,
                                .n_levels = n_levels};
    OWI_REQUIRE(owi_array_set_type(&column.type, type));
    if (stride == 0) column.stride = owi_element_size(column.type.element);
    return add_column(reader, name, column);
}

/* ---- Cells ---- */

static owi_cell text_cell(const char *text)
{
    return (owi_cell){.text = text != NULL ? text : "",
                      .length = text != NULL ? strlen(text) : 0};
}

static ow_status wrong_number(const ow_reader *reader, const owi_memory_column *column,
                              double number)
{
    char quoted[owi_quote_size];
    owi_quote_text(column->name, quoted);
    const size_t row = reader->n_read + 1;
    if (column->texts == NULL)
        return owi_fail(OW_ERR_FORMAT,
                        "%s: row %zu: column %s: expected a finite number, got %s",
                        reader->rows.name, row, quoted, number > 0 ? "inf" : "-inf");
    if (column->n_levels == 0)
        return owi_fail(
            OW_ERR_FORMAT,
            "%s: row %zu: column %s: the code %g stands for no level: there are "
            "none",
            reader->rows.name, row, quoted, number);
    return owi_fail(OW_ERR_FORMAT,
                    "%s: row %zu: column %s: expected a code from 0 to %zu, got %g",
                    reader->rows.name, row, quoted, column->n_levels - 1, number);
}

static ow_status cell_of(const ow_reader *reader, const owi_memory_column *column,
                         owi_cell *cell)
{
    const size_t row = reader->n_read;
    double number;
    if (column->values == NULL) {
        *cell = text_cell(column->texts[row]);
        return OW_OK;
    }
    owi_array_decode(&column->type, column->values + row * column->stride, 1, &number);
    *cell = (owi_cell){.number = number};
    if (column->texts == NULL)
        return isinf(number) ? wrong_number(reader, column, number) : OW_OK;
    const bool missing = !(number >= 0.0); /* NaN, too */
    if (!missing && !(number < (double)column->n_levels && number == floor(number)))
        return wrong_number(reader, column, number);
    *cell = text_cell(missing ? NULL : column->texts[(size_t)number]);
    return OW_OK;
}

static ow_status wrong_count(ow_reader *reader, const owi_memory_column *column,
                             bool at_end)
{
    char quoted[owi_quote_size];
    size_t n_rows;
    if (!at_end) reader->n_read++;
    OWI_TRY(owi_reader_count_rows(reader, &n_rows));
    return owi_fail(OW_ERR_FORMAT,
                    "%s: column %s, from memory, has %zu rows, the others %zu",
                    reader->rows.name, owi_quote_text(column->name, quoted), column->n_rows,
                    n_rows);
}

ow_status owi_reader_next_of_memory(ow_reader *reader, bool at_end)
{
    const owi_memory_columns *memory = &reader->memory;
    owi_cell *cells = reader->cells + reader->n_columns - memory->n;
    for (size_t k = 0; k < memory->n; k++) {
        const owi_memory_column *column = &memory->columns[k];
        if (at_end ? reader->n_read != column->n_rows : reader->n_read >= column->n_rows)
            return wrong_count(reader, column, at_end);
        if (!at_end) OWI_TRY(cell_of(reader, column, &cells[k]));
    }
    return OW_OK;
}

/* ---- Tables ---- */

/* A table's columns are codes and numbers in place, a row apart from each other. */
static ow_status add_table(ow_reader *reader, const ow_table *table,
                           const ow_schema *schema)
{
    const size_t n = ow_table_n_rows(table), n_columns = ow_table_n_columns(table);
    const size_t stride = n_columns * sizeof(double);
    for (size_t j = 0; j < n_columns; j++) {
        const ow_column *column = ow_schema_column(schema, j);
        const double *first = ow_table_row(table, 0) + j;
        OWI_TRY(column->n_levels == 0
                    ? ow_reader_add_numbers(reader, column->name, OW_ELEMENT_FLOAT64, n,
                                            first, stride)
                    : ow_reader_add_codes(reader, column->name, OW_ELEMENT_FLOAT64, n,
                                          first, stride, column->levels, column->n_levels));
    }
    return OW_OK;
}

ow_status ow_reader_open_table(ow_context *ctx, const ow_table *table,
                               const ow_schema *schema, const char *name, ow_reader **out)
{
    OWI_REQUIRE(ctx != NULL && table != NULL && schema != NULL && name != NULL &&
                out != NULL);
    *out = NULL;
    OWI_REQUIRE(ow_table_n_columns(table) == ow_schema_n_columns(schema));
    ow_reader *reader;
    OWI_TRY(ow_reader_open_columns(ctx, ow_table_n_rows(table), name, &reader));
    ow_status status = add_table(reader, table, schema);
    if (status == OW_OK && schema->label != NULL)
        status = ow_reader_add_codes(reader, schema->label, OW_ELEMENT_INT32,
                                     ow_table_n_rows(table), ow_table_classes(table), 0,
                                     schema->class_texts, ow_schema_n_classes(schema));
    if (status == OW_OK)
        *out = reader;
    else
        ow_reader_free(reader);
    return status;
}
