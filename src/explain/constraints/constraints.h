/* SPDX-License-Identifier: MIT */
/* The inside of ow_constraints: what was said of the columns, as it was said.  What follows
 * from it for an answer is compiled once (rules.h). */
#ifndef OWI_CONSTRAINTS_H
#define OWI_CONSTRAINTS_H

#include "otherwise/explain.h"

/* A change from one level to another that is allowed. */
typedef struct {
    double from, to;
} owi_level_move;

/* What one column may become. */
typedef struct {
    bool immutable;  /* by the schema or by name                            */
    bool named_vary; /* named as one that may vary                          */
    ow_monotone monotone;
    bool has_range; /* low and high were set; else those of the training rows */
    double low, high;
    size_t n_allowed; /* 0: every value                                      */
    double *allowed;  /* ascending, original units                           */
    size_t n_moves;   /* 0: from every level                                 */
    owi_level_move *moves;
    /* How far a number may go from the query's value: in its units, or in percent of its
     * absolute value.  Infinite where that side was not limited. */
    bool has_reach;
    double reach_low, reach_high, percent_low, percent_high;
    double cost_up, cost_down; /* weights of a change in distances; 1 unless given   */
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

/* What was said of the column of this name; OW_ERR_ARGUMENT with the nearest spelling. */
ow_status owi_constraints_rule(ow_constraints *constraints, const char *name,
                               const ow_column **column, owi_column_rule **rule);
/* "column C is categorical: a range is for numbers" */
ow_status owi_fail_column_kind(const ow_column *column, const char *what,
                               const char *whose);

bool owi_constraints_equal(const ow_constraints *a, const ow_constraints *b);

#endif
