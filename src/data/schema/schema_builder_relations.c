/* SPDX-License-Identifier: MIT */
/* Relations and rules of a draft. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "data/expression/condition.h"
#include "data/expression/words.h"
#include "data/schema/schema_builder_private.h"

static void free_relation(ow_context *ctx, owi_draft_relation *relation)
{
    owi_free(ctx, relation->column);
    owi_free(ctx, relation->parent);
    owi_free(ctx, relation->formula);
    owi_free(ctx, relation->values);
}

void owi_draft_free_relations(ow_schema_builder *builder)
{
    for (size_t i = 0; i < builder->n_relations; i++)
        free_relation(builder->ctx, &builder->relations[i]);
    owi_free(builder->ctx, builder->relations);
    owi_draft_free_texts(builder->ctx, &builder->rules);
}

/* A copy of a text that may be NULL; false: no memory. */
static bool copy_text(ow_context *ctx, const char *from, char **to)
{
    *to = from != NULL ? owi_copy_text(ctx, from, strlen(from)) : NULL;
    return from == NULL || *to != NULL;
}

/* Takes the place of an earlier relation of the column; texts are copied. */
static ow_status push_relation(ow_schema_builder *builder, const owi_draft_relation *given)
{
    ow_context *ctx = builder->ctx;
    owi_draft_relation copy = {.kind = given->kind,
                               .n_rows = given->n_rows,
                               .within = {given->within[0], given->within[1]}};
    bool good = copy_text(ctx, given->column, &copy.column);
    good = copy_text(ctx, given->parent, &copy.parent) && good;
    good = copy_text(ctx, given->formula, &copy.formula) && good;
    copy.values = owi_alloc_array(ctx, 2 * given->n_rows, sizeof *copy.values);
    good = good && copy.values != NULL &&
           owi_grow(ctx, &builder->relations, &builder->relation_capacity,
                    builder->n_relations + 1, sizeof *builder->relations) == OW_OK;
    if (!good) {
        free_relation(ctx, &copy);
        return OW_ERR_MEMORY;
    }
    if (given->n_rows > 0)
        memcpy(copy.values, given->values, 2 * given->n_rows * sizeof *copy.values);
    for (size_t i = 0; i < builder->n_relations; i++)
        if (strcmp(builder->relations[i].column, copy.column) == 0) {
            free_relation(ctx, &builder->relations[i]);
            builder->relations[i] = copy;
            return OW_OK;
        }
    builder->relations[builder->n_relations++] = copy;
    return OW_OK;
}

ow_status ow_schema_builder_derive(ow_schema_builder *builder, size_t column,
                                   ow_relation_kind kind, const char *formula)
{
    OWI_REQUIRE(builder != NULL && column < builder->n_columns && formula != NULL);
    OWI_REQUIRE(kind == OW_RELATION_DERIVED || kind == OW_RELATION_NEAR);
    return push_relation(builder,
                         &(owi_draft_relation){.kind = kind,
                                               .column = builder->columns[column].name,
                                               .formula = (char *)formula});
}

ow_status ow_schema_builder_follow(ow_schema_builder *builder, size_t column, size_t parent,
                                   size_t n_rows, const double *values)
{
    OWI_REQUIRE(builder != NULL && column < builder->n_columns);
    OWI_REQUIRE(parent < builder->n_columns && parent != column);
    OWI_REQUIRE(values != NULL || n_rows == 0);
    return push_relation(builder,
                         &(owi_draft_relation){.kind = OW_RELATION_FOLLOWS,
                                               .column = builder->columns[column].name,
                                               .parent = builder->columns[parent].name,
                                               .n_rows = n_rows,
                                               .values = (double *)values});
}

ow_status ow_schema_builder_add_rule(ow_schema_builder *builder, const char *rule)
{
    OWI_REQUIRE(builder != NULL && rule != NULL);
    owi_text_list *list = &builder->rules;
    char **items =
        owi_resize_array(builder->ctx, list->items, list->n + 1, sizeof *list->items);
    if (items == NULL) return OW_ERR_MEMORY;
    list->items = items;
    if (!copy_text(builder->ctx, rule, &items[list->n])) return OW_ERR_MEMORY;
    list->n++;
    return OW_OK;
}

