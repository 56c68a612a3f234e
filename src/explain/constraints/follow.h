/* SPDX-License-Identifier: MIT */
/* Parts of rules.h that are about columns which follow others. */
#ifndef OWI_FOLLOW_H
#define OWI_FOLLOW_H

#include "explain/constraints/rules.h"

/* Fills `depends` and `followers` of every column. */
void owi_find_followers(owi_rules *rules);

/* Whether a row's value of the column is what follows from its parents: to the column's
 * rounding, or where it has none to nine digits. */
bool owi_dependency_kept(const ow_schema *schema, const owi_dependency *dependency,
                         const double *query, const double *values);

#endif
