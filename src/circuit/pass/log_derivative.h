/* SPDX-License-Identifier: MIT */
/* The derivative of a class's density with respect to the value of each leaf component, in
 * the log domain.
 *
 * The density is linear in the components of a region: S(x given c) = sum_k D[k] value[k].
 * D[k] says nothing about what is in the region, so it stays the same when one of the
 * region's columns is changed.  The flow of a backward pass is D[k] value[k] / S; far in a
 * tail that underflows, and log D does not. */
#ifndef OWI_LOG_DERIVATIVE_H
#define OWI_LOG_DERIVATIVE_H

#include "circuit/pass/pass.h"

/* Doubles of scratch for owi_log_derivative. */
size_t owi_log_derivative_scratch(const ow_circuit *circuit);

/* log_d (regions * I of the class's copy) for one row of a pass that has gone forward;
 * -infinity where the class does not depend on the component. */
void owi_log_derivative(const owi_pass *pass, size_t row, size_t c, double *scratch,
                        double *log_d);

#endif
