/* SPDX-License-Identifier: MIT */
/* What a draft is changed by. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/spelling.h"
#include "data/schema/schema_builder_private.h"

/* ---- Columns ---- */

#define REQUIRE_COLUMN(builder, j)                                                         \
    OWI_REQUIRE((builder) != NULL && (j) < (builder)->n_columns)

static void make_number(const ow_schema_builder *builder, ow_column_type type, double low,
                        double high, ow_column *column)
{
    column->type = type;
    column->decimals = type == OW_TYPE_INTEGER ? 0 : -1;
    column->scaling =
        builder->layout.kind == OW_LAYOUT_TABLE ? OW_SCALE_STANDARD : OW_SCALE_MINMAX;
    owi_column_set_range(column, low, high);
}

static void make_category(ow_column_type type, ow_column *column)
{
    owi_column_set_range(column, 0.0, 0.0);
    column->type = type;
    column->decimals = -1;
    column->scaling = OW_SCALE_NONE;
    column->scaling_fixed = false;
}

ow_status ow_schema_builder_add_number(ow_schema_builder *builder, const char *name,
                                       ow_column_type type, double low, double high,
                                       size_t *column)
{
    OWI_REQUIRE(builder != NULL && name != NULL && !owi_is_category(type));
    owi_draft_column *added;
    OWI_TRY(owi_draft_push_column(builder, name, &added));
    make_number(builder, type, low, high, &added->column);
    if (column != NULL) *column = builder->n_columns - 1;
    return OW_OK;
}

ow_status ow_schema_builder_add_category(ow_schema_builder *builder, const char *name,
                                         ow_column_type type, size_t n_levels,
                                         const char *const *levels, size_t *column)
{
    OWI_REQUIRE(builder != NULL && name != NULL && owi_is_category(type));
    owi_draft_column *added;
    owi_text_list copy;
    OWI_TRY(owi_draft_copy_texts(builder->ctx, n_levels, levels, &copy));
    const ow_status status = owi_draft_push_column(builder, name, &added);
    if (status != OW_OK) {
        owi_draft_free_texts(builder->ctx, &copy);
        return status;
    }
    make_category(type, &added->column);
    added->levels = copy;
    if (column != NULL) *column = builder->n_columns - 1;
    return OW_OK;
}

ow_status ow_schema_builder_unlink(ow_schema_builder *builder, size_t column)
{
    REQUIRE_COLUMN(builder, column);
    const size_t link = builder->columns[column].link;
    for (size_t j = 0; link > 0 && j < builder->n_columns; j++)
        if (builder->columns[j].link == link) builder->columns[j].link = 0;
    return OW_OK;
}

ow_status ow_schema_builder_remove(ow_schema_builder *builder, size_t column)
{
    OWI_TRY(ow_schema_builder_unlink(builder, column));
    owi_draft_drop_relations(builder, builder->columns[column].name);
    owi_free(builder->ctx, builder->columns[column].name);
    owi_draft_free_texts(builder->ctx, &builder->columns[column].levels);
    owi_draft_free_texts(builder->ctx, &builder->columns[column].words);
    builder->n_columns--;
    memmove(builder->columns + column, builder->columns + column + 1,
            (builder->n_columns - column) * sizeof *builder->columns);
    return OW_OK;
}

static const char *draft_name(const void *user, size_t j)
{
    return ((const ow_schema_builder *)user)->columns[j].name;
}

ow_status ow_schema_builder_find(const ow_schema_builder *builder, const char *name,
                                 size_t *column)
{
    OWI_REQUIRE(builder != NULL && name != NULL && column != NULL);
    for (*column = 0; *column < builder->n_columns; ++*column)
        if (strcmp(builder->columns[*column].name, name) == 0) return OW_OK;
    return owi_fail_unknown(OW_ERR_ARGUMENT, NULL, "column", name, builder->n_columns,
                            draft_name, builder);
}

ow_status ow_schema_builder_set_number(ow_schema_builder *builder, size_t column,
                                       ow_column_type type, double low, double high)
{
    REQUIRE_COLUMN(builder, column);
    OWI_REQUIRE(!owi_is_category(type));
    owi_draft_column *draft = &builder->columns[column];
    const bool was_number = !owi_is_category(draft->column.type);
    const ow_column before = draft->column;
    OWI_TRY(ow_schema_builder_unlink(builder, column));
    if (!was_number) owi_draft_drop_relations(builder, draft->name);
    owi_draft_free_texts(builder->ctx, &draft->levels);
    make_number(builder, type, low, high, &draft->column);
    if (!was_number) return OW_OK;
    draft->column.scaling = before.scaling;
    if (type == before.type) draft->column.decimals = before.decimals;
    return OW_OK;
}

