/* SPDX-License-Identifier: MIT */
/* Saying what may change.  Every setter checks the name and the value before it stores
 * anything, so that constraints are always ones that a row can keep: at the least the query
 * does. */
#include "explain/constraints/constraints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "base/text/spelling.h"
#include "explain/core/distance.h"

ow_status ow_constraints_new(ow_context *ctx, const ow_schema *schema, ow_constraints **out)
{
    OWI_REQUIRE(out != NULL);
    *out = NULL;
    OWI_REQUIRE(schema != NULL && ctx != NULL);
    const size_t n = ow_schema_n_columns(schema);
    ow_constraints *constraints = owi_alloc_zeroed(ctx, sizeof *constraints);
    if (constraints == NULL) return OW_ERR_MEMORY;
    constraints->ctx = ctx;
    constraints->schema = schema;
    constraints->rules = owi_alloc_array(ctx, n, sizeof *constraints->rules);
    if (constraints->rules == NULL) {
        owi_free(ctx, constraints);
        return OW_ERR_MEMORY;
    }
    for (size_t j = 0; j < n; j++) {
        const ow_column *column = ow_schema_column(schema, j);
        constraints->rules[j].immutable = column->immutable;
        constraints->rules[j].monotone = column->monotone;
        constraints->rules[j].cost_up = constraints->rules[j].cost_down = 1.0;
    }
    if (ow_schema_layout(schema).kind != OW_LAYOUT_TABLE)
        owi_layout_range(schema, &constraints->layout_low, &constraints->layout_high);
    const ow_status status = owi_constraints_take_relations(constraints);
    if (status == OW_OK)
        *out = constraints;
    else
        ow_constraints_free(constraints);
    return status;
}

void ow_constraints_free(ow_constraints *constraints)
{
    if (constraints == NULL) return;
    ow_context *ctx = constraints->ctx;
    for (size_t j = 0; j < ow_schema_n_columns(constraints->schema); j++)
        owi_free(ctx, constraints->rules[j].allowed);
    for (size_t j = 0; j < ow_schema_n_columns(constraints->schema); j++)
        owi_free(ctx, constraints->rules[j].moves);
    owi_free(ctx, constraints->rules);
    owi_constraints_free_relations(constraints);
    owi_free(ctx, constraints);
}

/* False: no memory; `to` can be freed. */
static bool copy_rule(ow_context *ctx, const owi_column_rule *from, owi_column_rule *to)
{
    *to = *from;
    to->allowed = NULL;
    to->moves = NULL;
    if (from->n_allowed > 0) {
        to->allowed = owi_alloc_array(ctx, from->n_allowed, sizeof *to->allowed);
        if (to->allowed == NULL) return false;
        memcpy(to->allowed, from->allowed, from->n_allowed * sizeof *to->allowed);
    }
    if (from->n_moves > 0) {
        to->moves = owi_alloc_array(ctx, from->n_moves, sizeof *to->moves);
        if (to->moves == NULL) return false;
        memcpy(to->moves, from->moves, from->n_moves * sizeof *to->moves);
    }
    return true;
}

ow_status owi_constraints_copy(const ow_constraints *constraints, ow_constraints **out)
{
    ow_constraints *copy;
    *out = NULL;
    OWI_TRY(ow_constraints_new(constraints->ctx, constraints->schema, &copy));
    copy->only_named = constraints->only_named;
    copy->most_changes = constraints->most_changes;
    for (size_t j = 0; j < ow_schema_n_columns(constraints->schema); j++)
        if (!copy_rule(copy->ctx, &constraints->rules[j], &copy->rules[j])) {
            ow_constraints_free(copy);
            return OW_ERR_MEMORY;
        }
    const ow_status status = owi_constraints_copy_relations(constraints, copy);
    if (status == OW_OK)
        *out = copy;
    else
        ow_constraints_free(copy);
    return status;
}

