/* SPDX-License-Identifier: MIT */
/* The constraints of a call: what it added to those of the schema. */
#include "base/error.h"
#include "base/text/number.h"
#include "explain/constraints/constraints.h"
#include "otherwise/json.h"
#include "json/json_parts.h"

/* Writes what a column has to say under one of the headings, if anything. */
typedef void (*put_rule)(owi_json *json, const ow_column *column,
                         const owi_column_rule *rule);

static void put_immutable(owi_json *json, const ow_column *column,
                          const owi_column_rule *rule)
{
    if (rule->immutable && !column->immutable) owi_json_text(json, column->name);
}

static void put_vary(owi_json *json, const ow_column *column, const owi_column_rule *rule)
{
    if (rule->named_vary) owi_json_text(json, column->name);
}

static void put_interval(owi_json *json, const ow_column *column,
                         const owi_column_rule *rule)
{
    if (rule->has_range) owi_put_range(json, column->name, rule->low, rule->high);
}

static void put_allowed(owi_json *json, const ow_column *column,
                        const owi_column_rule *rule)
{
    if (rule->n_allowed == 0) return;
    owi_json_key(json, column->name);
    owi_json_open_array(json, false);
    for (size_t k = 0; k < rule->n_allowed; k++) {
        char number[owi_number_size];
        owi_print_number(rule->allowed[k], number);
        owi_json_text(json, column->n_levels > 0 ? column->levels[(size_t)rule->allowed[k]]
                                                 : number);
    }
    owi_json_close_array(json);
}

static void put_direction(owi_json *json, const ow_column *column,
                          const owi_column_rule *rule)
{
    if (rule->monotone != column->monotone)
        owi_put_text(json, column->name, ow_monotone_name(rule->monotone));
}

static void put_each(owi_json *json, const ow_constraints *constraints, put_rule put)
{
    for (size_t j = 0; constraints != NULL && j < ow_schema_n_columns(constraints->schema);
         j++)
        put(json, ow_schema_column(constraints->schema, j), &constraints->rules[j]);
}

static void put_list(owi_json *json, const char *key, const ow_constraints *constraints,
                     put_rule put)
{
    owi_json_key(json, key);
    owi_json_open_array(json, false);
    put_each(json, constraints, put);
    owi_json_close_array(json);
}

static void put_by_column(owi_json *json, const char *key,
                          const ow_constraints *constraints, put_rule put)
{
    owi_json_key(json, key);
    owi_json_open_object(json, false);
    put_each(json, constraints, put);
    owi_json_close_object(json);
}

/* ---- What is there only where it was given ---- */

static void put_reach(owi_json *json, const ow_column *column, const owi_column_rule *rule)
{
    if (!rule->has_reach) return;
    owi_json_key(json, column->name);
    owi_json_open_object(json, false);
    owi_put_range(json, "units", rule->reach_low, rule->reach_high);
    owi_put_range(json, "percent", rule->percent_low, rule->percent_high);
    owi_json_close_object(json);
}

static void put_moves(owi_json *json, const ow_column *column, const owi_column_rule *rule)
{
    if (rule->n_moves == 0) return;
    owi_json_key(json, column->name);
    owi_json_open_array(json, false);
    for (size_t k = 0; k < rule->n_moves; k++) {
        owi_json_open_array(json, false);
        owi_json_text(json, column->levels[(size_t)rule->moves[k].from]);
        owi_json_text(json, column->levels[(size_t)rule->moves[k].to]);
        owi_json_close_array(json);
    }
    owi_json_close_array(json);
}

static void put_cost(owi_json *json, const ow_column *column, const owi_column_rule *rule)
{
    if (rule->cost_up == 1.0 && rule->cost_down == 1.0) return;
    owi_json_key(json, column->name);
    owi_json_open_object(json, false);
    owi_put_number(json, "up", rule->cost_up);
    owi_put_number(json, "down", rule->cost_down);
    owi_json_close_object(json);
}

/* What was stated, and what the schema's relations and rules have become. */
static void put_statements(owi_json *json, const ow_constraints *constraints)
{
    size_t n_derived = 0, n_rules = 0;
    for (size_t i = 0; i < constraints->n_dependencies; i++)
        n_derived += constraints->dependencies[i].is_stated;
    for (size_t i = 0; i < constraints->n_conditions; i++)
        n_rules += constraints->conditions[i].is_stated;
    if (n_derived > 0) {
        owi_json_key(json, "derive");
        owi_json_open_object(json, false);
        for (size_t i = 0; i < constraints->n_dependencies; i++) {
            const owi_dependency *d = &constraints->dependencies[i];
            if (d->is_stated)
                owi_put_text(json,
                             ow_schema_column(constraints->schema, d->shown.column)->name,
                             d->shown.formula);
        }
        owi_json_close_object(json);
    }
    if (n_rules == 0) return;
    owi_json_key(json, "rules");
    owi_json_open_array(json, false);
    for (size_t i = 0; i < constraints->n_conditions; i++)
        if (constraints->conditions[i].is_stated)
            owi_json_text(json, constraints->conditions[i].text);
    owi_json_close_array(json);
}

static void put_given(owi_json *json, const ow_constraints *constraints)
{
    bool reach = false, moves = false, cost = false;
    if (constraints == NULL) return;
    for (size_t j = 0; j < ow_schema_n_columns(constraints->schema); j++) {
        const owi_column_rule *rule = &constraints->rules[j];
        reach |= rule->has_reach;
        moves |= rule->n_moves > 0;
        cost |= rule->cost_up != 1.0 || rule->cost_down != 1.0;
    }
    if (reach) put_by_column(json, "reach", constraints, put_reach);
    if (moves) put_by_column(json, "moves", constraints, put_moves);
    if (cost) put_by_column(json, "cost", constraints, put_cost);
    put_statements(json, constraints);
}

static void put_constraints(owi_json *json, const ow_constraints *constraints,
                            const ow_explain_options *options)
{
    owi_json_open_object(json, false);
    put_list(json, "immutable", constraints, put_immutable);
    put_list(json, "vary", constraints, put_vary);
    put_by_column(json, "range", constraints, put_interval);
    put_by_column(json, "allow", constraints, put_allowed);
    put_by_column(json, "monotone", constraints, put_direction);
    if (constraints != NULL && constraints->most_changes > 0)
        owi_put_count(json, "max_changes", constraints->most_changes);
    else
        owi_put_null(json, "max_changes");
    put_given(json, constraints);
    owi_json_key(json, "min_density");
    owi_json_open_object(json, false);
    owi_put_number(json, "quantile", options->density_quantile);
    owi_put_bool(json, "required", options->density_required);
    owi_json_close_object(json);
    owi_put_range(json, "prob", options->least_proba, options->most_proba);
    owi_json_close_object(json);
}

void owi_put_constraints(owi_json *json, const char *key, const ow_constraints *constraints,
                         const ow_explain_options *options)
{
    owi_json_key(json, key);
    put_constraints(json, constraints, options);
}

ow_status ow_constraints_json(ow_context *ctx, const ow_constraints *constraints,
                              const ow_explain_options *options, char **text, size_t *size)
{
    owi_json json;
    OWI_REQUIRE(text != NULL);
    *text = NULL;
    OWI_REQUIRE(ctx != NULL && options != NULL);
    owi_json_begin(&json, ctx);
    put_constraints(&json, constraints, options);
    return owi_json_end(&json, text, size);
}
