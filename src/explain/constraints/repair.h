/* SPDX-License-Identifier: MIT */
/* Repair of one row, step by step, for those who do part of it otherwise (whole_rows.c). */
#ifndef OWI_REPAIR_H
#define OWI_REPAIR_H

#include "explain/constraints/constraints.h"
#include "explain/core/soft_column.h"

typedef struct {
    const ow_constraints *constraints;
    const ow_model *model;
    const double *query;
    const float *row;  /* soft                                              */
    const double *raw; /* values of the soft row, no constraint looked at   */
    double *values;
    const bool *frozen;          /* n_columns                                        */
    const owi_soft_column *soft; /* likewise */
    const double *scale;         /* likewise                                        */
    double *change;              /* scratch: how far each column went, in scaled space */
} owi_repair;

/* What a number that may change becomes, by raw. */
double owi_repair_number(const owi_repair *r, const owi_soft_column *soft);

/* Where a linked column has changed, all of them to the nearest combination that occurs, or
 * back to the query's. */
void owi_repair_link(const owi_repair *r, const ow_linked *linked);

#endif
