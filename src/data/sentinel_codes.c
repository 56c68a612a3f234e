/* SPDX-License-Identifier: MIT */
/* A code is repeated (3 rows at least) and stands at an end of the column; up to three may stand
 * there side by side (997, 998, 999).  Call the other numbers the rest, and the distance from the
 * innermost code to it the gap.  There are two ways to tell codes from amounts:
 *
 *   far out    The gap is wider than the whole rest (99999 behind 0 to 41310).  Denominations and
 *              doses (1, 10, 100, 1000) do this at every step, so the rest must not do it again
 *              itself, and must have five different numbers; but numbers written in nines
 *              (99, 999) need neither.
 *   negative   Where the rest is not negative: -1, -7, -8, and -9, -99, ... are what people take
 *              for codes (-9, -8, -7 before 0 to 100).  Somewhere before the rest there must be a
 *              gap of two of its steps, for temperatures and balances may end anywhere below 0.
 *              -1 right before 0, 1, 2, ... shows itself only by being three times as frequent
 *              as each of them. */
#include "data/sentinel_codes.h"

#include <math.h>
#include <stdbool.h>

enum { least_rows = 3, least_rest = 5, n_neighbours = 3 };

/* One end of the column seen from outside: value(0) is the outermost number, and numbers grow
 * inwards, so that both ends are looked at as if they were the low one. */
typedef struct {
    const owi_number_count *list;
    size_t n;           /* in the list                                      */
    double sign;        /* 1 for the low end, -1 for the high one           */
    double far_end;     /* where the rest ends on the other side, times sign */
    size_t n_different; /* numbers, the other end's codes not among them    */
} view;

static double value(const view *end, size_t i)
{
    return end->sign * end->list[i].number;
}

/* 9, 99, 999, ... without sign. */
static bool is_nines(double number)
{
    double nines = 9.0;
    while (nines < fabs(number)) nines = 10.0 * nines + 9.0;
    return nines == fabs(number) && nines < 1e15;
}

/* Whether the first k numbers are repeated and their distance to the rest is wider than the
 * rest. */
static bool stands_off(const view *end, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (end->list[i].count < least_rows) return false;
    return value(end, k) - value(end, k - 1) > end->far_end - value(end, k);
}

static bool is_far_out(const view *end, size_t k)
{
    if (!stands_off(end, k)) return false;
    const size_t n_rest = end->n_different - k;
    bool all_nines = true;
    for (size_t i = 0; i < k; i++)
        all_nines = all_nines && is_nines(value(end, i)) && fabs(value(end, i)) > 9.0;
    if (all_nines && n_rest >= 2) return true;
    if (n_rest < least_rest || k + 1 >= end->n) return false;
    const double next_gap = value(end, k + 1) - value(end, k);
    return next_gap <= end->far_end - value(end, k + 1);
}

static bool is_negative_code(double number)
{
    return number < 0.0 &&
           (number == -1.0 || number == -7.0 || number == -8.0 || is_nines(number));
}

/* The smallest distance between neighbours among the rest's first numbers. */
static double smallest_step(const view *end, size_t k)
{
    double step = INFINITY;
    for (size_t i = k; i + 1 < end->n; i++)
        step = fmin(step, value(end, i + 1) - value(end, i));
    return step;
}

static bool is_more_frequent(const view *end, size_t k)
{
    size_t most = 0;
    for (size_t i = k; i < end->n && i < k + n_neighbours; i++)
        if (end->list[i].count > most) most = end->list[i].count;
    return end->n_different - k >= least_rest && end->list[k - 1].count / 3 >= most;
}

/* Only at the low end. */
static bool is_negative(const view *end, size_t k)
{
    if (end->sign < 0.0 || end->n_different < k + 2 || value(end, k) < 0.0) return false;
    for (size_t i = 0; i < k; i++)
        if (end->list[i].count < least_rows || !is_negative_code(value(end, i)))
            return false;
    double gap = 0.0; /* the widest: -9 makes a -1 that follows it a code, too */
    for (size_t i = 0; i < k; i++) gap = fmax(gap, value(end, i + 1) - value(end, i));
    return gap >= 2.0 * smallest_step(end, k) || is_more_frequent(end, k);
}

/* How many codes stand at this end: the most for which either rule holds. */
static size_t count_codes(const view *end)
{
    for (size_t k = owi_max_codes; k > 0; k--)
        if (k < end->n && k < end->n_different &&
            (is_far_out(end, k) || is_negative(end, k)))
            return k;
    return 0;
}

void owi_find_sentinel_codes(const owi_extremes *extremes, size_t n_different,
                             owi_sentinel_codes *found)
{
    *found = (owi_sentinel_codes){0};
    if (extremes->n_low == 0) return;
    const view low = {extremes->low, extremes->n_low, 1.0, extremes->high[0].number,
                      n_different};
    const size_t n_low = count_codes(&low);
    found->low = extremes->low[n_low].number;
    const view high = {extremes->high, extremes->n_high, -1.0, -found->low,
                       n_different - n_low};
    const size_t n_high = count_codes(&high);
    found->high = extremes->high[n_high].number;

    for (size_t i = 0; i < n_low; i++) found->codes[found->n_codes++] = extremes->low[i];
    for (size_t i = n_high; i > 0; i--)
        found->codes[found->n_codes++] = extremes->high[i - 1];
}
