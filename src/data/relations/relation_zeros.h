/* SPDX-License-Identifier: MIT */
/* Products and ratios of numbers that are often 0, such as a discount in percent. */
#ifndef OWI_RELATION_ZEROS_H
#define OWI_RELATION_ZEROS_H

#include "data/relations/relation_fit.h"

/* Adds exact relations y = c a b or y = c a / b (with powers, as the fit finds them) where
 * y and a are 0 in the same rows, in at least a hundredth of them. */
ow_status owi_relation_zeros_find(const owi_relation_fit *s, owi_relation_list *list);

#endif
