/* SPDX-License-Identifier: MIT */
/* Rows in memory: two arrays, copied from the caller's, or grown while a reader is read and
 * trimmed at its end.
 * How many rows will come is not asked: a CSV file does not tell, and an array's head may
 * promise anything. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "data/rows/reader_private.h"

struct ow_table {
    ow_context *ctx;
    size_t n_rows, n_columns;
    double *values;   /* n_rows x n_columns */
    int32_t *classes; /* n_rows */
};

/* Gives back what is not used; where that is not possible, the larger block stays. */
static void trim(ow_table *table)
{
    double *values = owi_resize_array(table->ctx, table->values, table->n_rows,
                                      table->n_columns * sizeof *values);
    if (values != NULL) table->values = values;
    int32_t *classes =
        owi_resize_array(table->ctx, table->classes, table->n_rows, sizeof *table->classes);
    if (classes != NULL) table->classes = classes;
}

/* The arrays double when they are full, so that reading n rows copies no more than 2 n. */
static ow_status read_rows(ow_reader *reader, ow_table *table)
{
    ow_context *ctx = table->ctx;
    const size_t row_size = table->n_columns * sizeof *table->values;
    size_t room = 0, class_room = 0; /* in rows */
    for (;;) {
        size_t n;
        OWI_TRY(owi_grow(ctx, &table->values, &room, table->n_rows + 1, row_size));
        OWI_TRY(owi_grow(ctx, &table->classes, &class_room, room, sizeof *table->classes));
        OWI_TRY(owi_reader_next(reader, room - table->n_rows,
                                table->values + table->n_rows * table->n_columns,
                                table->classes + table->n_rows, &n));
        if (n == 0) break;
        table->n_rows += n;
    }
    trim(table);
    return OW_OK;
}

ow_status ow_table_read(ow_reader *reader, const ow_call *call, ow_table **out)
{
    OWI_REQUIRE(reader != NULL && out != NULL);
    *out = NULL;
    OWI_REQUIRE(reader->binding.schema != NULL);
    owi_call own;
    OWI_TRY(owi_call_begin(&own, reader->ctx, call));
    OWI_TRY(ow_reader_rewind(reader));
    ow_table *table = owi_alloc_zeroed(reader->ctx, sizeof *table);
    if (table == NULL) return OW_ERR_MEMORY;
    table->ctx = reader->ctx;
    table->n_columns = ow_schema_n_columns(reader->binding.schema);
    owi_reader_set_call(reader, &own);
    const ow_status status = read_rows(reader, table);
    owi_reader_set_call(reader, NULL);
    if (status == OW_OK)
        *out = table;
    else
        ow_table_free(table);
    return status;
}

/* ---- From arrays ---- */

static ow_status wrong_value(const ow_schema *schema, size_t row, size_t j, double value)
{
    const ow_column *column = ow_schema_column(schema, j);
    char quoted[owi_quote_size];
    owi_quote_text(column->name, quoted);
    if (column->n_levels == 0)
        return owi_fail(OW_ERR_ARGUMENT, "row %zu: column %s: %g is not a finite number",
                        row + 1, quoted, value);
    return owi_fail(OW_ERR_ARGUMENT,
                    "row %zu: column %s: %g is no level's index, expected 0 to %zu",
                    row + 1, quoted, value, column->n_levels - 1);
}

static ow_status check_rows(const ow_schema *schema, size_t n_rows, const double *values,
                            const int32_t *classes)
{
    const size_t n_columns = ow_schema_n_columns(schema);
    const size_t n_classes = ow_schema_n_classes(schema);
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < n_columns; j++) {
            const double value = values[i * n_columns + j];
            const size_t n_levels = ow_schema_column(schema, j)->n_levels;
            if (isnan(value)) continue;
            const bool is_level =
                value >= 0.0 && value < (double)n_levels && value == floor(value);
            if (n_levels > 0 ? !is_level : isinf(value))
                return wrong_value(schema, i, j, value);
        }
        if (classes != NULL && classes[i] >= 0 && (size_t)classes[i] >= n_classes)
            return owi_fail(OW_ERR_ARGUMENT, "row %zu: class %d of %zu classes", i + 1,
                            classes[i], n_classes);
    }
    return OW_OK;
}

ow_status ow_table_new(ow_context *ctx, const ow_schema *schema, size_t n_rows,
                       const double *values, const int32_t *classes, ow_table **out)
{
    OWI_REQUIRE(out != NULL);
    *out = NULL;
    OWI_REQUIRE(ctx != NULL && schema != NULL && (values != NULL || n_rows == 0));
    OWI_TRY(check_rows(schema, n_rows, values, classes));
    ow_table *table = owi_alloc_zeroed(ctx, sizeof *table);
    if (table == NULL) return OW_ERR_MEMORY;
    table->ctx = ctx;
    table->n_rows = n_rows;
    table->n_columns = ow_schema_n_columns(schema);
    table->values = owi_alloc_array(ctx, n_rows, table->n_columns * sizeof *table->values);
    table->classes = owi_alloc_array(ctx, n_rows, sizeof *table->classes);
    if (table->values == NULL || table->classes == NULL) {
        ow_table_free(table);
        return OW_ERR_MEMORY;
    }
    if (n_rows > 0)
        memcpy(table->values, values, n_rows * table->n_columns * sizeof *values);
    for (size_t i = 0; i < n_rows; i++)
        table->classes[i] = classes != NULL && classes[i] >= 0 ? classes[i] : OW_NO_CLASS;
    *out = table;
    return OW_OK;
}

void ow_table_free(ow_table *table)
{
    if (table == NULL) return;
    owi_free(table->ctx, table->values);
    owi_free(table->ctx, table->classes);
    owi_free(table->ctx, table);
}

size_t ow_table_n_rows(const ow_table *table)
{
    return table->n_rows;
}

size_t ow_table_n_columns(const ow_table *table)
{
    return table->n_columns;
}

const double *ow_table_row(const ow_table *table, size_t row)
{
    return table->values + row * table->n_columns;
}

const int32_t *ow_table_classes(const ow_table *table)
{
    return table->classes;
}
