/* SPDX-License-Identifier: MIT */
/* A schema in memory: put together column by column, asked by index or by name.  What must
 * hold once it is whole is checked in schema_check.c. */
#include "data/schema/schema_private.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/name_list.h"
#include "base/text/quote.h"
#include "base/text/spelling.h"

ow_status owi_schema_new(ow_context *ctx, size_t n_columns, ow_schema **out)
{
    *out = NULL;
    if (n_columns > owi_max_columns)
        return owi_fail(OW_ERR_FORMAT, "%zu columns, expected at most %d", n_columns,
                        owi_max_columns);
    ow_schema *schema = owi_alloc_zeroed(ctx, sizeof *schema);
    if (schema == NULL) return OW_ERR_MEMORY;
    schema->ctx = ctx;
    schema->n_columns = n_columns;

    ow_status status = owi_string_map_new(ctx, &schema->names);
    if (status != OW_OK) goto done;
    status = OW_ERR_MEMORY;
    schema->columns = owi_alloc_array(ctx, n_columns, sizeof *schema->columns);
    if (schema->columns == NULL) goto done;
    schema->levels = owi_alloc_array(ctx, n_columns, sizeof *schema->levels);
    if (schema->levels == NULL) goto done;
    schema->level_texts = owi_alloc_array(ctx, n_columns, sizeof *schema->level_texts);
    if (schema->level_texts == NULL) goto done;

    status = OW_OK;
    *out = schema;
    schema = NULL;

done:
    ow_schema_free(schema);
    return status;
}

void ow_schema_free(ow_schema *schema)
{
    if (schema == NULL) return;
    ow_context *ctx = schema->ctx;
    for (size_t j = 0; j < schema->n_columns; j++) {
        if (schema->levels != NULL) owi_string_map_free(schema->levels[j]);
        if (schema->level_texts != NULL) owi_free(ctx, schema->level_texts[j]);
    }
    owi_free(ctx, schema->level_texts);
    owi_free(ctx, schema->levels);
    owi_free(ctx, schema->columns);
    owi_string_map_free(schema->names);
    owi_free(ctx, schema->label);
    owi_string_map_free(schema->classes);
    owi_free(ctx, schema->class_counts);
    owi_free(ctx, schema->class_texts);
    owi_schema_free_links(schema);
    owi_schema_free_writing(schema);
    owi_schema_free_relations(schema);
    owi_free(ctx, schema);
}

ow_status owi_name_file(ow_status status, const char *file)
{
    if (status != OW_ERR_FORMAT && status != OW_ERR_SCHEMA) return status;
    return owi_fail(status, "%s: %s", file, ow_error_message());
}

size_t owi_plain_name(size_t column, char name[owi_plain_name_size])
{
    return (size_t)snprintf(name, owi_plain_name_size, "x%zu", column);
}

/* Numbers a new text of a map that is made on first use; false for one that it has. */
static ow_status add_new(ow_context *ctx, owi_string_map **map, const char *text,
                         size_t length, bool *is_new)
{
    if (*map == NULL) OWI_TRY(owi_string_map_new(ctx, map));
    const size_t count = owi_string_map_count(*map);
    size_t index;
    OWI_TRY(owi_string_map_add(*map, text, length, &index));
    *is_new = index == count;
    return OW_OK;
}

/* Mean and deviation of numbers spread evenly from low to high. */
static void spread_evenly(double low, double high, double *mean, double *deviation)
{
    *mean = low + (high - low) / 2.0;
    *deviation = high > low ? (high - low) / sqrt(12.0) : 1.0;
}

void owi_column_set_range(ow_column *column, double low, double high)
{
    column->low = low;
    column->high = high;
    spread_evenly(low, high, &column->mean, &column->deviation);
    column->log_mean = column->log_deviation = NAN;
    if (low >= 0.0)
        spread_evenly(log1p(low), log1p(high), &column->log_mean, &column->log_deviation);
}

/* Numbers beyond 10^154 have infinite squares, and those below 10^-162 have none: the width
 * of their range, which is of the same size, stands in for the deviation. */
