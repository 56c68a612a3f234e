/* SPDX-License-Identifier: MIT */
/* Why the model says what it says of a row: what each column contributes to the log-odds of
 * a class, as Shapley values.
 *
 *     v(A) = log P(t given x_A) - log P(not t given x_A)
 *
 * where x_A are the values of the columns in A, and all other columns are summed out by the
 * circuit, exactly.  Players are groups of columns that belong together (linked, or one
 * following the others); columns whose value is missing are none.  A group's value is the
 * mean, over all orders in which the groups may become known, of what it adds to v, so that
 * the values sum to v(all) - v(none): the row's log-odds less those of any row.
 *
 * Up to reasons_most_exact groups all subsets are evaluated.  Above that, orders are drawn
 * in pairs, each with its reverse; the sum is still exact, and each value has a standard
 * error. */
#ifndef SERVE_REASONS_H
#define SERVE_REASONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/model.h"

enum {
    reasons_most_exact = 12,
    reasons_pairs = 128,       /* of orders and their reverses               */
    reasons_sampled_pairs = 24 /* where another classifier decides           */
};

/* The groups of a model's columns. */
typedef struct {
    size_t n_columns, n;
    size_t *of; /* n_columns: the group of each */
} reason_groups;

void reason_groups_make(const ow_schema *schema, reason_groups *groups);
void reason_groups_clear(reason_groups *groups);

typedef struct {
    double *value;    /* groups->n: 0 for a group whose values are all missing */
    double *error;    /* groups->n: standard error; 0 where it is exact */
    double all, none; /* v of the row, and of a row of which nothing is known */
    bool exact;
} reasons;

/* Whether the circuit decides: it sums columns out exactly.  Of other classifiers the mean
 * over conditional samples is taken (conditional.h), and the errors tell how good it is. */
bool reasons_by_circuit(const ow_model *model);

/* The reasons of a row (one value for each column) for a class.  The seed of the call and
 * `number` decide which orders and samples are drawn. */
ow_status reasons_find(const ow_model *model, ow_predictor *predictor,
                       const reason_groups *groups, const double *row, int32_t target,
                       uint64_t number, const ow_call *call, reasons *out);
void reasons_clear(reasons *r);

/* The groups from the one that speaks most against the class to the one that speaks most
 * for it: groups->n numbers. */
void reasons_order(const reason_groups *groups, const reasons *r, size_t *order);

#endif
