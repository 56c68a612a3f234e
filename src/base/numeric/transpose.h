/* SPDX-License-Identifier: MIT */
#ifndef OWI_TRANSPOSE_H
#define OWI_TRANSPOSE_H

#include <stddef.h>

/* to[j * to_step + i] = from[i * from_step + j] for i < n_rows, j < n_columns.  Fast where
 * the block fits the cache: large matrices are cut up by the caller. */
void owi_transpose(size_t n_rows, size_t n_columns, const float *from, size_t from_step,
                   float *to, size_t to_step);

#endif
