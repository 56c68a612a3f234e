/* SPDX-License-Identifier: MIT */
/* The least value of a smooth function of many numbers, from its gradient: L-BFGS (Nocedal,
 * "Updating quasi-Newton matrices with limited storage", 1980). */
#ifndef OWI_MINIMISE_H
#define OWI_MINIMISE_H

#include <stddef.h>

#include "otherwise/context.h"

/* Value and gradient (n) at x (n). */
typedef ow_status (*owi_slope_fn)(void *user, const double *x, double *value,
                                  double *gradient);

/* Moves x downhill, at most most_steps times, until a step gains less than `enough`.  The
 * value never rises.  A failure of the function is returned, with x as good as it was
 * before. */
ow_status owi_minimise(ow_context *ctx, owi_slope_fn slope, void *user, size_t n,
                       size_t most_steps, double enough, double *x);

#endif
