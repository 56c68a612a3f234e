/* SPDX-License-Identifier: MIT */
#include "data/relations/relation_fit.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/sorted.h"

enum { fewest_rows = 30, n_rounds = 4 };
/* Shares: rows that may stand out while fitting, and while judging; variance that may be
 * left unexplained; rows that an exact relation must hold in. */
static const double trimmed_fit = 0.03, trimmed_check = 0.01, most_unexplained = 0.01,
                    least_exact = 0.98;
/* A product's deviation, a tenth of the value. */
static const double most_log_spread = 0.1;

ow_status owi_relation_list_add(owi_relation_list *list, ow_context *ctx,
                                const owi_relation *relation)
{
    OWI_TRY(owi_grow(ctx, &list->relations, &list->capacity, list->n + 1,
                     sizeof *list->relations));
    list->relations[list->n++] = *relation;
    return OW_OK;
}

bool owi_solve_small(size_t n, double a[][owi_most_parents + 1], double *b)
{
    for (size_t i = 0; i < n; i++) { /* Cholesky: a = L L' in the lower triangle */
        const double diagonal = a[i][i];
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (size_t k = 0; k < j; k++) sum -= a[i][k] * a[j][k];
            if (j < i)
                a[i][j] = sum / a[j][j];
            else if (sum > 1e-9 * diagonal)
                a[i][i] = sqrt(sum);
            else
                return false;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
    return true;
}

/* ---- One row ---- */

static double linear_value(const owi_relation *relation, const double *row)
{
    const bool logs = relation->kind == OWI_RELATION_PRODUCT;
    double sum = relation->constant;
    for (size_t i = 0; i < relation->n_parents; i++) {
        const double x = row[relation->parents[i]];
        if (logs && !(x > 0.0)) return NAN;
        sum += relation->factor[i] * (logs ? log(x) : x);
    }
    return sum;
}

double owi_relation_value(const owi_relation *relation, const double *row)
{
    const double value = linear_value(relation, row);
    return relation->kind == OWI_RELATION_PRODUCT ? exp(value) : value;
}

/* What is left of y, or of log y; NaN where something is missing. */
static double residual(const owi_relation *relation, const double *row)
{
    const double y = row[relation->column];
    if (relation->kind == OWI_RELATION_PRODUCT)
        return y > 0.0 ? log(y) - linear_value(relation, row) : NAN;
    return y - linear_value(relation, row);
}

/* Half a unit of the last digit of y, and what those of the parents do to it. */
static double rounding(const owi_relation_fit *fit, const owi_relation *relation,
                       const double *row)
{
    const double value = owi_relation_value(relation, row);
    double sum = 0.51 * fit->grid[relation->column] + 1e-9 * fabs(value);
    for (size_t i = 0; i < relation->n_parents; i++) {
        const size_t j = relation->parents[i];
        const double slope = relation->kind == OWI_RELATION_PRODUCT
                                 ? relation->factor[i] * value / row[j]
                                 : relation->factor[i];
        sum += 0.5 * fit->grid[j] * fabs(slope);
    }
    return sum;
}

static const double *row_of(const owi_relation_fit *fit, owi_row_list list, size_t i)
{
    return fit->rows->values + list.index[i] * fit->rows->n_columns;
}

/* ---- Fitting ---- */

/* |residual| below which a share of the rows lies; n is set to how many have one. */
static double cut(const owi_relation_fit *fit, owi_row_list list,
                  const owi_relation *relation, double share, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < list.n; i++) {
        const double left = fabs(residual(relation, row_of(fit, list, i)));
        if (!isnan(left)) fit->scratch[(*n)++] = left;
    }
    if (*n == 0) return NAN;
    owi_sort_numbers(fit->scratch, *n);
    return owi_quantile(fit->scratch, *n, share);
}

/* Least squares over the rows whose residual is at most `limit` under the relation as it
 * is (NAN: all rows). */
static bool fit_once(const owi_relation_fit *fit, owi_relation *relation, double limit)
{
    const bool logs = relation->kind == OWI_RELATION_PRODUCT;
    const size_t k = relation->n_parents;
    double mean[owi_most_parents + 1] = {0}, x[owi_most_parents + 1];
    double a[owi_most_parents + 1][owi_most_parents + 1] = {{0}},
                                                      b[owi_most_parents + 1] = {0};
    size_t n = 0;

    for (int round = 0; round < 2; round++) /* the means, then what is around them */
        for (size_t r = 0; r < fit->fit.n; r++) {
            const double *row = row_of(fit, fit->fit, r);
            const double left = fabs(residual(relation, row));
            if (isnan(left) || left > limit) continue; /* NaN limit: none is above it */
            for (size_t i = 0; i <= k; i++) {
                const double value = row[i < k ? relation->parents[i] : relation->column];
                x[i] = logs ? log(value) : value;
            }
            if (round == 0) {
                n++;
                for (size_t i = 0; i <= k; i++) mean[i] += (x[i] - mean[i]) / (double)n;
                continue;
            }
            for (size_t i = 0; i < k; i++) {
                for (size_t j = 0; j < k; j++)
                    a[i][j] += (x[i] - mean[i]) * (x[j] - mean[j]);
                b[i] += (x[i] - mean[i]) * (x[k] - mean[k]);
            }
        }
    if (n < fewest_rows || !owi_solve_small(k, a, b)) return false;
    relation->constant = mean[k];
    for (size_t i = 0; i < k; i++) {
        relation->factor[i] = b[i];
        relation->constant -= b[i] * mean[i];
    }
    return true;
}

