/* SPDX-License-Identifier: MIT */
#include "data/schema/schema_relations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "data/expression/condition.h"
#include "data/schema/schema_private.h"

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* ---- One relation ---- */

void owi_dependency_clear(ow_context *ctx, owi_dependency *dependency)
{
    owi_free(ctx, (void *)dependency->shown.formula);
    owi_free(ctx, (void *)dependency->shown.parents);
    owi_free(ctx, (void *)dependency->shown.values);
    owi_free(ctx, dependency->formula);
    *dependency = (owi_dependency){0};
}

static ow_status fail_column(const ow_schema *schema, size_t column, const char *what)
{
    char quoted[owi_quote_size];
    return owi_fail(OW_ERR_ARGUMENT, "column %s: %s",
                    owi_quote_text(ow_schema_column(schema, column)->name, quoted), what);
}

/* Copies what the relation shows into memory of its own. */
static ow_status own(ow_context *ctx, const ow_relation *shown, owi_dependency *out)
{
    out->shown = *shown;
    out->shown.formula = NULL;
    out->shown.parents = NULL;
    out->shown.values = NULL;
    size_t *parents = owi_alloc_array(ctx, shown->n_parents, sizeof *parents);
    out->shown.parents = parents;
    double *values = owi_alloc_array(ctx, 2 * shown->n_rows, sizeof *values);
    out->shown.values = values;
    if (parents == NULL || values == NULL) return OW_ERR_MEMORY;
    memcpy(parents, shown->parents, shown->n_parents * sizeof *parents);
    if (shown->n_rows > 0)
        memcpy(values, shown->values, 2 * shown->n_rows * sizeof *values);
    if (shown->formula == NULL) return OW_OK;
    out->shown.formula = owi_copy_text(ctx, shown->formula, strlen(shown->formula));
    return out->shown.formula != NULL ? OW_OK : OW_ERR_MEMORY;
}

ow_status owi_dependency_formula(ow_context *ctx, const ow_schema *schema,
                                 ow_relation_kind kind, size_t column, const char *text,
                                 owi_dependency *out)
{
    *out = (owi_dependency){0};
    if (ow_schema_column(schema, column)->n_levels > 0)
        return fail_column(schema, column, "a formula is for numbers");
    const ow_status parsed = owi_expression_parse(ctx, schema, text, &out->formula);
    if (parsed == OW_ERR_ARGUMENT) return fail_column(schema, column, ow_error_message());
    if (parsed != OW_OK) return parsed;
    ow_relation shown = {.kind = kind, .column = column, .formula = text};
    shown.n_parents = owi_expression_columns(out->formula, &shown.parents);
    if (shown.n_parents == 0)
        return fail_column(schema, column, "its formula names no other column");
    for (size_t i = 0; i < shown.n_parents; i++)
        if (shown.parents[i] == column)
            return fail_column(schema, column, "its formula names the column itself");
    return own(ctx, &shown, out);
}

