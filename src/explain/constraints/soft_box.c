/* SPDX-License-Identifier: MIT */
#include "explain/constraints/soft_box.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/transpose.h"
#include "explain/constraints/simplex_lanes.h"

/* Entries that are turned into lanes at a time; a wider group is projected row by row. */
enum { most_stretch = 64 };

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
        for (size_t k = 0; k < group.width && !isnan(from); k++) {
            box->allowed[at + k] =
                soft[at + k] > 0.0f ||
                owi_constraints_permit(constraints, column, from,
                                       ow_model_soft_value(model, column, k));
            if (!box->allowed[at + k]) box->bar[at + k] = -INFINITY;
        }
    }
    box->groups[box->n_groups++] = group;
}

/* Groups one after the other, as many as fit. */
static void find_stretches(owi_soft_box *box)
{
    for (size_t g = 0; g < box->n_groups; g++) {
        const owi_soft_group *group = &box->groups[g];
        const size_t end = group->first + group->width;
        owi_soft_stretch *last = &box->stretches[box->n_stretches];
        if (box->n_stretches == 0 || end - last[-1].first > most_stretch) {
            *last = (owi_soft_stretch){.first = group->first, .group = g};
            box->n_stretches++;
        } else {
            last--;
        }
        last->width = end - last->first;
        last->past_group = g + 1;
    }
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
    box->stretches = owi_alloc_array(ctx, n_columns, sizeof *box->stretches);
    box->allowed = owi_alloc_array(ctx, n_rows, width * sizeof *box->allowed);
    box->bar = owi_alloc_array(ctx, n_rows, width * sizeof *box->bar);
    if (box->low == NULL || box->high == NULL || box->groups == NULL ||
        box->stretches == NULL || box->allowed == NULL || box->bar == NULL) {
        owi_soft_box_clear(box);
        return OW_ERR_MEMORY;
    }
    find_bounds(box, model, constraints, values, soft);
    for (size_t i = 0; i < n_rows * width; i++) box->bar[i] = INFINITY;
    for (size_t j = 0; j < n_columns && whole_groups; j++)
        add_group(box, model, constraints, j, values, soft);
    find_stretches(box);
    return OW_OK;
}

void owi_soft_box_clear(owi_soft_box *box)
{
    if (box->ctx == NULL) return;
    owi_free(box->ctx, box->low);
    owi_free(box->ctx, box->high);
    owi_free(box->ctx, box->groups);
    owi_free(box->ctx, box->stretches);
    owi_free(box->ctx, box->allowed);
    owi_free(box->ctx, box->bar);
    *box = (owi_soft_box){0};
}

/* ---- Projection ---- */

/* The groups of a stretch in one row, one by one; a group that the query lacks stays
 * missing. */
static void project_alone(const owi_soft_box *box, const owi_soft_stretch *stretch,
                          size_t row, float *x)
{
    for (size_t g = stretch->group; g < stretch->past_group; g++) {
        const size_t at = row * box->width + box->groups[g].first;
        if (isnan(box->low[at])) continue;
        owi_project_to_simplex(box->groups[g].width, box->allowed + at,
                               x + box->groups[g].first);
    }
}

/* to = min(from, bar); what is missing stays so. */
static OWI_INLINE void copy_barred(size_t n, const float *from, const float *bar,
                                   float *restrict to)
{
    for (size_t j = 0; j < n; j++) to[j] = from[j] > bar[j] ? bar[j] : from[j];
}

/* Up to owi_simplex_lanes rows. */
OWI_WIDE static void project_together(const owi_soft_box *box,
                                      const owi_soft_stretch *stretch, size_t n,
                                      const uint32_t *which, float *x)
{
    enum { L = owi_simplex_lanes };
    const size_t width = stretch->width;
    float rows[L * most_stretch], lanes[most_stretch * L], moved[most_stretch * L];
    for (size_t i = 0; i < L; i++) {
        /* Spare lanes repeat the last row. */
        const size_t at = which[owi_smaller(i, n - 1)] * box->width + stretch->first;
        copy_barred(width, x + at, box->bar + at, rows + i * most_stretch);
    }
    owi_transpose(L, width, rows, most_stretch, lanes, L);
    for (size_t g = stretch->group, at = 0; g < stretch->past_group; g++) {
        const size_t first = box->groups[g].first - stretch->first;
        memcpy(moved + at * L, lanes + at * L, (first - at) * L * sizeof *lanes);
        owi_project_lanes_to_simplex(box->groups[g].width, lanes + first * L,
                                     moved + first * L);
        at = first + box->groups[g].width;
    }
    owi_transpose(width, n, moved, L, rows, most_stretch);
    for (size_t i = 0; i < n; i++)
        memcpy(x + which[i] * box->width + stretch->first, rows + i * most_stretch,
               width * sizeof *x);
}

OWI_WIDE static void clamp(size_t n, const float *low, const float *high, float *restrict x)
{
    for (size_t j = 0; j < n; j++) {
        const float above = x[j] < low[j] ? low[j] : x[j];
        x[j] = above > high[j] ? high[j] : above;
    }
}

void owi_soft_box_project(const owi_soft_box *box, size_t n, const uint32_t *which,
                          float *x)
{
    enum { L = owi_simplex_lanes };
    for (size_t s = 0; s < box->n_stretches; s++) {
        const owi_soft_stretch *stretch = &box->stretches[s];
        for (size_t i = 0; i < n && stretch->width > most_stretch; i++)
            project_alone(box, stretch, which[i], x + which[i] * box->width);
        for (size_t i = 0; i < n && stretch->width <= most_stretch; i += L)
            project_together(box, stretch, owi_smaller(L, n - i), which + i, x);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t at = which[i] * box->width;
        clamp(box->width, box->low + at, box->high + at, x + at);
    }
}

void owi_soft_box_lanes(const owi_soft_box *box, size_t first_row, size_t n, float *low,
                        float *high)
{
    enum { L = owi_row_lanes };
    const size_t at = first_row * box->width;
    owi_rows_to_lanes(n, box->width, box->low + at, low);
    owi_rows_to_lanes(n, box->width, box->high + at, high);
    for (size_t g = 0; g < box->n_groups; g++)
        for (size_t j = box->groups[g].first;
             j < box->groups[g].first + box->groups[g].width; j++)
            for (size_t lane = 0; lane < L; lane++) {
                low[j * L + lane] = -INFINITY;
                high[j * L + lane] =
                    box->bar[at + owi_smaller(lane, n - 1) * box->width + j];
            }
}
