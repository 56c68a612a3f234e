/* SPDX-License-Identifier: MIT */
/* What a column may become, and counting what is broken. */
#include <math.h>

#include "base/text/number.h"
#include "explain/constraints/constraints.h"
#include "explain/core/distance.h"

/* ---- One column ---- */

/* A column that is linked may not change if one of its link is immutable, nor if none of
 * them is named among those that may vary. */
bool owi_constraints_frozen(const ow_constraints *constraints, size_t column)
{
    const ow_schema *schema = constraints->schema;
    const size_t link = ow_schema_column(schema, column)->link;
    const owi_column_rule *rule = &constraints->rules[column];
    if (rule->immutable) return true;
    if (link == 0) return constraints->only_named && !rule->named_vary;

    const ow_linked linked = ow_schema_linked(schema, link);
    bool is_named = false;
    for (size_t k = 0; k < linked.n_columns; k++) {
        if (constraints->rules[linked.columns[k]].immutable) return true;
        is_named |= constraints->rules[linked.columns[k]].named_vary;
    }
    return (constraints->only_named && !is_named) || linked.n_rows == 0;
}

void owi_constraints_interval(const ow_constraints *constraints, size_t column, double from,
                              double *low, double *high)
{
    const ow_column *shown = ow_schema_column(constraints->schema, column);
    const owi_column_rule *rule = &constraints->rules[column];
    if (shown->n_levels > 0) {
        *low = 0.0;
        *high = (double)shown->n_levels - 1.0;
    } else if (rule->has_range) {
        *low = rule->low;
        *high = rule->high;
    } else {
        const bool is_table = ow_schema_layout(constraints->schema).kind == OW_LAYOUT_TABLE;
        *low = fmin(is_table ? shown->low : constraints->layout_low, from);
        *high = fmax(is_table ? shown->high : constraints->layout_high, from);
    }
    if (rule->n_allowed > 0) {
        *low = fmax(*low, rule->allowed[0]);
        *high = fmin(*high, rule->allowed[rule->n_allowed - 1]);
    }
    if (rule->monotone == OW_MONOTONE_UP) *low = fmax(*low, from);
    if (rule->monotone == OW_MONOTONE_DOWN) *high = fmin(*high, from);
}

static bool is_allowed(const owi_column_rule *rule, double value)
{
    for (size_t k = 0; k < rule->n_allowed; k++)
        if (rule->allowed[k] == value) return true;
    return rule->n_allowed == 0;
}

bool owi_constraints_permit_free(const ow_constraints *constraints, size_t column,
                                 double from, double to)
{
    const ow_column *shown = ow_schema_column(constraints->schema, column);
    double low, high;
    if (isnan(from) || !isfinite(to)) return false; /* what is missing stays missing */
    owi_constraints_interval(constraints, column, from, &low, &high);
    if (!(to >= low && to <= high)) return false;
    const int decimals = shown->n_levels > 0 ? 0 : shown->decimals;
    if (owi_round_decimals(to, decimals) != to) return false;
    return is_allowed(&constraints->rules[column], to);
}

bool owi_constraints_permit(const ow_constraints *constraints, size_t column, double from,
                            double to)
{
    if (owi_same_value(from, to)) return true;
    return !owi_constraints_frozen(constraints, column) &&
           owi_constraints_permit_free(constraints, column, from, to);
}

/* ---- Whole rows ---- */

static bool is_first_of_link(const ow_schema *schema, size_t column, ow_linked *linked)
{
    const size_t link = ow_schema_column(schema, column)->link;
    if (link == 0) return false;
    *linked = ow_schema_linked(schema, link);
    return linked->columns[0] == column;
}

bool owi_linked_changed(const ow_linked *linked, const double *query, const double *values)
{
    for (size_t k = 0; k < linked->n_columns; k++) {
        const size_t j = linked->columns[k];
        if (!owi_same_value(query[j], values[j])) return true;
    }
    return false;
}

size_t owi_count_changes(const ow_schema *schema, const double *query, const double *values)
{
    size_t n = 0;
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        ow_linked linked;
        if (is_first_of_link(schema, j, &linked))
            n += owi_linked_changed(&linked, query, values);
        else if (ow_schema_column(schema, j)->link == 0)
            n += !owi_same_value(query[j], values[j]);
    }
    return n;
}

/* Whether the row's linked values, as far as they are there, occur together. */
static bool occur_together(const ow_linked *linked, const double *values)
{
    for (size_t i = 0; i < linked->n_rows; i++) {
        size_t k = 0;
        while (k < linked->n_columns &&
               (isnan(values[linked->columns[k]]) ||
                values[linked->columns[k]] == linked->values[i * linked->n_columns + k]))
            k++;
        if (k == linked->n_columns) return true;
    }
    return false;
}

size_t ow_constraints_violations(const ow_constraints *constraints, const double *query,
                                 const double *values)
{
    const ow_schema *schema = constraints->schema;
    size_t n = 0;
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        ow_linked linked;
        n += !owi_constraints_permit(constraints, j, query[j], values[j]);
        if (is_first_of_link(schema, j, &linked) &&
            owi_linked_changed(&linked, query, values))
            n += !occur_together(&linked, values);
    }
    if (constraints->most_changes > 0)
        n += owi_count_changes(schema, query, values) > constraints->most_changes;
    return n;
}
