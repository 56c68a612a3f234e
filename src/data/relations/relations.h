/* SPDX-License-Identifier: MIT */
/* Relations between the columns of a table, found from its rows: a number that others
 * nearly determine, and a column whose level another column's level determines.
 *
 *     sum       y = constant + factor_1 x_1 + ...                 up to three parents
 *     product   log y = constant + factor_1 log x_1 + ...         products, ratios, powers;
 *                                                                 where y is 0, so is x_1
 *     levels    each level of x goes with one level of y          one parent
 *
 * Found on a part of the rows, confirmed on the others.  A number is nearly determined
 * where at most 1 % of its variance (of its logarithm's, for products) is left unexplained,
 * rows that stand out aside; `exact` where it is so to its rounding.  Of several ways to
 * write the same relation the one is kept that explains best, those that are exact first,
 * and never so that a column depends on itself through others. */
#ifndef OWI_RELATIONS_H
#define OWI_RELATIONS_H

#include <stdbool.h>

#include "base/call.h"
#include "otherwise/context.h"

enum { owi_most_parents = 3 };

typedef enum {
    OWI_RELATION_SUM,
    OWI_RELATION_PRODUCT,
    OWI_RELATION_LEVELS
} owi_relation_kind;

typedef struct {
    owi_relation_kind kind;
    size_t column; /* y */
    size_t n_parents, parents[owi_most_parents];
    double constant, factor[owi_most_parents]; /* sum, product                         */
    double unexplained; /* share of the variance, or of rows with another level         */
    double spread;      /* deviation of what is left, of y or of log y                  */
    bool exact;         /* to the rounding of the columns, in 98 % of rows              */
} owi_relation;

/* Rows in memory: n_rows x n_columns, NaN where missing; levels are their index. */
typedef struct {
    size_t n_rows, n_columns;
    const double *values;
    const bool *is_number; /* n_columns */
    const owi_call *call;  /* ticked on the way; NULL: there is none */
} owi_relation_rows;

/* found is n_found relations, dependent columns ascending; freed with owi_free. */
ow_status owi_relations_find(ow_context *ctx, const owi_relation_rows *rows,
                             owi_relation **found, size_t *n_found);

/* What the relation says y is, given a whole row; NaN where a parent is missing, or not
 * positive in a product.  Not for levels. */
double owi_relation_value(const owi_relation *relation, const double *row);

#endif
