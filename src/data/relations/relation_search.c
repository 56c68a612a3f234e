/* SPDX-License-Identifier: MIT */
/* Which columns are related is searched by correlations: of all choices of up to three
 * parents of every number, for values and for logarithms, the share of the variance that is
 * left unexplained comes from the correlation matrix alone.  Those that leave little are
 * fitted properly (relation_fit.c). */
#include "data/relations/relation_search.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/sorted.h"

enum {
    fewest_rows = 30,
    fewest_values = 20,   /* of a dependent number                          */
    fewest_exact = 8,     /* of one that depends exactly: chance fits no 8  */
    most_choices = 8,     /* of one to three parents that are fitted        */
    most_for_triples = 40 /* columns                                        */
};
/* Left unexplained by the correlations alone, in which rows that stand out count too; what
 * a further parent must divide that by, and what is left after fitting; less than the last
 * needs no further parent. */
static const double most_left = 0.15, worth_trying = 1.15, worth = 2.0, near_enough = 0.002;

/* Different values among the rows to fit, up to `most`; 0 if more than a fifth are missing
 * or, for logarithms, a hundredth of those there are not positive. */
static size_t count_values(const owi_relation_fit *s, size_t j, bool logs, size_t most)
{
    size_t n = 0, n_bad = 0, n_different = 0;
    for (size_t i = 0; i < s->fit.n; i++) {
        const double x = s->rows->values[s->fit.index[i] * s->rows->n_columns + j];
        if (isnan(x)) continue;
        if (logs && !(x > 0.0))
            n_bad++;
        else
            s->scratch[n++] = x;
    }
    if (5 * (n + n_bad) < 4 * s->fit.n || 100 * n_bad > n) return 0;
    owi_sort_numbers(s->scratch, n);
    for (size_t i = 0; i < n && n_different < most; i++)
        n_different += i == 0 || s->scratch[i] != s->scratch[i - 1];
    return n_different;
}

/* ---- Correlations ---- */

typedef struct {
    const owi_relation_fit *s;
    owi_relation_list *list;
    bool logs;
    size_t p;
    size_t *column;     /* (p)                                             */
    size_t *n_values;   /* (p): different ones, up to fewest_values        */
    double *low, *high; /* (p): values beyond are taken as these            */
    double *r;          /* (p, p): correlations                            */
} form;

/* Clipped, so that a few wrong values do not decide the correlations. */
static double entry(const form *f, const double *row, size_t i)
{
    const double x = row[f->column[i]];
    if (isnan(x) || (f->logs && !(x > 0.0))) return NAN;
    const double u = f->logs ? log(x) : x;
    return u < f->low[i] ? f->low[i] : u > f->high[i] ? f->high[i] : u;
}

/* The 2 and 98 % quantiles. */
static void find_limits(form *f, size_t i)
{
    const owi_relation_fit *s = f->s;
    size_t n = 0;
    f->low[i] = -INFINITY;
    f->high[i] = INFINITY;
    for (size_t r = 0; r < s->fit.n; r++) {
        const double *row = s->rows->values + s->fit.index[r] * s->rows->n_columns;
        const double u = entry(f, row, i);
        if (!isnan(u)) s->scratch[n++] = u;
    }
    owi_sort_numbers(s->scratch, n);
    const double low = owi_quantile(s->scratch, n, 0.02);
    f->high[i] = owi_quantile(s->scratch, n, 0.98);
    f->low[i] = low;
}

static bool is_whole(const form *f, const double *row)
{
    for (size_t i = 0; i < f->p; i++)
        if (isnan(entry(f, row, i))) return false;
    return true;
}

/* Correlations over the rows to fit that have all of the columns; false: too few rows. */
static bool correlate(const form *f, double *mean, double *x)
{
    const owi_relation_fit *s = f->s;
    const size_t p = f->p;
    size_t n = 0;

    memset(mean, 0, p * sizeof *mean);
    memset(f->r, 0, p * p * sizeof *f->r);
    for (int round = 0; round < 2; round++)
        for (size_t r = 0; r < s->fit.n; r++) {
            const double *row = s->rows->values + s->fit.index[r] * s->rows->n_columns;
            if (!is_whole(f, row)) continue;
            n += round == 0;
            for (size_t i = 0; i < p; i++) {
                x[i] = entry(f, row, i) - mean[i];
                if (round == 0) mean[i] += x[i] / (double)n;
            }
            for (size_t i = 0; i < p && round == 1; i++)
                for (size_t j = 0; j <= i; j++) f->r[i * p + j] += x[i] * x[j];
        }
    if (n < fewest_rows) return false;
    for (size_t i = 0; i < p; i++) x[i] = sqrt(f->r[i * p + i]);
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j <= i; j++)
            f->r[i * p + j] = f->r[j * p + i] =
                x[i] > 0.0 && x[j] > 0.0 ? f->r[i * p + j] / (x[i] * x[j]) : 0.0;
    return true;
}

