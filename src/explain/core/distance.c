/* SPDX-License-Identifier: MIT */
/* How far an answer is from its query, in units that columns share: a number by the range
 * of the training rows (of images and maps, by that of all columns together), a category
 * that changed is 1. */
#include <math.h>

#include "explain/constraints/constraints.h"
#include "explain/core/distance.h"
#include "model/model_private.h"

/* A column that never varied has no range: its change counts as it is. */
static double range_of(double low, double high)
{
    const double range = high - low;
    return range > 0.0 && isfinite(range) ? range : 1.0;
}

void owi_layout_range(const ow_schema *schema, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        const ow_column *column = ow_schema_column(schema, j);
        if (column->n_levels > 0) continue;
        *low = fmin(*low, column->low);
        *high = fmax(*high, column->high);
    }
}

/* Of a column of a table. */
static double table_scale(const ow_model *model, size_t column)
{
    if (ow_schema_column(ow_model_schema(model), column)->n_levels > 0) return 1.0;
    const ow_column_figures figures = ow_model_figures(model, column);
    return range_of(figures.low, figures.high);
}

/* Of all columns of an image or a map; 0 for a table. */
static double layout_scale(const ow_schema *schema)
{
    double low, high;
    if (ow_schema_layout(schema).kind == OW_LAYOUT_TABLE) return 0.0;
    owi_layout_range(schema, &low, &high);
    return range_of(low, high);
}

void owi_column_scales(const ow_model *model, double *scales)
{
    const ow_schema *schema = ow_model_schema(model);
    const double common = layout_scale(schema);
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
        scales[j] = common > 0.0 ? common : table_scale(model, j);
}

/* The first column of a link that changed stands for all of it. */
static bool counts(const ow_schema *schema, const ow_column *column, size_t j,
                   const double *query, const double *values)
{
    if (column->link == 0) return true;
    const ow_linked linked = ow_schema_linked(schema, column->link);
    for (size_t k = 0; linked.columns[k] != j; k++)
        if (!owi_same_value(query[linked.columns[k]], values[linked.columns[k]]))
            return false;
    return true;
}

static bool is_dependent(const ow_schema *schema, size_t j)
{
    for (size_t i = 0; i < ow_schema_n_relations(schema); i++)
        if (ow_schema_relation(schema, i)->column == j) return true;
    return false;
}

size_t ow_model_most_changes(const ow_model *model)
{
    const ow_schema *schema = ow_model_schema(model);
    size_t n = ow_schema_n_links(schema);
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++)
        n += ow_schema_column(schema, j)->link == 0 && !is_dependent(schema, j);
    return n;
}

/* scale_of is asked for the scales of columns that changed. */
static ow_distance add_up(const ow_schema *schema, const double *query,
                          const double *values,
                          double (*scale_of)(const void *user, size_t column),
                          const void *user)
{
    const size_t n = ow_schema_n_columns(schema);
    ow_distance distance = {0};

    for (size_t j = 0; j < n; j++) {
        if (owi_same_value(query[j], values[j])) continue;
        const ow_column *column = ow_schema_column(schema, j);
        const double change =
            owi_scaled_change(scale_of(user, j), column->n_levels > 0, query[j], values[j]);
        distance.l0 += counts(schema, column, j, query, values);
        distance.l1 += change;
        distance.l2 += change * change;
        distance.linf = fmax(distance.linf, change);
    }
    distance.l2 = sqrt(distance.l2);
    distance.gower = n > 0 ? distance.l1 / (double)n : 0.0;
    return distance;
}

static double known_scale(const void *scales, size_t column)
{
    return ((const double *)scales)[column];
}

ow_distance owi_distance_by(const ow_schema *schema, const double *scales,
                            const double *query, const double *values)
{
    return add_up(schema, query, values, known_scale, scales);
}

typedef struct {
    const ow_model *model;
    double common; /* of all columns; 0: each has its own */
} model_scales;

static double model_scale(const void *user, size_t column)
{
    const model_scales *of = user;
    return of->common > 0.0 ? of->common : table_scale(of->model, column);
}

ow_distance ow_model_distance(const ow_model *model, const double *query,
                              const double *values)
{
    const ow_schema *schema = ow_model_schema(model);
    const model_scales of = {model, layout_scale(schema)};
    return add_up(schema, query, values, model_scale, &of);
}
