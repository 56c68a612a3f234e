/* SPDX-License-Identifier: MIT */
/* Labels from a file of their own: one more reader, of one column, that goes in step with
 * the rows. */
#include <string.h>

#include "base/error.h"
#include "data/rows/reader_private.h"

const char owi_label_name[] = "label";

/* Whether a text begins with a line that holds the word label alone, perhaps quoted. */
static ow_status has_label_header(owi_byte_source *source, bool *has_header)
{
    static const char *const headers[] = {"label\n", "label\r", "\"label\"\n",
                                          "\"label\"\r"};
    char first[16];
    size_t n;
    OWI_TRY(owi_byte_source_peek(source, first, sizeof first, &n));
    const size_t start = n >= 3 && memcmp(first, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *has_header = false;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        const size_t length = strlen(headers[i]);
        if (n - start >= length && memcmp(first + start, headers[i], length) == 0)
            *has_header = true;
    }
    return OW_OK;
}

static ow_status wrong_label_count(const ow_reader *reader, size_t n_labels, size_t n_rows)
{
    return owi_fail(OW_ERR_FORMAT, "%s: %zu label%s, but %s has %zu row%s",
                    reader->labels->rows.name, n_labels, n_labels == 1 ? "" : "s",
                    reader->rows.name, n_rows, n_rows == 1 ? "" : "s");
}

/* A label may hold commas and spaces: of what separates fields, only a tab does here. */
ow_status owi_reader_open_labels(ow_reader *reader, const char *path)
{
    ow_read_options options = {.size = sizeof(ow_read_options), .delimiter = '\t'};
    bool has_header;
    owi_byte_source *source;
    OWI_TRY(owi_byte_source_open(reader->ctx, path, reader->call, &source));
    const ow_status status = has_label_header(source, &has_header);
    if (status != OW_OK) {
        owi_byte_source_free(source);
        return status;
    }
    options.no_header = !has_header;
    OWI_TRY(owi_reader_open_source(reader->ctx, source, &options, reader->call,
                                   &reader->labels));

    const ow_reader *labels = reader->labels;
    if (labels->n_columns != 1)
        return owi_fail(OW_ERR_FORMAT, "%s: expected one label a row, got %zu columns",
                        labels->rows.name, labels->n_columns);
    const size_t n_labels = labels->rows.n_rows, n_rows = reader->rows.n_rows;
    if (n_labels != 0 && n_rows != 0 && n_labels != n_rows)
        return wrong_label_count(reader, n_labels, n_rows);
    return OW_OK;
}

ow_status owi_reader_count_rows(ow_reader *reader, size_t *n)
{
    for (bool at_end = false; !at_end;) {
        OWI_TRY(reader->rows.format->next(&reader->rows, reader->cells, &at_end));
        if (!at_end) reader->n_read++;
    }
    *n = reader->n_read;
    return OW_OK;
}

ow_status owi_reader_next_label(ow_reader *reader, bool rows_at_end)
{
    const owi_cell *label;
    bool labels_at_end;
    OWI_TRY(owi_reader_next_cells(reader->labels, &label, &labels_at_end));
    if (labels_at_end != rows_at_end) {
        size_t n_rows, n_labels;
        if (!rows_at_end) reader->n_read++;
        OWI_TRY(owi_reader_count_rows(reader, &n_rows));
        OWI_TRY(owi_reader_count_rows(reader->labels, &n_labels));
        return wrong_label_count(reader, n_labels, n_rows);
    }
    if (!labels_at_end) reader->cells[reader->rows.n_columns] = *label;
    return OW_OK;
}
