/* SPDX-License-Identifier: MIT */
/* owi_project_to_simplex for several rows at a time: a row to a lane, so that a group of three shares costs vector instructions and no
 * branches that nobody can foresee.  The sums are those of the plain one, in the same order: the same bytes. */
#ifndef OWI_SIMPLEX_LANES_H
#define OWI_SIMPLEX_LANES_H

#include <stddef.h>

enum { owi_simplex_lanes = 16 };

/* shares is (n, lanes).  -INFINITY: not allowed, and 0 afterwards.  No share is NaN, and every lane has one that is allowed. */
void owi_project_lanes_to_simplex(size_t n, float *shares);

#endif
