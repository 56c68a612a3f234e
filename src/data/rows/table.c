/* SPDX-License-Identifier: MIT */
/* Rows in memory: two arrays that grow while a reader is read, and are trimmed at its end.
 * How many rows will come is not asked: a CSV file does not tell, and an array's head may
 * promise anything. */
#include "base/error.h"
#include "base/memory/alloc.h"
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
        OWI_TRY(ow_reader_next(reader, room - table->n_rows,
                               table->values + table->n_rows * table->n_columns,
                               table->classes + table->n_rows, &n));
        if (n == 0) break;
        table->n_rows += n;
    }
    trim(table);
    return OW_OK;
}

ow_status ow_table_read(ow_reader *reader, ow_table **out)
{
    OWI_REQUIRE(reader != NULL && out != NULL);
    *out = NULL;
    OWI_REQUIRE(reader->binding.schema != NULL);
    OWI_TRY(ow_reader_rewind(reader));
    ow_table *table = owi_alloc_zeroed(reader->ctx, sizeof *table);
    if (table == NULL) return OW_ERR_MEMORY;
    table->ctx = reader->ctx;
    table->n_columns = ow_schema_n_columns(reader->binding.schema);
    const ow_status status = read_rows(reader, table);
    if (status == OW_OK)
        *out = table;
    else
        ow_table_free(table);
    return status;
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
