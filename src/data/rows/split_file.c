/* SPDX-License-Identifier: MIT */
/* A split that somebody else has made, one line a row.  The file is read as any other table
 * without a header, so delimiters, quotes, line ends and gzip are what they are there. */
#include "base/error.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "data/rows/reader.h"

/* What the last field of a line says: a word in any case, or a number. */
static ow_status read_mark(const ow_reader *reader, const owi_cell *cell, bool *is_test)
{
    double number;
    const bool is_number = owi_cell_number(cell, &number, NULL);
    *is_test = owi_cell_is_word(cell, "test") || (is_number && number == 0.0);
    if (*is_test || owi_cell_is_word(cell, "train") || (is_number && number == 1.0))
        return OW_OK;

    char place[owi_place_size], buffer[owi_number_size], quoted[owi_quote_size];
    size_t length;
    const char *text = owi_cell_text(cell, buffer, &length);
    owi_reader_place(reader, place, sizeof place);
    return owi_fail(OW_ERR_FORMAT,
                    "%s: the last field is %s, expected train or test, or 1 or 0", place,
                    owi_quote(text, length, quoted));
}

/* Lines beyond n_rows are counted but not kept. */
static ow_status read_marks(ow_reader *reader, size_t n_rows, bool *is_test,
                            size_t *n_lines)
{
    const size_t last = ow_reader_n_columns(reader) - 1;
    for (*n_lines = 0;; ++*n_lines) {
        const owi_cell *cells;
        bool at_end, mark;
        OWI_TRY(owi_reader_next_cells(reader, &cells, &at_end));
        if (at_end) return OW_OK;
        OWI_TRY(read_mark(reader, &cells[last], &mark));
        if (*n_lines < n_rows) is_test[*n_lines] = mark;
    }
}

ow_status ow_split_by_file(ow_context *ctx, const char *path, size_t n_rows,
                           const ow_call *call, bool *is_test)
{
    const ow_read_options options = {.size = sizeof(ow_read_options), .no_header = true};
    ow_reader *reader;
    size_t n_lines;
    OWI_REQUIRE(ctx != NULL && path != NULL && is_test != NULL);
    OWI_TRY(ow_reader_open(ctx, path, &options, call, &reader));
    ow_status status = read_marks(reader, n_rows, is_test, &n_lines);
    if (status == OW_OK && n_lines != n_rows)
        status = owi_fail(OW_ERR_FORMAT, "%s: %zu lines, expected one for each of %zu rows",
                          owi_reader_name(reader), n_lines, n_rows);
    ow_reader_free(reader);
    return status;
}
