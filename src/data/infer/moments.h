/* SPDX-License-Identifier: MIT */
/* Figures of numbers: mean and deviation in one pass, without the cancellation of sum(x^2)
 * - sum(x)^2/n. */
#ifndef OWI_MOMENTS_H
#define OWI_MOMENTS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/numeric/exact_sum.h"

/* Of n numbers: their mean and m2 = sum (x - mean)^2.  All zero: of none. */
typedef struct {
    double n, mean, m2;
} owi_moments;

/* A number that occurs so many times more. */
void owi_moments_add(owi_moments *moments, double number, double times);
/* a becomes those of the numbers of a and b together. */
void owi_moments_join(owi_moments *a, const owi_moments *b);
/* Many numbers, each once. */
void owi_moments_add_all(owi_moments *moments, const double *numbers, size_t n);

/* sqrt(m2 / n), the deviation of the rows themselves and not of what they are a sample of;
 * 1 if that is 0, so that one can divide by it. */
double owi_moments_deviation(const owi_moments *moments);

/* The same of a stream of numbers, to the last bit whatever their order and however they
 * were divided into parts: sums of x - centre and of its square, exact but for the rounding
 * of these two.  With a centre among the numbers, nothing is lost between
 * sum (x - centre)^2 and (sum (x - centre))^2 / n. */
typedef struct {
    double centre, n;
    owi_exact_sum first, second;
} owi_moment_sums;

static inline void owi_moment_sums_add(owi_moment_sums *sums, double number)
{
    const double x = number - sums->centre;
    sums->n += 1.0;
    owi_exact_sum_add(&sums->first, x);
    owi_exact_sum_add(&sums->second, x * x);
}

/* Of one centre. */
void owi_moment_sums_join(owi_moment_sums *a, const owi_moment_sums *b);
owi_moments owi_moment_sums_value(const owi_moment_sums *sums);

/* Whether it is a whole number, and not beyond 2^53, from where on doubles skip some. */
static inline bool owi_is_whole(double number)
{
    return number == floor(number) && fabs(number) <= 9007199254740992.0;
}

#endif
