/* SPDX-License-Identifier: MIT */
#include "base/numeric/sorted.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void owi_sort_numbers(double *numbers, size_t n)
{
    if (n > 1) qsort(numbers, n, sizeof *numbers, compare_numbers);
}

double owi_quantile(const double *sorted, size_t n, double q)
{
    if (n == 0) return NAN;
    const double at = q * (double)(n - 1);
    const size_t below = (size_t)at;
    const double share = at - (double)below;
    /* Without the second number where it has no share: infinities times 0 are NaN. */
    if (below + 1 >= n || share == 0.0) return sorted[below];
    if (sorted[below] == sorted[below + 1]) return sorted[below];
    return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}
