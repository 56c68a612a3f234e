/* SPDX-License-Identifier: MIT */
/* Whether a table holds copies of rows.
 *
 * Where rows were drawn again and again (a bootstrap sample, a class that was made larger
 * by repeating its rows), copies of a row that is held out are learned from, and what is
 * chosen by held-out rows is chosen by rows known by heart.  Such rows are held out
 * together (owi_fold.by_content).  Rows of few categories are alike by chance, and are not
 * copies: so pairs of equal rows of a class are counted, and compared with how many there
 * would be if columns were independent given the class,
 *
 *     sum_c n_c (n_c - 1) / 2 prod_j sum_v P(x_j = v given c)^2. */
#ifndef OWI_REPEATED_ROWS_H
#define OWI_REPEATED_ROWS_H

#include "base/call.h"
#include "otherwise/learn.h"

/* The first rows of the source, a few thousand, tell; it is rewound before. */
ow_status owi_rows_repeat(const owi_call *call, const ow_row_source *source,
                          size_t n_columns, size_t n_classes, bool *repeat);

/* The same number for rows that are equal. */
uint64_t owi_row_content(const float *row, size_t n_columns, int32_t class_index);

#endif
