/* SPDX-License-Identifier: MIT */
/* The maximisation step of EM: parameters from expected sufficient statistics.
 *
 * Every leaf is in an exponential family, so its best parameters are those whose expected
 * features are the average ones.  Priors enter as rows that every component has also seen:
 * prior_rows like the average of the column, and towards_rows like the same component of
 * another circuit (the pooled one).  What they add to the sums does not change while
 * learning: it is worked out once. */
#ifndef OWI_M_STEP_H
#define OWI_M_STEP_H

#include "circuit/learn/statistics.h"

typedef struct {
    double pseudo_count; /* for every weight                                           */
    double prior_rows, towards_rows;
    const ow_circuit *towards;    /* one copy with the same regions; NULL: none        */
    const double *least_variance; /* (columns)                                         */
    double *leaf; /* what the rows add to the sums of one copy's leaves; NULL: nothing  */
} owi_prior;

/* Fills prior->leaf for a circuit that has been started, from the rest. */
ow_status owi_prior_prepare(owi_prior *prior, const ow_circuit *circuit);
void owi_prior_clear(owi_prior *prior, ow_context *ctx);

/* The logarithm of the priors' density at the present parameters, constants aside: what is
 * added to the likelihood to get what EM never lowers. */
double owi_log_prior(const ow_circuit *circuit, const owi_prior *prior);

/* sum is laid out as owi_sum_layout says; without gaps its parts for them, which are 0
 * then, are not read.  A component or sum that nothing has flowed through and that has no
 * prior keeps its parameters.  Calls owi_circuit_prepare, and is never stopped. */
void owi_maximise(const owi_call *call, ow_circuit *circuit, const double *sum,
                  bool has_gaps, const owi_prior *prior);

#endif
