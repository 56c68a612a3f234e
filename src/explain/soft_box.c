/* SPDX-License-Identifier: MIT */
#include "explain/soft_box.h"

#include <float.h>
#include <math.h>

#include "base/alloc.h"

/* The bounds are where constraints put what is far too small and far too large. */
static void find_bounds(owi_soft_box *box, const ow_model *model,
                        const ow_constraints *constraints, const double *values,
                        const float *soft)
{
    const size_t n = box->n_rows * box->width;
    for (size_t i = 0; i < n; i++) {
        box->low[i] = -FLT_MAX;
        box->high[i] = FLT_MAX;
    }
    owi_constraints_project(constraints, model, box->n_rows, values, soft, false, box->low);
    owi_constraints_project(constraints, model, box->n_rows, values, soft, false,
                            box->high);
}

/* A category that can change at all; entries of a query that lacks it stay missing. */
static void add_group(owi_soft_box *box, const ow_model *model,
                      const ow_constraints *constraints, size_t column,
                      const double *values, const float *soft)
{
    const size_t n_columns = ow_schema_n_columns(constraints->schema);
    owi_soft_group group;
    ow_model_soft_span(model, column, &group.first, &group.width);
    if (group.width < 2 || owi_constraints_frozen(constraints, column)) return;
    for (size_t i = 0; i < box->n_rows; i++) {
        const double from = values[i * n_columns + column];
        const size_t at = i * box->width + group.first;
        for (size_t k = 0; k < group.width && !isnan(from); k++)
            box->allowed[at + k] =
                soft[at + k] > 0.0f ||
                owi_constraints_permit(constraints, column, from,
                                       ow_model_soft_value(model, column, k));
    }
    box->groups[box->n_groups++] = group;
}

ow_status owi_soft_box_init(owi_soft_box *box, ow_context *ctx, const ow_model *model,
                            const ow_constraints *constraints, size_t n_rows,
                            const double *values, const float *soft, bool whole_groups)
{
    const size_t width = ow_model_soft_width(model);
    const size_t n_columns = ow_schema_n_columns(constraints->schema);
    *box = (owi_soft_box){.ctx = ctx, .n_rows = n_rows, .width = width};
    box->low = owi_alloc_array(ctx, n_rows, width * sizeof *box->low);
    box->high = owi_alloc_array(ctx, n_rows, width * sizeof *box->high);
    box->groups = owi_alloc_array(ctx, n_columns, sizeof *box->groups);
    box->allowed = owi_alloc_array(ctx, n_rows, width * sizeof *box->allowed);
    if (box->low == NULL || box->high == NULL || box->groups == NULL ||
        box->allowed == NULL) {
        owi_soft_box_clear(box);
        return OW_ERR_MEMORY;
    }
    find_bounds(box, model, constraints, values, soft);
    for (size_t j = 0; j < n_columns && whole_groups; j++)
        add_group(box, model, constraints, j, values, soft);
    return OW_OK;
}

void owi_soft_box_clear(owi_soft_box *box)
{
    if (box->ctx == NULL) return;
    owi_free(box->ctx, box->low);
    owi_free(box->ctx, box->high);
    owi_free(box->ctx, box->groups);
    owi_free(box->ctx, box->allowed);
    *box = (owi_soft_box){0};
}

void owi_soft_box_project(const owi_soft_box *box, size_t row, float *x)
{
    const float *low = box->low + row * box->width, *high = box->high + row * box->width;
    for (size_t g = 0; g < box->n_groups; g++) {
        const size_t first = box->groups[g].first;
        if (isnan(low[first])) continue; /* missing */
        owi_project_to_simplex(box->groups[g].width,
                               box->allowed + row * box->width + first, x + first);
    }
    for (size_t j = 0; j < box->width; j++) {
        x[j] = x[j] < low[j] ? low[j] : x[j];
        x[j] = x[j] > high[j] ? high[j] : x[j];
    }
}
