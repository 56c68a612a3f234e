/* SPDX-License-Identifier: MIT */
#include "explaining/row_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/json_output.h"
#include "terminal/display_text.h"
#include "terminal/memory.h"

char *row_value_text(const ow_schema *schema, size_t column, double value)
{
    const size_t length = ow_schema_print_value(schema, column, value, NULL, 0);
    char *text = memory_new(length + 1, 1);
    ow_schema_print_value(schema, column, value, text, length + 1);
    return text;
}

char *row_value_shown(const ow_schema *schema, size_t column, double value)
{
    static const char missing[] = "(missing)";
    if (isnan(value)) return memory_copy(missing, strlen(missing));
    char *text = row_value_text(schema, column, value);
    char *clean = display_clean(text);
    free(text);
    return clean;
}

static json_t *value_json(const ow_schema *schema, size_t column, double value)
{
    const ow_column *shown = ow_schema_column(schema, column);
    if (isnan(value)) return json_null();
    if (shown->n_levels > 0) return json_output_text(shown->levels[(size_t)value]);
    if (value == rint(value) && fabs(value) < 1e15) return json_integer((json_int_t)value);
    return json_output_number(value);
}

json_t *row_values_array(const ow_schema *schema, const double *values)
{
    json_t *array = json_array();
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
        json_array_append_new(array, value_json(schema, j, values[j]));
    return array;
}

bool row_value_differs(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) != isnan(b) : a != b;
}
