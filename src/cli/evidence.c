/* SPDX-License-Identifier: MIT */
#include "evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "message.h"

static bool complain_unknown(const char *option, const char *what, const char *word,
                             const char *const *names, size_t n)
{
    message(OW_LOG_ERROR, "%s: there is no %s \"%s\"%s", option, what, word,
            args_did_you_mean(word, "", names, n));
    return false;
}

bool evidence_find_class(const ow_schema *schema, const char *option, const char *name,
                         int32_t *class_index)
{
    *class_index = ow_schema_find_class(schema, name);
    if (*class_index >= 0) return true;
    const size_t C = ow_schema_n_classes(schema);
    const char **names = memory_new(C, sizeof *names);
    for (size_t c = 0; c < C; c++) names[c] = ow_schema_class_name(schema, c);
    complain_unknown(option, "class", name, names, C);
    free(names);
    return false;
}

/* The column whose name the text begins with, before a "=": names may hold one themselves, so every "=" is
 * tried.  The schema's number of columns stands for the label. */
static bool find_column(const ow_schema *schema, const char *text, size_t *column,
                        const char **value)
{
    const char *label = ow_schema_label(schema);
    const size_t n = ow_schema_n_columns(schema);
    for (const char *at = strchr(text, '='); at != NULL; at = strchr(at + 1, '=')) {
        const size_t length = (size_t)(at - text);
        *value = at + 1;
        for (*column = 0; *column < n; ++*column) {
            const char *name = ow_schema_column(schema, *column)->name;
            if (strncmp(name, text, length) == 0 && name[length] == '\0') return true;
        }
        if (label != NULL && strncmp(label, text, length) == 0 && label[length] == '\0')
            return true;
    }
    return false;
}

static void complain_no_column(const ow_schema *schema, const char *text)
{
    const size_t length = strcspn(text, "="), n = ow_schema_n_columns(schema);
    if (text[length] == '\0') {
        message(OW_LOG_ERROR, "--given: expected COLUMN=VALUE, got \"%s\"", text);
        return;
    }
    const char **names = memory_new(n + 1, sizeof *names);
    for (size_t j = 0; j < n; j++) names[j] = ow_schema_column(schema, j)->name;
    names[n] = ow_schema_label(schema);
    char *name = memory_copy(text, length);
    complain_unknown("--given", "column", name, names, names[n] != NULL ? n + 1 : n);
    free(name);
    free(names);
}

static bool read_value(const ow_schema *schema, size_t j, const char *text, double *value)
{
    const ow_column *column = ow_schema_column(schema, j);
    if (column->n_levels > 0) {
        const int32_t level = ow_schema_find_level(schema, j, text);
        *value = level;
        if (level >= 0) return true;
        message(OW_LOG_ERROR, "--given: column \"%s\" has no level \"%s\"%s", column->name,
                text, args_did_you_mean(text, "", column->levels, column->n_levels));
        return false;
    }
    char *end;
    const bool decimal = *text != '\0' && text[strspn(text, "+-.0123456789eE")] == '\0';
    *value = strtod(text, &end);
    if (decimal && *end == '\0' && isfinite(*value)) return true;
    message(OW_LOG_ERROR, "--given: column \"%s\": expected a number, got \"%s\"",
            column->name, text);
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
        if (!find_column(schema, text, &column, &value)) {
            complain_no_column(schema, text);
            return false;
        }
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
