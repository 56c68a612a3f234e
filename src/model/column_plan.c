/* SPDX-License-Identifier: MIT */
#include "model/column_plan.h"

#include <float.h>
#include <math.h>

#include "base/memory/alloc.h"
#include "data/schema/encode_private.h"

const char *owi_plan_kind_name(int kind)
{
    static const char *const names[] = {"number", "masses", "values", "levels", "one-hot"};
    return kind >= 0 && kind < (int)(sizeof names / sizeof *names) ? names[kind] : NULL;
}

ow_status owi_plan_init(owi_plan *plan, const ow_schema *schema, ow_context *ctx)
{
    *plan =
        (owi_plan){.ctx = ctx, .schema = schema, .n_columns = ow_schema_n_columns(schema)};
    plan->columns = owi_alloc_array(ctx, plan->n_columns, sizeof *plan->columns);
    if (plan->columns == NULL) return OW_ERR_MEMORY;
    const ow_status status =
        ow_encoding_new(ctx, schema, OW_CATEGORY_CODE, &plan->encoding);
    if (status != OW_OK) owi_plan_clear(plan);
    return status;
}

/* Whether the column is a leaf with levels, and so has shares in soft rows. */
static bool has_shares(const owi_column_plan *column)
{
    return column->kind == OWI_PLAN_VALUES || column->kind == OWI_PLAN_LEVELS;
}

static size_t count_levels(const owi_plan *plan, size_t j)
{
    return plan->columns[j].kind == OWI_PLAN_VALUES
               ? plan->columns[j].n_values
               : ow_schema_column(plan->schema, j)->n_levels;
}

void owi_plan_finish(owi_plan *plan)
{
    plan->width = plan->soft_width = 0;
    plan->is_numbers = true;
    for (size_t j = 0; j < plan->n_columns; j++) {
        owi_column_plan *column = &plan->columns[j];
        column->first = plan->width;
        column->width = column->kind == OWI_PLAN_ONE_HOT
                            ? ow_schema_column(plan->schema, j)->n_levels
                            : 1;
        plan->width += column->width;
        column->soft_first = plan->soft_width;
        column->soft_width = has_shares(column) ? count_levels(plan, j) : column->width;
        plan->soft_width += column->soft_width;
        plan->is_numbers &= column->kind == OWI_PLAN_NUMBER;
    }
}

void owi_plan_clear(owi_plan *plan)
{
    if (plan->ctx == NULL) return;
    for (size_t j = 0; plan->columns != NULL && j < plan->n_columns; j++)
        owi_free(plan->ctx, plan->columns[j].values);
    owi_free(plan->ctx, plan->columns);
    ow_encoding_free(plan->encoding);
    *plan = (owi_plan){0};
}

/* ---- Leaves ---- */

size_t owi_plan_n_masses(const owi_plan *plan)
{
    size_t n = 0;
    for (size_t j = 0; j < plan->n_columns; j++)
        if (plan->columns[j].kind == OWI_PLAN_MASSES) n += plan->columns[j].n_values;
    return n;
}

void owi_plan_leaves(const owi_plan *plan, bool split_groups, ow_leaf *leaves,
                     float *masses)
{
    for (size_t j = 0; j < plan->n_columns; j++) {
        const owi_column_plan *column = &plan->columns[j];
        for (size_t i = 0; i < column->width; i++) {
            ow_leaf *leaf = &leaves[column->first + i];
            *leaf = (ow_leaf){.kind = OW_LEAF_GAUSSIAN,
                              .log_cell = column->log_cell,
                              .low = column->low,
                              .high = column->high,
                              .group = split_groups ? column->first + i : j};
            if (has_shares(column)) {
                leaf->kind = OW_LEAF_CATEGORICAL;
                leaf->n_levels = count_levels(plan, j);
                leaf->ordered = column->kind == OWI_PLAN_VALUES ||
                                ow_schema_column(plan->schema, j)->type == OW_TYPE_ORDINAL;
                leaf->log_cell = leaf->low = leaf->high = 0.0;
            }
            if (column->kind != OWI_PLAN_MASSES) continue;
            leaf->kind = OW_LEAF_POINT_MASSES;
            leaf->n_masses = column->n_values;
            leaf->masses = masses;
            for (size_t m = 0; m < column->n_values; m++)
                *masses++ = (float)owi_encode_number(plan->encoding, j, column->values[m]);
        }
    }
}

/* ---- Rows ---- */

