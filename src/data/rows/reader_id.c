/* SPDX-License-Identifier: MIT */
/* The names of rows: the texts of one column, kept beside the values for as long as these
 * are. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "data/rows/reader_private.h"

ow_status ow_reader_set_id(ow_reader *reader, const char *column)
{
    OWI_REQUIRE(reader != NULL && column != NULL);
    size_t j = 0;
    while (j < reader->n_columns && strcmp(reader->names[j], column) != 0) j++;
    if (j == reader->n_columns)
        return owi_reader_no_column(reader, OW_ERR_ARGUMENT, column);
    if (reader->id == NULL) {
        reader->id = owi_alloc_zeroed(reader->ctx, sizeof *reader->id);
        if (reader->id == NULL) return OW_ERR_MEMORY;
    }
    reader->id->column = j;
    reader->id->n_rows = 0;
    return OW_OK;
}

/* One text more. */
static ow_status note(ow_context *ctx, owi_id_column *id, const owi_cell *cell)
{
    char buffer[owi_number_size];
    size_t length;
    const char *text = owi_cell_text(cell, buffer, &length);
    OWI_TRY(owi_grow(ctx, &id->text, &id->capacity, id->n_text + length + 1, 1));
    OWI_TRY(
        owi_grow(ctx, &id->start, &id->start_capacity, id->n_rows + 1, sizeof *id->start));
    if (length > 0) memcpy(id->text + id->n_text, text, length);
    id->text[id->n_text + length] = '\0';
    id->start[id->n_rows++] = id->n_text;
    id->n_text += length + 1;
    return OW_OK;
}

ow_status owi_reader_note_id(ow_reader *reader, const owi_cell *cells)
{
    return note(reader->ctx, reader->id, &cells[reader->id->column]);
}

ow_status owi_reader_note_texts(ow_reader *reader, const owi_cell *cells)
{
    for (size_t j = 0; j < reader->n_columns; j++)
        OWI_TRY(note(reader->ctx, &reader->texts, &cells[j]));
    return OW_OK;
}

void ow_reader_keep_texts(ow_reader *reader)
{
    reader->keeps_texts = true;
}

const char *ow_reader_text(const ow_reader *reader, size_t row, size_t column)
{
    const size_t i = row * reader->n_columns + column;
    const owi_id_column *texts = &reader->texts;
    if (column >= reader->n_columns || i >= texts->n_rows) return "";
    return texts->text + texts->start[i];
}

const char *ow_reader_id(const ow_reader *reader, size_t row)
{
    const owi_id_column *id = reader->id;
    return id == NULL || row >= id->n_rows ? "" : id->text + id->start[row];
}
