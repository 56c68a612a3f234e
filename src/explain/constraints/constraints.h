/* SPDX-License-Identifier: MIT */
/* The inside of ow_constraints, and the one implementation that all methods share: what a
 * column may become, projection while a method is at work, exact repair at the end, and
 * counting what is broken. */
#ifndef OWI_CONSTRAINTS_H
#define OWI_CONSTRAINTS_H

#include "otherwise/explain.h"

/* What one column may become. */
typedef struct {
    bool immutable;  /* by the schema or by name                            */
    bool named_vary; /* named as one that may vary                          */
    ow_monotone monotone;
    bool has_range; /* low and high were set; else those of the training rows */
    double low, high;
    size_t n_allowed; /* 0: every value                                      */
    double *allowed;  /* ascending, original units                           */
} owi_column_rule;

struct ow_constraints {
    ow_context *ctx;
    const ow_schema *schema;
    bool only_named;        /* columns that are not named_vary are immutable       */
    owi_column_rule *rules; /* one for each column                              */
    size_t most_changes;    /* 0: any number                                    */
    double layout_low, layout_high; /* images and maps: over all columns            */
};

/* A copy that can be relaxed: without what was said of one column, or without the limit on
 * changes. */
ow_status owi_constraints_copy(const ow_constraints *constraints, ow_constraints **out);

bool owi_constraints_equal(const ow_constraints *a, const ow_constraints *b);

/* Whether the column can never change: itself, or by a linked column. */
bool owi_constraints_frozen(const ow_constraints *constraints, size_t column);
/* Whether, in an answer to a query that has `from` there, the column may hold `to`. */
bool owi_constraints_permit(const ow_constraints *constraints, size_t column, double from,
                            double to);
/* The smallest and largest number that the column may hold in an answer. */
void owi_constraints_interval(const ow_constraints *constraints, size_t column, double from,
                              double *low, double *high);
/* The same of a column that is known not to be frozen, and of a value that differs from the
 * query's. */
bool owi_constraints_permit_free(const ow_constraints *constraints, size_t column,
                                 double from, double to);
/* Whether any of the linked columns differs. */
bool owi_linked_changed(const ow_linked *linked, const double *query, const double *values);
/* Columns that differ, linked ones counted once. */
size_t owi_count_changes(const ow_schema *schema, const double *query,
                         const double *values);

/* ---- In soft space ---- */

/* Back into what is allowed: frozen columns as the query has them, numbers into their
 * interval; whole_groups: every category's shares onto the simplex of its allowed levels.
 * query and rows are n x soft width, values the queries n x columns. */
void owi_constraints_project(const ow_constraints *constraints, const ow_model *model,
                             size_t n_rows, const double *values, const float *query,
                             bool whole_groups, float *rows);

/* The nearest point with entries >= 0 that sum to 1, none but the allowed ones above 0; at
 * least one is allowed. */
void owi_project_to_simplex(size_t n, const bool *allowed, float *shares);

/* The row of original values nearest to a soft row that keeps every constraint: numbers on
 * their grid and in their interval, the allowed level with the largest share, linked
 * columns alike, at most so many changes (the largest ones in scaled space are kept),
 * missing cells of the query missing.  A column that hardly moved (a number by less than
 * half its grid, a category whose own level still has the largest share) is as in the
 * query, exactly. */
ow_status owi_constraints_repair(const ow_constraints *constraints, const ow_model *model,
                                 size_t n_rows, const double *queries, const float *rows,
                                 double *values);

#endif
