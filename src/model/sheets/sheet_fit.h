/* SPDX-License-Identifier: MIT */
/* Fitting one sheet to rows. */
#ifndef OWI_SHEET_FIT_H
#define OWI_SHEET_FIT_H

#include "model/sheets/sheet_list.h"

typedef struct {
    size_t n_rows, n_terms;
    const double *units;  /* (rows, terms): u of each term, none missing          */
    const int32_t *level; /* (rows, terms): of columns with levels; -1: a number  */
    double *residual;     /* (rows): room, and what is left after the fit         */
    double *room;         /* (rows)                                               */
} owi_sheet_rows;

/* u_0 = constant + sum factor_i u_i by least squares without rows that stand out.  levels
 * (terms): the units of a column's n_levels levels, which are moved to where the rows of
 * each level lie, or NULL.  False if the columns do not determine it. */
bool owi_sheet_fit_line(const owi_sheet_rows *rows, const size_t *n_levels, double **levels,
                        double *constant, double *factor);

/* 1.4826 times the median size of the residuals: of normal ones the deviation. */
double owi_sheet_median(const owi_sheet_rows *rows);

/* Student's distribution of the residuals: the degrees of freedom that are most probable,
 * of a few, with their spread.  least: the spread's least value. */
void owi_sheet_fit_spread(const owi_sheet_rows *rows, double least, double *spread,
                          double *freedom);

#endif
