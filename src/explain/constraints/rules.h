/* SPDX-License-Identifier: MIT */
/* Constraints compiled: what each column may become, put together once from everything that
 * was said of it.  Methods ask these and not the wishes themselves.
 *
 *     rules.c           limits of a column; permits, changes, violations
 *     boxes.c           projection: soft rows back to where they may be, at every step
 *     repair.c          the row of whole values nearest to a soft row, one row at a time
 *     repair_lanes.c    the same for rows that stand in lanes
 *     whole_rows.c      images: all columns of a row at once
 *
 * A further kind of constraint needs a setter (constraints.c) and its part of owi_limits
 * here; what concerns several columns at once belongs to repair_row and to
 * ow_constraints_violations, beside links and the number of changes. */
#ifndef OWI_RULES_H
#define OWI_RULES_H

#include "base/memory/workspace.h"
#include "explain/constraints/constraints.h"
#include "explain/core/soft_column.h"

/* What one column may become, whatever the query has there. */
typedef struct {
    bool frozen;   /* never changes: itself, or by a linked column                   */
    bool is_ruled; /* a direction, a range or allowed values were given              */
    bool is_open;  /* low and high are the training rows'; a query outside widens them */
    double low, high;
    ow_monotone monotone;
    int decimals;          /* of the values' grid; 0 for levels; below 0: no grid      */
    size_t n_allowed;      /* 0: every value                                           */
    const double *allowed; /* ascending, lent by the constraints                      */
    bool has_rest; /* a level that stands for others, to which nothing changes         */
    double rest;
    size_t n_moves; /* 0: from every level; else these are allowed besides `allowed`   */
    const owi_level_move *moves; /* lent by the constraints                            */
    bool has_reach; /* the interval depends on the query: owi_limits_interval          */
    double reach_low, reach_high, percent_low, percent_high;
    double cost_up, cost_down; /* weights of a change; 1 unless given                  */
} owi_limits;

owi_limits owi_limits_of(const ow_constraints *constraints, size_t column);

/* The smallest and largest number that the column may hold in an answer to a query that has
 * `from` there.  Empty (low > high) where nothing but `from` is left. */
void owi_limits_interval(const owi_limits *limits, double from, double *low, double *high);
/* Whether it may hold `to` there.  What is missing stays missing. */
bool owi_permits(const owi_limits *limits, double from, double to);
/* The same of a column that is not frozen and a value that differs from the query's. */
bool owi_permits_change(const owi_limits *limits, double from, double to);
/* Whether the answer to some query may hold the value: directions, reaches and moves depend
 * on the query's own. */
bool owi_permits_to_some(const owi_limits *limits, double value);

/* The weight of a change from one value to another: what its scaled size is multiplied
 * with wherever answers are compared by distance.  A category has one weight, the larger
 * of its two. */
double owi_cost_weight(const owi_limits *limits, bool is_category, double from, double to);

/* Whether any of the linked columns differs. */
bool owi_linked_changed(const ow_linked *linked, const double *query, const double *values);
/* Columns that differ, linked ones counted once, those that follow others not at all. */
size_t owi_count_changes(const ow_constraints *constraints, const double *query,
                         const double *values);

/* ---- All columns of a model ---- */

typedef struct {
    owi_limits limits;
    owi_soft_column soft;
    double scale; /* owi_column_scales */
    /* The column is a function of others: it is never changed by itself, moves with them
     * (owi_follow), and its change is none of its own. */
    bool depends;
    /* Columns that move when this one does, parents before children.  Columns of its link
     * are not among them. */
    size_t n_followers;
    const size_t *followers;
} owi_column_rules;

/* Rules under which rows can be looked at as a whole (whole_rows.h).  For each column the
 * scaling of its encoding, and its interval; where a query outside widens that, below is
 * -infinity, else infinity. */
typedef struct {
    bool are;
    const double *centre, *scale;
    double *low, *high, *below;
} owi_whole_rows;

typedef struct {
    owi_workspace *workspace;
    const ow_model *model;
    const ow_schema *schema;
    size_t n_columns, width; /* width: of soft rows                                  */
    size_t most_changes;     /* 0: any number                                        */
    owi_column_rules *columns;
    double *scales;    /* n_columns: the same as in columns                             */
    size_t *followers; /* what columns lend                          */
    const ow_constraints *constraints; /* lent: dependencies and conditions          */
    owi_whole_rows whole;
} owi_rules;

/* The constraints, which are lent, must be of the model's own schema.  Either way
 * owi_rules_clear. */
ow_status owi_rules_init(owi_rules *rules, ow_context *ctx,
                         const ow_constraints *constraints, const ow_model *model);
void owi_rules_clear(owi_rules *rules);

/* ---- Several columns at once ---- */

/* ow_constraints_violations of the rules' constraints, and ow_model_distance but for l0,
 * which is owi_count_changes: with what the rules know already. */
size_t owi_rules_violations(const owi_rules *rules, const double *query,
                            const double *values);
ow_distance owi_rules_distance(const owi_rules *rules, const double *query,
                               const double *values);

/* The scaled change of one column, times its cost: the sum over columns is the price by
 * which answers are compared. */
double owi_change_cost(const owi_rules *rules, size_t column, double from, double to);

/* Sets the columns that depend on others to what follows from the query and from the other
 * columns of `values`: derived columns are computed anew, nearly determined ones keep the
 * query's residual, categories follow their table.  What depends on nothing that changed is
 * as in the query.  False: a dependent column would become what it may not be (it is
 * immutable, or the value lies outside its range or direction), so that the change of its
 * parents has to be refused; values are then as far as they came.
 *
 * Columns of a link are set by the caller, all of them. */
bool owi_follow(const owi_rules *rules, const double *query, double *values);

/* Sets every column that follows others to what follows from the row's own values, without
 * a query's deviation; false: nothing does. */
bool owi_follow_exactly(const owi_rules *rules, double *values);

/* owi_follow, naming the first column that refuses (SIZE_MAX: none does), and the first
 * condition that is broken (likewise). */
size_t owi_follow_until(const owi_rules *rules, const double *query, double *values);
size_t owi_broken_condition(const owi_rules *rules, const double *query,
                            const double *values);
/* Whether a whole row keeps the conditions between columns (`education up => age up`).
 * A condition none of whose columns changed is kept. */
bool owi_keeps_conditions(const owi_rules *rules, const double *query,
                          const double *values);

#endif
