/* SPDX-License-Identifier: MIT */
/* Columns that follow others (ow_relation), compiled, as schemas and constraints keep
 * them. */
#ifndef OWI_SCHEMA_RELATIONS_H
#define OWI_SCHEMA_RELATIONS_H

#include "data/expression/expression.h"

typedef struct {
    ow_relation shown;       /* its texts and arrays are owned */
    owi_expression *formula; /* NULL for OW_RELATION_FOLLOWS   */
    bool is_stated;          /* of constraints: stated there, not by the schema */
} owi_dependency;

/* A formula for a column of numbers.  Fails with OW_ERR_ARGUMENT; the sentence begins with
 * the column.  Clear it. */
ow_status owi_dependency_formula(ow_context *ctx, const ow_schema *schema,
                                 ow_relation_kind kind, size_t column, const char *text,
                                 owi_dependency *out);
/* A table: n_rows pairs of a parent's value and the column's. */
ow_status owi_dependency_table(ow_context *ctx, const ow_schema *schema, size_t column,
                               size_t parent, size_t n_rows, const double *values,
                               owi_dependency *out);
/* From where to where a near relation's deviations lie (ow_relation.within); fails with
 * OW_ERR_ARGUMENT if the two do not enclose 1, or 0. */
ow_status owi_dependency_set_within(const ow_schema *schema, owi_dependency *dependency,
                                    double low, double high);
ow_status owi_dependency_copy(ow_context *ctx, const owi_dependency *from,
                              owi_dependency *to);
void owi_dependency_clear(ow_context *ctx, owi_dependency *dependency);
bool owi_dependency_equal(const owi_dependency *a, const owi_dependency *b);

/* Whether a parent differs from the query's. */
bool owi_dependency_moves(const owi_dependency *dependency, const double *query,
                          const double *values);
/* What the column becomes in `values`, an answer to the query whose parents are set:
 *
 *     no parent changed, or one is missing    the query's value y
 *     derived                                 f(values), rounded as the column is
 *     near                                    y f(values) / f(query) where the column and
 *                                             both are above 0, else
 *                                             y + f(values) - f(query); rounded.  A
 *                                             deviation y / f(query) or y - f(query) that
 *                                             ordinary rows do not have is drawn in first
 *     follows                                 the table's value
 *
 * NaN: the change of the parents is to be refused. */
double owi_dependency_value(const owi_dependency *dependency, const ow_schema *schema,
                            const double *query, const double *values);

/* What follows from the parents alone, without any query's deviation; NaN: nothing does. */
double owi_dependency_exact(const owi_dependency *dependency, const ow_schema *schema,
                            const double *values);

/* Orders n dependencies so that parents come before the columns that follow them.  False:
 * they go in circles, or two are of one column; *culprit is the number of one that does. */
bool owi_dependencies_sort(size_t n, owi_dependency *dependencies, size_t *culprit);

const owi_dependency *owi_schema_dependency(const ow_schema *schema, size_t index);

/* Takes the dependency over, also on failure.  A circle, a second relation of the column or
 * a linked column fails with OW_ERR_FORMAT. */
ow_status owi_schema_add_relation(ow_schema *schema, owi_dependency *dependency);
/* A condition between columns, as text (condition.h); OW_ERR_ARGUMENT if it is none. */
ow_status owi_schema_add_rule(ow_schema *schema, const char *text);
void owi_schema_free_relations(ow_schema *schema);

#endif
