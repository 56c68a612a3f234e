/* SPDX-License-Identifier: MIT */
#include "json/json_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void owi_put_text(owi_json *json, const char *key, const char *text)
{
    owi_json_key(json, key);
    owi_json_text(json, text);
}

void owi_put_number(owi_json *json, const char *key, double value)
{
    owi_json_key(json, key);
    owi_json_decimal(json, value, owi_json_digits);
}

void owi_put_count(owi_json *json, const char *key, size_t value)
{
    owi_json_key(json, key);
    owi_json_integer(json, (int64_t)value);
}

void owi_put_bool(owi_json *json, const char *key, bool value)
{
    owi_json_key(json, key);
    owi_json_bool(json, value);
}

void owi_put_null(owi_json *json, const char *key)
{
    owi_json_key(json, key);
    owi_json_null(json);
}

void owi_put_seed(owi_json *json, const char *key, const ow_call *call)
{
    const uint64_t seed = call != NULL ? call->seed : 0;
    char text[24];
    owi_json_key(json, key);
    if (seed <= INT64_MAX) {
        owi_json_integer(json, (int64_t)seed);
        return;
    }
    snprintf(text, sizeof text, "%" PRIu64, seed);
    owi_json_text(json, text);
}

void owi_put_range(owi_json *json, const char *key, double low, double high)
{
    owi_json_key(json, key);
    owi_json_open_array(json, false);
    owi_json_decimal(json, low, owi_json_digits);
    owi_json_decimal(json, high, owi_json_digits);
    owi_json_close_array(json);
}

/* ---- Rows ---- */

/* Patterns of dates begin with a letter, those of numbers with a digit or a unit. */
static bool is_date(const ow_column *column)
{
    return column->format != NULL && strchr("ydm", column->format[0]) != NULL;
}

/* Dates are texts, as files have them; other numbers are numbers, whatever their unit. */
static void put_date(owi_json *json, const ow_schema *schema, size_t column, double value)
{
    char text[64];
    ow_schema_print_value(schema, column, value, text, sizeof text);
    owi_json_text(json, text);
}

void owi_json_cell(owi_json *json, const ow_schema *schema, size_t column, double value)
{
    static const double exact = 1e15; /* larger whole numbers need not be exact */
    const ow_column *shown = ow_schema_column(schema, column);
    if (!isfinite(value))
        owi_json_null(json);
    else if (shown->n_levels > 0)
        owi_json_text(json, shown->levels[(size_t)value]);
    else if (is_date(shown))
        put_date(json, schema, column, value);
    else if (value == rint(value) && fabs(value) < exact)
        owi_json_integer(json, (int64_t)value);
    else
        owi_json_decimal(json, value, owi_json_digits);
}

void owi_json_row(owi_json *json, const ow_schema *schema, const double *values)
{
    owi_json_open_object(json, false);
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        owi_json_key(json, ow_schema_column(schema, j)->name);
        owi_json_cell(json, schema, j, values[j]);
    }
    owi_json_close_object(json);
}

void owi_put_row(owi_json *json, const char *key, const ow_schema *schema,
                 const double *values)
{
    owi_json_key(json, key);
    owi_json_row(json, schema, values);
}

void owi_put_class(owi_json *json, const char *key, const ow_schema *schema,
                   int32_t class_index)
{
    owi_put_text(json, key, ow_schema_class_name(schema, (size_t)class_index));
}

void owi_put_by_class(owi_json *json, const char *key, const ow_schema *schema,
                      const double *figures)
{
    owi_json_key(json, key);
    owi_json_open_object(json, false);
    for (size_t c = 0; c < ow_schema_n_classes(schema); c++)
        owi_put_number(json, ow_schema_class_name(schema, c), figures[c]);
    owi_json_close_object(json);
}

void owi_put_levels(owi_json *json, const ow_column *column)
{
    owi_json_key(json, "levels");
    owi_json_open_array(json, false);
    for (size_t k = 0; k < column->n_levels; k++) owi_json_text(json, column->levels[k]);
    owi_json_close_array(json);
}
