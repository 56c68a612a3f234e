/* SPDX-License-Identifier: MIT */
/* Columns that follow others, and conditions between columns: those of the schema, and what
 * was stated besides.  What was stated goes before what the schema says. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "explain/constraints/constraints.h"

/* ---- Memory ---- */

void owi_constraints_drop_dependency(ow_constraints *constraints, size_t i)
{
    owi_dependency *list = constraints->dependencies;
    owi_dependency_clear(constraints->ctx, &list[i]);
    constraints->n_dependencies--;
    memmove(list + i, list + i + 1, (constraints->n_dependencies - i) * sizeof *list);
}

static void free_condition(ow_context *ctx, owi_stated_condition *condition)
{
    owi_free(ctx, condition->condition);
    owi_free(ctx, condition->text);
}

void owi_constraints_drop_condition(ow_constraints *constraints, size_t i)
{
    owi_stated_condition *list = constraints->conditions;
    free_condition(constraints->ctx, &list[i]);
    constraints->n_conditions--;
    memmove(list + i, list + i + 1, (constraints->n_conditions - i) * sizeof *list);
}

void owi_constraints_free_relations(ow_constraints *constraints)
{
    while (constraints->n_dependencies > 0)
        owi_constraints_drop_dependency(constraints, constraints->n_dependencies - 1);
    for (size_t i = 0; i < constraints->n_conditions; i++)
        free_condition(constraints->ctx, &constraints->conditions[i]);
    constraints->n_conditions = 0;
    owi_free(constraints->ctx, constraints->dependencies);
    owi_free(constraints->ctx, constraints->conditions);
    constraints->dependencies = NULL;
    constraints->conditions = NULL;
    constraints->dependency_capacity = constraints->condition_capacity = 0;
}

/* Room for one more; a copy is put there. */
static ow_status push_dependency(ow_constraints *constraints, const owi_dependency *from)
{
    owi_dependency copy;
    OWI_TRY(owi_grow(constraints->ctx, &constraints->dependencies,
                     &constraints->dependency_capacity, constraints->n_dependencies + 1,
                     sizeof *constraints->dependencies));
    const ow_status status = owi_dependency_copy(constraints->ctx, from, &copy);
    if (status == OW_OK)
        constraints->dependencies[constraints->n_dependencies++] = copy;
    else
        owi_dependency_clear(constraints->ctx, &copy);
    return status;
}

static ow_status push_condition(ow_constraints *constraints, const char *text,
                                bool is_stated)
{
    ow_context *ctx = constraints->ctx;
    owi_stated_condition added = {.is_stated = is_stated};
    OWI_TRY(owi_grow(ctx, &constraints->conditions, &constraints->condition_capacity,
                     constraints->n_conditions + 1, sizeof *constraints->conditions));
    OWI_TRY(owi_condition_parse(ctx, constraints->schema, text, &added.condition));
    added.text = owi_copy_text(ctx, text, strlen(text));
    if (added.text == NULL) {
        free_condition(ctx, &added);
        return OW_ERR_MEMORY;
    }
    constraints->conditions[constraints->n_conditions++] = added;
    return OW_OK;
}

ow_status owi_constraints_take_relations(ow_constraints *constraints)
{
    const ow_schema *schema = constraints->schema;
    for (size_t i = 0; i < ow_schema_n_relations(schema); i++)
        OWI_TRY(push_dependency(constraints, owi_schema_dependency(schema, i)));
    for (size_t i = 0; i < ow_schema_n_rules(schema); i++)
        OWI_TRY(push_condition(constraints, ow_schema_rule(schema, i), false));
    return OW_OK;
}

ow_status owi_constraints_copy_relations(const ow_constraints *from, ow_constraints *to)
{
    owi_constraints_free_relations(to);
    to->drops_relations = from->drops_relations;
    for (size_t i = 0; i < from->n_dependencies; i++)
        OWI_TRY(push_dependency(to, &from->dependencies[i]));
    for (size_t i = 0; i < from->n_conditions; i++)
        OWI_TRY(
            push_condition(to, from->conditions[i].text, from->conditions[i].is_stated));
    return OW_OK;
}

