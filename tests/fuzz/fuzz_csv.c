/* SPDX-License-Identifier: MIT */
/* The CSV reader.  The first byte chooses the options, the second the block size; the rest
 * is the file.  Whatever the blocks, the outcome must be the same: header, rows, lines and
 * sentence. */
#include <string.h>

#include "data/csv/csv.h"
#include "fuzz_target.h"

/* What was seen of a file: a hash of all of it, and how it ended. */
typedef struct {
    uint64_t hash;
    size_t n_rows;
    ow_status status;
    char message[1024];
} outcome;

static void add(outcome *seen, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        seen->hash = (seen->hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    seen->hash =
        (seen->hash ^ size) * UINT64_C(1099511628211); /* where a text ends counts */
}

static void add_header(outcome *seen, const owi_rows *rows)
{
    expect(rows->n_columns > 0);
    add(seen, "", rows->n_columns == 0);
    for (size_t i = 0; i < rows->n_columns && rows->column_names != NULL; i++) {
        expect(rows->column_names[i][0] != '\0');
        add(seen, rows->column_names[i], strlen(rows->column_names[i]));
    }
}

static ow_status add_rows(outcome *seen, owi_rows *rows, owi_cell *cells)
{
    for (;;) {
        bool at_end;
        char place[64];
        const ow_status status = owi_format_csv.next(rows, cells, &at_end);
        if (status != OW_OK || at_end) return status;
        for (size_t i = 0; i < rows->n_columns; i++) {
            expect(cells[i].text != NULL);
            expect(memchr(cells[i].text, '\0', cells[i].length) == NULL);
            add(seen, cells[i].text, cells[i].length);
        }
        owi_format_csv.place(rows, place, sizeof place);
        add(seen, place, strlen(place));
        seen->n_rows++;
    }
}

static outcome read_rows(owi_rows *rows, bool again)
{
    outcome seen = {0};
    owi_cell *cells = calloc(rows->n_columns, sizeof *cells);
    expect(cells != NULL);
    add_header(&seen, rows);
    if (again) {
        seen.status = owi_byte_source_rewind(rows->source);
        if (seen.status == OW_OK) seen.status = owi_format_csv.restart(rows);
    }
    if (seen.status == OW_OK) seen.status = add_rows(&seen, rows, cells);
    if (seen.status != OW_OK) strcpy(seen.message, ow_error_message());
    free(cells);
    return seen;
}

/* How far damaged gzip data can be unpacked depends on how much is asked for at a time. */
static bool has_damaged_gzip(const outcome *seen)
{
    return strncmp(seen->message, "fuzz.csv: ", 10) == 0 &&
           strstr(seen->message, "gzip") != NULL;
}

static void expect_same(const outcome *a, const outcome *b)
{
    if (has_damaged_gzip(a) || has_damaged_gzip(b)) return;
    expect(a->status == b->status);
    expect(a->n_rows == b->n_rows);
    expect(a->hash == b->hash);
    expect(strcmp(a->message, b->message) == 0);
}

static outcome read_file(const uint8_t *bytes, size_t size, const ow_read_options *options,
                         owi_csv_sizes sizes)
{
    ow_context *ctx;
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    owi_rows rows = {.ctx = ctx, .name = "fuzz.csv", .format = &owi_format_csv};
    outcome seen = {0};
    seen.status = owi_byte_source_open_memory(ctx, bytes, size, rows.name, &rows.source);
    if (seen.status == OW_OK) seen.status = owi_csv_open_with_sizes(&rows, options, sizes);
    if (seen.status == OW_OK) {
        seen = read_rows(&rows, false);
        const outcome again = read_rows(&rows, true);
        expect_same(&seen, &again);
    } else {
        strcpy(seen.message, ow_error_message());
    }
    owi_rows_clear(&rows);
    ow_context_free(ctx);
    return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    const ow_read_options options = {.size = sizeof(ow_read_options),
                                     .delimiter = "\0,;\t |\"\n"[data[0] & 7],
                                     .no_header = (data[0] & 8) != 0,
                                     .skip = data[0] >> 4 & 3};
    const owi_csv_sizes large = {.block = 64 * 1024, .max_record = 1 << 20};
    const owi_csv_sizes small = {.block = 1 + data[1] % 32u, .max_record = 1 << 20};
    const outcome at_once = read_file(data + 2, size - 2, &options, large);
    const outcome in_blocks = read_file(data + 2, size - 2, &options, small);
    expect_same(&at_once, &in_blocks);
    return 0;
}
