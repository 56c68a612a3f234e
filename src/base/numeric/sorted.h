/* SPDX-License-Identifier: MIT */
/* Numbers in order, and what stands where among them. */
#ifndef OWI_SORTED_H
#define OWI_SORTED_H

#include <stddef.h>

/* Ascending, in place; no NaN among them. */
void owi_sort_numbers(double *numbers, size_t n);

/* Past the last of the numbers that equal sorted[first]. */
static inline size_t owi_run_end(const double *sorted, size_t n, size_t first)
{
    size_t next = first + 1;
    while (next < n && sorted[next] == sorted[first]) next++;
    return next;
}

/* The number below which a share q of n sorted ones lies, between two of them in
 * proportion; NaN where n is 0. */
double owi_quantile(const double *sorted, size_t n, double q);

#endif
