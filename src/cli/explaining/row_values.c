/* SPDX-License-Identifier: MIT */
#include "explaining/row_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

bool row_value_differs(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) != isnan(b) : a != b;
}