static int compare_pairs(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

ow_status owi_dependency_table(ow_context *ctx, const ow_schema *schema, size_t column,
                               size_t parent, size_t n_rows, const double *values,
                               owi_dependency *out)
{
    *out = (owi_dependency){0};
    if (parent == column) return fail_column(schema, column, "it cannot follow itself");
    const ow_relation shown = {.kind = OW_RELATION_FOLLOWS,
                               .column = column,
                               .n_parents = 1,
                               .parents = &parent,
                               .n_rows = n_rows,
                               .values = values};
    OWI_TRY(own(ctx, &shown, out));
    double *pairs = (double *)out->shown.values;
    if (n_rows > 0) qsort(pairs, n_rows, 2 * sizeof *pairs, compare_pairs);
    for (size_t i = 1; i < n_rows; i++)
        if (pairs[2 * i] == pairs[2 * i - 2])
            return fail_column(schema, column, "a value of its parent stands there twice");
    return OW_OK;
}

ow_status owi_dependency_copy(ow_context *ctx, const owi_dependency *from,
                              owi_dependency *to)
{
    *to = (owi_dependency){.is_stated = from->is_stated};
    if (from->formula != NULL) {
        to->formula = owi_expression_copy(ctx, from->formula);
        if (to->formula == NULL) return OW_ERR_MEMORY;
    }
    return own(ctx, &from->shown, to);
}

ow_status owi_dependency_set_within(const ow_schema *schema, owi_dependency *dependency,
                                    double low, double high)
{
    const bool is_ratio = low > 0.0 && low <= 1.0 && high >= 1.0;
    const bool is_difference = low < 0.0 && high >= 0.0;
    if (dependency->shown.kind != OW_RELATION_NEAR)
        return fail_column(schema, dependency->shown.column,
                           "only a column that is nearly a formula deviates from it");
    if (!(is_ratio || is_difference) || !isfinite(low) || !isfinite(high))
        return fail_column(schema, dependency->shown.column,
                           "expected ratios around 1 or differences around 0");
    dependency->shown.within[0] = low;
    dependency->shown.within[1] = high;
    return OW_OK;
}

bool owi_dependency_equal(const owi_dependency *a, const owi_dependency *b)
{
    if (a->shown.kind != b->shown.kind || a->shown.column != b->shown.column ||
        a->shown.n_parents != b->shown.n_parents || a->shown.n_rows != b->shown.n_rows)
        return false;
    if (a->shown.formula != NULL)
        return strcmp(a->shown.formula, b->shown.formula) == 0 &&
               a->shown.within[0] == b->shown.within[0] &&
               a->shown.within[1] == b->shown.within[1];
    for (size_t i = 0; i < 2 * a->shown.n_rows; i++)
        if (!is_same(a->shown.values[i], b->shown.values[i])) return false;
    return a->shown.parents[0] == b->shown.parents[0];
}

/* ---- Values ---- */

bool owi_dependency_moves(const owi_dependency *dependency, const double *query,
                          const double *values)
{
    for (size_t i = 0; i < dependency->shown.n_parents; i++) {
        const size_t j = dependency->shown.parents[i];
        if (!is_same(query[j], values[j])) return true;
    }
    return false;
}

static double look_up(const ow_relation *shown, double parent)
{
    size_t low = 0, high = shown->n_rows;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (shown->values[2 * middle] < parent)
            low = middle + 1;
        else
            high = middle;
    }
    const bool is_there = low < shown->n_rows && shown->values[2 * low] == parent;
    return is_there ? shown->values[2 * low + 1] : NAN;
}

/* The query's deviation, drawn in to what ordinary rows have. */
static double drawn_in(const ow_relation *shown, bool by_ratio, double deviation)
{
    if (by_ratio ? !(shown->within[0] > 0.0) : !(shown->within[0] < 0.0)) return deviation;
    return fmin(fmax(deviation, shown->within[0]), shown->within[1]);
}

double owi_dependency_exact(const owi_dependency *dependency, const ow_schema *schema,
                            const double *values)
{
    const ow_relation *shown = &dependency->shown;
    if (shown->kind == OW_RELATION_FOLLOWS)
        return look_up(shown, values[shown->parents[0]]);
    const double to = owi_expression_value(dependency->formula, values);
    const int decimals = ow_schema_column(schema, shown->column)->decimals;
    return isfinite(to) ? owi_round_decimals(to, decimals) : NAN;
}

double owi_dependency_value(const owi_dependency *dependency, const ow_schema *schema,
                            const double *query, const double *values)
{
    const ow_relation *shown = &dependency->shown;
    const ow_column *column = ow_schema_column(schema, shown->column);
    const double y = query[shown->column];
    if (isnan(y) || !owi_dependency_moves(dependency, query, values)) return y;
    for (size_t i = 0; i < shown->n_parents; i++)
        if (isnan(query[shown->parents[i]])) return y;
    if (shown->kind == OW_RELATION_FOLLOWS)
        return look_up(shown, values[shown->parents[0]]);
    double to = owi_expression_value(dependency->formula, values);
    if (shown->kind == OW_RELATION_NEAR) {
        const double from = owi_expression_value(dependency->formula, query);
        const bool by_ratio = column->low > 0.0 && y > 0.0 && from > 0.0 && to > 0.0;
        const double own = by_ratio ? y / from : y - from;
        const double kept = drawn_in(shown, by_ratio, own);
        if (kept != own)
            to = by_ratio ? kept * to : kept + to;
        else
            to = by_ratio ? y * (to / from) : y + (to - from);
    }
    return isfinite(to) ? owi_round_decimals(to, column->decimals) : NAN;
}

