/* SPDX-License-Identifier: MIT */
/* For the targets of IDX and NPY: a file of numbers in memory, read whole and twice. */
#ifndef OW_FUZZ_ARRAY_TARGET_H
#define OW_FUZZ_ARRAY_TARGET_H

#include <math.h>
#include <string.h>

#include "data/rows/reader.h"
#include "fuzz_target.h"

/* What was seen of a file: its shape and a hash of its numbers, or how it failed. */
typedef struct {
    ow_status status;
    size_t n_rows, n_columns;
    ow_layout layout;
    uint64_t hash;
} array_seen;

static inline ow_status add_array_rows(ow_reader *reader, array_seen *seen)
{
    seen->n_rows = 0;
    seen->hash = 0;
    for (;;) {
        const owi_cell *cells;
        bool at_end;
        const ow_status status = owi_reader_next_cells(reader, &cells, &at_end);
        if (status != OW_OK || at_end) return status;
        seen->n_rows++;
        for (size_t j = 0; j < seen->n_columns; j++) {
            uint64_t bits = 1; /* of any NaN */
            expect(cells[j].text == NULL && !isinf(cells[j].number));
            if (!isnan(cells[j].number)) memcpy(&bits, &cells[j].number, sizeof bits);
            seen->hash = (seen->hash ^ bits) * UINT64_C(1099511628211);
        }
    }
}

static inline array_seen read_array(const uint8_t *bytes, size_t size)
{
    ow_context *ctx;
    ow_reader *reader;
    array_seen seen = {0};
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    seen.status = ow_reader_open_memory(ctx, bytes, size, "fuzz", NULL, &reader);
    expect((seen.status == OW_OK) == (reader != NULL));
    if (seen.status == OW_OK) {
        seen.n_columns = ow_reader_n_columns(reader);
        seen.layout = ow_reader_layout(reader);
        seen.status = add_array_rows(reader, &seen);
    }
    if (seen.status == OW_OK) {
        array_seen again = seen;
        expect(ow_reader_rewind(reader) == OW_OK);
        expect(add_array_rows(reader, &again) == OW_OK);
        expect(again.n_rows == seen.n_rows && again.hash == seen.hash);
    } else {
        expect(strncmp(ow_error_message(), "fuzz", 4) == 0);
    }
    ow_reader_free(reader);
    ow_context_free(ctx);
    return seen;
}

/* The same array as NPY: this head, then these elements. */
static inline void expect_same_as_npy(const array_seen *seen, const char *head,
                                      size_t head_size, const uint8_t *elements,
                                      size_t size)
{
    uint8_t *file = malloc(head_size + size);
    expect(file != NULL);
    memcpy(file, head, head_size);
    memcpy(file + head_size, elements, size);
    const array_seen other = read_array(file, head_size + size);
    free(file);
    expect(other.status == OW_OK);
    expect(other.n_rows == seen->n_rows && other.n_columns == seen->n_columns);
    expect(other.hash == seen->hash);
    expect(other.layout.kind == seen->layout.kind &&
           other.layout.height == seen->layout.height &&
           other.layout.width == seen->layout.width &&
           other.layout.channels == seen->layout.channels);
}

#endif
