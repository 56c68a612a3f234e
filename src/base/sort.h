/* SPDX-License-Identifier: MIT */
/* Sorting that can be stopped. */
#ifndef OWI_SORT_H
#define OWI_SORT_H

#include <stddef.h>

#include "base/call.h"

/* As qsort, with ticks on the way; for more items than some ten thousand.  Where compare
 * calls no two items equal the result is that of qsort.  After a failure the items are
 * there in some order, or some of them twice. */
ow_status owi_sort(const owi_call *call, void *items, size_t n, size_t size,
                   int (*compare)(const void *, const void *));

/* Numbers in ascending order; no NaN among them. */
ow_status owi_sort_many_numbers(const owi_call *call, double *numbers, size_t n);

#endif
