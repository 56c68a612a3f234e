/* SPDX-License-Identifier: MIT */
/* From a row of cells to a row of values:
 *
 *     number    the number         missing: NaN          no number: OW_ERR_FORMAT
 *     category  the level's index  missing: NaN          no such level: NaN, a warning
 *     label     the class's index  missing: OW_NO_CLASS  no such class: that, a warning
 *
 * strict makes errors (OW_ERR_SCHEMA) of the two warnings, and of numbers that break the
 * schema's promises. */
#include <math.h>
#include <stdint.h>

#include "base/context.h"
#include "base/error.h"
#include "base/text/name_list.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "base/text/string_map.h"
#include "data/rows/reader_private.h"
#include "data/schema/schema_private.h"

/* What a message about one cell needs: "file.csv:17", the column and the cell in quotes. */
typedef struct {
    char place[owi_place_size];
    char column[owi_quote_size], got[owi_quote_size];
} cell_message;

static void describe(const ow_reader *reader, const owi_cell *cell, const char *column,
                     cell_message *message)
{
    char buffer[owi_number_size];
    size_t length;
    const char *text = owi_cell_text(cell, buffer, &length);
    owi_quote(text, length, message->got);
    owi_quote_text(column, message->column);
    owi_reader_place(reader, message->place, sizeof message->place);
}

/* ---- Numbers ---- */

static ow_status not_a_number(const ow_reader *reader, const owi_cell *cell,
                              const ow_column *column)
{
    cell_message message;
    describe(reader, cell, column->name, &message);
    return owi_fail(OW_ERR_FORMAT, "%s: column %s: expected a number, got %s",
                    message.place, message.column, message.got);
}

/* strict: what the schema promises of a number must hold. */
static ow_status check_number(const ow_reader *reader, const owi_cell *cell,
                              const ow_column *column, double value)
{
    const bool in_range = value >= column->low && value <= column->high;
    const bool is_whole = column->type != OW_TYPE_INTEGER || value == rint(value);
    if (in_range && is_whole) return OW_OK;
    cell_message message;
    char low[owi_number_size], high[owi_number_size];
    describe(reader, cell, column->name, &message);
    owi_print_number(column->low, low);
    owi_print_number(column->high, high);
    return owi_fail(OW_ERR_SCHEMA,
                    "%s: column %s: expected a %snumber from %s to %s, got %s",
                    message.place, message.column, is_whole ? "" : "whole ", low, high,
                    message.got);
}

/* A word that the schema lists for the column, as one that stands for a missing value. */
static bool is_missing_word(const ow_schema *schema, size_t column, const owi_cell *cell)
{
    const owi_string_map *words = owi_schema_missing_words(schema, column);
    return words != NULL && cell->text != NULL &&
           owi_string_map_find(words, cell->text, cell->length) != SIZE_MAX;
}

/* A number written otherwise than the column's format says: plainly, or with the decimal
 * commas of its file. */
static bool read_otherwise(const ow_reader *reader, const owi_cell *cell,
                           const owi_value_format *format, double *value)
{
    static const owi_value_format comma = {.writing = OWI_NUMBER,
                                           .decimal = ',',
                                           .group = "."};
    if (cell->text == NULL || format->writing == OWI_DATE) return false;
    return reader->rows.decimal_comma ? owi_cell_read(cell, &comma, value, NULL)
                                      : owi_cell_number(cell, value, NULL);
}

static ow_status number_value(const ow_reader *reader, const owi_cell *cell, size_t j,
                              double *value)
{
    const ow_schema *schema = reader->binding.schema;
    const ow_column *column = &schema->columns[j];
    const owi_value_format *format = owi_schema_format(schema, j);
    if (is_missing_word(schema, j, cell)) { /* before all, since -9 may be one */
        *value = NAN;
        return OW_OK;
    }
    const bool is_plain = format->writing == OWI_PLAIN && !reader->rows.decimal_comma;
    if (!(is_plain ? owi_cell_number(cell, value, NULL)
                   : owi_cell_read(cell, format, value, NULL)) &&
        (is_plain || !read_otherwise(reader, cell, format, value))) {
        *value = NAN;
        return owi_cell_is_missing(cell) ? OW_OK : not_a_number(reader, cell, column);
    }
    if (reader->binding.strict) return check_number(reader, cell, column, *value);
    return OW_OK;
}

/* ---- Levels and classes ---- */

static size_t find_text(const owi_string_map *map, const owi_cell *cell)
{
    char buffer[owi_number_size];
    size_t length;
    const char *text = owi_cell_text(cell, buffer, &length);
    return owi_string_map_find(map, text, length);
}

/* A text that is none of the map's: an error if strict, else one warning. */
static ow_status unseen(ow_reader *reader, const owi_cell *cell, const char *column,
                        const owi_string_map *map, const char *consequence, bool *warned)
{
    if (*warned) return OW_OK;
    cell_message message;
    owi_name_list known = {0};
    describe(reader, cell, column, &message);
    const size_t n = owi_string_map_count(map);
    for (size_t i = 0; i < n && !known.is_cut; i++) {
        char quoted[owi_quote_size];
        owi_name_list_add(&known,
                          owi_quote_text(owi_string_map_text(map, i, NULL), quoted));
    }
    if (reader->binding.strict)
        return owi_fail(OW_ERR_SCHEMA, "%s: column %s: expected one of %s; got %s",
                        message.place, message.column, known.text, message.got);
    *warned = true;
    owi_log(reader->ctx, OW_LOG_WARN,
            "%s: column %s: expected one of %s; got %s, %s (told once for each column)",
            message.place, message.column, known.text, message.got, consequence);
    return OW_OK;
}

