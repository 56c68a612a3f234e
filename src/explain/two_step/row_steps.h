/* SPDX-License-Identifier: MIT */
/* Steps of soft rows. */
#ifndef OWI_ROW_STEPS_H
#define OWI_ROW_STEPS_H

#include <stdbool.h>
#include <stddef.h>

/* to[j] = from[j] + step * gradient[j], in double before it is rounded, where moves[j] is
 * not 0; else from[j].  Missing entries have gradient 0 and stay.  Returns whether all of
 * it is finite. */
bool owi_take_step(size_t n, const float *moves, double step, const float *from,
                   const float *gradient, float *to);

/* A step so long that it left the numbers: the rest of the way is not defined, and there
 * the point is the query's. */
void owi_stay_finite(size_t n, const float *query, const float *from, float *to);

#endif
