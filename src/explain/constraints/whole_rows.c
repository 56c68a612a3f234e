/* SPDX-License-Identifier: MIT */
#include "explain/constraints/whole_rows.h"

#include <float.h>
#include <math.h>

#include "base/compiler.h"
#include "base/memory/sizes.h"
#include "data/schema/encode_private.h"
#include "explain/core/distance.h"

/* ---- Which rules are of this kind ---- */

static bool is_only_an_interval(const owi_column_rules *column, size_t link)
{
    const owi_limits *limits = &column->limits;
    return link == 0 && !column->depends && limits->decimals == 0 &&
           limits->n_allowed == 0 && limits->n_moves == 0 && !limits->has_rest &&
           limits->monotone == OW_MONOTONE_NONE && !limits->has_reach;
}

void owi_whole_rows_init(owi_rules *rules)
{
    const ow_constraints *constraints = rules->constraints;
    owi_whole_rows *whole = &rules->whole;
    whole->centre = owi_encoding_lines(rules->model->plan.encoding, &whole->scale);
    whole->are = whole->centre != NULL && rules->model->plan.is_numbers &&
                 rules->most_changes == 0 && constraints->n_dependencies == 0 &&
                 constraints->n_conditions == 0;
    for (size_t j = 0; j < rules->n_columns && whole->are; j++) {
        const owi_column_rules *column = &rules->columns[j];
        const owi_limits *limits = &column->limits;
        whole->are &= is_only_an_interval(column, ow_schema_column(rules->schema, j)->link);
        whole->low[j] = limits->frozen ? INFINITY : limits->low;
        whole->high[j] = limits->frozen ? -INFINITY : limits->high;
        whole->below[j] = limits->is_open && !limits->frozen ? -INFINITY : INFINITY;
    }
}

/* ---- All columns at once ---- */

/* The interval of a column for a query that has `from` there: where it is open, it is
 * widened to hold that (below is -infinity there, and infinity where it is not). */
static OWI_INLINE double least_of(double low, double below, double from)
{
    const double own = from > below ? from : below;
    return own < low ? own : low;
}

static OWI_INLINE double most_of(double high, double below, double from)
{
    const double own = from < -below ? from : -below;
    return own > high ? own : high;
}

/* snap_number of repair.c without branches.  Adding 0 turns -0 into 0. */
OWI_WIDE static void snap_row(size_t n, const owi_whole_rows *whole, const double *query,
                              const float *soft, double *restrict values)
{
    const double *scale = whole->scale, *centre = whole->centre, *below = whole->below;
    const double *lowest = whole->low, *highest = whole->high;
    for (size_t j = 0; j < n; j++) {
        const double from = query[j], low = least_of(lowest[j], below[j], from);
        const double high = most_of(highest[j], below[j], from);
        const double v = rint((double)soft[j] * scale[j] + centre[j]) + 0.0;
        const double raised = v < low ? low : v;
        double to = rint(raised > high ? high : raised) + 0.0;
        to = to > high ? rint(to - 1.0) + 0.0 : to;
        to = to < low ? rint(to + 1.0) + 0.0 : to;
        to = to >= low ? to : from;
        to = to <= high ? to : from;
        to = fabs(v - from) < fabs(v - to) ? from : to;
        /* What hardly moved, has run away or has nowhere to go stays. */
        to = fabs(v - from) >= 0.5 ? to : from;
        to = fabs(v) <= DBL_MAX ? to : from;
        values[j] = low <= high ? to : from;
    }
}

void owi_whole_repair(const owi_rules *rules, const double *query, const float *soft,
                      double *values)
{
    snap_row(rules->n_columns, &rules->whole, query, soft, values);
}

/* Whether a column differs from the query and is not whole, or not in its interval. */
OWI_WIDE static bool is_broken(size_t n, const owi_whole_rows *whole, const double *query,
                               const double *values)
{
    const double *lowest = whole->low, *highest = whole->high, *below = whole->below;
    int64_t broken = 0;
    for (size_t j = 0; j < n; j++) {
        const double from = query[j], to = values[j];
        const double low = least_of(lowest[j], below[j], from);
        const double high = most_of(highest[j], below[j], from);
        int64_t wrong = to >= low ? 0 : 1;
        wrong |= to <= high ? 0 : 1;
        wrong |= rint(to) == to ? 0 : 1;
        wrong |= fabs(to) <= DBL_MAX ? 0 : 1;
        wrong |= from == from ? 0 : 1;
        const int64_t gaps = (from == from ? 1 : 0) | (to == to ? 1 : 0);
        broken |= from == to ? 0 : wrong & gaps;
    }
    return broken != 0;
}

size_t owi_whole_violations(const owi_rules *rules, const double *query,
                            const double *values)
{
    const size_t d = rules->n_columns;
    size_t n = 0;
    if (!is_broken(d, &rules->whole, query, values)) return 0;
    for (size_t j = 0; j < d; j++)
        n += !owi_permits(&rules->columns[j].limits, query[j], values[j]);
    return n;
}

/* The scaled changes of n columns; a value that came or went counts as 1. */
OWI_WIDE static void scaled_changes(size_t n, const double *scale, const double *query,
                                    const double *values, double *restrict change)
{
    for (size_t j = 0; j < n; j++) {
        const double from = query[j], to = values[j];
        const double far = fabs(to - from) / scale[j];
        const double known = far == far ? far : 1.0;
        const double gaps = (from == from ? 1.0 : 0.0) + (to == to ? 1.0 : 0.0);
        change[j] = gaps == 0.0 || from == to ? 0.0 : known;
    }
}

ow_distance owi_whole_distance(const owi_rules *rules, const double *query,
                               const double *values)
{
    enum { at_once = 64 };
    const size_t d = rules->n_columns;
    ow_distance distance = {0};
    for (size_t j = 0; j < d; j += at_once) {
        const size_t n = owi_smaller(at_once, d - j);
        double change[at_once];
        scaled_changes(n, rules->scales + j, query + j, values + j, change);
        size_t n_changed = 0;
        for (size_t k = 0; k < n; k++) {
            change[n_changed] = change[k];
            n_changed += change[k] != 0.0;
        }
        distance.l0 += n_changed;
        /* In this order: sums of doubles depend on it. */
        for (size_t k = 0; k < n_changed; k++) {
            distance.l1 += change[k];
            distance.l2 += change[k] * change[k];
            distance.linf = change[k] > distance.linf ? change[k] : distance.linf;
        }
    }
    distance.l2 = sqrt(distance.l2);
    distance.gower = d > 0 ? distance.l1 / (double)d : 0.0;
    return distance;
}
