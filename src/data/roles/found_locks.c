/* SPDX-License-Identifier: MIT */
#include "data/roles/found_locks.h"

#include <string.h>

#include "base/context.h"
#include "base/text/name_list.h"
#include "base/text/quote.h"
#include "data/roles/lock_words.h"

static bool is_free(const ow_column *column, size_t n_columns, const owi_column_plan *plan)
{
    for (size_t j = 0; j < n_columns; j++)
        if (strcmp(plan[j].name, column->name) == 0)
            return plan[j].is_unlocked || plan[j].monotone != OW_MONOTONE_NONE;
    return false;
}

static bool is_locked(const ow_schema *schema, size_t j)
{
    const ow_column *column = &schema->columns[j];
    return owi_is_locked_name(column->name) ||
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
        if (column->immutable || is_free(column, n_columns, plan)) continue;
        if (is_locked(schema, j)) {
            column->immutable = true;
            owi_name_list_add(&names, owi_quote_text(column->name, quoted));
            n_locked++;
        } else if (owi_is_doubtful_name(column->name)) {
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
