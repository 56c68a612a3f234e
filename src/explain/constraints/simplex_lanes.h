/* SPDX-License-Identifier: MIT */
/* owi_project_to_simplex for several rows at a time: a row to a lane, so that a group of
 * three shares costs vector instructions and no branches that nobody can foresee.  The sums
 * are those of the plain one, in the same order: the same bytes. */
#ifndef OWI_SIMPLEX_LANES_H
#define OWI_SIMPLEX_LANES_H

#include <stddef.h>

#include "base/numeric/row_lanes.h"

enum { owi_simplex_lanes = owi_row_lanes };

/* shares and moved are (n, lanes), n > 0, and two arrays.  -INFINITY: not allowed, and 0
 * afterwards.  NaN likewise, but a lane of nothing else stays as it is. */
void owi_project_lanes_to_simplex(size_t n, const float *shares, float *moved);

#endif
