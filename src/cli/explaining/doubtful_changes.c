/* SPDX-License-Identifier: MIT */
#include "explaining/doubtful_changes.h"

#include <stdlib.h>
#include <string.h>

#include "explaining/row_values.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

/* Whether an item of the list is the name, or begins with "name=". */
static bool names(const text_list *list, const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < list->n; i++) {
        const char *item = list->items[i];
        if (strncmp(item, name, length) == 0 &&
            (item[length] == '\0' || item[length] == '='))
            return true;
    }
    return false;
}

void doubtful_changes_begin(doubtful_changes *d, const ow_schema *schema,
                            const constraint_settings *settings)
{
    const size_t n = ow_schema_n_columns(schema);
    *d = (doubtful_changes){.schema = schema,
                            .asked_for = memory_new(n, sizeof *d->asked_for),
                            .changed = memory_new(n, sizeof *d->changed)};
    for (size_t j = 0; j < n; j++) {
        const char *name = ow_schema_column(schema, j)->name;
        d->asked_for[j] = names(&settings->vary, name) || names(&settings->range, name) ||
                          names(&settings->allow, name) || names(&settings->cost, name) ||
                          names(&settings->monotone, name);
    }
}

void doubtful_changes_clear(doubtful_changes *d)
{
    free(d->asked_for);
    free(d->changed);
    *d = (doubtful_changes){0};
}

void doubtful_changes_note(doubtful_changes *d, const ow_explained_row *row)
{
    const ow_outcome *outcome = row->outcome;
    if (d->schema == NULL || outcome->kind != OW_OUTCOME_FOUND) return;
    for (size_t k = 0; k < outcome->n_answers; k++)
        for (size_t j = 0; j < ow_schema_n_columns(d->schema); j++)
            if (ow_schema_column(d->schema, j)->doubtful && !d->asked_for[j] &&
                row_value_differs(row->query[j], outcome->answers[k]->values[j]))
                d->changed[j] = true;
}

/* Whether a shell reads the name as one word, and the option as one column. */
static bool is_plain(const char *name)
{
    for (; *name != '\0'; name++) {
        const unsigned char c = (unsigned char)*name;
        const bool is_letter =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
        if (!is_letter && !(c >= '0' && c <= '9') && strchr("_-.:/+", c) == NULL)
            return false;
    }
    return true;
}

void doubtful_changes_warn(const doubtful_changes *d)
{
    char *shown = NULL, *list = NULL;
    bool all_plain = true;
    size_t n = 0;
    for (size_t j = 0; d->schema != NULL && j < ow_schema_n_columns(d->schema); j++) {
        const char *name = ow_schema_column(d->schema, j)->name;
        if (!d->changed[j]) continue;
        shown = text_add(shown, "%s\"%s\"", n > 0 ? ", " : "", name);
        list = text_add(list, "%s%s", n > 0 ? "," : "", name);
        all_plain = all_plain && is_plain(name);
        n++;
    }
    if (n > 0)
        message(OW_LOG_WARN,
                "answers change %s, which people perhaps cannot change; if so: "
                "--immutable %s%s%s",
                shown, all_plain ? "" : "'", list, all_plain ? "" : "'");
    free(shown);
    free(list);
}
