/* SPDX-License-Identifier: MIT */
/* Pairs of columns by their joint ranks: a view of answers that no density takes part in.
 *
 * A number becomes its rank among known rows, from 0 to 1; a level stays itself, one unit
 * from every other.  In the plane of two columns the distance is the larger of the two
 * differences.  A pair of values is odd if it is farther from every known row than 99 of
 * 100 known rows are from the nearest other one in that plane: a radius and an area that do
 * not belong together are, however likely each of them is. */
#ifndef OWI_RANK_PAIRS_H
#define OWI_RANK_PAIRS_H

#include "base/call.h"
#include "otherwise/model.h"

typedef struct owi_rank_pairs owi_rank_pairs;

/* Every stride-th of the known rows, 500 at most.  *out is NULL where there are fewer than
 * 10, in images and maps, and for more than 64 columns. */
ow_status owi_rank_pairs_new(ow_context *ctx, const owi_call *call, const ow_schema *schema,
                             size_t n_known, const double *values, owi_rank_pairs **out);
void owi_rank_pairs_free(owi_rank_pairs *pairs);

/* The share of odd pairs of a row, of those pairs that have a column in which it differs
 * from the query; of all pairs where it does not differ at all.  NaN: there is no such
 * pair. */
double owi_rank_pairs_odd(const owi_rank_pairs *pairs, const double *query,
                          const double *values);

#endif