static size_t count_stated(const ow_constraints *constraints)
{
    size_t n = 0;
    for (size_t i = 0; i < constraints->n_dependencies; i++)
        n += constraints->dependencies[i].is_stated;
    return n;
}

/* What the schema states is the same for constraints of one schema. */
bool owi_constraints_same_relations(const ow_constraints *a, const ow_constraints *b)
{
    if (a->drops_relations != b->drops_relations || a->n_conditions != b->n_conditions ||
        count_stated(a) != count_stated(b))
        return false;
    for (size_t i = 0; i < a->n_dependencies; i++) {
        const owi_dependency *mine = &a->dependencies[i];
        if (!mine->is_stated) continue;
        const owi_dependency *other = owi_constraints_dependency(b, mine->shown.column);
        if (other == NULL || !owi_dependency_equal(mine, other)) return false;
    }
    for (size_t i = 0; i < a->n_conditions; i++)
        if (strcmp(a->conditions[i].text, b->conditions[i].text) != 0) return false;
    return true;
}

const owi_dependency *owi_constraints_dependency(const ow_constraints *constraints,
                                                 size_t column)
{
    for (size_t i = 0; i < constraints->n_dependencies; i++)
        if (constraints->dependencies[i].shown.column == column)
            return &constraints->dependencies[i];
    return NULL;
}

/* ---- Stating ---- */

/* The schema's own relations give way until the stated ones can be ordered. */
static ow_status settle(ow_constraints *constraints)
{
    size_t culprit;
    while (!owi_dependencies_sort(constraints->n_dependencies, constraints->dependencies,
                                  &culprit)) {
        size_t i = culprit;
        while (i < constraints->n_dependencies && constraints->dependencies[i].is_stated)
            i++;
        if (i == constraints->n_dependencies) {
            char quoted[owi_quote_size];
            const size_t column = constraints->dependencies[culprit].shown.column;
            return owi_fail(
                OW_ERR_ARGUMENT, "column %s would follow itself, by way of others",
                owi_quote_text(ow_schema_column(constraints->schema, column)->name,
                               quoted));
        }
        owi_constraints_drop_dependency(constraints, i);
    }
    return OW_OK;
}

ow_status ow_constraints_derive(ow_constraints *constraints, const char *statement)
{
    OWI_REQUIRE(constraints != NULL && statement != NULL);
    const ow_schema *schema = constraints->schema;
    char quoted[owi_quote_size];
    size_t column;
    const char *formula;
    owi_dependency made;
    OWI_TRY(owi_expression_split(constraints->ctx, schema, statement, &column, &formula));
    owi_quote_text(ow_schema_column(schema, column)->name, quoted);
    if (ow_schema_column(schema, column)->link != 0)
        return owi_fail(OW_ERR_ARGUMENT,
                        "column %s is linked with others and cannot follow columns as well",
                        quoted);
    const owi_dependency *before = owi_constraints_dependency(constraints, column);
    if (before != NULL && before->is_stated)
        return owi_fail(OW_ERR_ARGUMENT, "column %s has two formulas", quoted);
    ow_status status = owi_dependency_formula(constraints->ctx, schema, OW_RELATION_DERIVED,
                                              column, formula, &made);
    made.is_stated = true;
    if (status == OW_OK && before != NULL)
        owi_constraints_drop_dependency(constraints,
                                        (size_t)(before - constraints->dependencies));
    if (status == OW_OK) status = push_dependency(constraints, &made);
    owi_dependency_clear(constraints->ctx, &made);
    return status == OW_OK ? settle(constraints) : status;
}

ow_status ow_constraints_add_rule(ow_constraints *constraints, const char *rule)
{
    OWI_REQUIRE(constraints != NULL && rule != NULL);
    return push_condition(constraints, rule, true);
}

void ow_constraints_drop_relations(ow_constraints *constraints)
{
    constraints->drops_relations = true;
    owi_constraints_ignore_relations(constraints);
}

void owi_constraints_ignore_relations(ow_constraints *constraints)
{
    for (size_t i = constraints->n_dependencies; i-- > 0;)
        if (!constraints->dependencies[i].is_stated)
            owi_constraints_drop_dependency(constraints, i);
}
