/* SPDX-License-Identifier: MIT */
#include "explain/constraints/follow.h"

#include <math.h>
#include <string.h>

#include "explain/core/distance.h"

/* Dependencies are in an order in which parents come first, so that one pass over them
 * finds everything that a column moves. */
void owi_find_followers(owi_rules *rules)
{
    const ow_constraints *constraints = rules->constraints;
    const size_t n = constraints->n_dependencies;
    for (size_t j = 0; j < rules->n_columns && n > 0; j++) {
        size_t *followers = rules->followers + j * n, n_followers = 0;
        for (size_t i = 0; i < n; i++) {
            const ow_relation *shown = &constraints->dependencies[i].shown;
            bool follows = false;
            for (size_t k = 0; k < shown->n_parents && !follows; k++) {
                follows = shown->parents[k] == j;
                for (size_t f = 0; f < n_followers; f++)
                    follows |= followers[f] == shown->parents[k];
            }
            if (follows) followers[n_followers++] = shown->column;
        }
        rules->columns[j].followers = followers;
        rules->columns[j].n_followers = n_followers;
    }
    for (size_t i = 0; i < n; i++)
        rules->columns[constraints->dependencies[i].shown.column].depends = true;
}

bool owi_dependency_kept(const ow_schema *schema, const owi_dependency *dependency,
                         const double *query, const double *values)
{
    const size_t column = dependency->shown.column;
    const double value = owi_dependency_value(dependency, schema, query, values);
    if (owi_same_value(values[column], value)) return true;
    const ow_column *shown = ow_schema_column(schema, column);
    return shown->n_levels == 0 && shown->decimals < 0 &&
           fabs(values[column] - value) <= 1e-9 * fabs(value);
}

size_t owi_follow_until(const owi_rules *rules, const double *query, double *values)
{
    const ow_constraints *constraints = rules->constraints;
    for (size_t i = 0; i < constraints->n_dependencies; i++) {
        const owi_dependency *dependency = &constraints->dependencies[i];
        const size_t j = dependency->shown.column;
        const double to = owi_dependency_value(dependency, rules->schema, query, values);
        values[j] = query[j];
        if (owi_same_value(to, query[j])) continue;
        if (isnan(to) || !owi_permits(&rules->columns[j].limits, query[j], to)) return j;
        values[j] = to;
    }
    return SIZE_MAX;
}

bool owi_follow(const owi_rules *rules, const double *query, double *values)
{
    return owi_follow_until(rules, query, values) == SIZE_MAX;
}

bool owi_follow_exactly(const owi_rules *rules, double *values)
{
    const ow_constraints *constraints = rules->constraints;
    for (size_t i = 0; i < constraints->n_dependencies; i++) {
        const owi_dependency *dependency = &constraints->dependencies[i];
        const double to = owi_dependency_exact(dependency, rules->schema, values);
        if (isnan(to)) return false;
        values[dependency->shown.column] = to;
    }
    return true;
}

size_t owi_broken_condition(const owi_rules *rules, const double *query,
                            const double *values)
{
    const ow_constraints *constraints = rules->constraints;
    for (size_t i = 0; i < constraints->n_conditions; i++)
        if (!owi_condition_holds(constraints->conditions[i].condition, query, values))
            return i;
    return SIZE_MAX;
}

bool owi_keeps_conditions(const owi_rules *rules, const double *query, const double *values)
{
    return owi_broken_condition(rules, query, values) == SIZE_MAX;
}
