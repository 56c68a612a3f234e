/* SPDX-License-Identifier: MIT */
#include "data/relations/relations.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "data/relations/relation_fit.h"
#include "data/relations/relation_levels.h"
#include "data/relations/relation_search.h"
#include "data/relations/relation_zeros.h"

enum { most_fit_rows = 2000, most_check_rows = 8000, fewest_rows = 60 };

typedef struct {
    ow_context *ctx;
    const owi_relation_rows *rows;
    size_t *index; /* of rows: to fit, then to check */
    double *grid, *scratch;
    owi_relation_fit fit;
} search;

/* ---- Rows and columns ---- */

/* Every so-many-th row is fitted to, the others confirm. */
static ow_status divide_rows(search *s)
{
    const size_t n = s->rows->n_rows, n_fit = owi_smaller(most_fit_rows, n / 2);
    const size_t n_check = owi_smaller(most_check_rows, n - n_fit);
    size_t fitted = 0, checked = 0;

    s->index = owi_alloc_array(s->ctx, n_fit + n_check, sizeof *s->index);
    s->scratch = owi_alloc_array(s->ctx, owi_larger(n_fit, n_check), sizeof *s->scratch);
    s->grid = owi_alloc_array(s->ctx, s->rows->n_columns, sizeof *s->grid);
    if (s->index == NULL || s->scratch == NULL || s->grid == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        /* Row i is one of n_fit spread evenly; of the others every so-many-th. */
        const bool fits = (i + 1) * n_fit / n > i * n_fit / n;
        const size_t other = i - fitted;
        if (fits)
            s->index[fitted++] = i;
        else if ((other + 1) * n_check / (n - n_fit) > other * n_check / (n - n_fit) &&
                 checked < n_check)
            s->index[n_fit + checked++] = i;
    }
    s->fit = (owi_relation_fit){.ctx = s->ctx,
                                .rows = s->rows,
                                .fit = {s->index, fitted},
                                .check = {s->index + n_fit, checked},
                                .grid = s->grid,
                                .scratch = s->scratch};
    return OW_OK;
}

/* The unit of the last digit that a column's numbers have. */
static double unit_of(const search *s, size_t j)
{
    double unit = 1.0;
    for (int digits = 0; digits <= 9; digits++, unit /= 10.0) {
        bool is_multiple = true;
        for (size_t i = 0; i < s->fit.fit.n && is_multiple; i++) {
            const double x = s->rows->values[s->index[i] * s->rows->n_columns + j] / unit;
            is_multiple = isnan(x) || fabs(x - round(x)) < 1e-6 + 1e-12 * fabs(x);
        }
        if (is_multiple) return unit;
    }
    return 0.0;
}

/* ---- Which are kept ---- */

/* Exact ones first, then those that leave least; ties by column. */
static int better(const void *a, const void *b)
{
    const owi_relation *x = a, *y = b;
    if (x->exact != y->exact) return x->exact ? -1 : 1;
    if (x->exact && x->n_parents != y->n_parents)
        return x->n_parents < y->n_parents ? -1 : 1;
    if (x->unexplained != y->unexplained) return x->unexplained < y->unexplained ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static int by_column(const void *a, const void *b)
{
    const owi_relation *x = a, *y = b;
    return (x->column > y->column) - (x->column < y->column);
}

/* Whether column j depends on column y through the first n relations. */
static bool depends(const owi_relation *kept, size_t n, size_t j, size_t y)
{
    if (j == y) return true;
    for (size_t i = 0; i < n; i++) {
        if (kept[i].column != j) continue;
        for (size_t k = 0; k < kept[i].n_parents; k++)
            if (depends(kept, n, kept[i].parents[k], y)) return true;
    }
    return false;
}

/* Puts those that are kept to the front: no column depends twice, or on itself. */
static size_t keep_best(owi_relation *all, size_t n)
{
    size_t n_kept = 0;
    if (n > 0) qsort(all, n, sizeof *all, better);
    for (size_t i = 0; i < n; i++) {
        bool fits = true;
        for (size_t k = 0; k < n_kept; k++) fits = fits && all[k].column != all[i].column;
        for (size_t k = 0; k < all[i].n_parents && fits; k++)
            fits = !depends(all, n_kept, all[i].parents[k], all[i].column);
        if (fits) all[n_kept++] = all[i];
    }
    if (n_kept > 0) qsort(all, n_kept, sizeof *all, by_column);
    return n_kept;
}

ow_status owi_relations_find(ow_context *ctx, const owi_relation_rows *rows,
                             owi_relation **found, size_t *n_found)
{
    search s = {.ctx = ctx, .rows = rows};
    *found = NULL;
    *n_found = 0;
    if (rows->n_rows < fewest_rows) return OW_OK;
    ow_status status = divide_rows(&s);
    for (size_t j = 0; j < rows->n_columns && status == OW_OK; j++)
        s.grid[j] = rows->is_number[j] ? unit_of(&s, j) : 1.0;
    owi_relation_list list = {0};
    if (status == OW_OK) status = owi_relation_search(&s.fit, false, &list);
    if (status == OW_OK) status = owi_relation_search(&s.fit, true, &list);
    if (status == OW_OK) status = owi_relation_zeros_find(&s.fit, &list);
    if (status == OW_OK) status = owi_relation_levels_find(&s.fit, &list);
    owi_free(ctx, s.index);
    owi_free(ctx, s.grid);
    owi_free(ctx, s.scratch);
    if (status != OW_OK) {
        owi_free(ctx, list.relations);
        return status;
    }
    *n_found = keep_best(list.relations, list.n);
    *found = list.relations;
    return OW_OK;
}
