/* SPDX-License-Identifier: MIT */
#include "auditing/audit_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"

void audit_wilson(size_t k, size_t n, double *low, double *high)
{
    static const double z = 1.959963984540054;
    *low = 0.0;
    *high = 1.0;
    if (n == 0) return;
    const double share = (double)k / (double)n, zz = z * z / (double)n;
    const double middle = (share + zz / 2.0) / (1.0 + zz);
    const double half =
        z * sqrt(share * (1.0 - share) / (double)n + zz / (4.0 * (double)n)) / (1.0 + zz);
    *low = k == 0 ? 0.0 : fmax(0.0, middle - half);
    *high = k == n ? 1.0 : fmin(1.0, middle + half);
}

/* log of n over k. */
static double log_choose(double n, double k)
{
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
}

double audit_fisher(size_t k1, size_t n1, size_t k2, size_t n2)
{
    /* Tables that are as probable but for rounding count, too. */
    static const double as_probable = 1e-7;
    const double n = (double)(n1 + n2), k = (double)(k1 + k2), a = (double)n1;
    if (n1 == 0 || n2 == 0) return 1.0;
    const size_t first = k1 + k2 > n2 ? k1 + k2 - n2 : 0;
    const size_t last = k1 + k2 < n1 ? k1 + k2 : n1;
    const double all = log_choose(n, k);
    const double seen =
        log_choose(a, (double)k1) + log_choose(n - a, (double)k2) - all + as_probable;
    double sum = 0.0;
    for (size_t i = first; i <= last; i++) {
        const double log_p =
            log_choose(a, (double)i) + log_choose(n - a, k - (double)i) - all;
        if (log_p <= seen) sum += exp(log_p);
    }
    return fmin(1.0, sum);
}

typedef struct {
    double value;
    int is_first;
} ranked;

static int compare_values(const void *a, const void *b)
{
    const double x = ((const ranked *)a)->value, y = ((const ranked *)b)->value;
    return x < y ? -1 : x > y;
}

/* The sum of the first sample's ranks, equal values sharing theirs, and sum of t^3 - t over
 * the numbers t of equal values. */
static double rank_sum(ranked *all, size_t n, double *ties)
{
    double sum = 0.0;
    *ties = 0.0;
    qsort(all, n, sizeof *all, compare_values);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && all[j].value == all[i].value;) j++;
        const double t = (double)(j - i), rank = ((double)i + 1.0 + (double)j) / 2.0;
        *ties += t * t * t - t;
        for (size_t k = i; k < j; k++)
            if (all[k].is_first) sum += rank;
    }
    return sum;
}

double audit_rank_sum(const double *x, size_t n, const double *y, size_t m)
{
    enum { least = 8 };
    if (n < least || m < least) return 1.0;
    ranked *all = memory_new(n + m, sizeof *all);
    double ties;
    for (size_t i = 0; i < n; i++) all[i] = (ranked){x[i], 1};
    for (size_t i = 0; i < m; i++) all[n + i] = (ranked){y[i], 0};
    const double sum = rank_sum(all, n + m, &ties);
    free(all);
    const double a = (double)n, b = (double)m, both = a + b;
    const double variance = a * b / 12.0 * (both + 1.0 - ties / (both * (both - 1.0)));
    const double distance = fabs(sum - a * (both + 1.0) / 2.0) - 0.5;
    if (variance <= 0.0 || distance <= 0.0) return 1.0;
    return erfc(distance / sqrt(2.0 * variance));
}

typedef struct {
    double p;
    size_t at;
} ordered;

static int compare_ordered(const void *a, const void *b)
{
    const double x = ((const ordered *)a)->p, y = ((const ordered *)b)->p;
    return x < y ? -1 : x > y;
}

void audit_holm(double *p, size_t n)
{
    ordered *sorted = memory_new(n + 1, sizeof *sorted);
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) sorted[i] = (ordered){p[i], i};
    qsort(sorted, n, sizeof *sorted, compare_ordered);
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fmin(1.0, sorted[i].p * (double)(n - i)));
        p[sorted[i].at] = largest;
    }
    free(sorted);
}
