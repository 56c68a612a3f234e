/* SPDX-License-Identifier: MIT */
/* A schema as JSON, laid out for people to edit (doc/schema.md): a column takes two or
 * three lines, what one may want to change on the first two, what was measured on the
 * last. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/json_write.h"
#include "data/schema/schema_file.h"
#include "data/schema/schema_private.h"
#include "otherwise/file.h"

static void write_key_text(owi_json *json, const char *key, const char *text)
{
    owi_json_key(json, key);
    owi_json_text(json, text);
}

static void write_key_number(owi_json *json, const char *key, double value)
{
    owi_json_key(json, key);
    owi_json_number(json, value);
}

/* No count of rows reaches 2^63. */
static void write_key_count(owi_json *json, const char *key, size_t count)
{
    owi_json_key(json, key);
    owi_json_integer(json, (int64_t)count);
}

static void write_label(owi_json *json, const ow_schema *schema)
{
    if (schema->label == NULL) return;
    const size_t n = ow_schema_n_classes(schema);
    owi_json_key(json, "label");
    owi_json_open_object(json, true);
    write_key_text(json, "name", schema->label);
    owi_json_key(json, "classes");
    owi_json_open_array(json, true);
    for (size_t k = 0; k < n; k++) owi_json_text(json, ow_schema_class_name(schema, k));
    owi_json_close_array(json);
    owi_json_key(json, "counts");
    owi_json_open_array(json, true);
    for (size_t k = 0; k < n; k++) owi_json_integer(json, (int64_t)schema->class_counts[k]);
    owi_json_close_array(json);
    owi_json_close_object(json);
}

static void write_layout(owi_json *json, const ow_layout *layout)
{
    owi_json_key(json, "layout");
    if (layout->kind == OW_LAYOUT_TABLE) {
        owi_json_text(json, owi_layout_name(OW_LAYOUT_TABLE));
        return;
    }
    owi_json_open_object(json, true);
    write_key_text(json, "kind", owi_layout_name(layout->kind));
    owi_json_key(json, "shape");
    owi_json_open_array(json, true);
    owi_json_integer(json, (int64_t)layout->height);
    owi_json_integer(json, (int64_t)layout->width);
    if (layout->kind == OW_LAYOUT_MAP) owi_json_integer(json, (int64_t)layout->channels);
    owi_json_close_array(json);
    owi_json_close_object(json);
}

/* Whether column j is the first of a link. */
static bool begins_link(const ow_schema *schema, size_t j)
{
    for (size_t i = 0; i < j; i++)
        if (schema->columns[i].link == schema->columns[j].link) return false;
    return schema->columns[j].link > 0;
}

static void write_links(owi_json *json, const ow_schema *schema)
{
    bool is_open = false;
    for (size_t j = 0; j < schema->n_columns; j++) {
        if (schema->columns[j].link == 0 || !begins_link(schema, j)) continue;
        if (!is_open) owi_json_key(json, "linked");
        if (!is_open) owi_json_open_array(json, true);
        is_open = true;
        owi_json_open_array(json, true);
        for (size_t i = j; i < schema->n_columns; i++)
            if (schema->columns[i].link == schema->columns[j].link)
                owi_json_text(json, schema->columns[i].name);
        owi_json_close_array(json);
    }
    if (is_open) owi_json_close_array(json);
}

/* The value of a column as people write it. */
static void write_value(owi_json *json, const ow_column *column, double value)
{
    if (isnan(value))
        owi_json_null(json);
    else if (column->n_levels > 0)
        owi_json_text(json, column->levels[(size_t)value]);
    else
        owi_json_number(json, value);
}

/* For each link the values that its columns have together; in the order of write_links. */
static void write_linked_values(owi_json *json, const ow_schema *schema)
{
    bool any = false;
    for (size_t i = 0; i < schema->n_links; i++) any |= schema->links[i].n_rows > 0;
    if (!any) return;
    owi_json_key(json, "linked_values");
    owi_json_open_array(json, true);
    for (size_t j = 0; j < schema->n_columns; j++) {
        if (schema->columns[j].link == 0 || !begins_link(schema, j)) continue;
        const owi_link *link = &schema->links[schema->columns[j].link - 1];
        owi_json_open_array(json, true);
        for (size_t r = 0; r < link->n_rows; r++) {
            owi_json_open_array(json, true);
            for (size_t k = 0; k < link->n_columns; k++)
                write_value(json, &schema->columns[link->columns[k]],
                            link->values[r * link->n_columns + k]);
            owi_json_close_array(json);
        }
        owi_json_close_array(json);
    }
    owi_json_close_array(json);
}

