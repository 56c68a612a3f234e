/* SPDX-License-Identifier: MIT */
#include "options/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options/column_option.h"
#include "terminal/memory.h"
#include "terminal/message.h"

bool evidence_find_class(const ow_schema *schema, const char *option, const char *name,
                         int32_t *class_index)
{
    if (ow_schema_find_class(schema, name, class_index) == OW_OK) return true;
    message(OW_LOG_ERROR, "%s: %s", option, ow_error_message());
    return false;
}

bool evidence_find_target(const ow_schema *schema, const char *name, int32_t *target)
{
    static const char any_other[] = "other";
    if (name == NULL) name = any_other;
    if (strcmp(name, any_other) == 0 &&
        ow_schema_find_class(schema, any_other, target) != OW_OK) {
        *target = OW_ANY_OTHER_CLASS;
        return true;
    }
    return evidence_find_class(schema, "--target", name, target);
}

static bool read_value(const ow_schema *schema, size_t j, const char *text, double *value)
{
    if (ow_schema_read_value(schema, j, text, value) == OW_OK) return true;
    message(OW_LOG_ERROR, "--given: %s", ow_error_message());
    return false;
}

bool evidence_read(const ow_schema *schema, const text_list *given, double *values,
                   int32_t *class_index)
{
    const size_t n = ow_schema_n_columns(schema);
    for (size_t j = 0; j < n; j++) values[j] = NAN;
    for (size_t i = 0; i < given->n; i++) {
        const char *text = given->items[i], *value;
        size_t column;
        if (!column_option_split(schema, "--given", "COLUMN=VALUE", true, text, &column,
                                 &value))
            return false;
        if (column == n) {
            if (!evidence_find_class(schema, "--given", value, class_index)) return false;
            continue;
        }
        if (!isnan(values[column])) {
            message(OW_LOG_ERROR, "--given: column \"%s\" is given twice",
                    ow_schema_column(schema, column)->name);
            return false;
        }
        if (!read_value(schema, column, value, &values[column])) return false;
    }
    return true;
}