ow_status ow_schema_builder_set_category(ow_schema_builder *builder, size_t column,
                                         ow_column_type type, size_t n_levels,
                                         const char *const *levels)
{
    REQUIRE_COLUMN(builder, column);
    OWI_REQUIRE(owi_is_category(type));
    owi_draft_column *draft = &builder->columns[column];
    owi_text_list copy;
    OWI_TRY(owi_draft_copy_texts(builder->ctx, n_levels, levels, &copy));
    OWI_TRY(ow_schema_builder_unlink(builder, column));
    owi_draft_drop_relations(builder, draft->name);
    owi_draft_free_texts(builder->ctx, &draft->levels);
    draft->levels = copy;
    make_category(type, &draft->column);
    return OW_OK;
}

ow_status ow_schema_builder_set_figures(ow_schema_builder *builder, size_t column,
                                        double mean, double deviation, double log_mean,
                                        double log_deviation)
{
    REQUIRE_COLUMN(builder, column);
    ow_column *draft = &builder->columns[column].column;
    draft->mean = mean;
    draft->deviation = deviation;
    draft->log_mean = log_mean;
    draft->log_deviation = log_deviation;
    return OW_OK;
}

ow_status ow_schema_builder_set_scaling(ow_schema_builder *builder, size_t column,
                                        ow_scaling scaling, bool fixed)
{
    REQUIRE_COLUMN(builder, column);
    builder->columns[column].column.scaling = scaling;
    builder->columns[column].column.scaling_fixed = fixed;
    return OW_OK;
}

ow_status ow_schema_builder_set_decimals(ow_schema_builder *builder, size_t column,
                                         int decimals)
{
    REQUIRE_COLUMN(builder, column);
    builder->columns[column].column.decimals = decimals;
    return OW_OK;
}

ow_status ow_schema_builder_set_immutable(ow_schema_builder *builder, size_t column,
                                          bool immutable)
{
    REQUIRE_COLUMN(builder, column);
    builder->columns[column].column.immutable = immutable;
    return OW_OK;
}

ow_status ow_schema_builder_set_monotone(ow_schema_builder *builder, size_t column,
                                         ow_monotone monotone)
{
    REQUIRE_COLUMN(builder, column);
    builder->columns[column].column.monotone = monotone;
    return OW_OK;
}

/* ---- Links, label, layout ---- */

/* A value of a linked column: NaN, a finite number, or a level's index. */
static bool is_value(const owi_draft_column *draft, double value)
{
    if (isnan(value)) return true;
    if (!owi_is_category(draft->column.type)) return isfinite(value);
    return value >= 0.0 && value < (double)draft->levels.n && value == floor(value);
}

ow_status ow_schema_builder_link(ow_schema_builder *builder, size_t n_columns,
                                 const size_t *columns, size_t n_rows, const double *values)
{
    OWI_REQUIRE(builder != NULL && columns != NULL && n_columns >= 2);
    OWI_REQUIRE(values != NULL || n_rows == 0);
    for (size_t k = 0; k < n_columns; k++) {
        REQUIRE_COLUMN(builder, columns[k]);
        OWI_REQUIRE(k == 0 || columns[k] > columns[k - 1]);
        OWI_REQUIRE(builder->columns[columns[k]].link == 0);
    }
    for (size_t i = 0; i < n_rows * n_columns; i++)
        if (!is_value(&builder->columns[columns[i % n_columns]], values[i]))
            return owi_fail(OW_ERR_ARGUMENT, "combination %zu: %g is no value of %s",
                            i / n_columns + 1, values[i],
                            builder->columns[columns[i % n_columns]].name);
    OWI_TRY(owi_draft_push_link(builder, n_columns, n_rows, values));
    for (size_t k = 0; k < n_columns; k++)
        builder->columns[columns[k]].link = builder->n_links;
    return OW_OK;
}

ow_status ow_schema_builder_set_label(ow_schema_builder *builder, const char *name,
                                      size_t n_classes, const char *const *classes)
{
    OWI_REQUIRE(builder != NULL && (name != NULL || n_classes == 0));
    owi_text_list copy;
    char *label = name != NULL ? owi_copy_text(builder->ctx, name, strlen(name)) : NULL;
    if (name != NULL && label == NULL) return OW_ERR_MEMORY;
    const ow_status status = owi_draft_copy_texts(builder->ctx, n_classes, classes, &copy);
    if (status != OW_OK) {
        owi_free(builder->ctx, label);
        return status;
    }
    owi_free(builder->ctx, builder->label);
    owi_draft_free_texts(builder->ctx, &builder->classes);
    owi_free(builder->ctx, builder->class_counts);
    builder->class_counts = NULL;
    builder->label = label;
    builder->classes = copy;
    return OW_OK;
}

ow_status ow_schema_builder_set_layout(ow_schema_builder *builder, ow_layout layout)
{
    OWI_REQUIRE(builder != NULL && owi_layout_name(layout.kind) != NULL);
    builder->layout = layout;
    return OW_OK;
}
