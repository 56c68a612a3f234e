/* SPDX-License-Identifier: MIT */
/* Building a schema in a program: where there are no rows to infer it from, or to change
 * one that was inferred.
 *
 *     static const char *const housing[] = {"own", "rent", "free"};
 *     static const char *const risk[] = {"good", "bad"};
 *     ow_schema_builder *builder = NULL;
 *     ow_schema *schema = NULL;
 *     size_t age = 0;
 *     ow_status st = ow_schema_builder_new(ctx, NULL, &builder);
 *     if (st == OW_OK)
 *         st = ow_schema_builder_add_number(builder, "age", OW_TYPE_INTEGER, 18, 90, &age);
 *     if (st == OW_OK)
 *         st = ow_schema_builder_add_category(builder, "housing", OW_TYPE_CATEGORICAL, 3,
 *                                             housing, NULL);
 *     if (st == OW_OK) st = ow_schema_builder_set_immutable(builder, age, true);
 *     if (st == OW_OK) st = ow_schema_builder_set_label(builder, "risk", 2, risk);
 *     if (st == OW_OK) st = ow_schema_builder_build(builder, &schema);
 *     ow_schema_builder_free(builder);
 *
 * A builder holds a draft.  Setters may be called in any order; ow_schema_builder_build
 * checks the whole draft by the rules for schema files (doc/schema.md) and makes a schema
 * from it, which does not change any more.  Levels and classes keep the order in which they
 * are given.  Texts are copied.  Columns are numbered from 0 in the order in which they
 * were added; the number of a column that does not exist fails with OW_ERR_ARGUMENT.
 *
 * Threads: only one thread at a time may use a builder.  A schema does not need the builder
 * that made it. */
#ifndef OTHERWISE_SCHEMA_BUILDER_H
#define OTHERWISE_SCHEMA_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/context.h"
#include "otherwise/schema.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_schema_builder ow_schema_builder;

/* Makes an empty draft (from NULL), or a draft that is a copy of a schema, including its
 * counts, figures and links. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_new(ow_context *ctx, const ow_schema *from,
                                                     ow_schema_builder **out);
/* Does nothing for NULL. */
OW_API void ow_schema_builder_free(ow_schema_builder *builder);

/* Checks the draft and makes a schema from it, which the caller frees.  Fails with
 * OW_ERR_FORMAT if a schema file with the same contents would not be valid; the message
 * names the column.  The draft is unchanged and may be changed and built again. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_build(const ow_schema_builder *builder,
                                                       ow_schema **out);

/* ---- Columns ---- */

/* A column of numbers (OW_TYPE_CONTINUOUS or OW_TYPE_INTEGER) from low to high, with mean
 * and deviation as if they were spread evenly, standard scaling (minmax in images and maps)
 * and, where continuous, all digits.  Its number goes to *column, which may be NULL. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_add_number(ow_schema_builder *builder,
                                                            const char *name,
                                                            ow_column_type type, double low,
                                                            double high, size_t *column);
/* A column of levels (OW_TYPE_CATEGORICAL or OW_TYPE_ORDINAL). */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_add_category(
    ow_schema_builder *builder, const char *name, ow_column_type type, size_t n_levels,
    const char *const *levels, size_t *column);
/* Removes a column; the numbers of the columns after it decrease by one. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_remove(ow_schema_builder *builder,
                                                        size_t column);
/* Finds the number of a column by its name.  Fails with OW_ERR_ARGUMENT and the nearest
 * spelling. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_find(const ow_schema_builder *builder,
                                                      const char *name, size_t *column);

/* Makes the column a number with this range.  Mean and deviation are set to those of a
 * uniform distribution over the range. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_number(ow_schema_builder *builder,
                                                            size_t column,
                                                            ow_column_type type, double low,
                                                            double high);
/* Makes the column a category with these levels. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_category(ow_schema_builder *builder,
                                                              size_t column,
                                                              ow_column_type type,
                                                              size_t n_levels,
                                                              const char *const *levels);
/* Sets mean and standard deviation of a number x, and of log(1 + x); the latter two must be
 * NaN if the range contains numbers below 0. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_figures(ow_schema_builder *builder,
                                                             size_t column, double mean,
                                                             double deviation,
                                                             double log_mean,
                                                             double log_deviation);
/* Sets the scaling.  fixed: if false, training may use log1p instead of standard. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_scaling(ow_schema_builder *builder,
                                                             size_t column,
                                                             ow_scaling scaling,
                                                             bool fixed);
/* Sets the number of decimals; -1: all digits matter. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_decimals(ow_schema_builder *builder,
                                                              size_t column, int decimals);
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_immutable(ow_schema_builder *builder,
                                                               size_t column,
                                                               bool immutable);
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_monotone(ow_schema_builder *builder,
                                                              size_t column,
                                                              ow_monotone monotone);

/* ---- Columns that change together (ow_schema_linked) ---- */

/* Links columns, given in ascending order and not linked yet.  values (n_rows x n_columns,
 * in the units of schema.h) are the combinations of values that they may have. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_link(ow_schema_builder *builder,
                                                      size_t n_columns,
                                                      const size_t *columns, size_t n_rows,
                                                      const double *values);
/* Removes the link of the column, for all columns of the link.
 * ow_schema_builder_set_number, _set_category and _remove do so too, since the combinations
 * are no longer valid. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_unlink(ow_schema_builder *builder,
                                                        size_t column);

/* ---- Columns that follow others (ow_schema_relation) ---- */

/* The column is what the formula says (OW_RELATION_DERIVED), or nearly so
 * (OW_RELATION_NEAR).  Replaces an earlier relation of the column.  The formula is checked
 * by _build, and fails with OW_ERR_FORMAT there. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_derive(ow_schema_builder *builder,
                                                        size_t column,
                                                        ow_relation_kind kind,
                                                        const char *formula);
/* The column follows its parent: n_rows pairs of the parent's value and the column's, in
 * the units of schema.h.  Replaces an earlier relation of the column. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_follow(ow_schema_builder *builder,
                                                        size_t column, size_t parent,
                                                        size_t n_rows,
                                                        const double *values);
/* Adds a condition between columns (doc/expressions.md), which _build checks as well. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_add_rule(ow_schema_builder *builder,
                                                          const char *rule);
/* Removes all relations and all conditions.  ow_schema_builder_remove, and a change of a
 * column's kind or levels, remove those that name the column. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_drop_relations(ow_schema_builder *builder);

/* ---- The rest ---- */

/* Sets the name of the label column and its classes; name NULL: there is no label. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_label(ow_schema_builder *builder,
                                                           const char *name,
                                                           size_t n_classes,
                                                           const char *const *classes);
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_layout(ow_schema_builder *builder,
                                                            ow_layout layout);

#ifdef __cplusplus
}
#endif
#endif
