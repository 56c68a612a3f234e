/* SPDX-License-Identifier: MIT */
/* Relations and rules of a schema file: in a column "derived" or "nearly", a formula, the
 * latter with "nearly_within", the deviations that rows have, or "follows", {"column": its
 * parent, "values": [[parent's value, value], ...]}; of the whole file "rules", a list of
 * texts. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "data/schema/schema_file.h"
#include "data/schema/schema_private.h"

/* What is wrong in a formula or a rule is wrong in the file. */
static ow_status blame(const owi_json_fields *fields, const char *field, ow_status status)
{
    if (status != OW_ERR_ARGUMENT && status != OW_ERR_FORMAT) return status;
    return owi_fail(OW_ERR_FORMAT, "%s: field \"%s\": %s", fields->file, field,
                    ow_error_message());
}

static ow_status add(const owi_json_fields *fields, const char *field, ow_schema *schema,
                     ow_status made, owi_dependency *dependency)
{
    if (made == OW_OK)
        made = owi_schema_add_relation(schema, dependency);
    else
        owi_dependency_clear(schema->ctx, dependency);
    return blame(fields, field, made);
}

/* [low, high], where there is one. */
static ow_status read_within(const owi_json_fields *fields, ow_schema *schema,
                             owi_dependency *made)
{
    const json_t *list;
    OWI_TRY(owi_json_read_array(fields, "nearly_within", &list));
    if (list == NULL) return OW_OK;
    double low, high;
    if (json_array_size(list) != 2)
        return owi_json_unexpected(fields, "nearly_within", "two numbers", list);
    OWI_TRY(owi_json_item_number(fields, "nearly_within", json_array_get(list, 0), &low));
    OWI_TRY(owi_json_item_number(fields, "nearly_within", json_array_get(list, 1), &high));
    return blame(fields, "nearly_within",
                 owi_dependency_set_within(schema, made, low, high));
}

static ow_status read_formula(const owi_json_fields *fields, const char *field,
                              ow_relation_kind kind, ow_schema *schema, size_t j)
{
    const char *text = NULL;
    owi_dependency made;
    OWI_TRY(owi_json_read_text(fields, field, &text));
    if (text == NULL) return OW_OK;
    ow_status status =
        blame(fields, field,
              owi_dependency_formula(schema->ctx, schema, kind, j, text, &made));
    if (status == OW_OK && kind == OW_RELATION_NEAR)
        status = read_within(fields, schema, &made);
    if (status != OW_OK) {
        owi_dependency_clear(schema->ctx, &made);
        return status;
    }
    return add(fields, field, schema, status, &made);
}

/* The pairs of a table, in room for all of them. */
static ow_status read_pairs(const owi_json_fields *fields, const ow_schema *schema,
                            size_t j, size_t parent, const json_t *list, double *pairs)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *pair = json_array_get(list, i);
        if (!json_is_array(pair) || json_array_size(pair) != 2)
            return owi_json_unexpected(fields, "follows",
                                       "pairs [value of the parent, value]", pair);
        OWI_TRY(owi_schema_read_value(fields, "follows", schema, parent,
                                      json_array_get(pair, 0), &pairs[2 * i]));
        OWI_TRY(owi_schema_read_value(fields, "follows", schema, j, json_array_get(pair, 1),
                                      &pairs[2 * i + 1]));
        if (isnan(pairs[2 * i]) || isnan(pairs[2 * i + 1]))
            return owi_json_unexpected(fields, "follows", "values that are not null", pair);
    }
    return OW_OK;
}

static ow_status read_table(const owi_json_fields *fields, ow_schema *schema, size_t j)
{
    const json_t *follows = json_object_get(fields->object, "follows");
    if (follows == NULL) return OW_OK;
    const json_t *values = json_object_get(follows, "values");
    const char *name = json_string_value(json_object_get(follows, "column"));
    size_t parent;
    owi_dependency made;
    if (!json_is_array(values) || name == NULL)
        return owi_json_unexpected(fields, "follows",
                                   "{\"column\": its parent, \"values\": pairs}", follows);
    OWI_TRY(blame(fields, "follows", ow_schema_find_column(schema, name, &parent)));
    const size_t n = json_array_size(values);
    double *pairs = owi_alloc_array(schema->ctx, 2 * n, sizeof *pairs);
    if (pairs == NULL) return OW_ERR_MEMORY;
    ow_status status = read_pairs(fields, schema, j, parent, values, pairs);
    if (status == OW_OK) {
        status = owi_dependency_table(schema->ctx, schema, j, parent, n, pairs, &made);
        status = add(fields, "follows", schema, status, &made);
    }
    owi_free(schema->ctx, pairs);
    return status;
}

/* A column has at most one of them. */
static ow_status read_column(const owi_json_fields *fields, ow_schema *schema, size_t j)
{
    OWI_TRY(read_formula(fields, "derived", OW_RELATION_DERIVED, schema, j));
    OWI_TRY(read_formula(fields, "nearly", OW_RELATION_NEAR, schema, j));
    return read_table(fields, schema, j);
}

ow_status owi_schema_read_relations(const owi_json_fields *top, const json_t *columns,
                                    ow_schema *schema)
{
    const json_t *rules, *every = json_object_get(top->object, "every_column");
    static const char *const fields_of_columns[] = {"derived", "nearly", "nearly_within",
                                                    "follows"};
    for (size_t i = 0; i < 4; i++)
        if (json_object_get(every, fields_of_columns[i]) != NULL)
            return owi_fail(OW_ERR_FORMAT, "%s: every_column: has no field \"%s\"",
                            top->file, fields_of_columns[i]);
    for (size_t j = 0; j < json_array_size(columns); j++) {
        owi_json_fields fields = {.file = top->file, .object = json_array_get(columns, j)};
        char quoted[owi_quote_size];
        snprintf(fields.where, sizeof fields.where, "column %s, ",
                 owi_quote_text(schema->columns[j].name, quoted));
        OWI_TRY(read_column(&fields, schema, j));
    }
    OWI_TRY(owi_json_read_array(top, "rules", &rules));
    for (size_t i = 0; i < json_array_size(rules); i++) {
        const char *text;
        OWI_TRY(owi_json_item_text(top, "rules", json_array_get(rules, i), &text));
        OWI_TRY(blame(top, "rules", owi_schema_add_rule(schema, text)));
    }
    return OW_OK;
}
