/* SPDX-License-Identifier: MIT */
/* Fitting relations between numbers, for relations.c. */
#ifndef OWI_RELATION_FIT_H
#define OWI_RELATION_FIT_H

#include "data/relations/relations.h"

/* Some of the rows, by number. */
typedef struct {
    const size_t *index;
    size_t n;
} owi_row_list;

typedef struct {
    ow_context *ctx;
    const owi_relation_rows *rows;
    owi_row_list fit, check;
    const double *grid; /* (columns): a unit of the last digit; 0: there is none         */
    double *scratch;    /* as many as the longer list has rows                           */
} owi_relation_fit;

/* Relations that were found; the array is the caller's. */
typedef struct {
    size_t n, capacity;
    owi_relation *relations;
} owi_relation_list;
ow_status owi_relation_list_add(owi_relation_list *list, ow_context *ctx,
                                const owi_relation *relation);

/* column, kind and parents of the relation are given: the rest of it, fitted to the first
 * list without the rows that stand out most, judged on the second.  False: it is no
 * relation (too much is left unexplained, or rows are too few). */
bool owi_relation_fit_to(const owi_relation_fit *fit, owi_relation *relation);

/* Solves a x = b for n <= owi_most_parents + 1 unknowns, a symmetric and overwritten.
 * False: it is (nearly) singular. */
bool owi_solve_small(size_t n, double a[][owi_most_parents + 1], double *b);

#endif
