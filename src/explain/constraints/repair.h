/* SPDX-License-Identifier: MIT */
/* The row of original values nearest to a soft row that keeps every constraint: numbers on
 * their grid and in their interval, the allowed level with the largest share, linked
 * columns alike, at most so many changes (the largest ones in scaled space are kept),
 * missing cells of the query missing.  A column that hardly moved (a number by less than
 * half its grid, a category whose own level still has the largest share) is as in the
 * query, exactly.
 *
 * Made for rows that go a small step at a time, too: what depends on the query alone is
 * worked out once, a number is looked at only where it has left the values known to become
 * the same, and the caller learns whether a row comes out as it did the last time, which
 * needs no second judgement. */
#ifndef OWI_REPAIR_H
#define OWI_REPAIR_H

#include "base/numeric/row_lanes.h"
#include "explain/constraints/rules.h"

/* A block of queries. */
typedef struct {
    owi_workspace *workspace;
    const owi_rules *rules;
    const double *queries; /* n_rows x columns                                        */
    double *values;        /* n_rows x columns: rows as they came out the last time    */
    bool *begun;           /* n_rows: values are there                                 */
    /* In lanes (row_lanes.h), (chunks, columns, lanes): */
    int32_t *own, *chosen; /* level of the query, and that of the last time            */
    float *low, *high;     /* numbers between them become seen                         */
    /* (chunks, width, lanes): infinity for other levels that may be, else -infinity */
    float *bar;
    double *seen;                /* n_rows x columns                                    */
    double *next, *raw, *change; /* n_rows x columns: scratch                          */
    float *soft;                 /* n_rows x width: rows that were lanes                */
} owi_repair;

/* queries and rules stay the caller's.  Either way owi_repair_clear. */
ow_status owi_repair_init(owi_repair *repair, ow_context *ctx, const owi_rules *rules,
                          size_t n_rows, const double *queries);
void owi_repair_clear(owi_repair *repair);

/* Repairs a soft row of query number `row`, into repair->values; true: it is not as the
 * last time, and repaired (NULL: not wanted), soft, has changed likewise.  Different rows
 * may be repaired at the same time. */
bool owi_repair_row(const owi_repair *repair, size_t row, const float *soft,
                    float *repaired);

/* The same for n <= owi_row_lanes rows that stand in lanes, (width, lanes), from row number
 * `first` on, which begins a chunk of them; repaired and changed are those of the first
 * row. No group has shares that are partly missing. */
void owi_repair_lanes(const owi_repair *repair, size_t first, size_t n, const float *lanes,
                      float *repaired, bool *changed);

/* ---- Parts that both share ---- */

/* Where entry j of a row stands among width entries in lanes. */
static inline size_t owi_lane_of(size_t row, size_t width, size_t j)
{
    enum { L = owi_row_lanes };
    return (row / L * width + j) * L + row % L;
}

/* The value of a column whose level is chosen; of one that is a number. */
double owi_repair_level(const owi_repair *repair, size_t row, size_t column, int32_t level);
double owi_repair_number(const owi_repair *repair, size_t row, size_t column, float x);
/* Column j of the row is this value; true if it was another before. */
bool owi_repair_renew(const owi_repair *repair, size_t row, size_t column, double value,
                      float *repaired);

#endif
