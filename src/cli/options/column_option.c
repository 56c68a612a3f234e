/* SPDX-License-Identifier: MIT */
#include "options/column_option.h"

#include <stdlib.h>
#include <string.h>

#include "options/args.h"
#include "terminal/memory.h"
#include "terminal/message.h"

static bool is_name(const char *name, const char *text, size_t length)
{
    return name != NULL && strncmp(name, text, length) == 0 && name[length] == '\0';
}

static void complain(const ow_schema *schema, const char *option, const char *form,
                     bool label, const char *text)
{
    const size_t length = strcspn(text, "=");
    size_t n = ow_schema_n_columns(schema);
    if (text[length] == '\0') {
        message(OW_LOG_ERROR, "%s: expected %s, got \"%s\"", option, form, text);
        return;
    }
    const char **names = memory_new(n + 1, sizeof *names);
    for (size_t j = 0; j < n; j++) names[j] = ow_schema_column(schema, j)->name;
    if (label && ow_schema_label(schema) != NULL) names[n++] = ow_schema_label(schema);
    char *name = memory_copy(text, length);
    message(OW_LOG_ERROR, "%s: there is no column \"%s\"%s", option, name,
            args_did_you_mean(name, "", names, n));
    free(name);
    free(names);
}

bool column_option_split(const ow_schema *schema, const char *option, const char *form,
                         bool label, const char *text, size_t *column, const char **value)
{
    const size_t n = ow_schema_n_columns(schema);
    for (const char *at = strchr(text, '='); at != NULL; at = strchr(at + 1, '=')) {
        const size_t length = (size_t)(at - text);
        *value = at + 1;
        for (*column = 0; *column < n; ++*column)
            if (is_name(ow_schema_column(schema, *column)->name, text, length)) return true;
        if (label && is_name(ow_schema_label(schema), text, length)) return true;
    }
    complain(schema, option, form, label, text);
    return false;
}
