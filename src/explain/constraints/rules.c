/* SPDX-License-Identifier: MIT */
#include "explain/constraints/rules.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text/number.h"
#include "explain/constraints/follow.h"
#include "explain/constraints/whole_rows.h"
#include "explain/core/distance.h"

/* ---- One column ---- */

/* A column that is linked may not change if one of its link is immutable, nor if none of
 * them is named among those that may vary. */
static bool is_frozen(const ow_constraints *constraints, size_t column);

/* Whether a parent of the relation may change; relations have no circles. */
static bool some_may_change(const ow_constraints *constraints, const ow_relation *shown)
{
    for (size_t i = 0; i < shown->n_parents; i++)
        if (!is_frozen(constraints, shown->parents[i])) return true;
    return false;
}

static bool is_frozen(const ow_constraints *constraints, size_t column)
{
    const ow_schema *schema = constraints->schema;
    const size_t link = ow_schema_column(schema, column)->link;
    const owi_column_rule *rule = &constraints->rules[column];
    if (rule->immutable) return true;
    const owi_dependency *follows = owi_constraints_dependency(constraints, column);
    if (follows != NULL) return !some_may_change(constraints, &follows->shown);
    if (link == 0) return constraints->only_named && !rule->named_vary;

    const ow_linked linked = ow_schema_linked(schema, link);
    bool is_named = false;
    for (size_t k = 0; k < linked.n_columns; k++) {
        if (constraints->rules[linked.columns[k]].immutable) return true;
        is_named |= constraints->rules[linked.columns[k]].named_vary;
    }
    return (constraints->only_named && !is_named) || linked.n_rows == 0;
}

/* The number of the level that stands for others; -1 if there is none. */
static double rest_level(const ow_column *column)
{
    for (size_t k = 0; column->rest != NULL && k < column->n_levels; k++)
        if (strcmp(column->levels[k], column->rest) == 0) return (double)k;
    return -1.0;
}

owi_limits owi_limits_of(const ow_constraints *constraints, size_t column)
{
    const ow_column *shown = ow_schema_column(constraints->schema, column);
    const owi_column_rule *rule = &constraints->rules[column];
    const bool is_table = ow_schema_layout(constraints->schema).kind == OW_LAYOUT_TABLE;
    owi_limits limits = {.frozen = is_frozen(constraints, column),
                         .is_ruled = rule->monotone != OW_MONOTONE_NONE ||
                                     rule->has_range || rule->has_reach ||
                                     rule->n_allowed > 0 || rule->n_moves > 0 ||
                                     shown->rest != NULL,
                         .is_open = shown->n_levels == 0 && !rule->has_range,
                         .low = rule->low,
                         .high = rule->high,
                         .monotone = rule->monotone,
                         .decimals = shown->n_levels > 0 ? 0 : shown->decimals,
                         .n_allowed = rule->n_allowed,
                         .allowed = rule->allowed,
                         .has_rest = shown->rest != NULL,
                         .rest = rest_level(shown),
                         .n_moves = rule->n_moves,
                         .moves = rule->moves,
                         .has_reach = rule->has_reach,
                         .reach_low = rule->reach_low,
                         .reach_high = rule->reach_high,
                         .percent_low = rule->percent_low,
                         .percent_high = rule->percent_high,
                         .cost_up = rule->cost_up,
                         .cost_down = rule->cost_down};
    if (shown->n_levels > 0) {
        limits.low = 0.0;
        limits.high = (double)shown->n_levels - 1.0;
    } else if (limits.is_open) {
        limits.low = is_table ? shown->low : constraints->layout_low;
        limits.high = is_table ? shown->high : constraints->layout_high;
    }
    return limits;
}

/* from + amount, which is rounded to the grid where it differs from a grid point by no more
 * than the last bits. */
static double reach(double from, double amount, int decimals)
{
    const double to = from + amount;
    const double rounded = owi_round_decimals(to, decimals);
    return fabs(rounded - to) <= 1e-12 * (fabs(from) + fabs(amount)) ? rounded : to;
}

/* Both bounds of a reach hold: the one in units and the one in percent. */
static void narrow_to_reach(const owi_limits *limits, double from, double *low,
                            double *high)
{
    const double percent = fabs(from) / 100.0;
    const int d = limits->decimals;
    if (isfinite(limits->reach_low)) *low = fmax(*low, reach(from, limits->reach_low, d));
    if (isfinite(limits->reach_high))
        *high = fmin(*high, reach(from, limits->reach_high, d));
    if (isfinite(limits->percent_low))
        *low = fmax(*low, reach(from, limits->percent_low * percent, d));
    if (isfinite(limits->percent_high))
        *high = fmin(*high, reach(from, limits->percent_high * percent, d));
}

void owi_limits_interval(const owi_limits *limits, double from, double *low, double *high)
{
    *low = limits->is_open ? fmin(limits->low, from) : limits->low;
    *high = limits->is_open ? fmax(limits->high, from) : limits->high;
    if (limits->n_allowed > 0 && limits->n_moves == 0) {
        *low = fmax(*low, limits->allowed[0]);
        *high = fmin(*high, limits->allowed[limits->n_allowed - 1]);
    }
    if (limits->monotone == OW_MONOTONE_UP) *low = fmax(*low, from);
    if (limits->monotone == OW_MONOTONE_DOWN) *high = fmin(*high, from);
    if (limits->has_reach) narrow_to_reach(limits, from, low, high);
}

double owi_cost_weight(const owi_limits *limits, bool is_category, double from, double to)
{
    if (is_category) return fmax(limits->cost_up, limits->cost_down);
    return to < from ? limits->cost_down : limits->cost_up;
}

