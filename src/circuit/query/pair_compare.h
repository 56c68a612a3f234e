/* SPDX-License-Identifier: MIT */
/* Which lanes of a tile may pass a filter, decided on sums that are relative to scales. */
#ifndef OWI_PAIR_COMPARE_H
#define OWI_PAIR_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

/* Lanes [begin, end) of a tile; the arrays begin at its first lane.  A sum below `least` is
 * known to be no larger than that, and not more; one above `most`, or NaN, says nothing. */
typedef struct {
    size_t begin, end;
    float least, most;
} owi_lane_span;

/* keep[i] = whether the target's sum may reach factor * ratio[i]. */
void owi_compare_density(owi_lane_span lanes, const float *sum, double factor,
                         const double *ratio, bool *keep);

/* keep[i] also needs that it may reach another class's sum times factor * ratio[i]. */
void owi_compare_class(owi_lane_span lanes, const float *sum, const float *other,
                       double factor, const double *ratio, bool *keep);

#endif
