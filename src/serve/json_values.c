/* SPDX-License-Identifier: MIT */
#include "serve/json_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/memory.h"
#include "cli/terminal/text_build.h"

json_t *json_values_text(const char *text)
{
    if (text == NULL) return json_null();
    json_t *string = json_string(text);
    if (string != NULL) return string;
    char *clean = memory_copy(text, strlen(text));
    for (char *c = clean; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    string = json_string(clean);
    free(clean);
    return string;
}

/* In a format of its own, such as a date, a number is written as the file has it. */
static json_t *format_cell(const ow_schema *schema, size_t column, double value)
{
    char text[128];
    ow_schema_print_value(schema, column, value, text, sizeof text);
    return json_values_text(text);
}

/* Patterns of dates begin with a letter, those of numbers with a digit or a unit. */
static bool is_date(const ow_column *column)
{
    return column->format != NULL && strchr("ydm", column->format[0]) != NULL;
}

json_t *json_values_cell(const ow_schema *schema, size_t column, double value)
{
    static const double exact = 1e15;
    const ow_column *shown = ow_schema_column(schema, column);
    if (!isfinite(value)) return json_null();
    if (shown->n_levels > 0) return json_values_text(shown->levels[(size_t)value]);
    if (is_date(shown)) return format_cell(schema, column, value);
    if (value == rint(value) && fabs(value) < exact) return json_integer((json_int_t)value);
    return json_real(value);
}

json_t *json_values_row(const ow_schema *schema, const double *values)
{
    json_t *row = json_object();
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
        json_object_set_new_nocheck(row, ow_schema_column(schema, j)->name,
                                    json_values_cell(schema, j, values[j]));
    return row;
}

static bool read_cell(const ow_schema *schema, size_t j, const json_t *value, double *out,
                      char **error)
{
    const ow_column *column = ow_schema_column(schema, j);
    if (json_is_null(value)) {
        *out = NAN;
        return true;
    }
    if (json_is_number(value) && column->n_levels == 0) {
        *out = json_number_value(value);
        return true;
    }
    if (!json_is_string(value)) {
        *error = text_add(NULL, "column \"%s\": expected %s, or null for a missing value",
                          column->name, column->n_levels > 0 ? "a level" : "a number");
        return false;
    }
    if (ow_schema_read_value(schema, j, json_string_value(value), out) == OW_OK)
        return true;
    *error = text_add(NULL, "%s", ow_error_message());
    return false;
}

bool json_values_read(const ow_schema *schema, const json_t *object, double *values,
                      char **error)
{
    const char *name;
    json_t *value;
    if (!json_is_object(object)) {
        *error = text_add(NULL, "values: expected an object of columns");
        return false;
    }
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        size_t j;
        if (ow_schema_find_column(schema, name, &j) != OW_OK) {
            *error = text_add(NULL, "values: %s", ow_error_message());
            return false;
        }
        if (!read_cell(schema, j, value, &values[j], error)) return false;
    }
    return true;
}
