/* SPDX-License-Identifier: MIT */
#include "support/columns_of_csv.h"

#include "base/text/number.h"
#include "data/rows/reader.h"

static char *copy(const char *text, size_t length)
{
    char *bytes = calloc(length + 1, 1);
    assert_non_null(bytes);
    memcpy(bytes, text, length);
    return bytes;
}

static void *enlarge(void *block, size_t size)
{
    void *larger = realloc(block, size);
    assert_non_null(larger);
    return larger;
}

static void add_row(ow_test_columns *columns, const owi_cell *cells)
{
    const size_t i = columns->n_rows++;
    for (size_t j = 0; j < columns->n_columns; j++) {
        columns->texts[j] =
            enlarge(columns->texts[j], columns->n_rows * sizeof *columns->texts[j]);
        columns->texts[j][i] =
            owi_cell_is_missing(&cells[j]) ? NULL : copy(cells[j].text, cells[j].length);
    }
}

/* Stays NULL where a text is no number. */
static void find_numbers(ow_test_columns *columns, size_t j)
{
    double *numbers = calloc(columns->n_rows, sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < columns->n_rows; i++) {
        const char *text = columns->texts[j][i];
        numbers[i] = NAN;
        if (text == NULL || owi_parse_number(text, strlen(text), &numbers[i], NULL))
            continue;
        free(numbers);
        return;
    }
    columns->numbers[j] = numbers;
}

void ow_test_columns_read(const char *path, ow_test_columns *columns)
{
    ow_context *ctx = NULL;
    ow_reader *reader = NULL;
    const owi_cell *cells;
    bool at_end = false;
    *columns = (ow_test_columns){0};
    assert_ok(ow_context_new(NULL, &ctx));
    assert_ok(ow_reader_open(ctx, path, NULL, NULL, &reader));
    columns->n_columns = ow_reader_n_columns(reader);
    assert_true(columns->n_columns <= ow_test_most_columns);
    for (size_t j = 0; j < columns->n_columns; j++) {
        const char *name = ow_reader_column_name(reader, j);
        columns->names[j] = copy(name, strlen(name));
    }
    while (!at_end) {
        assert_ok(owi_reader_next_cells(reader, &cells, &at_end));
        if (!at_end) add_row(columns, cells);
    }
    for (size_t j = 0; j < columns->n_columns; j++) find_numbers(columns, j);
    ow_reader_free(reader);
    ow_context_free(ctx);
}

void ow_test_columns_clear(ow_test_columns *columns)
{
    for (size_t j = 0; j < columns->n_columns; j++) {
        for (size_t i = 0; i < columns->n_rows; i++) free(columns->texts[j][i]);
        free(columns->texts[j]);
        free(columns->numbers[j]);
        free(columns->names[j]);
    }
    *columns = (ow_test_columns){0};
}

ow_reader *ow_test_columns_reader(ow_context *ctx, const ow_test_columns *columns,
                                  const char *name)
{
    ow_reader *reader = NULL;
    const size_t n = columns->n_rows;
    assert_ok(ow_reader_open_columns(ctx, n, name, &reader));
    for (size_t j = 0; j < columns->n_columns; j++)
        assert_ok(columns->numbers[j] != NULL
                      ? ow_reader_add_numbers(reader, columns->names[j], OW_ELEMENT_FLOAT64,
                                              n, columns->numbers[j], 0)
                      : ow_reader_add_texts(reader, columns->names[j], n,
                                            (const char *const *)columns->texts[j]));
    return reader;
}