/* What column j follows, on a line of its own. */
static void write_relation(owi_json *json, const ow_schema *schema, size_t j)
{
    for (size_t i = 0; i < schema->n_relations; i++) {
        const ow_relation *shown = &schema->relations[i].shown;
        if (shown->column != j) continue;
        owi_json_break(json);
        if (shown->kind != OW_RELATION_FOLLOWS) {
            write_key_text(json, shown->kind == OW_RELATION_DERIVED ? "derived" : "nearly",
                           shown->formula);
            if (shown->within[0] != 0.0) {
                owi_json_key(json, "nearly_within");
                owi_json_open_array(json, true);
                owi_json_number(json, shown->within[0]);
                owi_json_number(json, shown->within[1]);
                owi_json_close_array(json);
            }
            continue;
        }
        owi_json_key(json, "follows");
        owi_json_open_object(json, true);
        write_key_text(json, "column", schema->columns[shown->parents[0]].name);
        owi_json_key(json, "values");
        owi_json_open_array(json, true);
        for (size_t r = 0; r < shown->n_rows; r++) {
            owi_json_open_array(json, true);
            write_value(json, &schema->columns[shown->parents[0]], shown->values[2 * r]);
            write_value(json, &schema->columns[j], shown->values[2 * r + 1]);
            owi_json_close_array(json);
        }
        owi_json_close_array(json);
        owi_json_close_object(json);
    }
}

static void write_rules(owi_json *json, const ow_schema *schema)
{
    if (schema->n_rules == 0) return;
    owi_json_key(json, "rules");
    owi_json_open_array(json, true);
    for (size_t i = 0; i < schema->n_rules; i++) owi_json_text(json, schema->rules[i]);
    owi_json_close_array(json);
}

static void write_doubt(owi_json *json, const ow_column *column)
{
    if (!column->doubtful) return;
    owi_json_key(json, "doubtful");
    owi_json_bool(json, true);
}

/* Behind the type: everything of a number but what was missing. */
static void write_number(owi_json *json, const ow_column *column)
{
    owi_json_key(json, "range");
    owi_json_open_array(json, true);
    owi_json_number(json, column->low);
    owi_json_number(json, column->high);
    owi_json_close_array(json);
    if (column->format != NULL) write_key_text(json, "format", column->format);
    write_key_text(json, "scaling", ow_scaling_name(column->scaling));
    if (column->scaling_fixed) {
        owi_json_key(json, "scaling_fixed");
        owi_json_bool(json, true);
    }
    owi_json_break(json);
    owi_json_key(json, "immutable");
    owi_json_bool(json, column->immutable);
    write_doubt(json, column);
    write_key_text(json, "monotone", ow_monotone_name(column->monotone));
    owi_json_break(json);
    if (column->type == OW_TYPE_CONTINUOUS && column->decimals >= 0)
        write_key_count(json, "decimals", (size_t)column->decimals);
    write_key_number(json, "mean", column->mean);
    write_key_number(json, "deviation", column->deviation);
    if (isnan(column->log_mean)) return;
    write_key_number(json, "log_mean", column->log_mean);
    write_key_number(json, "log_deviation", column->log_deviation);
}

static void write_category(owi_json *json, const ow_column *column)
{
    owi_json_break(json);
    owi_json_key(json, "levels");
    owi_json_open_array(json, true);
    for (size_t k = 0; k < column->n_levels; k++) owi_json_text(json, column->levels[k]);
    owi_json_close_array(json);
    if (column->rest != NULL) write_key_text(json, "rest", column->rest);
    owi_json_break(json);
    owi_json_key(json, "immutable");
    owi_json_bool(json, column->immutable);
    write_doubt(json, column);
    if (column->type == OW_TYPE_ORDINAL)
        write_key_text(json, "monotone", ow_monotone_name(column->monotone));
}

/* A list of texts, if there are any. */
static void write_words(owi_json *json, const char *key, const owi_string_map *words)
{
    if (words == NULL) return;
    owi_json_key(json, key);
    owi_json_open_array(json, true);
    for (size_t i = 0; i < owi_string_map_count(words); i++)
        owi_json_text(json, owi_string_map_text(words, i, NULL));
    owi_json_close_array(json);
}

