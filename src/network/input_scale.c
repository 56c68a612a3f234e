/* SPDX-License-Identifier: MIT */
#include "network/input_scale.h"

#include <math.h>

owi_input_sums owi_input_sums_of_none(void)
{
    return (owi_input_sums){.low = INFINITY, .high = -INFINITY};
}

void owi_input_sums_add(owi_input_sums *sums, double x)
{
    const double by = x - sums->mean;
    sums->n += 1.0;
    sums->mean += by / sums->n;
    sums->squares += by * (x - sums->mean);
    sums->low = fmin(sums->low, x);
    sums->high = fmax(sums->high, x);
}

void owi_input_sums_share_range(size_t n, owi_input_sums *sums)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t j = 0; j < n; j++) {
        low = fmin(low, sums[j].low);
        high = fmax(high, sums[j].high);
    }
    for (size_t j = 0; j < n; j++) {
        sums[j].low = low;
        sums[j].high = high;
    }
}

double owi_input_scale(const owi_input_sums *sums)
{
    const double least = fmin(sums->high - sums->low, 1.0);
    const double deviation = sums->n > 0.0 ? sqrt(sums->squares / sums->n) : 0.0;
    const double floored = fmax(deviation, least);
    return floored > 0.0 ? 1.0 / floored : 1.0;
}
