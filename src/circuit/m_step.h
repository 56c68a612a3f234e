/* SPDX-License-Identifier: MIT */
/* The maximisation step of EM: parameters from expected sufficient statistics.
 *
 * Every leaf is in an exponential family, so its best parameters are those whose expected features are the
 * average ones.  Priors enter as rows that every component has also seen: prior_rows like the average of
 * the column, and towards_rows like the same component of another circuit (the pooled one). */
#ifndef OWI_M_STEP_H
#define OWI_M_STEP_H

#include "circuit/statistics.h"

typedef struct {
    double pseudo_count; /* for every weight                          */
    double prior_rows;
    const double *average; /* (F): average features of all rows; for prior_rows > 0 */
    double towards_rows;
    const ow_circuit *towards; /* one copy with the same regions; for towards_rows > 0  */
    const double *least_variance; /* (columns)                                 */
} owi_prior;

/* sum is laid out as owi_sum_layout says.  A component or sum that nothing has flowed through and that has no
 * prior keeps its parameters.  Calls owi_circuit_prepare. */
void owi_maximise(ow_circuit *circuit, const double *sum, const owi_prior *prior);

/* The logarithm of the priors' density at the present parameters, constants aside: what is added to the
 * likelihood to get what EM never lowers. */
double owi_log_prior(const ow_circuit *circuit, const owi_prior *prior);

#endif
