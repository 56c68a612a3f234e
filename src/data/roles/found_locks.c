/* SPDX-License-Identifier: MIT */
#include "data/roles/found_locks.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/text/name_list.h"
#include "base/text/quote.h"
#include "data/roles/lock_words.h"

static const owi_column_plan *find_plan(const ow_column *column, size_t n_columns,
                                        const owi_column_plan *plan)
{
    size_t j = 0;
    while (j < n_columns && strcmp(plan[j].name, column->name) != 0) j++;
    assert(j < n_columns); /* columns of a table keep their names */
    return &plan[j];
}

static bool is_free(const owi_column_plan *plan)
{
    return plan->is_unlocked || plan->monotone != OW_MONOTONE_NONE;
}

static bool is_called(const char *name, const char *lower)
{
    size_t i = 0;
    while (lower[i] != '\0' && (name[i] == lower[i] || name[i] + 'a' - 'A' == lower[i]))
        i++;
    return lower[i] == '\0' && name[i] == '\0';
}

/* Whether a column is March, not a marital status: one for April stands beside it. */
static bool is_march(const ow_schema *schema, size_t j)
{
    if (!is_called(schema->columns[j].name, "mar")) return false;
    for (size_t k = 0; k < schema->n_columns; k++)
        if (is_called(schema->columns[k].name, "apr")) return true;
    return false;
}

static bool is_locked(const ow_schema *schema, size_t j, const owi_column_plan *plan)
{
    const ow_column *column = &schema->columns[j];
    return (owi_is_locked_name(column->name) && !is_march(schema, j)) || plan->has_dates ||
           owi_schema_format(schema, j)->writing == OWI_DATE ||
           owi_are_locked_levels(column->n_levels, column->levels);
}

void owi_lock_found_columns(ow_schema *schema, const char *file, size_t n_columns,
                            const owi_column_plan *plan)
{
    owi_name_list names = {0}, others = {0};
    size_t n_locked = 0, n_others = 0;
    char quoted[owi_quote_size];
    for (size_t j = 0; j < schema->n_columns; j++) {
        ow_column *column = &schema->columns[j];
        const owi_column_plan *wish = find_plan(column, n_columns, plan);
        if (column->immutable || is_free(wish)) continue;
        if (is_locked(schema, j, wish)) {
            column->immutable = true;
            owi_name_list_add(&names, owi_quote_text(column->name, quoted));
            n_locked++;
        } else if (owi_is_doubtful_name(column->name)) {
            column->doubtful = true;
            owi_name_list_add(&others, owi_quote_text(column->name, quoted));
            n_others++;
        }
    }
    if (n_locked > 0)
        owi_log(
            schema->ctx, OW_LOG_WARN,
            "%s: no answer will change %s, which nobody can change (--unlock COLUMN, or "
            "--unlock all, if that is wrong)",
            file, names.text);
    if (n_others > 0)
        owi_log(schema->ctx, OW_LOG_INFO,
                "%s: perhaps people cannot change %s either; if so: --immutable COLUMN",
                file, others.text);
}