static double find_deviation(const owi_moments *moments, double low, double high)
{
    const bool has_squares = moments->m2 > 0.0 && isfinite(moments->m2);
    return has_squares || low == high ? owi_moments_deviation(moments) : high - low;
}

void owi_column_set_moments(ow_column *column, double low, double high,
                            const owi_moments *moments, const owi_moments *log_moments)
{
    column->mean = moments->mean;
    column->deviation = find_deviation(moments, low, high);
    column->log_mean = column->log_deviation = NAN;
    if (column->low < 0.0) return;
    column->log_mean = log_moments->mean;
    column->log_deviation = find_deviation(log_moments, log1p(low), log1p(high));
}

ow_status owi_schema_add_column(ow_schema *schema, const char *name, size_t length,
                                ow_column **column)
{
    *column = NULL;
    const size_t index = owi_string_map_count(schema->names);
    if (index == schema->n_columns)
        return owi_fail(OW_ERR_FORMAT, "more than %zu columns", index);
    bool is_new;
    char quoted[owi_quote_size];
    OWI_TRY(add_new(schema->ctx, &schema->names, name, length, &is_new));
    if (!is_new)
        return owi_fail(OW_ERR_FORMAT, "two columns are named %s",
                        owi_quote(name, length, quoted));
    ow_column *added = &schema->columns[index];
    *added = (ow_column){
        .name = owi_string_map_text(schema->names, index, NULL),
        .type = OW_TYPE_CONTINUOUS,
        .decimals = -1,
    };
    owi_column_set_range(added, 0.0, 0.0);
    *column = added;
    return OW_OK;
}

ow_status owi_schema_add_level(ow_schema *schema, size_t column, const char *text,
                               size_t length)
{
    bool is_new;
    OWI_TRY(add_new(schema->ctx, &schema->levels[column], text, length, &is_new));
    if (is_new) return OW_OK;
    char quoted[2][owi_quote_size];
    return owi_fail(OW_ERR_FORMAT, "column %s: the level %s stands there twice",
                    owi_quote_text(schema->columns[column].name, quoted[0]),
                    owi_quote(text, length, quoted[1]));
}

ow_status owi_schema_set_label(ow_schema *schema, const char *name, size_t length)
{
    char *copy = owi_copy_text(schema->ctx, name, length);
    if (copy == NULL) return OW_ERR_MEMORY;
    owi_free(schema->ctx, schema->label);
    schema->label = copy;
    return OW_OK;
}

ow_status owi_schema_add_class(ow_schema *schema, const char *text, size_t length)
{
    bool is_new;
    OWI_TRY(add_new(schema->ctx, &schema->classes, text, length, &is_new));
    if (is_new) return OW_OK;
    char quoted[owi_quote_size];
    return owi_fail(OW_ERR_FORMAT, "the class %s stands there twice",
                    owi_quote(text, length, quoted));
}

size_t ow_schema_n_columns(const ow_schema *schema)
{
    return schema->n_columns;
}

const ow_column *ow_schema_column(const ow_schema *schema, size_t column)
{
    return &schema->columns[column];
}

ow_layout ow_schema_layout(const ow_schema *schema)
{
    return schema->layout;
}

size_t ow_schema_n_rows(const ow_schema *schema)
{
    return schema->n_rows;
}

static const char *column_name(const void *user, size_t column)
{
    return ((const ow_schema *)user)->columns[column].name;
}

ow_status ow_schema_find_column(const ow_schema *schema, const char *name, size_t *column)
{
    OWI_REQUIRE(schema != NULL && name != NULL && column != NULL);
    *column = owi_string_map_find(schema->names, name, strlen(name));
    if (*column != SIZE_MAX) return OW_OK;
    return owi_fail_unknown(OW_ERR_ARGUMENT, NULL, "column", name, schema->n_columns,
                            column_name, schema);
}

/* The number of a text, -1 for one that is not there or where there is no map. */
static int32_t find_text(const owi_string_map *map, const char *text)
{
    if (map == NULL) return -1;
    const size_t index = owi_string_map_find(map, text, strlen(text));
    return index == SIZE_MAX ? -1 : (int32_t)index;
}

int32_t owi_schema_level(const ow_schema *schema, size_t column, const char *name)
{
    return find_text(schema->levels[column], name);
}

