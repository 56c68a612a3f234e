/* SPDX-License-Identifier: MIT */
/* What the constraints leave of soft space, for a block of queries: worked out once, so that a method may project at every step.
 * The same as owi_constraints_project, entry by entry:
 *
 *     numbers       low <= x' <= high
 *     categories    with whole groups, the simplex over their allowed levels; else anything
 *     frozen or missing    as in the query
 */
#ifndef OWI_SOFT_BOX_H
#define OWI_SOFT_BOX_H

#include "explain/constraints.h"

typedef struct {
    size_t first, width; /* soft entries */
} owi_soft_group;

typedef struct {
    ow_context *ctx;
    size_t n_rows, width;
    float *low, *high; /* n_rows x width                                        */
    size_t n_groups;
    owi_soft_group
        *groups;   /* categories that are projected: none unless groups are whole */
    bool *allowed; /* n_rows x width: levels that the category may become         */
} owi_soft_box;

/* values is n_rows x columns, soft n_rows x width. */
ow_status owi_soft_box_init(owi_soft_box *box, ow_context *ctx, const ow_model *model,
                            const ow_constraints *constraints, size_t n_rows,
                            const double *values, const float *soft, bool whole_groups);
void owi_soft_box_clear(owi_soft_box *box);

/* Row number `row` of the block back into its box. */
void owi_soft_box_project(const owi_soft_box *box, size_t row, float *x);

#endif