/* ---- Several ---- */

/* Whether one of the dependencies from `first` on is of a parent of d. */
static bool waits(const owi_dependency *d, const owi_dependency *list, size_t first,
                  size_t n)
{
    for (size_t i = first; i < n; i++)
        for (size_t k = 0; k < d->shown.n_parents; k++)
            if (list[i].shown.column == d->shown.parents[k]) return true;
    return false;
}

bool owi_dependencies_sort(size_t n, owi_dependency *dependencies, size_t *culprit)
{
    for (*culprit = 0; *culprit < n; ++*culprit)
        for (size_t k = 0; k < *culprit; k++)
            if (dependencies[k].shown.column == dependencies[*culprit].shown.column)
                return false;
    for (size_t done = 0; done < n; done++) {
        size_t next = done;
        while (next < n && waits(&dependencies[next], dependencies, done, n)) next++;
        *culprit = done;
        if (next == n) return false;
        const owi_dependency first = dependencies[next];
        memmove(dependencies + done + 1, dependencies + done,
                (next - done) * sizeof *dependencies);
        dependencies[done] = first;
    }
    return true;
}

/* ---- Of a schema ---- */

static ow_status check_relation(const ow_schema *schema, const owi_dependency *added)
{
    char quoted[owi_quote_size];
    const ow_column *column = &schema->columns[added->shown.column];
    owi_quote_text(column->name, quoted);
    if (column->link != 0)
        return owi_fail(OW_ERR_FORMAT,
                        "column %s is linked with others and cannot follow columns as well",
                        quoted);
    for (size_t i = 0; i < schema->n_relations; i++)
        if (schema->relations[i].shown.column == added->shown.column)
            return owi_fail(OW_ERR_FORMAT, "column %s has two relations", quoted);
    return OW_OK;
}

ow_status owi_schema_add_relation(ow_schema *schema, owi_dependency *dependency)
{
    size_t culprit;
    ow_status status = check_relation(schema, dependency);
    if (status == OW_OK)
        status = owi_grow(schema->ctx, &schema->relations, &schema->relation_capacity,
                          schema->n_relations + 1, sizeof *schema->relations);
    if (status != OW_OK) {
        owi_dependency_clear(schema->ctx, dependency);
        return status;
    }
    schema->relations[schema->n_relations++] = *dependency;
    if (owi_dependencies_sort(schema->n_relations, schema->relations, &culprit))
        return OW_OK;
    char quoted[owi_quote_size];
    const size_t column = schema->relations[culprit].shown.column;
    return owi_fail(OW_ERR_FORMAT, "column %s would follow itself, by way of others",
                    owi_quote_text(schema->columns[column].name, quoted));
}

ow_status owi_schema_add_rule(ow_schema *schema, const char *text)
{
    owi_condition *condition;
    OWI_TRY(owi_condition_parse(schema->ctx, schema, text, &condition));
    owi_free(schema->ctx, condition);
    OWI_TRY(owi_grow(schema->ctx, &schema->rules, &schema->rule_capacity,
                     schema->n_rules + 1, sizeof *schema->rules));
    schema->rules[schema->n_rules] = owi_copy_text(schema->ctx, text, strlen(text));
    if (schema->rules[schema->n_rules] == NULL) return OW_ERR_MEMORY;
    schema->n_rules++;
    return OW_OK;
}

void owi_schema_free_relations(ow_schema *schema)
{
    for (size_t i = 0; i < schema->n_relations; i++)
        owi_dependency_clear(schema->ctx, &schema->relations[i]);
    for (size_t i = 0; i < schema->n_rules; i++) owi_free(schema->ctx, schema->rules[i]);
    owi_free(schema->ctx, schema->relations);
    owi_free(schema->ctx, schema->rules);
}

size_t ow_schema_n_relations(const ow_schema *schema)
{
    return schema->n_relations;
}

const ow_relation *ow_schema_relation(const ow_schema *schema, size_t index)
{
    return &schema->relations[index].shown;
}

const owi_dependency *owi_schema_dependency(const ow_schema *schema, size_t index)
{
    return &schema->relations[index];
}

size_t ow_schema_n_rules(const ow_schema *schema)
{
    return schema->n_rules;
}

const char *ow_schema_rule(const ow_schema *schema, size_t index)
{
    return schema->rules[index];
}
