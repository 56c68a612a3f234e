/* SPDX-License-Identifier: MIT */
#include "explain/face/face_rules.h"

#include <math.h>

#include "base/error.h"

static bool is_ruled(const ow_constraints *constraints, size_t column)
{
    const owi_column_rule *rule = &constraints->rules[column];
    return rule->monotone != OW_MONOTONE_NONE || rule->has_range || rule->n_allowed > 0;
}

/* A number in the training range may be anybody's answer, where nothing is said of its
 * column. */
static void mark_unusual(owi_face_rules *rules, size_t column)
{
    const ow_column *shown = ow_schema_column(rules->constraints->schema, column);
    double low, high;
    if (shown->n_levels > 0) return;
    owi_constraints_interval(rules->constraints, column, shown->low, &low, &high);
    for (size_t i = 0; i < rules->n_rows; i++) {
        const double value = rules->values[i * rules->n_columns + column];
        if (value < low || value > high) rules->unusual[i] = true;
    }
}

ow_status owi_face_rules_init(owi_face_rules *rules, ow_context *ctx,
                              const ow_constraints *constraints, size_t n_rows,
                              const double *values)
{
    *rules = (owi_face_rules){
        .constraints = constraints,
        .n_rows = n_rows,
        .n_columns = ow_schema_n_columns(constraints->schema),
        .values = values,
    };
    const owi_piece pieces[] = {OWI_PIECE(rules->bound, rules->n_columns),
                                OWI_PIECE(rules->unusual, n_rows)};
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &rules->workspace));
    for (size_t j = 0; j < rules->n_columns; j++)
        if (owi_constraints_frozen(constraints, j))
            rules->bound[rules->n_frozen++] = (uint32_t)j;
    rules->n_bound = rules->n_frozen;
    for (size_t j = 0; j < rules->n_columns; j++) {
        if (owi_constraints_frozen(constraints, j)) continue;
        if (is_ruled(constraints, j))
            rules->bound[rules->n_bound++] = (uint32_t)j;
        else
            mark_unusual(rules, j);
    }
    return OW_OK;
}

void owi_face_rules_clear(owi_face_rules *rules)
{
    owi_workspace_free(rules->workspace);
    *rules = (owi_face_rules){0};
}

/* Of a column that is not frozen. */
static bool may_become(const owi_face_rules *rules, size_t column, double from, double to)
{
    return from == to || isnan(from) || isnan(to) ||
           owi_constraints_permit_free(rules->constraints, column, from, to);
}

bool owi_face_may_step(const owi_face_rules *rules, const double *from, size_t to)
{
    const double *values = rules->values + to * rules->n_columns;
    size_t b = 0;
    for (; b < rules->n_frozen; b++) {
        const size_t j = rules->bound[b];
        if (from[j] != values[j] && !isnan(from[j]) && !isnan(values[j])) return false;
    }
    for (; b < rules->n_bound; b++) {
        const size_t j = rules->bound[b];
        if (!may_become(rules, j, from[j], values[j])) return false;
    }
    /* Frozen columns are the same by now. */
    for (size_t j = 0; j < rules->n_columns && rules->unusual[to]; j++)
        if (!may_become(rules, j, from[j], values[j])) return false;
    return true;
}
