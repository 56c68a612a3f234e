/* SPDX-License-Identifier: MIT */
/* Rows that a descent begins at and stays near.
 *
 * What a leaf says is linear in the features, theta f(x) = theta f(b) + theta (f(x) -
 * f(b)): for rows x that differ from known rows b in few columns, most of the product has
 * been made once and for all.  A tile multiplies the features in which any of its rows
 * differs from its own b; where none does, all of a row's sums are those of b, so that a
 * row's result does not depend on the others. */
#ifndef OWI_ANCHOR_ROWS_H
#define OWI_ANCHOR_ROWS_H

#include "circuit/pass/evaluator.h"

/* The leaves of soft rows without a gap, chunk by chunk as the evaluator takes rows
 * that are asked for in_tiles.  *out is NULL, with OW_OK, where a value is missing. */
ow_status owi_anchor_rows_new(const owi_call *call, ow_evaluator *evaluator, size_t n_rows,
                              const float *soft, owi_anchor_rows **out);
void owi_anchor_rows_free(owi_anchor_rows *base);

/* Of the chunk that begins with this row. */
owi_tile_base owi_anchor_rows_tile(const owi_anchor_rows *base, size_t first_row);

#endif
