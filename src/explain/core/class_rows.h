/* SPDX-License-Identifier: MIT */
/* Known rows by the class that they are given to: the background, or where there is none
 * the model's own samples. */
#ifndef OWI_CLASS_ROWS_H
#define OWI_CLASS_ROWS_H

#include "base/memory/workspace.h"
#include "explain/core/explainer.h"

typedef struct {
    owi_workspace *workspace;
    size_t n_classes;
    const double *values; /* n x columns                                         */
    double *sampled;      /* what values is without a background                 */
    size_t *rows;         /* known rows by class, in their own order within each */
    size_t *start; /* C + 1: rows[start[c]] to rows[start[c + 1] - 1] are of class c */
} owi_class_rows;

/* Zeroed or made by init: clear does for both. */
ow_status owi_class_rows_init(owi_class_rows *known, const owi_problem *problem);
void owi_class_rows_clear(owi_class_rows *known);

#endif