static void write_columns(owi_json *json, const ow_schema *schema)
{
    owi_json_key(json, "columns");
    owi_json_open_array(json, false);
    for (size_t j = 0; j < schema->n_columns; j++) {
        const ow_column *column = &schema->columns[j];
        owi_json_open_object(json, true);
        write_key_text(json, "name", column->name);
        write_key_text(json, "type", ow_column_type_name(column->type));
        if (owi_is_category(column->type)) write_category(json, column);
        if (!owi_is_category(column->type)) write_number(json, column);
        write_key_count(json, "missing", column->n_missing);
        write_words(json, "also_missing", owi_schema_missing_words(schema, j));
        write_relation(json, schema, j);
        owi_json_close_object(json);
    }
    owi_json_close_array(json);
}

/* Equal, or both NaN. */
static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* All that a schema file says of a number, but for the name and the missing values. */
static bool are_alike(const ow_column *a, const ow_column *b)
{
    return a->type == b->type && a->low == b->low && a->high == b->high &&
           a->mean == b->mean && a->deviation == b->deviation &&
           is_same(a->log_mean, b->log_mean) &&
           is_same(a->log_deviation, b->log_deviation) && a->decimals == b->decimals &&
           a->scaling == b->scaling && a->scaling_fixed == b->scaling_fixed &&
           a->immutable == b->immutable && a->monotone == b->monotone && a->link == 0 &&
           b->link == 0;
}

/* Whether one description serves all columns: an image or a map of numbers that are alike
 * and have the names x0, x1, ... */
static bool is_uniform(const ow_schema *schema)
{
    if (schema->n_relations > 0) return false;
    if (schema->layout.kind == OW_LAYOUT_TABLE) return false;
    if (owi_is_category(schema->columns[0].type)) return false;
    for (size_t j = 0; j < schema->n_columns; j++) {
        char name[owi_plain_name_size];
        owi_plain_name(j, name);
        if (strcmp(schema->columns[j].name, name) != 0) return false;
        if (!are_alike(&schema->columns[0], &schema->columns[j])) return false;
    }
    return true;
}

/* One count if they are all the same, else one for each column. */
static void write_uniform_missing(owi_json *json, const ow_schema *schema)
{
    const size_t first = schema->columns[0].n_missing;
    size_t n_same = 0;
    for (size_t j = 0; j < schema->n_columns; j++)
        n_same += schema->columns[j].n_missing == first;
    if (n_same == schema->n_columns) {
        write_key_count(json, "missing", first);
        return;
    }
    owi_json_key(json, "missing");
    owi_json_open_array(json, true);
    for (size_t j = 0; j < schema->n_columns; j++)
        owi_json_integer(json, (int64_t)schema->columns[j].n_missing);
    owi_json_close_array(json);
}

static void write_every_column(owi_json *json, const ow_schema *schema)
{
    const ow_column *column = &schema->columns[0];
    owi_json_key(json, "every_column");
    owi_json_open_object(json, true);
    write_key_text(json, "type", ow_column_type_name(column->type));
    write_number(json, column);
    write_uniform_missing(json, schema);
    owi_json_close_object(json);
}

static ow_status format_schema(const ow_schema *schema, char **text, size_t *size)
{
    owi_json json;
    owi_json_begin(&json, schema->ctx);
    owi_json_open_object(&json, false);
    const bool is_plain = schema->n_relations == 0 && schema->n_rules == 0;
    write_key_text(&json, "schema_version",
                   is_plain ? OWI_SCHEMA_VERSION_1_0 : OWI_SCHEMA_VERSION);
    write_key_count(&json, "rows", schema->n_rows);
    write_label(&json, schema);
    write_layout(&json, &schema->layout);
    write_key_text(&json, "level_order", owi_level_order_name(schema->level_order));
    write_words(&json, "carried", schema->carried);
    if (schema->row_id != NULL) write_key_text(&json, "row_id", schema->row_id);
    write_links(&json, schema);
    write_linked_values(&json, schema);
    write_rules(&json, schema);
    if (is_uniform(schema))
        write_every_column(&json, schema);
    else
        write_columns(&json, schema);
    owi_json_close_object(&json);
    return owi_json_end(&json, text, size);
}

ow_status ow_schema_format(const ow_schema *schema, char **text)
{
    OWI_REQUIRE(text != NULL);
    *text = NULL;
    OWI_REQUIRE(schema != NULL);
    return format_schema(schema, text, NULL);
}

ow_status ow_schema_save(const ow_schema *schema, const char *path)
{
    char *text;
    size_t size = 0;
    OWI_REQUIRE(schema != NULL && path != NULL);
    OWI_TRY(format_schema(schema, &text, &size));
    const ow_status status = ow_file_write(schema->ctx, path, text, size);
    ow_bytes_free(text);
    return status;
}
