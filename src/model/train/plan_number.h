/* SPDX-License-Identifier: MIT */
/* Leaf and scaling of one column of numbers. */
#ifndef OWI_PLAN_NUMBER_H
#define OWI_PLAN_NUMBER_H

#include "model/column_plan.h"

/* From its n ascending values; scratch has room for as many. */
ow_status owi_plan_choose_number(owi_plan *plan, ow_schema *schema, size_t j, bool masses,
                                 const double *sorted, size_t n, double *scratch);

/* Keeps at the front those of n ascending values that an explanation may lead to: codes
 * (sentinel_codes.h) stand for what is not known.  Returns how many. */
size_t owi_drop_codes(double *sorted, size_t n);

#endif
