/* SPDX-License-Identifier: MIT */
/* The columns of a schema file: a list of objects, or one object for all of them. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "data/schema/schema_file.h"
#include "data/schema/schema_private.h"

/* Names by plain number, as owi_json_read_choice wants them. */
static const char *type_name(int i)
{
    return ow_column_type_name((ow_column_type)i);
}

static const char *scaling_name(int i)
{
    return ow_scaling_name((ow_scaling)i);
}

static const char *monotone_name(int i)
{
    return ow_monotone_name((ow_monotone)i);
}

#define COLUMN_FIELDS                                                                      \
    "name", "type", "immutable", "doubtful", "monotone", "missing", "also_missing",        \
        "derived", "nearly", "nearly_within", "follows"
#define NUMBER_FIELDS                                                                      \
    "range", "format", "scaling", "scaling_fixed", "decimals", "mean", "deviation",        \
        "log_mean", "log_deviation"
#define CATEGORY_FIELDS "levels", "rest"

static const char *const all_fields[] = {COLUMN_FIELDS, NUMBER_FIELDS, CATEGORY_FIELDS};
static const char *const number_fields[] = {NUMBER_FIELDS};
static const char *const category_fields[] = {CATEGORY_FIELDS};

enum {
    n_all_fields = sizeof all_fields / sizeof *all_fields,
    n_number_fields = sizeof number_fields / sizeof *number_fields,
    n_category_fields = sizeof category_fields / sizeof *category_fields
};

/* That the column has none of the fields of the other kind. */
static ow_status check_kind(const owi_json_fields *fields, ow_column_type type)
{
    const bool is_category = owi_is_category(type);
    const char *const *foreign = is_category ? number_fields : category_fields;
    const size_t n = is_category ? n_number_fields : n_category_fields;
    for (size_t i = 0; i < n; i++)
        if (json_object_get(fields->object, foreign[i]) != NULL)
            return owi_fail(OW_ERR_FORMAT,
                            "%s: %sfield \"%s\": is for %s, and the type is %s",
                            fields->file, fields->where, foreign[i],
                            is_category ? "numbers" : "categories",
                            ow_column_type_name(type));
    return OW_OK;
}

static ow_status read_range(const owi_json_fields *fields, double *low, double *high)
{
    const json_t *range;
    OWI_TRY(owi_json_read_array(fields, "range", &range));
    if (range == NULL || json_array_size(range) != 2)
        return owi_json_unexpected(fields, "range", "two numbers [low, high]", range);
    OWI_TRY(owi_json_item_number(fields, "range", json_array_get(range, 0), low));
    return owi_json_item_number(fields, "range", json_array_get(range, 1), high);
}

/* Figures that the file leaves out are those of an even spread over the range. */
static ow_status read_number(const owi_json_fields *fields, ow_column *column)
{
    double low, high;
    size_t decimals = 0;
    int scaling = (int)column->scaling;
    OWI_TRY(read_range(fields, &low, &high));
    owi_column_set_range(column, low, high);
    OWI_TRY(owi_json_read_number(fields, "mean", &column->mean));
    OWI_TRY(owi_json_read_number(fields, "deviation", &column->deviation));
    OWI_TRY(owi_json_read_number(fields, "log_mean", &column->log_mean));
    OWI_TRY(owi_json_read_number(fields, "log_deviation", &column->log_deviation));
    OWI_TRY(owi_json_read_choice(fields, "scaling", scaling_name, &scaling));
    column->scaling = (ow_scaling)scaling;
    OWI_TRY(owi_json_read_bool(fields, "scaling_fixed", &column->scaling_fixed));
    OWI_TRY(owi_json_read_count(fields, "decimals", owi_max_decimals, &decimals));
    const bool is_given = json_object_get(fields->object, "decimals") != NULL;
    column->decimals = is_given || column->type == OW_TYPE_INTEGER ? (int)decimals : -1;
    return OW_OK;
}

static ow_status read_levels(const owi_json_fields *fields, ow_schema *schema, size_t j)
{
    const json_t *levels;
    OWI_TRY(owi_json_read_array(fields, "levels", &levels));
    if (levels == NULL)
        return owi_json_unexpected(fields, "levels", "a list of texts", NULL);
    for (size_t k = 0; k < json_array_size(levels); k++) {
        const char *text;
        OWI_TRY(owi_json_item_text(fields, "levels", json_array_get(levels, k), &text));
        OWI_TRY(owi_name_file(owi_schema_add_level(schema, j, text, strlen(text)),
                              fields->file));
    }
    const char *rest = NULL;
    OWI_TRY(owi_json_read_text(fields, "rest", &rest));
    if (rest != NULL)
        return owi_name_file(owi_schema_set_rest(schema, j, rest), fields->file);
    return OW_OK;
}