static bool same_rule(const owi_column_rule *a, const owi_column_rule *b)
{
    if (a->immutable != b->immutable || a->named_vary != b->named_vary ||
        a->monotone != b->monotone || a->has_range != b->has_range ||
        a->n_allowed != b->n_allowed)
        return false;
    if (a->has_range && (a->low != b->low || a->high != b->high)) return false;
    for (size_t k = 0; k < a->n_allowed; k++)
        if (a->allowed[k] != b->allowed[k]) return false;
    if (a->n_moves != b->n_moves || a->has_reach != b->has_reach ||
        a->cost_up != b->cost_up || a->cost_down != b->cost_down)
        return false;
    for (size_t k = 0; k < a->n_moves; k++)
        if (a->moves[k].from != b->moves[k].from || a->moves[k].to != b->moves[k].to)
            return false;
    return !a->has_reach ||
           (a->reach_low == b->reach_low && a->reach_high == b->reach_high &&
            a->percent_low == b->percent_low && a->percent_high == b->percent_high);
}

bool owi_constraints_equal(const ow_constraints *a, const ow_constraints *b)
{
    if (a->schema != b->schema || a->only_named != b->only_named ||
        a->most_changes != b->most_changes)
        return false;
    for (size_t j = 0; j < ow_schema_n_columns(a->schema); j++)
        if (!same_rule(&a->rules[j], &b->rules[j])) return false;
    return owi_constraints_same_relations(a, b);
}

/* ---- Setters ---- */

ow_status owi_constraints_rule(ow_constraints *constraints, const char *name,
                               const ow_column **column, owi_column_rule **rule)
{
    size_t j;
    OWI_TRY(ow_schema_find_column(constraints->schema, name, &j));
    *column = ow_schema_column(constraints->schema, j);
    *rule = &constraints->rules[j];
    return OW_OK;
}

/* Two wishes that leave a column nothing. */
static ow_status fail_contradiction(const ow_column *column, const char *now,
                                    const char *already)
{
    char quoted[owi_quote_size];
    return owi_fail(OW_ERR_ARGUMENT, "column %s cannot be %s: it already is %s",
                    owi_quote_text(column->name, quoted), now, already);
}

ow_status ow_constraints_immutable(ow_constraints *constraints, const char *name)
{
    const ow_column *column;
    owi_column_rule *rule;
    OWI_REQUIRE(constraints != NULL && name != NULL);
    OWI_TRY(owi_constraints_rule(constraints, name, &column, &rule));
    if (rule->named_vary)
        return fail_contradiction(column, "immutable", "one that may vary");
    rule->immutable = true;
    return OW_OK;
}

ow_status ow_constraints_vary(ow_constraints *constraints, const char *name)
{
    const ow_column *column;
    owi_column_rule *rule;
    OWI_REQUIRE(constraints != NULL && name != NULL);
    OWI_TRY(owi_constraints_rule(constraints, name, &column, &rule));
    if (rule->immutable)
        return fail_contradiction(column, "one that may vary", "immutable");
    rule->named_vary = constraints->only_named = true;
    return OW_OK;
}

ow_status owi_fail_column_kind(const ow_column *column, const char *what, const char *whose)
{
    char quoted[owi_quote_size];
    return owi_fail(OW_ERR_ARGUMENT, "column %s is %s: %s is for %s",
                    owi_quote_text(column->name, quoted), ow_column_type_name(column->type),
                    what, whose);
}

/* The smallest number >= low, and the largest <= high, that the column can have. */
static void onto_grid(const ow_column *column, double *low, double *high)
{
    if (column->decimals < 0) return;
    const double step = pow(10.0, -column->decimals);
    double up = owi_round_decimals(*low, column->decimals);
    double down = owi_round_decimals(*high, column->decimals);
    if (up < *low) up = owi_round_decimals(up + step, column->decimals);
    if (down > *high) down = owi_round_decimals(down - step, column->decimals);
    if (isfinite(*low)) *low = up;
    if (isfinite(*high)) *high = down;
}

static ow_status fail_outside(const ow_column *column, double value, double low,
                              double high)
{
    char quoted[owi_quote_size], text[3][owi_number_size];
    owi_print_number(value, text[0]);
    owi_print_number(low, text[1]);
    owi_print_number(high, text[2]);
    return owi_fail(OW_ERR_ARGUMENT,
                    "column %s: the allowed value %s lies outside the range %s to %s",
                    owi_quote_text(column->name, quoted), text[0], text[1], text[2]);
}

