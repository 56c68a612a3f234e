/* SPDX-License-Identifier: MIT */
/* A code is repeated (3 rows at least) and stands at an end of the column; up to three may
 * stand there side by side (997, 998, 999).  Call the other numbers the rest, and the
 * distance from the innermost code to it the gap.  There are three ways to tell codes from
 * amounts:
 *
 *   far out    The gap is wider than the whole rest (99999 behind 0 to 41310).
 *              Denominations and doses (1, 10, 100, 1000) do this at every step, so the
 *              rest must not do it again itself, and must have five different numbers; but
 *              numbers written in nines (99, 999) need neither.
 *   negative   Where the rest is not negative: -1, -7, -8, and -9, -99, ... are what people
 *              take for codes (-9, -8, -7 before 0 to 100).  Somewhere before the rest
 *              there must be a gap of two of its steps, for temperatures and balances may
 *              end anywhere below 0.  -1 right before 0, 1, 2, ... shows itself only by
 *              being three times as frequent as each of them.
 *   apart      0 before numbers above it (a blood pressure of 0), and 77, 88, 97 to 99,
 *              777, ... behind smaller ones.  The gap must be an eighth of the rest, twice
 *              as wide as any among the numbers that follow, and five of their steps: rare
 *              zeros of counts and of amounts, and the ends of small scales, have no such
 *              gap.  What a tenth of the rows have is rather a number: no discount, no
 *              wind.
 *
 * For columns that are modelled so, distances are those of log(1 + x): then only `far out`
 * counts, for every 0 is far from amounts. */
#include "data/infer/sentinel_codes.h"

#include <math.h>
#include <stdbool.h>

#include "base/numeric/sorted.h"

enum { least_rows = 3, least_rest = 5, n_neighbours = 3 };
static const double apart_share = 0.125, apart_gaps = 2.0, apart_steps = 5.0;

/* One end of the column seen from outside: value(0) is the outermost number, and numbers
 * grow inwards, so that both ends are looked at as if they were the low one. */
typedef struct {
    const owi_number_count *list;
    size_t n;           /* in the list                                      */
    double sign;        /* 1 for the low end, -1 for the high one           */
    bool logarithm;     /* distances are those of log(1 + x)                */
    double far_end;     /* where the rest ends on the other side, times sign */
    size_t n_different; /* numbers, the other end's codes not among them    */
    size_t n_rows;      /* with a number                                    */
} view;

static double place(bool logarithm, double number)
{
    return logarithm ? log1p(number) : number;
}

static double value(const view *end, size_t i)
{
    return end->sign * place(end->logarithm, end->list[i].number);
}

static bool are_repeated(const view *end, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (end->list[i].count < least_rows) return false;
    return true;
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
    return are_repeated(end, k) &&
           value(end, k) - value(end, k - 1) > end->far_end - value(end, k);
}

static bool is_far_out(const view *end, size_t k)
{
    if (!stands_off(end, k)) return false;
    const size_t n_rest = end->n_different - k;
    bool all_nines = true;
    for (size_t i = 0; i < k; i++)
        all_nines =
            all_nines && is_nines(end->list[i].number) && fabs(end->list[i].number) > 9.0;
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

/* The smallest and the widest distance between neighbours among the rest's first
 * numbers. */
static double find_steps(const view *end, size_t k, double *widest)
{
    double step = INFINITY;
    *widest = 0.0;
    for (size_t i = k; i + 1 < end->n; i++) {
        step = fmin(step, value(end, i + 1) - value(end, i));
        *widest = fmax(*widest, value(end, i + 1) - value(end, i));
    }
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
    if (end->sign < 0.0 || end->n_different < k + 2 || value(end, k) < 0.0 ||
        !are_repeated(end, k))
        return false;
    for (size_t i = 0; i < k; i++)
        if (!is_negative_code(end->list[i].number)) return false;
    double gap = 0.0; /* the widest: -9 makes a -1 that follows it a code, too */
    double widest;
    for (size_t i = 0; i < k; i++) gap = fmax(gap, value(end, i + 1) - value(end, i));
    return gap >= 2.0 * find_steps(end, k, &widest) || is_more_frequent(end, k);
}

/* 77, 88, 97, 98, 99, 777, ... */
static bool is_top_code(double number)
{
    if (!(number > 9.0 && number < 1e15) || number != floor(number)) return false;
    const double last = fmod(number, 10.0);
    double front = floor(number / 10.0);
    if (is_nines(front)) return last >= 7.0;
    while (front > 0.0 && fmod(front, 10.0) == last) front = floor(front / 10.0);
    return front == 0.0 && (last == 7.0 || last == 8.0);
}

static bool is_apart(const view *end, size_t k)
{
    if (end->logarithm || end->n_different < k + least_rest || !are_repeated(end, k))
        return false;
    for (size_t i = 0; i < k; i++) {
        const double number = end->list[i].number;
        if (end->list[i].count > end->n_rows / 10 ||
            (end->sign > 0.0 ? number != 0.0 : !is_top_code(number)))
            return false;
    }
    double widest;
    const double gap = value(end, k) - value(end, k - 1);
    const double step = find_steps(end, k, &widest);
    return gap >= apart_share * (end->far_end - value(end, k)) &&
           gap >= apart_gaps * widest && gap >= apart_steps * step;
}

/* How many codes stand at this end: the most for which a rule holds. */
static size_t count_codes(const view *end)
{
    for (size_t k = owi_max_codes; k > 0; k--)
        if (k < end->n && k < end->n_different &&
            (is_far_out(end, k) || is_negative(end, k) || is_apart(end, k)))
            return k;
    return 0;
}

void owi_find_sentinel_codes(const owi_extremes *extremes, size_t n_different,
                             size_t n_rows, bool logarithm, owi_sentinel_codes *found)
{
    *found = (owi_sentinel_codes){0};
    if (extremes->n_low == 0) return;
    const view low = {extremes->low,
                      extremes->n_low,
                      1.0,
                      logarithm,
                      place(logarithm, extremes->high[0].number),
                      n_different,
                      n_rows};
    const size_t n_low = count_codes(&low);
    found->low = extremes->low[n_low].number;
    const view high = {extremes->high,
                       extremes->n_high,
                       -1.0,
                       logarithm,
                       -place(logarithm, found->low),
                       n_different - n_low,
                       n_rows};
    const size_t n_high = count_codes(&high);
    found->high = extremes->high[n_high].number;

    for (size_t i = 0; i < n_low; i++) found->codes[found->n_codes++] = extremes->low[i];
    for (size_t i = n_high; i > 0; i--)
        found->codes[found->n_codes++] = extremes->high[i - 1];
}

void owi_find_codes_among(const double *sorted, size_t n, bool logarithm,
                          owi_sentinel_codes *found)
{
    owi_extremes extremes = {0};
    size_t n_different = 0;
    for (size_t first = 0, next; first < n; first = next, n_different++) {
        next = owi_run_end(sorted, n, first);
        owi_extremes_add(&extremes, sorted[first], next - first);
    }
    owi_find_sentinel_codes(&extremes, n_different, n, logarithm, found);
}
