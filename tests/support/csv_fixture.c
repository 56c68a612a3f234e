/* SPDX-License-Identifier: MIT */
#include "support/csv_fixture.h"

#include "base/io/byte_source.h"

const owi_csv_sizes ow_test_csv_sizes = {.block = 64 * 1024,
                                         .max_record = 64 * 1024 * 1024};

void ow_test_text_add(ow_test_text *out, const char *bytes, size_t size)
{
    if (out->size + size + 1 > out->capacity) {
        out->capacity = 2 * (out->size + size + 1);
        out->text = realloc(out->text, out->capacity);
        assert_non_null(out->text);
    }
    memcpy(out->text + out->size, bytes, size);
    out->size += size;
    out->text[out->size] = '\0';
}

static owi_rows rows_of(ow_context *ctx, const char *csv, size_t size)
{
    owi_rows rows = {.ctx = ctx, .name = "f.csv", .format = &owi_format_csv};
    assert_ok(owi_byte_source_open_memory(ctx, csv, size, rows.name, &rows.source));
    return rows;
}

owi_rows ow_test_csv_open(ow_context *ctx, const char *csv, ow_read_options options)
{
    owi_rows rows = rows_of(ctx, csv, strlen(csv));
    assert_ok(rows.format->open(&rows, &options));
    return rows;
}

ow_status ow_test_csv_read(owi_rows *rows, ow_test_text *out, size_t *n_rows)
{
    owi_cell *cells = malloc((rows->n_columns + 1) * sizeof *cells);
    assert_non_null(cells);
    bool at_end = false;
    ow_status status;
    *n_rows = 0;
    for (;;) {
        status = rows->format->next(rows, cells, &at_end);
        if (status != OW_OK || at_end) break;
        for (size_t i = 0; i < rows->n_columns && out != NULL; i++) {
            if (i > 0) ow_test_text_add(out, "|", 1);
            ow_test_text_add(out, cells[i].text, cells[i].length);
        }
        if (out != NULL) ow_test_text_add(out, "\n", 1);
        ++*n_rows;
    }
    free(cells);
    return status;
}

static void show_header(const owi_rows *rows, ow_test_text *out)
{
    for (size_t i = 0; i < rows->n_columns && rows->column_names != NULL; i++) {
        if (i > 0) ow_test_text_add(out, "|", 1);
        ow_test_text_add(out, rows->column_names[i], strlen(rows->column_names[i]));
    }
    ow_test_text_add(out, "\n", 1);
}

ow_test_text ow_test_csv_show(const char *csv, size_t size, ow_read_options options,
                              owi_csv_sizes sizes)
{
    ow_test_text out = {0}, again = {0};
    ow_test_heap heap;
    size_t n_rows;
    ow_test_heap_begin(&heap);
    owi_rows rows = rows_of(heap.ctx, csv, size);
    ow_status status = owi_csv_open_with_sizes(&rows, &options, sizes);
    if (status == OW_OK) {
        show_header(&rows, &out);
        ow_test_text_add(&again, out.text, out.size);
        status = ow_test_csv_read(&rows, &out, &n_rows);
        assert_ok(owi_byte_source_rewind(rows.source));
        assert_ok(rows.format->restart(&rows));
        assert_int_equal(ow_test_csv_read(&rows, &again, &n_rows), status);
        assert_string_equal(again.text, out.text);
    }
    if (status != OW_OK) {
        ow_test_text_add(&out, "! ", 2);
        ow_test_text_add(&out, ow_error_message(), strlen(ow_error_message()));
    }
    owi_rows_clear(&rows);
    ow_test_heap_end(&heap);
    free(again.text);
    return out;
}

void assert_csv_bytes(const char *csv, size_t size, ow_read_options options,
                      const char *want)
{
    const size_t blocks[] = {ow_test_csv_sizes.block, 1, 2, 3, 5, 16};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const owi_csv_sizes sizes = {blocks[i], ow_test_csv_sizes.max_record};
        ow_test_text out = ow_test_csv_show(csv, size, options, sizes);
        if (strcmp(out.text, want) != 0) print_error("in blocks of %zu:\n", blocks[i]);
        assert_string_equal(out.text, want);
        free(out.text);
    }
}

void assert_csv(const char *csv, ow_read_options options, const char *want)
{
    assert_csv_bytes(csv, strlen(csv), options, want);
}
