/* SPDX-License-Identifier: MIT */
/* Which steps between rows the constraints allow.  A step keeps every frozen column, goes
 * in the directions that are allowed, and ends at values that are; so do all journeys made
 * of such steps.  Only columns that something is said of are looked at, and rows with a
 * value outside the training range. */
#ifndef OWI_FACE_RULES_H
#define OWI_FACE_RULES_H

#include "explain/constraints/rules.h"

typedef struct {
    owi_workspace *workspace;
    const owi_rules *constraints;
    size_t n_rows, n_columns;
    const double *values; /* n_rows x n_columns, borrowed                        */
    size_t n_frozen, n_bound;
    uint32_t *bound; /* columns that something is said of, frozen ones first */
    bool *
        /* (n_rows): has a value outside the range of a column that nothing is said of */
        unusual;
} owi_face_rules;

ow_status owi_face_rules_init(owi_face_rules *rules, ow_context *ctx,
                              const owi_rules *constraints, size_t n_rows,
                              const double *values);
void owi_face_rules_clear(owi_face_rules *rules);

/* From some values (a query's or a row's) to a row.  What is missing on one side is no
 * change. */
bool owi_face_may_step(const owi_face_rules *rules, const double *from, size_t to);

#endif
