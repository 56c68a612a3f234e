/* SPDX-License-Identifier: MIT */
#include "data/roles/carried_columns.h"

#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/text/name_list.h"
#include "base/text/quote.h"
#include "data/roles/identifiers.h"
#include "data/schema/schema_private.h"

static owi_identifier judge(const owi_column_stats *stats, const owi_column_plan *plan)
{
    if (plan->role != OWI_ROLE_FEATURE || plan->is_kept) return OWI_NO_IDENTIFIER;
    return owi_find_identifier(stats);
}

void owi_set_identifiers_aside(ow_context *ctx, const char *file, size_t n_columns,
                               const owi_column_stats *stats, owi_column_plan *plan)
{
    owi_name_list names = {0};
    size_t n_left = 0, n_aside = 0, best = 0;
    int best_rank = 0;
    for (size_t j = 0; j < n_columns; j++)
        n_left += plan[j].role == OWI_ROLE_FEATURE && stats[j].n_present > 0 &&
                  judge(&stats[j], &plan[j]) == OWI_NO_IDENTIFIER;
    for (size_t j = 0; j < n_columns && n_left > 0; j++) {
        const owi_identifier found = judge(&stats[j], &plan[j]);
        if (found == OWI_NO_IDENTIFIER) continue;
        char quoted[owi_quote_size];
        plan[j].role = OWI_ROLE_CARRIED;
        const int rank = found == OWI_IDENTIFIER ? owi_rank_identifier(&stats[j]) : 0;
        if (rank > best_rank) {
            best_rank = rank;
            best = j;
        }
        owi_name_list_add(&names, owi_quote_text(plan[j].name, quoted));
        n_aside++;
    }
    if (best_rank > 0) plan[best].is_row_id = true;
    if (n_aside > 0)
        owi_log(ctx, OW_LOG_WARN,
                "%s: %s %s or free text: no part of the model, and never changed (--keep "
                "COLUMN to learn one)",
                file, names.text, n_aside == 1 ? "is an identifier" : "are identifiers");
}

ow_status owi_add_carried_columns(ow_schema *schema, size_t n_columns,
                                  const owi_column_plan *plan)
{
    for (size_t j = 0; j < n_columns; j++)
        if (plan[j].role == OWI_ROLE_CARRIED)
            OWI_TRY(owi_schema_add_carried(schema, plan[j].name, strlen(plan[j].name),
                                           plan[j].is_row_id));
    return OW_OK;
}
