/* SPDX-License-Identifier: MIT */
/* Schemas made or changed by a program, where there are no rows to infer them from or where
 * inference does not know enough.
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
 * A builder is a draft: setters change it in any order, and build checks all of it as a
 * schema file is checked (doc/schema.md) and makes a schema, which never changes.  Levels
 * and classes keep the order in which they are given.  Texts are copied.  Columns are
 * numbered from 0 in the order in which they were added; a number that no column has is
 * OW_ERR_ARGUMENT.
 *
 * Threads: one thread per builder; the schemas that it made do not need it any more. */
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

/* An empty draft, or one that begins as a copy of a schema (from, not NULL) with everything
 * that it knows: counts, figures and links too. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_new(ow_context *ctx, const ow_schema *from,
                                                     ow_schema_builder **out);
/* Does nothing for NULL. */
OW_API void ow_schema_builder_free(ow_schema_builder *builder);

/* Checks the draft and makes a schema of it, which the caller frees.  Fails with
 * OW_ERR_FORMAT, naming the column, for what a schema file may not say either.  The draft
 * stays as it is and may be changed and built again. */
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
/* Takes a column out; those behind it move up by one. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_remove(ow_schema_builder *builder,
                                                        size_t column);
/* The column of this name.  Fails with OW_ERR_ARGUMENT and the nearest spelling. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_find(const ow_schema_builder *builder,
                                                      const char *name, size_t *column);

/* Makes the column one of numbers, or gives it another range.  Mean and deviation become
 * those of an even spread. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_number(ow_schema_builder *builder,
                                                            size_t column,
                                                            ow_column_type type, double low,
                                                            double high);
/* Makes the column one of levels, or gives it others. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_category(ow_schema_builder *builder,
                                                              size_t column,
                                                              ow_column_type type,
                                                              size_t n_levels,
                                                              const char *const *levels);
/* Figures of a number, where they are known: of x, and of log(1 + x) for a range from 0 on
 * (NaN where it begins below 0). */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_figures(ow_schema_builder *builder,
                                                             size_t column, double mean,
                                                             double deviation,
                                                             double log_mean,
                                                             double log_deviation);
/* fixed: training may not prefer log1p to standard. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_scaling(ow_schema_builder *builder,
                                                             size_t column,
                                                             ow_scaling scaling,
                                                             bool fixed);
/* Digits after the point; -1: all matter. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_decimals(ow_schema_builder *builder,
                                                              size_t column, int decimals);
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_immutable(ow_schema_builder *builder,
                                                               size_t column,
                                                               bool immutable);
OW_API OW_MUST_CHECK ow_status ow_schema_builder_set_monotone(ow_schema_builder *builder,
                                                              size_t column,
                                                              ow_monotone monotone);

/* ---- Columns that change together (ow_schema_linked) ---- */

/* Links columns, ascending, which were not linked before, and gives the n_rows combinations
 * of values that they may have together (n_rows x n_columns, in the units of schema.h). */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_link(ow_schema_builder *builder,
                                                      size_t n_columns,
                                                      const size_t *columns, size_t n_rows,
                                                      const double *values);
/* Takes the column's link away, from all of its columns.  So do _set_number, _set_category
 * and _remove: the combinations would not hold any more. */
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
/* Adds a condition between columns, checked by _build likewise. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_add_rule(ow_schema_builder *builder,
                                                          const char *rule);
/* Takes all relations away, and all conditions.  _remove and a change of a column's kind or
 * levels take those away that name the column. */
OW_API OW_MUST_CHECK ow_status ow_schema_builder_drop_relations(ow_schema_builder *builder);

/* ---- The rest ---- */

/* The label column and its classes; NULL: there is none. */
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