/* The index of the nearest of n ascending values. */
static size_t nearest(const double *values, size_t n, double x)
{
    size_t low = 0, high = n; /* the first value >= x is in [low, high] */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (values[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n || (low > 0 && x - values[low - 1] <= values[low] - x)) low--;
    return low;
}

/* A number too large for a float becomes the largest one: it is far outside all the
 * same. */
static float to_float(double x)
{
    return (float)fmax(fmin(x, (double)FLT_MAX), -(double)FLT_MAX);
}

/* One column, whose circuit columns begin at row. */
static void encode_column(const owi_plan *plan, size_t j, double x, float *row)
{
    const owi_column_plan *column = &plan->columns[j];
    if (isnan(x)) {
        for (size_t i = 0; i < column->width; i++) row[i] = NAN;
        return;
    }
    switch (column->kind) {
    case OWI_PLAN_NUMBER:
    case OWI_PLAN_MASSES:
        row[0] = to_float(owi_encode_number(plan->encoding, j, x));
        break;
    case OWI_PLAN_VALUES:
        row[0] = (float)nearest(column->values, column->n_values, x);
        break;
    case OWI_PLAN_LEVELS:
        row[0] = (float)x;
        break;
    case OWI_PLAN_ONE_HOT:
        for (size_t i = 0; i < column->width; i++) row[i] = (double)i == x ? 1.0f : 0.0f;
        break;
    }
}

/* The level with the largest entry, the first of several; NaN anywhere: missing. */
static double largest_entry(const float *row, size_t n)
{
    size_t best = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(row[i])) return NAN;
        if (row[i] > row[best]) best = i;
    }
    return (double)best;
}

/* A code as a float to an index below n. */
static size_t to_index(float code, size_t n)
{
    const float rounded = roundf(code);
    if (!(rounded > 0.0f)) return 0;
    return rounded < (float)n ? (size_t)rounded : n - 1;
}

static double decode_column(const owi_plan *plan, size_t j, const float *row)
{
    const owi_column_plan *column = &plan->columns[j];
    if (column->kind != OWI_PLAN_ONE_HOT && isnan(row[0])) return NAN;
    switch (column->kind) {
    case OWI_PLAN_MASSES:
        for (size_t m = 0; m < column->n_values; m++)
            if (row[0] == (float)owi_encode_number(plan->encoding, j, column->values[m]))
                return column->values[m];
        return owi_decode_number(plan->encoding, j, (double)row[0]);
    case OWI_PLAN_VALUES:
        return column->values[to_index(row[0], column->n_values)];
    case OWI_PLAN_LEVELS:
        return (double)to_index(row[0], ow_schema_column(plan->schema, j)->n_levels);
    case OWI_PLAN_ONE_HOT:
        return largest_entry(row, column->width);
    default:
        return owi_decode_number(plan->encoding, j, (double)row[0]);
    }
}

void owi_plan_encode(const owi_plan *plan, size_t n_rows, const double *values, float *rows)
{
    if (plan->is_numbers && owi_encode_lines(plan->encoding, n_rows, values, rows)) return;
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < plan->n_columns; j++)
            encode_column(plan, j, values[i * plan->n_columns + j],
                          rows + i * plan->width + plan->columns[j].first);
}

void owi_plan_decode(const owi_plan *plan, size_t n_rows, const float *rows, double *values)
{
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < plan->n_columns; j++)
            values[i * plan->n_columns + j] =
                decode_column(plan, j, rows + i * plan->width + plan->columns[j].first);
}

/* ---- Soft rows ---- */

void owi_plan_soften_column(const owi_plan *plan, size_t j, double value, float *soft)
{
    const owi_column_plan *column = &plan->columns[j];
    encode_column(plan, j, value, soft);
    if (!has_shares(column)) return;
    const float level = soft[0];
    for (size_t k = 0; k < column->soft_width; k++)
        soft[k] = isnan(level) ? NAN : (float)k == level ? 1.0f : 0.0f;
}

void owi_plan_soften(const owi_plan *plan, size_t n_rows, const double *values, float *soft)
{
    if (plan->is_numbers && owi_encode_lines(plan->encoding, n_rows, values, soft)) return;
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < plan->n_columns; j++) {
            owi_plan_soften_column(plan, j, *values++, soft);
            soft += plan->columns[j].soft_width;
        }
}

double owi_plan_harden_column(const owi_plan *plan, size_t j, const float *soft)
{
    const owi_column_plan *column = &plan->columns[j];
    if (!has_shares(column)) return decode_column(plan, j, soft);
    const float level = (float)largest_entry(soft, column->soft_width);
    return decode_column(plan, j, &level);
}

void owi_plan_harden(const owi_plan *plan, size_t n_rows, const float *soft, double *values)
{
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < plan->n_columns; j++) {
            *values++ = owi_plan_harden_column(plan, j, soft);
            soft += plan->columns[j].soft_width;
        }
}
