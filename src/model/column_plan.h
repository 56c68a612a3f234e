/* SPDX-License-Identifier: MIT */
/* How the columns of a schema become columns of a circuit: which leaf each gets, and how
 * its values are encoded for that leaf. */
#ifndef OWI_COLUMN_PLAN_H
#define OWI_COLUMN_PLAN_H

#include "base/call.h"
#include "otherwise/encode.h"
#include "otherwise/model.h"

typedef enum {
    OWI_PLAN_NUMBER, /* scaled, a Gaussian                                  */
    OWI_PLAN_MASSES, /* scaled, some values with a probability of their own  */
    OWI_PLAN_VALUES, /* a number with few values: each is a level           */
    OWI_PLAN_LEVELS, /* a category: its levels                              */
    OWI_PLAN_ONE_HOT /* a category: a Gaussian for each level               */
} owi_plan_kind;

typedef struct {
    owi_plan_kind kind;
    size_t first, width;           /* circuit columns                                  */
    size_t soft_first, soft_width; /* entries of a soft row                  */
    size_t n_values;               /* point masses, or the values that are levels      */
    double *values;                /* in original units, ascending; owned by the plan  */
    double log_cell;               /* ow_leaf.log_cell                                 */
    double low, high;              /* ow_leaf.low, ow_leaf.high                        */
} owi_column_plan;

typedef struct {
    ow_context *ctx;
    const ow_schema *schema; /* borrowed */
    ow_encoding *encoding;   /* numbers only */
    size_t n_columns, width, soft_width;
    owi_column_plan *columns;
    bool is_numbers; /* all columns are OWI_PLAN_NUMBER */
} owi_plan;

/* n_rows x columns: some of the training rows, enough to see what each column is like. */
typedef struct {
    size_t n_rows, n_columns;
    double *values;
    int32_t *classes; /* n_rows; in the same block of memory as values */
} owi_row_sample;

/* The names in the model file; NULL past the last. */
const char *owi_plan_kind_name(int kind);

/* An empty plan for a schema; the caller fills kind, values and log_cell of each column,
 * then finishes. */
ow_status owi_plan_init(owi_plan *plan, const ow_schema *schema, ow_context *ctx);
/* Spans and width. */
void owi_plan_finish(owi_plan *plan);
void owi_plan_clear(owi_plan *plan);

/* What the leaves are, by the rules of doc/method.md ("Leaves for people's tables").
 * masses: values may have a probability of their own, which needs variances that are
 * learned.  schema is the plan's, in which skewed columns get another scaling. */
ow_status owi_plan_choose(owi_plan *plan, const owi_call *call, ow_schema *schema,
                          ow_leaf_choice leaves, bool masses, const owi_row_sample *sample);

/* A circuit's leaves, `width` of them; masses is room for all point masses, which the
 * leaves borrow. */
void owi_plan_leaves(const owi_plan *plan, bool split_groups, ow_leaf *leaves,
                     float *masses);
size_t owi_plan_n_masses(const owi_plan *plan);

void owi_plan_encode(const owi_plan *plan, size_t n_rows, const double *values,
                     float *rows);
void owi_plan_decode(const owi_plan *plan, size_t n_rows, const float *rows,
                     double *values);

/* Soft rows: as ow_circuit_soften makes them of encoded rows, and back. */
void owi_plan_soften(const owi_plan *plan, size_t n_rows, const double *values,
                     float *soft);
void owi_plan_harden(const owi_plan *plan, size_t n_rows, const float *soft,
                     double *values);
/* One column of one row, whose entries begin at soft. */
void owi_plan_soften_column(const owi_plan *plan, size_t j, double value, float *soft);
double owi_plan_harden_column(const owi_plan *plan, size_t j, const float *soft);

#endif
