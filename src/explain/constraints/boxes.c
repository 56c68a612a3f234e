/* SPDX-License-Identifier: MIT */
#include "explain/constraints/boxes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/numeric/transpose.h"
#include "data/schema/encode_private.h"
#include "explain/constraints/simplex_lanes.h"

/* Entries that are turned into lanes at a time; a wider group is projected row by row. */
enum { most_stretch = 64 };

/* The box of a number: the interval that a changed value may have, widened to include the
 * query's value.  A descent moves in small steps and must be able to pass from one to the
 * other; what ends in between is repaired.  An interval without a number leaves the query's
 * value alone. */
static void bound_number(const owi_rules *rules, size_t column, double from, float *least,
                         float *most)
{
    const ow_encoding *encoding = rules->model->plan.encoding;
    double low, high;
    owi_limits_interval(&rules->columns[column].limits, from, &low, &high);
    if (!(low <= high)) low = high = from;
    low = owi_encode_number(encoding, column, fmin(low, from));
    high = owi_encode_number(encoding, column, fmax(high, from));
    if (low > -(double)FLT_MAX) *least = (float)low;
    if (high < (double)FLT_MAX) *most = (float)high;
}

/* The box of a row, entry by entry.  Frozen columns and missing values have low = high =
 * the query's entry (NaN for a missing one, which no comparison moves).  bar is for shares:
 * a share is at most its bar, infinite where the level is allowed. */
static void bound_row(owi_boxes *boxes, const owi_rules *rules, size_t row,
                      const double *values, const float *soft)
{
    for (size_t j = 0; j < rules->n_columns; j++) {
        const owi_soft_column *column = &rules->columns[j].soft;
        const size_t at = row * boxes->width + column->first;
        const bool stays = rules->columns[j].limits.frozen || isnan(values[j]);
        for (size_t k = at; k < at + column->width; k++) {
            boxes->low[k] = stays ? soft[k] : -FLT_MAX;
            boxes->high[k] = stays ? soft[k] : FLT_MAX;
            boxes->bar[k] = INFINITY;
        }
        if (!stays && !column->has_shares)
            bound_number(rules, j, values[j], &boxes->low[at], &boxes->high[at]);
    }
}

/* A category that can change becomes a group, whose shares are projected together.  Levels
 * that the query may not change to are barred (-infinity), unless the query has a share of
 * them: its own level stays possible.  A query that lacks the value keeps it missing. */
static void add_group(owi_boxes *boxes, const owi_rules *rules, size_t column,
                      const double *values, const float *soft)
{
    const owi_soft_column *shares = &rules->columns[column].soft;
    const owi_limits *limits = &rules->columns[column].limits;
    if (shares->width < 2 || limits->frozen) return;
    for (size_t i = 0; i < boxes->n_rows; i++) {
        const double from = values[i * rules->n_columns + column];
        const size_t at = i * boxes->width + shares->first;
        for (size_t k = 0; k < shares->width && !isnan(from); k++)
            if (!(soft[at + k] > 0.0f) &&
                !owi_permits(limits, from, ow_model_soft_value(rules->model, column, k)))
                boxes->bar[at + k] = -INFINITY;
    }
    boxes->groups[boxes->n_groups++] =
        (owi_soft_group){.first = shares->first, .width = shares->width};
}

/* Stretches: runs of neighbouring groups of at most most_stretch entries, with whatever
 * lies between them.  A stretch of several rows is transposed to lanes and projected at
 * once. */
static void find_stretches(owi_boxes *boxes)
{
    for (size_t g = 0; g < boxes->n_groups; g++) {
        const owi_soft_group *group = &boxes->groups[g];
        const size_t end = group->first + group->width;
        owi_soft_stretch *last = &boxes->stretches[boxes->n_stretches];
        if (boxes->n_stretches == 0 || end - last[-1].first > most_stretch) {
            *last = (owi_soft_stretch){.first = group->first, .group = g};
            boxes->n_stretches++;
        } else {
            last--;
        }
        last->width = end - last->first;
        last->past_group = g + 1;
    }
}

ow_status owi_boxes_init(owi_boxes *boxes, ow_context *ctx, const owi_rules *rules,
                         size_t n_rows, const double *values, const float *soft,
                         bool whole_groups)
{
    const size_t n_columns = rules->n_columns, entries = n_rows * rules->width;
    *boxes = (owi_boxes){.n_rows = n_rows, .width = rules->width};
    const owi_piece pieces[] = {OWI_PIECE(boxes->low, entries),
                                OWI_PIECE(boxes->high, entries),
                                OWI_PIECE(boxes->bar, entries),
                                OWI_PIECE(boxes->groups, n_columns),
                                OWI_PIECE(boxes->stretches, n_columns)};
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &boxes->workspace));
    for (size_t i = 0; i < n_rows; i++)
        bound_row(boxes, rules, i, values + i * n_columns, soft);
    for (size_t j = 0; j < n_columns && whole_groups; j++)
        add_group(boxes, rules, j, values, soft);
    find_stretches(boxes);
    return OW_OK;
}

void owi_boxes_clear(owi_boxes *boxes)
{
    owi_workspace_free(boxes->workspace);
    *boxes = (owi_boxes){0};
}

/* ---- Projection ---- */

/* The nearest point of { x : x_k >= 0, sum_k x_k = 1 } is max(0, x_k - tau) for the tau
 * that makes the sum 1 (Michelot 1986): begin with all entries and leave out those that tau
 * makes negative, until none is. */