ow_status ow_schema_builder_drop_relations(ow_schema_builder *builder)
{
    OWI_REQUIRE(builder != NULL);
    owi_draft_drop_relations(builder, NULL);
    return OW_OK;
}

ow_status owi_draft_copy_relations(ow_schema_builder *builder, const ow_schema *from)
{
    for (size_t i = 0; i < from->n_relations; i++) {
        const ow_relation *shown = &from->relations[i].shown;
        const bool is_table = shown->kind == OW_RELATION_FOLLOWS;
        const size_t parent = shown->parents[0];
        const owi_draft_relation copy = {
            .kind = shown->kind,
            .column = (char *)from->columns[shown->column].name,
            .parent = is_table ? (char *)from->columns[parent].name : NULL,
            .formula = (char *)shown->formula,
            .n_rows = shown->n_rows,
            .values = (double *)shown->values,
            .within = {shown->within[0], shown->within[1]}};
        OWI_TRY(push_relation(builder, &copy));
    }
    for (size_t i = 0; i < from->n_rules; i++)
        OWI_TRY(ow_schema_builder_add_rule(builder, from->rules[i]));
    return OW_OK;
}

/* Whether a text may name the column: rather one too many than one too few. */
static bool mentions(const char *text, const char *column)
{
    const size_t length = strlen(column);
    if (text == NULL) return false;
    if (strpbrk(column, "`\"") != NULL) return true;
    for (const char *at = text; (at = strstr(at, column)) != NULL; at++) {
        const bool is_inside = (at > text && owi_bare_length(at - 1) > 1) ||
                               owi_begins_name(at[length]) || owi_is_digit(at[length]);
        if (!is_inside) return true;
    }
    return false;
}

void owi_draft_drop_relations(ow_schema_builder *builder, const char *column)
{
    size_t n = 0;
    for (size_t i = 0; i < builder->n_relations; i++) {
        owi_draft_relation *relation = &builder->relations[i];
        const bool goes =
            column == NULL || strcmp(relation->column, column) == 0 ||
            (relation->parent != NULL && strcmp(relation->parent, column) == 0) ||
            mentions(relation->formula, column);
        if (goes)
            free_relation(builder->ctx, relation);
        else
            builder->relations[n++] = *relation;
    }
    builder->n_relations = n;
    owi_text_list *rules = &builder->rules;
    for (size_t i = n = 0; i < rules->n; i++) {
        if (column == NULL || mentions(rules->items[i], column))
            owi_free(builder->ctx, rules->items[i]);
        else
            rules->items[n++] = rules->items[i];
    }
    rules->n = n;
}

/* What is no formula or no condition is a mistake of the draft. */
static ow_status as_format(ow_status status)
{
    return status == OW_ERR_ARGUMENT ? owi_fail(OW_ERR_FORMAT, "%s", ow_error_message())
                                     : status;
}

ow_status owi_draft_build_relations(const ow_schema_builder *builder, ow_schema *schema)
{
    for (size_t i = 0; i < builder->n_relations; i++) {
        const owi_draft_relation *draft = &builder->relations[i];
        owi_dependency made = {0};
        size_t column, parent;
        OWI_TRY(ow_schema_find_column(schema, draft->column, &column));
        ow_status status;
        if (draft->formula != NULL) {
            status = owi_dependency_formula(schema->ctx, schema, draft->kind, column,
                                            draft->formula, &made);
            if (status == OW_OK && draft->within[0] != 0.0)
                status = owi_dependency_set_within(schema, &made, draft->within[0],
                                                   draft->within[1]);
        } else {
            OWI_TRY(ow_schema_find_column(schema, draft->parent, &parent));
            status = owi_dependency_table(schema->ctx, schema, column, parent,
                                          draft->n_rows, draft->values, &made);
        }
        if (status != OW_OK) {
            owi_dependency_clear(schema->ctx, &made);
            return as_format(status);
        }
        OWI_TRY(owi_schema_add_relation(schema, &made));
    }
    for (size_t i = 0; i < builder->rules.n; i++)
        OWI_TRY(as_format(owi_schema_add_rule(schema, builder->rules.items[i])));
    return OW_OK;
}
