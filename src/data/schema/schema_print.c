/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include <string.h>

#include "base/error.h"
#include "base/text/quote.h"
#include "data/schema/schema_private.h"

size_t ow_schema_print_value(const ow_schema *schema, size_t column, double value,
                             char *text, size_t size)
{
    const ow_column *c = ow_schema_column(schema, column);
    char number[owi_value_size] = "";
    const char *whole = number;
    if (c->levels == NULL && !isnan(value))
        owi_value_print(owi_schema_format(schema, column), value, c->decimals, number);
    else if (value >= 0.0 && value < (double)c->n_levels) /* false for NaN */
        whole = c->levels[(size_t)value];
    return (size_t)snprintf(text, size, "%s", whole);
}

ow_status ow_schema_read_value(const ow_schema *schema, size_t column, const char *text,
                               double *value)
{
    OWI_REQUIRE(schema != NULL && text != NULL && value != NULL);
    *value = NAN;
    OWI_REQUIRE(column < schema->n_columns);
    const ow_column *c = &schema->columns[column];
    if (c->n_levels > 0) {
        int32_t level;
        OWI_TRY(ow_schema_find_level(schema, column, text, &level));
        *value = (double)level;
        return OW_OK;
    }
    const size_t length = strlen(text);
    if (owi_value_read(owi_schema_format(schema, column), text, length, value, NULL) ||
        owi_parse_number(text, length, value, NULL))
        return OW_OK;
    char name[owi_quote_size], got[owi_quote_size];
    *value = NAN;
    return owi_fail(OW_ERR_ARGUMENT, "column %s: expected a number%s%s, got %s",
                    owi_quote_text(c->name, name), c->format != NULL ? " such as " : "",
                    c->format != NULL ? c->format : "", owi_quote_text(text, got));
}
