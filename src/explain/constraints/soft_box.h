/* SPDX-License-Identifier: MIT */
/* What the constraints leave of soft space, for a block of queries: worked out once, so
 * that a method may project at every step. The same as owi_constraints_project, entry by
 * entry:
 *
 *     numbers       low <= x' <= high
 *     categories    with whole groups, the simplex over their allowed levels; else anything
 *     frozen or missing    as in the query */
#ifndef OWI_SOFT_BOX_H
#define OWI_SOFT_BOX_H

#include <stdint.h>

#include "explain/constraints/constraints.h"

typedef struct {
    size_t first, width; /* soft entries */
} owi_soft_group;

/* Neighbouring groups that are projected together, with what lies between them. */
typedef struct {
    size_t first, width;      /* soft entries */
    size_t group, past_group; /* numbers of its groups */
} owi_soft_stretch;

typedef struct {
    ow_context *ctx;
    size_t n_rows, width;
    float *low, *high; /* n_rows x width                                        */
    size_t n_groups, n_stretches;
    /* categories that are projected: none unless groups are whole */
    owi_soft_group *groups;
    owi_soft_stretch *stretches;
    bool *allowed; /* n_rows x width: levels that the category may become         */
    float *bar;    /* n_rows x width: -infinity for other levels of groups, else infinity */
} owi_soft_box;

/* values is n_rows x columns, soft n_rows x width. */
ow_status owi_soft_box_init(owi_soft_box *box, ow_context *ctx, const ow_model *model,
                            const ow_constraints *constraints, size_t n_rows,
                            const double *values, const float *soft, bool whole_groups);
void owi_soft_box_clear(owi_soft_box *box);

/* The rows numbered which[0 ... n - 1] of the block back into their boxes; x is the whole
 * block, n_rows x width.  Several rows at a time (owi_simplex_lanes of them, best) are much
 * faster than each alone. */
void owi_soft_box_project(const owi_soft_box *box, size_t n, const uint32_t *which,
                          float *x);

/* The boxes of n <= owi_row_lanes rows from first_row on, (width, lanes), for those who
 * keep rows in lanes: low <= x' <= high for every entry, and then each group on its simplex
 * (owi_project_lanes_to_simplex). */
void owi_soft_box_lanes(const owi_soft_box *box, size_t first_row, size_t n, float *low,
                        float *high);

#endif