/* ---- Judging ---- */

/* unexplained, spread and exact over the second list; false: too few rows. */
static bool judge(const owi_relation_fit *fit, owi_relation *relation)
{
    const bool logs = relation->kind == OWI_RELATION_PRODUCT;
    size_t n, kept = 0, held = 0;
    const double limit = cut(fit, fit->check, relation, 1.0 - trimmed_check, &n);
    double mean = 0.0, left_over = 0.0, varies = 0.0, tolerance = 0.0;
    if (n < fewest_rows) return false;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < fit->check.n; i++) {
            const double *row = row_of(fit, fit->check, i);
            const double left = residual(relation, row);
            if (isnan(left) || fabs(left) > limit) continue;
            const double y = row[relation->column], u = logs ? log(y) : y;
            if (round == 0) {
                mean += (u - mean) / (double)++kept;
                continue;
            }
            left_over += left * left;
            varies += (u - mean) * (u - mean);
            const double most = rounding(fit, relation, row);
            tolerance += most;
            held += fabs(y - owi_relation_value(relation, row)) <= most;
        }
    if (kept < fewest_rows || !(varies > 0.0)) return false;
    relation->unexplained = left_over / varies;
    relation->spread = sqrt(left_over / (double)kept);
    tolerance /= (double)kept;
    /* Not where the rounding alone would hide everything. */
    const double deviation = sqrt(varies / (double)kept) * (logs ? exp(mean) : 1.0);
    relation->exact =
        (double)held >= least_exact * (double)kept && deviation > 8.0 * tolerance;
    return true;
}

/* The nearest of 1/3, 1/2, 2/3, 1, ... for powers, of whole numbers for factors. */
static double simple_number(double x, bool is_power)
{
    const double whole = round(x), half = round(2.0 * x) / 2.0,
                 third = round(3.0 * x) / 3.0;
    if (!is_power || fabs(whole - x) < 0.03) return whole;
    return fabs(half - x) <= fabs(third - x) ? half : third;
}

/* Three digits. */
static double short_number(double x)
{
    if (x == 0.0) return 0.0;
    const double unit = pow(10.0, floor(log10(fabs(x))) - 2.0);
    return round(x / unit) * unit;
}

/* Simple factors, where they are as good. */
static void simplify(const owi_relation_fit *fit, owi_relation *relation)
{
    const bool logs = relation->kind == OWI_RELATION_PRODUCT;
    owi_relation simple = *relation;
    size_t n;

    for (size_t i = 0; i < simple.n_parents; i++) {
        simple.factor[i] = simple_number(simple.factor[i], logs);
        if (simple.factor[i] == 0.0) return;
    }
    simple.constant = 0.0;
    for (size_t i = n = 0; i < fit->fit.n; i++) {
        const double left = residual(&simple, row_of(fit, fit->fit, i));
        if (!isnan(left)) fit->scratch[n++] = left;
    }
    owi_sort_numbers(fit->scratch, n);
    const double middle = owi_quantile(fit->scratch, n, 0.5);
    const double tried[2] = {logs ? log(short_number(exp(middle))) : 0.0, middle};
    for (size_t i = 0; i < 2; i++) {
        simple.constant = tried[i];
        if (!judge(fit, &simple)) continue;
        if (simple.exact ||
            (!relation->exact && simple.spread <= 1.01 * relation->spread)) {
            *relation = simple;
            return;
        }
    }
}

bool owi_relation_fit_to(const owi_relation_fit *fit, owi_relation *relation)
{
    double limit = NAN;
    relation->constant = 0.0;
    for (size_t i = 0; i < owi_most_parents; i++) relation->factor[i] = 0.0;
    for (int round = 0; round < n_rounds; round++) {
        size_t n;
        if (!fit_once(fit, relation, limit)) return false;
        limit = cut(fit, fit->fit, relation, 1.0 - trimmed_fit, &n);
    }
    if (!judge(fit, relation)) return false;
    simplify(fit, relation);
    return relation->exact ||
           (relation->unexplained <= most_unexplained &&
            (relation->kind == OWI_RELATION_SUM || relation->spread <= most_log_spread));
}
