/* SPDX-License-Identifier: MIT */
/* A column of zeros has no logarithm, so that owi_relation_search leaves it out.  Here
 * pairs (y, a) that are 0 in the same rows are found first, which few columns are; their
 * ratio is then fitted in logarithms, with each other number as the second parent, on the
 * rows where neither is 0.  Where y and a are 0 the formula holds by itself. */
#include "data/relations/relation_zeros.h"

#include <math.h>

#include "base/error.h"

/* Different values of y that are not 0: chance fits no eight. */
enum { fewest_values = 8, fewest_rows = 30 };
/* Shares of rows: that are 0 at least; where only one of the two is 0 at most. */
static const double least_zeros = 0.01, most_different = 0.002;

static double cell(const owi_relation_fit *s, owi_row_list list, size_t i, size_t j)
{
    return s->rows->values[list.index[i] * s->rows->n_columns + j];
}

/* Whether both are 0 in the same rows and above 0 in the others. */
static bool share_zeros(const owi_relation_fit *s, owi_row_list list, size_t y, size_t a)
{
    size_t n = 0, n_zeros = 0, n_different = 0;
    for (size_t i = 0; i < list.n; i++) {
        const double u = cell(s, list, i, y), v = cell(s, list, i, a);
        if (u < 0.0 || v < 0.0) return false;
        if (isnan(u) || isnan(v)) continue;
        n++;
        n_zeros += u == 0.0 && v == 0.0;
        n_different += (u == 0.0) != (v == 0.0);
    }
    return n >= fewest_rows && (double)n_zeros >= least_zeros * (double)n &&
           (double)n_different <= most_different * (double)n;
}

static bool is_positive(const owi_relation_fit *s, owi_row_list list, size_t b)
{
    for (size_t i = 0; i < list.n; i++)
        if (cell(s, list, i, b) <= 0.0) return false;
    return true;
}

/* At least fewest_values of y that are not 0. */
static bool varies(const owi_relation_fit *s, size_t y)
{
    double seen[fewest_values];
    size_t n_seen = 0;
    for (size_t i = 0; i < s->fit.n && n_seen < fewest_values; i++) {
        const double u = cell(s, s->fit, i, y);
        bool is_new = u > 0.0;
        for (size_t k = 0; k < n_seen && is_new; k++) is_new = seen[k] != u;
        if (is_new) seen[n_seen++] = u;
    }
    return n_seen == fewest_values;
}

static ow_status fit_pair(const owi_relation_fit *s, size_t y, size_t a,
                          owi_relation_list *list)
{
    for (size_t b = 0; b < s->rows->n_columns; b++) {
        if (b == y || b == a || !s->rows->is_number[b] || !is_positive(s, s->fit, b) ||
            !is_positive(s, s->check, b))
            continue;
        owi_relation relation = {
            .kind = OWI_RELATION_PRODUCT, .column = y, .n_parents = 2, .parents = {a, b}};
        if (s->rows->call != NULL) OWI_TRY(owi_call_tick(s->rows->call));
        /* 0 goes with 0 where the power of a is above 0. */
        if (owi_relation_fit_to(s, &relation) && relation.exact &&
            relation.factor[0] > 0.0 && relation.factor[1] != 0.0)
            OWI_TRY(owi_relation_list_add(list, s->ctx, &relation));
    }
    return OW_OK;
}

ow_status owi_relation_zeros_find(const owi_relation_fit *s, owi_relation_list *list)
{
    const size_t d = s->rows->n_columns;
    for (size_t y = 0; y < d; y++) {
        if (!s->rows->is_number[y] || !varies(s, y)) continue;
        for (size_t a = 0; a < d; a++)
            if (a != y && s->rows->is_number[a] && share_zeros(s, s->fit, y, a) &&
                share_zeros(s, s->check, y, a))
                OWI_TRY(fit_pair(s, y, a, list));
    }
    return OW_OK;
}
