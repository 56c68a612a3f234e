/* SPDX-License-Identifier: MIT */
/* Scores of many rows, in blocks, on the context's threads. */
#ifndef OWI_EVALUATE_TREES_H
#define OWI_EVALUATE_TREES_H

#include "base/call.h"
#include "trees/mask_kernel.h"

/* scores (n_rows, n_groups) = base + the leaves that the rows reach, in the order of the
 * trees and the precision of the package: bit for bit what owi_forest_walk gives.  kernel
 * NULL: the fastest. */
ow_status owi_forest_evaluate(const owi_call *call, const owi_forest *forest,
                              const owi_conditions *conditions,
                              const owi_mask_kernel *kernel, const double *base,
                              size_t n_rows, const double *rows, double *scores);

#endif
