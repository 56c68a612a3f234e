/* SPDX-License-Identifier: MIT */
/* Learned on the rows to fit: for each level of x the most frequent level of y.  Confirmed
 * on the others: of rows whose x was seen at least twice, that is their y. */
#include "data/relations/relation_levels.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/sorted.h"

enum { most_levels = 1000, fewest_rows = 30, rows_per_level = 4 };
/* Rows that may have another level; the share that the most frequent level of y may have.
 * */
static const double most_others = 0.005, most_common = 0.9;

typedef struct {
    const owi_relation_fit *fit;
    size_t *n_levels; /* (columns): 0: too many, or none                      */
    double *levels;   /* (columns, most_levels): different values, ascending  */
    uint32_t *count;  /* (most_levels, most_levels)                           */
} tally;

static const double *row_at(const owi_relation_fit *fit, owi_row_list list, size_t i)
{
    return fit->rows->values + list.index[i] * fit->rows->n_columns;
}

static void list_levels(tally *t, size_t j)
{
    double *levels = t->levels + j * most_levels;
    size_t n = 0, different = 0;
    for (size_t i = 0; i < t->fit->fit.n; i++) {
        const double x = row_at(t->fit, t->fit->fit, i)[j];
        if (x != floor(x) && !isnan(x)) return; /* an amount, which names nothing */
        if (!isnan(x)) t->fit->scratch[n++] = x;
    }
    owi_sort_numbers(t->fit->scratch, n);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && t->fit->scratch[i] == t->fit->scratch[i - 1]) continue;
        if (different == most_levels) return;
        levels[different++] = t->fit->scratch[i];
    }
    if (n >= fewest_rows && n >= rows_per_level * different) t->n_levels[j] = different;
}

/* most_levels: none. */
static size_t level_of(const tally *t, size_t j, double x)
{
    const double *levels = t->levels + j * most_levels;
    size_t low = 0, high = t->n_levels[j];
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (levels[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->n_levels[j] && levels[low] == x ? low : most_levels;
}

/* Whether x determines y; others: the share of rows to check with another level. */
static bool determines(const tally *t, size_t x, size_t y, double *others)
{
    const size_t n_x = t->n_levels[x], n_y = t->n_levels[y];
    size_t total = 0, agree = 0, known = 0, largest = 0;

    memset(t->count, 0, n_x * n_y * sizeof *t->count);
    for (size_t i = 0; i < t->fit->fit.n; i++) {
        const double *row = row_at(t->fit, t->fit->fit, i);
        if (isnan(row[x]) || isnan(row[y])) continue;
        t->count[level_of(t, x, row[x]) * n_y + level_of(t, y, row[y])]++;
        total++;
    }
    for (size_t v = 0; v < n_y; v++) {
        size_t n = 0;
        for (size_t u = 0; u < n_x; u++) n += t->count[u * n_y + v];
        largest = owi_larger(largest, n);
    }
    if (total < fewest_rows || (double)largest > most_common * (double)total) return false;
    for (size_t i = 0; i < t->fit->check.n; i++) {
        const double *row = row_at(t->fit, t->fit->check, i);
        const size_t u = level_of(t, x, row[x]);
        if (u == most_levels || isnan(row[y])) continue;
        const uint32_t *line = t->count + u * n_y;
        size_t best = 0;
        for (size_t v = 1; v < n_y; v++)
            if (line[v] > line[best]) best = v;
        if (line[best] < 2) continue;
        known++;
        agree += level_of(t, y, row[y]) == best;
    }
    if (known < fewest_rows) return false;
    *others = 1.0 - (double)agree / (double)known;
    return *others <= most_others;
}

static ow_status add_relations(tally *t, owi_relation_list *list)
{
    const size_t d = t->fit->rows->n_columns;
    double others, back;
    for (size_t y = 0; y < d; y++)
        for (size_t x = 0; x < d; x++) {
            if (t->fit->rows->call != NULL) OWI_TRY(owi_call_tick(t->fit->rows->call));
            if (x == y || t->n_levels[y] < 2 || t->n_levels[x] <= t->n_levels[y]) continue;
            if (!determines(t, x, y, &others) || determines(t, y, x, &back)) continue;
            const owi_relation relation = {.kind = OWI_RELATION_LEVELS,
                                           .column = y,
                                           .n_parents = 1,
                                           .parents = {x},
                                           .unexplained = others,
                                           .exact = others == 0.0};
            OWI_TRY(owi_relation_list_add(list, t->fit->ctx, &relation));
        }
    return OW_OK;
}

ow_status owi_relation_levels_find(const owi_relation_fit *fit, owi_relation_list *list)
{
    ow_context *ctx = fit->ctx;
    const size_t d = fit->rows->n_columns;
    tally t = {.fit = fit};
    ow_status status = OW_ERR_MEMORY;
    t.n_levels = owi_alloc_array(ctx, d, sizeof *t.n_levels);
    t.levels = owi_alloc_array(ctx, d * most_levels, sizeof *t.levels);
    t.count = owi_alloc_array(ctx, (size_t)most_levels * most_levels, sizeof *t.count);
    if (t.n_levels != NULL && t.levels != NULL && t.count != NULL) {
        for (size_t j = 0; j < d; j++) list_levels(&t, j);
        status = add_relations(&t, list);
    }
    owi_free(ctx, t.n_levels);
    owi_free(ctx, t.levels);
    owi_free(ctx, t.count);
    return status;
}
