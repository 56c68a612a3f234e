/* SPDX-License-Identifier: MIT */
/* B. P. Welford, "Note on a method for calculating corrected sums of squares and products",
 * Technometrics 4 (1962); joining two sets: T. F. Chan, G. H. Golub, R. J. LeVeque,
 * "Updating formulae and a pairwise algorithm for computing sample variances" (1979).  With
 * delta = mean_b - mean_a,
 *
 *     n = n_a + n_b,   mean = mean_a + delta n_b / n,
 *     m2 = m2_a + m2_b + delta^2 n_a n_b / n
 *
 * of which one number repeated (m2_b = 0) is a case. */
#include "data/infer/moments.h"

#include <math.h>

void owi_moments_join(owi_moments *a, const owi_moments *b)
{
    if (b->n == 0.0) return;
    const double n = a->n + b->n, delta = b->mean - a->mean;
    a->m2 += b->m2 + delta * delta * (a->n * (b->n / n));
    a->mean += delta * (b->n / n);
    a->n = n;
}

void owi_moments_add(owi_moments *moments, double number, double times)
{
    owi_moments_join(moments, &(owi_moments){.n = times, .mean = number});
}

void owi_moments_add_all(owi_moments *moments, const double *numbers, size_t n)
{
    owi_moments these = {.n = (double)n};
    if (n == 0) return;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += numbers[i];
    these.mean = sum / these.n;
    for (size_t i = 0; i < n; i++) {
        const double difference = numbers[i] - these.mean;
        these.m2 += difference * difference;
    }
    owi_moments_join(moments, &these);
}

void owi_moment_sums_join(owi_moment_sums *a, const owi_moment_sums *b)
{
    a->n += b->n;
    owi_exact_sum_join(&a->first, &b->first);
    owi_exact_sum_join(&a->second, &b->second);
}

owi_moments owi_moment_sums_value(const owi_moment_sums *sums)
{
    if (sums->n == 0.0) return (owi_moments){0};
    const double first = owi_exact_sum_value(&sums->first);
    const double second = owi_exact_sum_value(&sums->second), mean = first / sums->n;
    return (owi_moments){.n = sums->n,
                         .mean = sums->centre + mean,
                         .m2 = fmax(second - first * mean, 0.0)};
}

double owi_moments_deviation(const owi_moments *moments)
{
    return moments->m2 > 0.0 ? sqrt(moments->m2 / moments->n) : 1.0;
}
