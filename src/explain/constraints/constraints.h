/* SPDX-License-Identifier: MIT */
/* The inside of ow_constraints: what was said of the columns, as it was said.  What follows
 * from it for an answer is compiled once (rules.h). */
#ifndef OWI_CONSTRAINTS_H
#define OWI_CONSTRAINTS_H

#include "data/expression/condition.h"
#include "data/schema/schema_relations.h"
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

/* A condition between columns, and its text. */
typedef struct {
    owi_condition *condition;
    char *text;
    bool is_stated; /* not by the schema */
} owi_stated_condition;

struct ow_constraints {
    ow_context *ctx;
    const ow_schema *schema;
    bool only_named;        /* columns that are not named_vary are immutable       */
    owi_column_rule *rules; /* one for each column                              */
    size_t most_changes;    /* 0: any number                                    */
    double layout_low, layout_high; /* images and maps: over all columns            */
    /* Columns that follow others, parents first: the schema's, and stated ones. */
    size_t n_dependencies, dependency_capacity;
    owi_dependency *dependencies;
    bool drops_relations; /* the schema's were left out on request */
    size_t n_conditions, condition_capacity;
    owi_stated_condition *conditions;
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

/* Relations and conditions: those of the schema taken over, those of other constraints
 * copied, all compared, freed, and those that the schema states left out. */
ow_status owi_constraints_take_relations(ow_constraints *constraints);
ow_status owi_constraints_copy_relations(const ow_constraints *from, ow_constraints *to);
bool owi_constraints_same_relations(const ow_constraints *a, const ow_constraints *b);
void owi_constraints_free_relations(ow_constraints *constraints);
/* Leaves one dependency, or one condition, out. */
void owi_constraints_drop_dependency(ow_constraints *constraints, size_t number);
void owi_constraints_drop_condition(ow_constraints *constraints, size_t number);
/* Leaves the schema's relations out; the constraints still equal those that have them. */
void owi_constraints_ignore_relations(ow_constraints *constraints);
/* The dependency of a column; NULL: it follows none. */
const owi_dependency *owi_constraints_dependency(const ow_constraints *constraints,
                                                 size_t column);

bool owi_constraints_equal(const ow_constraints *a, const ow_constraints *b);

#endif