/* Levels first, which are the rule; no schema has one that is spelt like a missing
 * value. */
static ow_status level_value(ow_reader *reader, const owi_cell *cell, size_t column,
                             double *value)
{
    owi_binding *binding = &reader->binding;
    const owi_string_map *levels = binding->schema->levels[column];
    const size_t level = find_text(levels, cell);
    *value = level == SIZE_MAX ? NAN : (double)level;
    if (level != SIZE_MAX || owi_cell_is_missing(cell) ||
        is_missing_word(binding->schema, column, cell))
        return OW_OK;
    const owi_writing_style *styles = binding->schema->styles;
    if (styles != NULL && styles[column].rest > 0) {
        *value = (double)(styles[column].rest - 1);
        return OW_OK;
    }
    return unseen(reader, cell, binding->schema->columns[column].name, levels,
                  "which counts as missing", &binding->warned[column]);
}

/* UCI's adult.test spells the classes of adult.data with a full stop behind them. */
static size_t find_class_without_full_stop(ow_reader *reader, const owi_cell *cell)
{
    owi_binding *binding = &reader->binding;
    if (cell->text == NULL || cell->length == 0 || cell->text[cell->length - 1] != '.')
        return SIZE_MAX;
    const size_t class_index =
        owi_string_map_find(binding->schema->classes, cell->text, cell->length - 1);
    if (class_index == SIZE_MAX || binding->full_stop_noted) return class_index;
    binding->full_stop_noted = true;
    cell_message message;
    describe(reader, cell, binding->schema->label, &message);
    owi_log(reader->ctx, OW_LOG_INFO,
            "%s: column %s: %s is taken without its full stop, here and below",
            message.place, message.column, message.got);
    return class_index;
}

static ow_status class_value(ow_reader *reader, const owi_cell *cell, int32_t *value)
{
    owi_binding *binding = &reader->binding;
    const owi_string_map *classes = binding->schema->classes;
    size_t class_index = find_text(classes, cell);
    if (class_index == SIZE_MAX) class_index = find_class_without_full_stop(reader, cell);
    *value = class_index == SIZE_MAX ? OW_NO_CLASS : (int32_t)class_index;
    if (class_index != SIZE_MAX || owi_cell_is_missing(cell)) return OW_OK;
    return unseen(reader, cell, binding->schema->label, classes,
                  "so that the row counts as one without label", &binding->class_warned);
}

/* ---- Rows ---- */

ow_status owi_reader_row_values(ow_reader *reader, const owi_cell *cells, double *values)
{
    const owi_binding *binding = &reader->binding;
    const ow_schema *schema = binding->schema;
    for (size_t j = 0; j < schema->n_columns; j++) {
        const owi_cell *cell = &cells[binding->cell[j]];
        /* Most cells of most tables; what is none is looked at again. */
        if (binding->plain[j] && owi_cell_number(cell, &values[j], NULL)) continue;
        if (schema->levels[j] == NULL)
            OWI_TRY(number_value(reader, cell, j, &values[j]));
        else
            OWI_TRY(level_value(reader, cell, j, &values[j]));
    }
    return OW_OK;
}

ow_status owi_reader_next(ow_reader *reader, size_t max_rows, double *values,
                          int32_t *classes, size_t *n_rows)
{
    *n_rows = 0;
    const owi_binding *binding = &reader->binding;
    OWI_REQUIRE(binding->schema != NULL);
    OWI_REQUIRE(values != NULL || max_rows == 0);
    const size_t n_columns = binding->schema->n_columns;

    size_t n = 0;
    if (reader->id != NULL) reader->id->n_rows = reader->id->n_text = 0;
    reader->texts.n_rows = reader->texts.n_text = 0;
    for (; n < max_rows; n++) {
        const owi_cell *cells;
        bool at_end;
        OWI_TRY(owi_reader_next_cells(reader, &cells, &at_end));
        if (at_end) break;
        OWI_TRY(owi_reader_row_values(reader, cells, values + n * n_columns));
        if (reader->id != NULL) OWI_TRY(owi_reader_note_id(reader, cells));
        if (reader->keeps_texts) OWI_TRY(owi_reader_note_texts(reader, cells));
        if (classes == NULL) continue;
        classes[n] = OW_NO_CLASS;
        if (binding->label != SIZE_MAX)
            OWI_TRY(class_value(reader, &cells[binding->label], &classes[n]));
    }
    *n_rows = n;
    return OW_OK;
}

ow_status ow_reader_next(ow_reader *reader, size_t max_rows, const ow_call *call,
                         double *values, int32_t *classes, size_t *n_rows)
{
    owi_call own;
    OWI_REQUIRE(reader != NULL && n_rows != NULL);
    *n_rows = 0;
    OWI_TRY(owi_call_begin(&own, reader->ctx, call));
    owi_reader_set_call(reader, &own);
    const ow_status status = owi_reader_next(reader, max_rows, values, classes, n_rows);
    owi_reader_set_call(reader, NULL);
    return status;
}
