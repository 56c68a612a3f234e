/* SPDX-License-Identifier: MIT */
#include "support/rows_fixture.h"

#include "data/rows/reader.h"

/* Appends all rows, or compares with those that are there. */
static ow_status read_rows(ow_reader *reader, ow_test_rows *rows, bool again)
{
    size_t capacity = 0;
    for (size_t row = 0;; row++) {
        const owi_cell *cells;
        bool at_end;
        const ow_status status = owi_reader_next_cells(reader, &cells, &at_end);
        if (status != OW_OK) return status;
        if (at_end && again) assert_int_equal(row, rows->n_rows);
        if (at_end) return OW_OK;
        if (!again) rows->n_rows = row + 1;
        if (!again && row == capacity) {
            capacity = capacity == 0 ? 1 : 2 * capacity;
            rows->numbers =
                realloc(rows->numbers, capacity * rows->n_columns * sizeof *rows->numbers);
            assert_non_null(rows->numbers);
        }
        for (size_t j = 0; j < rows->n_columns; j++) {
            double *number = &rows->numbers[row * rows->n_columns + j];
            assert_null(cells[j].text);
            if (again)
                assert_close(&cells[j].number, number, 1, 0.0);
            else
                *number = cells[j].number;
        }
    }
}

ow_status ow_test_rows_read(ow_context *ctx, const void *bytes, size_t size,
                            const char *name, ow_test_rows *rows)
{
    ow_reader *reader = NULL;
    *rows = (ow_test_rows){0};
    ow_status status = ow_reader_open_memory(ctx, bytes, size, name, NULL, &reader);
    if (status != OW_OK) {
        assert_null(reader);
        return status;
    }
    rows->n_columns = ow_reader_n_columns(reader);
    rows->layout = ow_reader_layout(reader);
    status = read_rows(reader, rows, false);
    if (status == OW_OK) status = ow_reader_rewind(reader);
    if (status == OW_OK) status = read_rows(reader, rows, true);
    ow_reader_free(reader);
    if (status != OW_OK) ow_test_rows_clear(rows);
    return status;
}

void ow_test_rows_clear(ow_test_rows *rows)
{
    free(rows->numbers);
    *rows = (ow_test_rows){0};
}

static void cut_everywhere(const unsigned char *bytes, size_t size, const char *name)
{
    ow_test_heap heap;
    ow_test_rows rows;
    ow_test_heap_begin(&heap);
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *part = malloc(cut + 1); /* of its own, so that ASan sees its end */
        assert_non_null(part);
        memcpy(part, bytes, cut);
        const ow_status status = ow_test_rows_read(heap.ctx, part, cut, name, &rows);
        free(part);
        if (status != OW_ERR_FORMAT) print_error("cut after %zu of %zu bytes\n", cut, size);
        assert_fails(status, OW_ERR_FORMAT, name);
        assert_int_equal(heap.n_live, 1);
    }
    assert_ok(ow_test_rows_read(heap.ctx, bytes, size, name, &rows));
    ow_test_rows_clear(&rows);
    ow_test_heap_end(&heap);
}

void ow_test_rows_cut_everywhere(const void *bytes, size_t size, const char *name)
{
    size_t packed_size;
    unsigned char *packed = ow_test_gzip(bytes, size, &packed_size);
    cut_everywhere(bytes, size, name);
    cut_everywhere(packed, packed_size, name);
    free(packed);
}

typedef struct {
    const void *bytes;
    size_t size;
    const char *name;
} file_in_memory;

static ow_status read_file(ow_context *ctx, void *user)
{
    const file_in_memory *file = user;
    ow_test_rows rows;
    const ow_status status =
        ow_test_rows_read(ctx, file->bytes, file->size, file->name, &rows);
    if (status == OW_OK) ow_test_rows_clear(&rows);
    return status;
}

void ow_test_rows_sweep(const void *bytes, size_t size, const char *name)
{
    file_in_memory plain = {bytes, size, name}, gzipped = {NULL, 0, name};
    unsigned char *packed = ow_test_gzip(bytes, size, &gzipped.size);
    gzipped.bytes = packed;
    ow_test_sweep(read_file, &plain);
    ow_test_sweep(read_file, &gzipped);
    free(packed);
}

void ow_test_assert_layout(ow_layout got, ow_layout want)
{
    assert_int_equal(got.kind, want.kind);
    assert_int_equal(got.height, want.height);
    assert_int_equal(got.width, want.width);
    assert_int_equal(got.channels, want.channels);
}
