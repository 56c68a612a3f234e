/* SPDX-License-Identifier: MIT */
/* Fortran order, worked out another way than in src/data/array/array_rows.c. */
#ifndef OW_TEST_FORTRAN_ORDER_H
#define OW_TEST_FORTRAN_ORDER_H

#include <stddef.h>

/* Where element number k of C order stands in Fortran order: takes the index apart from the
 * last dimension on, and puts it together from the first. */
static inline size_t ow_test_fortran_place(size_t k, size_t rank, const size_t *shape)
{
    size_t index[32], place = 0, stride = 1;
    for (size_t d = rank; d-- > 0; k /= shape[d]) index[d] = k % shape[d];
    for (size_t d = 0; d < rank; stride *= shape[d++]) place += index[d] * stride;
    return place;
}

#endif
