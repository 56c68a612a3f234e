/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "base/text/number.h"
#include "otherwise/schema.h"

size_t ow_schema_print_value(const ow_schema *schema, size_t column, double value,
                             char *text, size_t size)
{
    const ow_column *c = ow_schema_column(schema, column);
    char number[owi_fixed_size] = "";
    const char *whole = number;
    if (c->levels == NULL && !isnan(value))
        owi_print_fixed(value, c->decimals, number);
    else if (value >= 0.0 && value < (double)c->n_levels) /* false for NaN */
        whole = c->levels[(size_t)value];
    return (size_t)snprintf(text, size, "%s", whole);
}
