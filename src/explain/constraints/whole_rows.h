/* SPDX-License-Identifier: MIT */
/* Rows of whole numbers under nothing but intervals, as images are: every column is a
 * number without decimals on a linear scale, and what constrains it is a range, or that it
 * may not change.  All columns of a row are then repaired and judged alike, in vector
 * registers, with the results of repair.c, rules.c and distance.c bit by bit. */
#ifndef OWI_WHOLE_ROWS_H
#define OWI_WHOLE_ROWS_H

#include "explain/constraints/rules.h"

/* Fills rules->whole, from the rest of the rules. */
void owi_whole_rows_init(owi_rules *rules);

/* owi_repair_row: the row nearest to a soft row that the constraints permit. */
void owi_whole_repair(const owi_rules *rules, const double *query, const float *soft,
                      double *values);

/* ow_constraints_violations and ow_model_distance. */
size_t owi_whole_violations(const owi_rules *rules, const double *query,
                            const double *values);
ow_distance owi_whole_distance(const owi_rules *rules, const double *query,
                               const double *values);

#endif
