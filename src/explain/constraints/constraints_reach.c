/* SPDX-License-Identifier: MIT */
/* Setters of what depends on the query's own value: how far a number may go, between which
 * levels a column may move, and what a change costs. */
#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "explain/constraints/constraints.h"

ow_status ow_constraints_reach(ow_constraints *constraints, const char *name, double low,
                               double high, ow_reach_unit unit)
{
    const ow_column *column;
    owi_column_rule *rule;
    OWI_REQUIRE(constraints != NULL && name != NULL);
    OWI_REQUIRE(unit == OW_REACH_UNITS || unit == OW_REACH_PERCENT);
    OWI_TRY(owi_constraints_rule(constraints, name, &column, &rule));
    if (column->n_levels > 0) return owi_fail_column_kind(column, "a range", "numbers");
    if (!(low <= high)) {
        char quoted[owi_quote_size], text[2][owi_number_size];
        owi_print_number(low, text[0]);
        owi_print_number(high, text[1]);
        return owi_fail(OW_ERR_ARGUMENT, "column %s: the range %s to %s is empty",
                        owi_quote_text(column->name, quoted), text[0], text[1]);
    }
    if (!rule->has_reach) {
        rule->reach_low = rule->percent_low = -INFINITY;
        rule->reach_high = rule->percent_high = INFINITY;
    }
    double *least = unit == OW_REACH_UNITS ? &rule->reach_low : &rule->percent_low;
    double *most = unit == OW_REACH_UNITS ? &rule->reach_high : &rule->percent_high;
    rule->has_reach = true;
    *least = fmax(*least, low);
    *most = fmin(*most, high);
    return OW_OK;
}

ow_status ow_constraints_move(ow_constraints *constraints, const char *name,
                              const char *from, const char *to)
{
    size_t j;
    int32_t levels[2];
    OWI_REQUIRE(constraints != NULL && name != NULL && from != NULL && to != NULL);
    OWI_TRY(ow_schema_find_column(constraints->schema, name, &j));
    const ow_column *column = ow_schema_column(constraints->schema, j);
    if (column->n_levels == 0)
        return owi_fail_column_kind(column, "a move between levels", "categories");
    OWI_TRY(ow_schema_find_level(constraints->schema, j, from, &levels[0]));
    OWI_TRY(ow_schema_find_level(constraints->schema, j, to, &levels[1]));
    owi_column_rule *rule = &constraints->rules[j];
    owi_level_move *moves =
        owi_resize_array(constraints->ctx, rule->moves, rule->n_moves + 1, sizeof *moves);
    if (moves == NULL) return OW_ERR_MEMORY;
    rule->moves = moves;
    moves[rule->n_moves++] = (owi_level_move){(double)levels[0], (double)levels[1]};
    return OW_OK;
}

ow_status ow_constraints_cost(ow_constraints *constraints, const char *name,
                              ow_monotone direction, double cost)
{
    const ow_column *column;
    owi_column_rule *rule;
    OWI_REQUIRE(constraints != NULL && name != NULL);
    OWI_REQUIRE(ow_monotone_name(direction) != NULL);
    OWI_TRY(owi_constraints_rule(constraints, name, &column, &rule));
    if (column->type == OW_TYPE_CATEGORICAL && direction != OW_MONOTONE_NONE)
        return owi_fail_column_kind(column, "the cost of a direction",
                                    "numbers and ordinal levels");
    if (!(cost > 0.0) || !isfinite(cost)) {
        char quoted[owi_quote_size], text[owi_number_size];
        owi_print_number(cost, text);
        return owi_fail(OW_ERR_ARGUMENT,
                        "column %s: a cost must be a finite number above 0, got %s",
                        owi_quote_text(column->name, quoted), text);
    }
    if (direction != OW_MONOTONE_DOWN) rule->cost_up = cost;
    if (direction != OW_MONOTONE_UP) rule->cost_down = cost;
    return OW_OK;
}