/* How files write the column: its format, and words for missing values. */
static ow_status read_writing(const owi_json_fields *fields, ow_schema *schema, size_t j)
{
    const char *pattern = NULL;
    const json_t *words;
    owi_value_format format;
    OWI_TRY(owi_json_read_text(fields, "format", &pattern));
    if (pattern != NULL && !owi_pattern_read(pattern, &format))
        return owi_json_unexpected(fields, "format",
                                   "1234.5 with marks and unit (\"EUR 1,234.5\", "
                                   "\"1.234,5\", \"1234.5%\"), or a date "
                                   "(\"dd.mm.yyyy\", \"yyyy-mm-dd HH:MM:SS\")",
                                   json_object_get(fields->object, "format"));
    if (pattern != NULL) OWI_TRY(owi_schema_set_format(schema, j, &format));
    OWI_TRY(owi_json_read_array(fields, "also_missing", &words));
    for (size_t k = 0; words != NULL && k < json_array_size(words); k++) {
        const char *word;
        OWI_TRY(
            owi_json_item_text(fields, "also_missing", json_array_get(words, k), &word));
        OWI_TRY(owi_schema_add_missing_word(schema, j, word, strlen(word)));
    }
    return OW_OK;
}

/* Everything but the name, the levels and the missing values. */
static ow_status read_column(const owi_json_fields *fields, const ow_layout *layout,
                             ow_column *column)
{
    int type = -1, monotone = OW_MONOTONE_NONE;
    OWI_TRY(owi_json_read_choice(fields, "type", type_name, &type));
    if (type < 0) return owi_json_unexpected(fields, "type", "the column's type", NULL);
    column->type = (ow_column_type)type;
    OWI_TRY(check_kind(fields, column->type));
    OWI_TRY(owi_json_read_bool(fields, "immutable", &column->immutable));
    OWI_TRY(owi_json_read_bool(fields, "doubtful", &column->doubtful));
    OWI_TRY(owi_json_read_choice(fields, "monotone", monotone_name, &monotone));
    column->monotone = (ow_monotone)monotone;
    if (owi_is_category(column->type)) return OW_OK;
    column->scaling = layout->kind == OW_LAYOUT_TABLE ? OW_SCALE_STANDARD : OW_SCALE_MINMAX;
    return read_number(fields, column);
}

/* One object for each column. */
ow_status owi_schema_read_columns(const owi_json_fields *top, const json_t *array,
                                  ow_schema *schema)
{
    for (size_t j = 0; j < schema->n_columns; j++) {
        owi_json_fields fields = {.file = top->file, .object = json_array_get(array, j)};
        char quoted[owi_quote_size];
        const char *name = NULL;
        ow_column *column;
        if (top->call != NULL) OWI_TRY(owi_call_tick(top->call));
        snprintf(fields.where, sizeof fields.where, "column %zu of the list, ", j + 1);
        OWI_TRY(owi_json_check_fields(&fields, all_fields, n_all_fields));
        OWI_TRY(owi_json_read_text(&fields, "name", &name));
        if (name == NULL)
            return owi_json_unexpected(&fields, "name", "the column's name", NULL);
        snprintf(fields.where, sizeof fields.where, "column %s, ",
                 owi_quote_text(name, quoted));
        OWI_TRY(owi_name_file(owi_schema_add_column(schema, name, strlen(name), &column),
                              top->file));
        OWI_TRY(read_column(&fields, &schema->layout, column));
        if (owi_is_category(column->type)) OWI_TRY(read_levels(&fields, schema, j));
        OWI_TRY(read_writing(&fields, schema, j));
        OWI_TRY(
            owi_json_read_count(&fields, "missing", schema->n_rows, &column->n_missing));
    }
    return OW_OK;
}

/* A count for all columns, or a list with one for each. */
static ow_status read_uniform_missing(const owi_json_fields *fields, ow_schema *schema)
{
    const json_t *missing = json_object_get(fields->object, "missing");
    const bool is_list = json_is_array(missing);
    if (is_list && json_array_size(missing) != schema->n_columns)
        return owi_json_unexpected(fields, "missing", "one count for each column", missing);
    for (size_t j = 0; missing != NULL && j < schema->n_columns; j++)
        OWI_TRY(owi_json_item_count(fields, "missing", schema->n_rows,
                                    is_list ? json_array_get(missing, j) : missing,
                                    &schema->columns[j].n_missing));
    return OW_OK;
}

/* One object for all columns, which then are x0, x1, ... */
ow_status owi_schema_read_every_column(const owi_json_fields *top, ow_schema *schema)
{
    const owi_json_fields fields = {.file = top->file,
                                    .where = "every_column, ",
                                    .object = json_object_get(top->object, "every_column")};
    ow_column pattern = {0};
    OWI_TRY(owi_json_check_fields(&fields, all_fields, n_all_fields));
    OWI_TRY(read_column(&fields, &schema->layout, &pattern));
    if (json_object_get(fields.object, "name") != NULL)
        return owi_fail(
            OW_ERR_FORMAT,
            "%s: every_column: has no field \"name\", the names are x0, x1, ...",
            fields.file);
    if (owi_is_category(pattern.type))
        return owi_fail(OW_ERR_FORMAT,
                        "%s: every_column, field \"type\": expected \"continuous\" or "
                        "\"integer\", got \"%s\"",
                        fields.file, ow_column_type_name(pattern.type));
    for (size_t j = 0; j < schema->n_columns; j++) {
        char name[owi_plain_name_size];
        ow_column *column;
        OWI_TRY(owi_schema_add_column(schema, name, owi_plain_name(j, name), &column));
        pattern.name = column->name;
        *column = pattern;
    }
    return read_uniform_missing(&fields, schema);
}