static bool is_allowed(const owi_limits *limits, double value)
{
    if (limits->has_rest && value == limits->rest) return false;
    for (size_t k = 0; k < limits->n_allowed; k++)
        if (limits->allowed[k] == value) return true;
    return limits->n_allowed == 0 && limits->n_moves == 0;
}

/* One of the moves that lead to the value; from NaN: from any level. */
static bool is_move(const owi_limits *limits, double from, double value)
{
    for (size_t k = 0; k < limits->n_moves; k++)
        if (limits->moves[k].to == value && (isnan(from) || limits->moves[k].from == from))
            return true;
    return false;
}

bool owi_permits_change(const owi_limits *limits, double from, double to)
{
    double low, high;
    if (isnan(from) || !isfinite(to)) return false;
    owi_limits_interval(limits, from, &low, &high);
    return to >= low && to <= high && owi_round_decimals(to, limits->decimals) == to &&
           (is_allowed(limits, to) || is_move(limits, from, to));
}

bool owi_permits(const owi_limits *limits, double from, double to)
{
    return owi_same_value(from, to) ||
           (!limits->frozen && owi_permits_change(limits, from, to));
}

bool owi_permits_to_some(const owi_limits *limits, double value)
{
    const bool is_inside = value >= limits->low && value <= limits->high;
    return (limits->is_open || is_inside) &&
           (is_allowed(limits, value) || is_move(limits, NAN, value));
}

ow_status owi_rules_init(owi_rules *rules, ow_context *ctx,
                         const ow_constraints *constraints, const ow_model *model)
{
    const size_t n = ow_schema_n_columns(constraints->schema);
    *rules = (owi_rules){.model = model,
                         .schema = constraints->schema,
                         .n_columns = n,
                         .width = ow_model_soft_width(model),
                         .most_changes = constraints->most_changes,
                         .constraints = constraints};
    const size_t n_dependencies = constraints->n_dependencies;
    const owi_piece pieces[] = {OWI_PIECE(rules->columns, n),
                                OWI_PIECE(rules->scales, n),
                                OWI_PIECE(rules->followers, n * n_dependencies),
                                OWI_PIECE(rules->whole.low, n),
                                OWI_PIECE(rules->whole.high, n),
                                OWI_PIECE(rules->whole.below, n)};
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &rules->workspace));
    owi_column_scales(model, rules->scales);
    for (size_t j = 0; j < n; j++)
        rules->columns[j] = (owi_column_rules){.limits = owi_limits_of(constraints, j),
                                               .soft = owi_soft_column_of(model, j),
                                               .scale = rules->scales[j]};
    owi_find_followers(rules);
    owi_whole_rows_init(rules);
    return OW_OK;
}

void owi_rules_clear(owi_rules *rules)
{
    owi_workspace_free(rules->workspace);
    *rules = (owi_rules){0};
}

/* ---- Whole rows ---- */

double owi_change_cost(const owi_rules *rules, size_t column, double from, double to)
{
    const owi_column_rules *of = &rules->columns[column];
    const ow_column *shown = ow_schema_column(rules->schema, column);
    return owi_scaled_change(of->scale, shown->n_levels > 0, from, to) *
           owi_cost_weight(&of->limits, shown->type == OW_TYPE_CATEGORICAL, from, to);
}

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

size_t owi_count_changes(const ow_constraints *constraints, const double *query,
                         const double *values)
{
    const ow_schema *schema = constraints->schema;
    size_t n = 0;
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        ow_linked linked;
        if (is_first_of_link(schema, j, &linked))
            n += owi_linked_changed(&linked, query, values);
        else if (ow_schema_column(schema, j)->link == 0)
            n += !owi_same_value(query[j], values[j]) &&
                 owi_constraints_dependency(constraints, j) == NULL;
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

/* limits of column j: the rules' own, or made for the constraints. */
static size_t count_violations(const ow_constraints *constraints, const owi_rules *rules,
                               const double *query, const double *values)
{
    const ow_schema *schema = constraints->schema;
    size_t n = 0;
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        ow_linked linked;
        if (!owi_same_value(query[j], values[j])) {
            const owi_limits limits =
                rules != NULL ? rules->columns[j].limits : owi_limits_of(constraints, j);
            n += !owi_permits(&limits, query[j], values[j]);
        }
        if (is_first_of_link(schema, j, &linked) &&
            owi_linked_changed(&linked, query, values))
            n += !occur_together(&linked, values);
    }
    if (constraints->most_changes > 0)
        n += owi_count_changes(constraints, query, values) > constraints->most_changes;
    for (size_t i = 0; i < constraints->n_dependencies; i++)
        n += !owi_dependency_kept(schema, &constraints->dependencies[i], query, values);
    for (size_t i = 0; i < constraints->n_conditions; i++)
        n += !owi_condition_holds(constraints->conditions[i].condition, query, values);
    return n;
}

size_t ow_constraints_violations(const ow_constraints *constraints, const double *query,
                                 const double *values)
{
    return count_violations(constraints, NULL, query, values);
}

size_t owi_rules_violations(const owi_rules *rules, const double *query,
                            const double *values)
{
    if (rules->whole.are) return owi_whole_violations(rules, query, values);
    return count_violations(rules->constraints, rules, query, values);
}

ow_distance owi_rules_distance(const owi_rules *rules, const double *query,
                               const double *values)
{
    if (rules->whole.are) return owi_whole_distance(rules, query, values);
    ow_distance distance = owi_distance_by(rules->schema, rules->scales, query, values);
    /* A column that follows others is no change of its own. */
    distance.l0 = owi_count_changes(rules->constraints, query, values);
    return distance;
}