ow_status ow_constraints_range(ow_constraints *constraints, const char *name, double low,
                               double high)
{
    const ow_column *column;
    owi_column_rule *rule;
    OWI_REQUIRE(constraints != NULL && name != NULL);
    OWI_TRY(owi_constraints_rule(constraints, name, &column, &rule));
    if (column->n_levels > 0) return owi_fail_column_kind(column, "a range", "numbers");
    char quoted[owi_quote_size], text[2][owi_number_size];
    owi_quote_text(column->name, quoted);
    owi_print_number(low, text[0]);
    owi_print_number(high, text[1]);
    if (!(low <= high))
        return owi_fail(OW_ERR_ARGUMENT, "column %s: the range %s to %s is empty", quoted,
                        text[0], text[1]);
    if (rule->has_range) { /* only ever narrower */
        low = fmax(low, rule->low);
        high = fmin(high, rule->high);
    }
    onto_grid(column, &low, &high);
    if (!(low <= high))
        return owi_fail(OW_ERR_ARGUMENT,
                        "column %s: the range %s to %s leaves no value that the column can "
                        "have",
                        quoted, text[0], text[1]);
    for (size_t k = 0; k < rule->n_allowed; k++)
        if (rule->allowed[k] < low || rule->allowed[k] > high)
            return fail_outside(column, rule->allowed[k], low, high);
    rule->has_range = true;
    rule->low = low;
    rule->high = high;
    return OW_OK;
}

/* A level's index, or a number that the column can have. */
static ow_status parse_value(const ow_schema *schema, const ow_column *column,
                             size_t column_index, const char *text, double *value)
{
    char where[owi_quote_size + 16], quoted[owi_quote_size];
    snprintf(where, sizeof where, "column %s", owi_quote_text(column->name, quoted));
    OWI_TRY(ow_schema_read_value(schema, column_index, text, value));
    if (column->n_levels > 0) return OW_OK;
    double low = *value, high = *value;
    onto_grid(column, &low, &high);
    if (low <= high) return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT, "%s: %s has more digits than its values", where,
                    owi_quote_text(text, quoted));
}

ow_status ow_constraints_allow(ow_constraints *constraints, const char *name,
                               const char *value)
{
    size_t j;
    double number;
    OWI_REQUIRE(constraints != NULL && name != NULL && value != NULL);
    OWI_TRY(ow_schema_find_column(constraints->schema, name, &j));
    OWI_TRY(parse_value(constraints->schema, ow_schema_column(constraints->schema, j), j,
                        value, &number));
    owi_column_rule *rule = &constraints->rules[j];
    if (rule->has_range && (number < rule->low || number > rule->high))
        return fail_outside(ow_schema_column(constraints->schema, j), number, rule->low,
                            rule->high);
    size_t at = 0;
    while (at < rule->n_allowed && rule->allowed[at] < number) at++;
    if (at < rule->n_allowed && rule->allowed[at] == number) return OW_OK;
    double *allowed = owi_resize_array(constraints->ctx, rule->allowed, rule->n_allowed + 1,
                                       sizeof *allowed);
    if (allowed == NULL) return OW_ERR_MEMORY;
    memmove(allowed + at + 1, allowed + at, (rule->n_allowed - at) * sizeof *allowed);
    allowed[at] = number;
    rule->allowed = allowed;
    rule->n_allowed++;
    return OW_OK;
}

ow_status ow_constraints_monotone(ow_constraints *constraints, const char *name,
                                  ow_monotone direction)
{
    const ow_column *column;
    owi_column_rule *rule;
    OWI_REQUIRE(constraints != NULL && name != NULL);
    OWI_REQUIRE(ow_monotone_name(direction) != NULL);
    OWI_TRY(owi_constraints_rule(constraints, name, &column, &rule));
    if (column->type == OW_TYPE_CATEGORICAL)
        return owi_fail_column_kind(column, "a direction", "numbers and ordinal levels");
    if (direction == OW_MONOTONE_NONE) return OW_OK; /* asks for nothing */
    if (rule->monotone != OW_MONOTONE_NONE && rule->monotone != direction)
        return fail_contradiction(
            column, direction == OW_MONOTONE_UP ? "monotone up" : "monotone down",
            direction == OW_MONOTONE_UP ? "monotone down" : "monotone up");
    rule->monotone = direction;
    return OW_OK;
}

void ow_constraints_most_changes(ow_constraints *constraints, size_t n)
{
    if (n != 0 && (constraints->most_changes == 0 || n < constraints->most_changes))
        constraints->most_changes = n;
}