static const char *level_name(const void *user, size_t level)
{
    return ((const ow_column *)user)->levels[level];
}

ow_status ow_schema_find_level(const ow_schema *schema, size_t column, const char *name,
                               int32_t *level)
{
    OWI_REQUIRE(schema != NULL && name != NULL && level != NULL);
    *level = -1;
    OWI_REQUIRE(column < schema->n_columns);
    *level = owi_schema_level(schema, column, name);
    if (*level >= 0) return OW_OK;
    const ow_column *about = &schema->columns[column];
    char where[owi_quote_size + 16], quoted[owi_quote_size];
    snprintf(where, sizeof where, "column %s", owi_quote_text(about->name, quoted));
    return owi_fail_unknown(OW_ERR_ARGUMENT, where, "level", name, about->n_levels,
                            level_name, about);
}

const char *ow_schema_label(const ow_schema *schema)
{
    return schema->label;
}

size_t ow_schema_n_classes(const ow_schema *schema)
{
    return schema->classes != NULL ? owi_string_map_count(schema->classes) : 0;
}

const char *ow_schema_class_name(const ow_schema *schema, size_t class_index)
{
    return owi_string_map_text(schema->classes, class_index, NULL);
}

size_t ow_schema_class_count(const ow_schema *schema, size_t class_index)
{
    return schema->class_counts[class_index];
}

static const char *class_name(const void *user, size_t class_index)
{
    return ow_schema_class_name(user, class_index);
}

ow_status ow_schema_find_class(const ow_schema *schema, const char *name,
                               int32_t *class_index)
{
    OWI_REQUIRE(schema != NULL && name != NULL && class_index != NULL);
    *class_index = find_text(schema->classes, name);
    if (*class_index != OW_NO_CLASS) return OW_OK;
    const ow_status status =
        owi_fail_unknown(OW_ERR_ARGUMENT, NULL, "class", name, ow_schema_n_classes(schema),
                         class_name, schema);
    if (strstr(ow_error_message(), "did you mean") != NULL) return status;
    owi_name_list classes = {0};
    for (size_t c = 0; c < ow_schema_n_classes(schema) && !classes.is_cut; c++) {
        char quoted[owi_quote_size];
        owi_name_list_add(&classes, owi_quote_text(class_name(schema, c), quoted));
    }
    return owi_fail(status, "%s; the classes are %s", ow_error_message(), classes.text);
}

/* ---- Names of the enumerations ---- */

static const char *name_of(const char *const *names, size_t n, int value)
{
    return value >= 0 && (size_t)value < n ? names[value] : NULL;
}

const char *ow_column_type_name(ow_column_type type)
{
    static const char *const names[] = {"continuous", "integer", "categorical", "ordinal"};
    return name_of(names, sizeof names / sizeof *names, (int)type);
}

const char *const owi_scaling_names[] = {[OW_SCALE_NONE] = "none",
                                         [OW_SCALE_MINMAX] = "minmax",
                                         [OW_SCALE_STANDARD] = "standard",
                                         [OW_SCALE_LOG1P] = "log1p",
                                         NULL};

const char *ow_scaling_name(ow_scaling scaling)
{
    enum { n = sizeof owi_scaling_names / sizeof *owi_scaling_names - 1 };
    return name_of(owi_scaling_names, n, (int)scaling);
}

const char *ow_monotone_name(ow_monotone monotone)
{
    static const char *const names[] = {"none", "up", "down"};
    return name_of(names, sizeof names / sizeof *names, (int)monotone);
}

const char *owi_layout_name(ow_layout_kind kind)
{
    static const char *const names[] = {"table", "image", "map"};
    return name_of(names, sizeof names / sizeof *names, (int)kind);
}

const char *const owi_level_order_names[] = {
    [OW_LEVELS_SORTED] = "sorted", [OW_LEVELS_BY_APPEARANCE] = "appearance", NULL};

const char *owi_level_order_name(ow_level_order order)
{
    enum { n = sizeof owi_level_order_names / sizeof *owi_level_order_names - 1 };
    return name_of(owi_level_order_names, n, (int)order);
}
