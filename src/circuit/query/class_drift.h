/* SPDX-License-Identifier: MIT */
/* How far two rows that are near each other can differ in what they say of the classes,
 * without a pass.
 *
 * A circuit is a sum of products, each with one leaf component for every column.  From row
 * x to row x' the logarithm of a product changes by sum_f theta[k(f),f] (f(x') - f(x)),
 * and so the log-density of every class by something between the sums of the smallest and
 * of the largest of these terms.  Both of two classes' changes lie there: their difference
 * is at most
 *
 *     sum_f |f(x') - f(x)| (max_k theta[k,f] - min_k theta[k,f]). */
#ifndef OWI_CLASS_DRIFT_H
#define OWI_CLASS_DRIFT_H

#include "circuit/structure/circuit.h"

/* spread[f] = max_k theta[k,f] - min_k theta[k,f] over all components of all copies; least
 * is room for as many. */
void owi_feature_spread(const ow_circuit *circuit, float *least, float *spread);

/* The sum above for two rows of a circuit that is plain; NaN where a value is missing. */
double owi_most_drift(size_t n_columns, const float *spread, const float *from,
                      const float *to);

#endif
