/* SPDX-License-Identifier: MIT */
/* The most probable tree of a circuit: sums replaced by their largest term, missing values
 * by the modes of their leaves. Where every sum has one term that is the most probable
 * completion; otherwise it is a good place to start from. */
#ifndef OWI_MAX_PRODUCT_H
#define OWI_MAX_PRODUCT_H

#include "circuit/structure/column_leaves.h"

/* Doubles of scratch for owi_max_product. */
size_t owi_max_product_scratch(const ow_circuit *circuit);

/* Fills the missing entries of a row from the most probable tree of class c in one
 * repetition; SIZE_MAX: in any.  False where there is none that is possible, and the row
 * stays as it is. */
bool owi_max_product(const owi_column_leaves *leaves, size_t c, size_t rep, float *row,
                     double *scratch);

#endif