/* Share of y's variance that k parents leave; 2 where they are not independent. */
static double left_by(const form *f, size_t y, size_t k, const size_t *parents)
{
    double a[owi_most_parents + 1][owi_most_parents + 1], b[owi_most_parents + 1] = {0};
    double explained = 0.0;
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) a[i][j] = f->r[parents[i] * f->p + parents[j]];
        b[i] = f->r[parents[i] * f->p + y];
    }
    double solution[owi_most_parents + 1];
    memcpy(solution, b, sizeof solution);
    if (!owi_solve_small(k, a, solution)) return 2.0;
    for (size_t i = 0; i < k; i++) explained += solution[i] * b[i];
    return 1.0 - explained;
}

/* ---- Choices of parents ---- */

typedef struct {
    double left;
    size_t k, parents[owi_most_parents];
} choice;

/* Of one number of parents, the least left first. */
typedef struct {
    size_t n;
    choice best[most_choices];
} choices;

static bool has_all(const choice *one, const choice *of)
{
    for (size_t i = 0; i < of->k; i++) {
        bool found = false;
        for (size_t j = 0; j < one->k; j++)
            found = found || one->parents[j] == of->parents[i];
        if (!found) return false;
    }
    return true;
}

/* Keeps it among the best of its size, unless one of fewer parents leaves hardly more. */
static void consider(choices *sizes, const choice *one)
{
    if (!(one->left <= most_left)) return;
    for (size_t k = 1; k < one->k; k++)
        for (size_t i = 0; i < sizes[k].n; i++)
            if (has_all(one, &sizes[k].best[i]) &&
                one->left * worth_trying > sizes[k].best[i].left)
                return;
    choices *list = &sizes[one->k];
    size_t at = list->n;
    while (at > 0 && list->best[at - 1].left > one->left) at--;
    if (at == most_choices) return;
    const size_t last = owi_smaller(list->n, most_choices - 1);
    memmove(list->best + at + 1, list->best + at, (last - at) * sizeof *list->best);
    list->best[at] = *one;
    list->n = last + 1;
}

static ow_status consider_all(const form *f, size_t y, choices *sizes)
{
    const size_t p = f->p;
    for (size_t i = 0; i < p; i++) {
        if (i == y) continue;
        choice one = {.k = 1, .parents = {i}};
        one.left = left_by(f, y, 1, one.parents);
        consider(sizes, &one);
    }
    for (size_t i = 0; i < p; i++)
        for (size_t j = i + 1; j < p; j++) {
            if (i == y || j == y) continue;
            choice one = {.k = 2, .parents = {i, j}};
            one.left = left_by(f, y, 2, one.parents);
            consider(sizes, &one);
        }
    for (size_t i = 0; i < p && p <= most_for_triples; i++) {
        if (f->s->rows->call != NULL) OWI_TRY(owi_call_tick(f->s->rows->call));
        for (size_t j = i + 1; j < p; j++)
            for (size_t k = j + 1; k < p; k++) {
                if (i == y || j == y || k == y) continue;
                choice one = {.k = 3, .parents = {i, j, k}};
                one.left = left_by(f, y, 3, one.parents);
                consider(sizes, &one);
            }
    }
    return OW_OK;
}

/* Whether a parent is nearly determined by the others (a variance inflation above 10).
 * Their factors then hold along the others only: an answer that moves one of them alone
 * would be led astray. */
static bool is_collinear(const form *f, const choice *one)
{
    for (size_t i = 0; i < one->k && one->k > 1; i++) {
        size_t others[owi_most_parents], n = 0;
        for (size_t j = 0; j < one->k; j++)
            if (j != i) others[n++] = one->parents[j];
        if (left_by(f, one->parents[i], n, others) < 0.1) return true;
    }
    return false;
}