void owi_project_to_simplex(size_t n, const float *bar, float *shares)
{
    double tau = -INFINITY;
    for (size_t n_before = SIZE_MAX, n_left = 0; n_left < n_before;) {
        double sum = 0.0;
        n_before = n_left > 0 ? n_left : n_before;
        n_left = 0;
        for (size_t k = 0; k < n; k++)
            if (bar[k] > 0.0f && (double)shares[k] > tau) {
                sum += (double)shares[k];
                n_left++;
            }
        if (n_left == 0)
            return; /* nothing is allowed, or nothing is a number: there is no such point */
        tau = (sum - 1.0) / (double)n_left;
    }
    for (size_t k = 0; k < n; k++)
        shares[k] = bar[k] > 0.0f && (double)shares[k] > tau
                        ? (float)((double)shares[k] - tau)
                        : 0.0f;
}

/* The groups of a stretch in one row, one by one; a group that the query lacks stays
 * missing. */
static void project_alone(const owi_boxes *boxes, const owi_soft_stretch *stretch,
                          size_t row, float *x)
{
    for (size_t g = stretch->group; g < stretch->past_group; g++) {
        const size_t at = row * boxes->width + boxes->groups[g].first;
        if (isnan(boxes->low[at])) continue;
        owi_project_to_simplex(boxes->groups[g].width, boxes->bar + at,
                               x + boxes->groups[g].first);
    }
}

/* to = min(from, bar): barred shares become -infinity, which the projection makes 0.  NaN
 * compares false, so a missing value stays missing. */
static OWI_INLINE void copy_barred(size_t n, const float *from, const float *bar,
                                   float *restrict to)
{
    for (size_t j = 0; j < n; j++) to[j] = from[j] > bar[j] ? bar[j] : from[j];
}

/* Up to owi_simplex_lanes rows, side by side.  Entries between two groups are copied as
 * they are, so that the stretch can be transposed back as a whole. */
OWI_WIDE static void project_together(const owi_boxes *boxes,
                                      const owi_soft_stretch *stretch, size_t n,
                                      const uint32_t *which, float *x)
{
    enum { L = owi_simplex_lanes };
    const size_t width = stretch->width;
    float rows[L * most_stretch], lanes[most_stretch * L], moved[most_stretch * L];
    for (size_t i = 0; i < L; i++) {
        /* Spare lanes repeat the last row. */
        const size_t at = which[owi_smaller(i, n - 1)] * boxes->width + stretch->first;
        copy_barred(width, x + at, boxes->bar + at, rows + i * most_stretch);
    }
    owi_transpose(L, width, rows, most_stretch, lanes, L);
    for (size_t g = stretch->group, at = 0; g < stretch->past_group; g++) {
        const size_t first = boxes->groups[g].first - stretch->first;
        memcpy(moved + at * L, lanes + at * L, (first - at) * L * sizeof *lanes);
        owi_project_lanes_to_simplex(boxes->groups[g].width, lanes + first * L,
                                     moved + first * L);
        at = first + boxes->groups[g].width;
    }
    owi_transpose(width, n, moved, L, rows, most_stretch);
    for (size_t i = 0; i < n; i++)
        memcpy(x + which[i] * boxes->width + stretch->first, rows + i * most_stretch,
               width * sizeof *x);
}

OWI_WIDE static void clamp(size_t n, const float *low, const float *high, float *restrict x)
{
    for (size_t j = 0; j < n; j++) {
        const float above = x[j] < low[j] ? low[j] : x[j];
        x[j] = above > high[j] ? high[j] : above;
    }
}

void owi_boxes_clamp(const owi_boxes *boxes, size_t row, float *x)
{
    const size_t at = row * boxes->width;
    clamp(boxes->width, boxes->low + at, boxes->high + at, x);
}

void owi_boxes_project(const owi_boxes *boxes, size_t n, const uint32_t *which, float *x)
{
    enum { L = owi_simplex_lanes };
    for (size_t s = 0; s < boxes->n_stretches; s++) {
        const owi_soft_stretch *stretch = &boxes->stretches[s];
        for (size_t i = 0; i < n && stretch->width > most_stretch; i++)
            project_alone(boxes, stretch, which[i], x + which[i] * boxes->width);
        for (size_t i = 0; i < n && stretch->width <= most_stretch; i += L)
            project_together(boxes, stretch, owi_smaller(L, n - i), which + i, x);
    }
    /* Shares have no bounds in low and high, so clamping does not undo the projection. */
    for (size_t i = 0; i < n; i++)
        owi_boxes_clamp(boxes, which[i], x + which[i] * boxes->width);
}

void owi_boxes_lanes(const owi_boxes *boxes, size_t first_row, size_t n, float *low,
                     float *high)
{
    enum { L = owi_row_lanes };
    const size_t at = first_row * boxes->width;
    owi_rows_to_lanes(n, boxes->width, boxes->low + at, low);
    owi_rows_to_lanes(n, boxes->width, boxes->high + at, high);
    for (size_t g = 0; g < boxes->n_groups; g++)
        for (size_t j = boxes->groups[g].first;
             j < boxes->groups[g].first + boxes->groups[g].width; j++)
            for (size_t lane = 0; lane < L; lane++) {
                low[j * L + lane] = -INFINITY;
                high[j * L + lane] =
                    boxes->bar[at + owi_smaller(lane, n - 1) * boxes->width + j];
            }
}
