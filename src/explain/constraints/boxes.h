/* SPDX-License-Identifier: MIT */
/* What the constraints leave of soft space, for a block of queries: worked out once, so
 * that a method may project at every step.
 *
 *     numbers              low <= x' <= high
 *     categories           with whole groups, the simplex over their allowed levels; else
 *                          anything
 *     frozen or missing    as in the query */
#ifndef OWI_BOXES_H
#define OWI_BOXES_H

#include <stdint.h>

#include "explain/constraints/rules.h"

typedef struct {
    size_t first, width; /* soft entries */
} owi_soft_group;

/* Neighbouring groups that are projected together, with what lies between them. */
typedef struct {
    size_t first, width;      /* soft entries */
    size_t group, past_group; /* numbers of its groups */
} owi_soft_stretch;

typedef struct {
    owi_workspace *workspace;
    size_t n_rows, width;
    float *low, *high; /* n_rows x width                                        */
    float *bar; /* n_rows x width: -infinity for levels of groups that may not be, else
                 * infinity */
    size_t n_groups, n_stretches;
    /* categories that are projected: none unless groups are whole */
    owi_soft_group *groups;
    owi_soft_stretch *stretches;
} owi_boxes;

/* values is n_rows x columns, soft n_rows x width.  Either way owi_boxes_clear. */
ow_status owi_boxes_init(owi_boxes *boxes, ow_context *ctx, const owi_rules *rules,
                         size_t n_rows, const double *values, const float *soft,
                         bool whole_groups);
void owi_boxes_clear(owi_boxes *boxes);

/* The numbers of one row, x, back into row number `row`'s box. */
void owi_boxes_clamp(const owi_boxes *boxes, size_t row, float *x);

/* The rows numbered which[0 ... n - 1] of the block back into their boxes; x is the whole
 * block, n_rows x width.  Several rows at a time (owi_simplex_lanes of them, best) are much
 * faster than each alone. */
void owi_boxes_project(const owi_boxes *boxes, size_t n, const uint32_t *which, float *x);

/* The boxes of n <= owi_row_lanes rows from first_row on, (width, lanes), for those who
 * keep rows in lanes: low <= x' <= high for every entry, and then each group on its simplex
 * (owi_project_lanes_to_simplex). */
void owi_boxes_lanes(const owi_boxes *boxes, size_t first_row, size_t n, float *low,
                     float *high);

/* The nearest point with entries >= 0 that sum to 1, of those above -bar; at least one bar
 * is infinite, and the others -infinite: 0 afterwards. */
void owi_project_to_simplex(size_t n, const float *bar, float *shares);

#endif