/* Whether another relation of the same column does nearly as well with some of its parents.
 * */
static bool is_superfluous(const owi_relation_list *list, size_t first,
                           const owi_relation *one)
{
    for (size_t i = first; i < list->n; i++) {
        const owi_relation *other = &list->relations[i];
        size_t n_shared = 0;
        for (size_t a = 0; a < other->n_parents; a++)
            for (size_t b = 0; b < one->n_parents; b++)
                n_shared += other->parents[a] == one->parents[b];
        if (other->n_parents >= one->n_parents || n_shared < other->n_parents) continue;
        const bool is_enough = other->unexplained <= near_enough ||
                               one->unexplained * worth > other->unexplained;
        if (other->exact || (!one->exact && is_enough)) return true;
    }
    return false;
}

static ow_status fit_of_size(const form *f, size_t y, const choices *size, size_t first)
{
    for (size_t i = 0; i < size->n; i++) {
        const choice *one = &size->best[i];
        owi_relation relation = {.kind = f->logs ? OWI_RELATION_PRODUCT : OWI_RELATION_SUM,
                                 .column = f->column[y],
                                 .n_parents = one->k};
        for (size_t k = 0; k < one->k; k++)
            relation.parents[k] = f->column[one->parents[k]];
        if (f->s->rows->call != NULL) OWI_TRY(owi_call_tick(f->s->rows->call));
        if (!owi_relation_fit_to(f->s, &relation)) continue;
        const bool is_near = f->n_values[y] >= fewest_values && !is_collinear(f, one);
        if (!relation.exact && !is_near) continue;
        if (is_superfluous(f->list, first, &relation)) continue;
        OWI_TRY(owi_relation_list_add(f->list, f->s->ctx, &relation));
    }
    return OW_OK;
}

/* Fewer parents first, so that a relation is compared with those of fewer. */
static ow_status fit_choices(const form *f, size_t y, const choices *sizes)
{
    const size_t first = f->list->n;
    for (size_t k = 1; k <= owi_most_parents; k++)
        OWI_TRY(fit_of_size(f, y, &sizes[k], first));
    return OW_OK;
}

ow_status owi_relation_search(const owi_relation_fit *s, bool logs, owi_relation_list *list)
{
    const size_t d = s->rows->n_columns;
    form f = {.s = s, .list = list, .logs = logs};
    ow_status status = OW_ERR_MEMORY;
    double *mean = owi_alloc_array(s->ctx, d, sizeof *mean);
    double *x = owi_alloc_array(s->ctx, d, sizeof *x);
    f.column = owi_alloc_array(s->ctx, d, sizeof *f.column);
    f.low = owi_alloc_array(s->ctx, d, sizeof *f.low);
    f.high = owi_alloc_array(s->ctx, d, sizeof *f.high);
    f.n_values = owi_alloc_array(s->ctx, d, sizeof *f.n_values);
    if (mean == NULL || x == NULL || f.column == NULL || f.low == NULL || f.high == NULL ||
        f.n_values == NULL)
        goto done;
    for (size_t j = 0; j < d; j++) {
        const size_t n =
            s->rows->is_number[j] ? count_values(s, j, logs, fewest_values) : 0;
        if (n < 3) continue;
        f.n_values[f.p] = n;
        f.column[f.p] = j;
        find_limits(&f, f.p++);
    }
    f.r = owi_alloc_array(s->ctx, f.p * f.p, sizeof *f.r);
    if (f.r == NULL) goto done;
    status = OW_OK;
    if (!correlate(&f, mean, x)) goto done;
    for (size_t y = 0; y < f.p && status == OW_OK; y++) {
        choices sizes[owi_most_parents + 1] = {{0}};
        if (f.n_values[y] < fewest_exact) continue;
        if (s->rows->call != NULL) status = owi_call_tick(s->rows->call);
        if (status == OW_OK) status = consider_all(&f, y, sizes);
        if (status == OW_OK) status = fit_choices(&f, y, sizes);
    }

done:
    owi_free(s->ctx, mean);
    owi_free(s->ctx, x);
    owi_free(s->ctx, f.column);
    owi_free(s->ctx, f.low);
    owi_free(s->ctx, f.high);
    owi_free(s->ctx, f.n_values);
    owi_free(s->ctx, f.r);
    return status;
}
