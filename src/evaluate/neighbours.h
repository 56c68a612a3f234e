/* SPDX-License-Identifier: MIT */
/* What stands around an answer among the training rows: ynn and the local outlier
 * factor. */
#ifndef OWI_NEIGHBOURS_H
#define OWI_NEIGHBOURS_H

#include "base/call.h"
#include "otherwise/model.h"

typedef struct owi_neighbours owi_neighbours;

/* Known rows with the classes that are predicted for them.  Of more than 10,000 so many are
 * taken, evenly. */
ow_status owi_neighbours_new(ow_context *ctx, const ow_model *model, size_t n_known,
                             const double *values, const int32_t *predicted,
                             owi_neighbours **out);
void owi_neighbours_free(owi_neighbours *neighbours);

/* How many rows are looked at. */
size_t owi_neighbours_n_rows(const owi_neighbours *neighbours);

/* The share of odd pairs of columns of an answer to a query (rank_pairs.h); NaN: not
 * known. */
ow_status owi_neighbours_odd_pairs(const owi_call *call, owi_neighbours *neighbours,
                                   const double *query, const double *values, double *odd);

/* For rows (n x columns) and their targets: the share of the 5 nearest known rows that are
 * predicted as the target, and the local outlier factor with 20 neighbours.  With fewer
 * known rows than that all of them are neighbours; with fewer than 2, lof is NaN. */
ow_status owi_neighbours_look(const owi_call *call, owi_neighbours *neighbours, size_t n,
                              const double *values, const int32_t *targets, double *ynn,
                              double *lof);

#endif
