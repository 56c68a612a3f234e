/* SPDX-License-Identifier: MIT */
#include "model/sheets/sheet_fit.h"

#include <math.h>
#include <string.h>

#include "base/numeric/sorted.h"

enum { most = owi_most_sheet_terms, n_rounds = 4, n_steps = 60, least_level_rows = 8 };
/* Rows farther out than so many median deviations take no part in a fit. */
static const double outside = 6.0;

/* ---- The line ---- */

/* Solves a x = b of n equations, by elimination with pivots; false if it has no single
 * solution. */
static bool solve(size_t n, double a[most][most], double b[most], double x[most])
{
    for (size_t i = 0; i < n; i++) {
        size_t best = i;
        for (size_t r = i + 1; r < n; r++)
            if (fabs(a[r][i]) > fabs(a[best][i])) best = r;
        if (!(fabs(a[best][i]) > 1e-9)) return false;
        for (size_t k = 0; k < n; k++) {
            const double swapped = a[i][k];
            a[i][k] = a[best][k];
            a[best][k] = swapped;
        }
        const double swapped = b[i];
        b[i] = b[best];
        b[best] = swapped;
        for (size_t r = i + 1; r < n; r++) {
            const double by = a[r][i] / a[i][i];
            for (size_t k = i; k < n; k++) a[r][k] -= by * a[i][k];
            b[r] -= by * b[i];
        }
    }
    for (size_t i = n; i-- > 0;) {
        x[i] = b[i];
        for (size_t k = i + 1; k < n; k++) x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    return true;
}

/* The unit of a row's term: where the level stands now, or the number's own. */
static double unit_at(const owi_sheet_rows *rows, double *const *levels, size_t row,
                      size_t i)
{
    const size_t at = row * rows->n_terms + i;
    return levels[i] != NULL ? levels[i][rows->level[at]] : rows->units[at];
}

/* What `outside` median deviations are; infinity in the first round. */
static double find_limit(const owi_sheet_rows *rows, size_t round)
{
    if (round == 0) return INFINITY;
    for (size_t i = 0; i < rows->n_rows; i++) rows->room[i] = fabs(rows->residual[i]);
    owi_sort_numbers(rows->room, rows->n_rows);
    /* The mean of the inner half of exact relations may be 0. */
    return outside * 1.4826 *
               fmax(owi_quantile(rows->room, rows->n_rows, 0.5),
                    owi_quantile(rows->room, rows->n_rows, 0.9) / 3.0) +
           1e-12;
}

/* One round of least squares on the rows within the limit.  Units are centred on their
 * means and divided by their deviations, so that pivots compare. */
static bool fit_round(const owi_sheet_rows *rows, double *const *levels, double limit,
                      double *constant, double *factor)
{
    const size_t n = rows->n_terms;
    double mean[most] = {0}, deviation[most] = {0}, a[most][most] = {{0}}, b[most] = {0};
    double count = 0.0, x[most];

    for (size_t r = 0; r < rows->n_rows; r++) {
        if (!(fabs(rows->residual[r]) <= limit)) continue;
        for (size_t i = 0; i < n; i++) mean[i] += unit_at(rows, levels, r, i);
        count += 1.0;
    }
    if (count < 4.0 * (double)n) return false;
    for (size_t i = 0; i < n; i++) mean[i] /= count;
    for (size_t r = 0; r < rows->n_rows; r++) {
        double u[most];
        if (!(fabs(rows->residual[r]) <= limit)) continue;
        for (size_t i = 0; i < n; i++) u[i] = unit_at(rows, levels, r, i) - mean[i];
        for (size_t i = 1; i < n; i++) {
            for (size_t k = 1; k < n; k++) a[i - 1][k - 1] += u[i] * u[k];
            b[i - 1] += u[i] * u[0];
        }
    }
    for (size_t i = 0; i + 1 < n; i++) deviation[i] = sqrt(a[i][i]);
    for (size_t i = 0; i + 1 < n; i++) {
        if (!(deviation[i] > 0.0)) return false;
        for (size_t k = 0; k + 1 < n; k++) a[i][k] /= deviation[i] * deviation[k];
        b[i] /= deviation[i];
    }
    if (!solve(n - 1, a, b, x)) return false;
    *constant = mean[0];
    for (size_t i = 1; i < n; i++) {
        factor[i] = x[i - 1] / deviation[i - 1];
        *constant -= factor[i] * mean[i];
    }
    return true;
}

static void leave_residuals(const owi_sheet_rows *rows, double *const *levels,
                            double constant, const double *factor)
{
    for (size_t r = 0; r < rows->n_rows; r++) {
        rows->residual[r] = unit_at(rows, levels, r, 0) - constant;
        for (size_t i = 1; i < rows->n_terms; i++)
            rows->residual[r] -= factor[i] * unit_at(rows, levels, r, i);
    }
}

/* Moves the units of the levels of term i by the mean residual of their rows. */
static void move_levels(const owi_sheet_rows *rows, size_t i, size_t n_levels,
                        double *levels, double limit, double factor)
{
    for (size_t level = 0; level < n_levels && fabs(factor) > 1e-9; level++) {
        double sum = 0.0, n = 0.0;
        for (size_t r = 0; r < rows->n_rows; r++) {
            const bool counts = rows->level[r * rows->n_terms + i] == (int32_t)level &&
                                fabs(rows->residual[r]) <= limit;
            sum += counts ? rows->residual[r] : 0.0;
            n += counts;
        }
        if (n >= least_level_rows) levels[level] += sum / n / factor;
    }
}

bool owi_sheet_fit_line(const owi_sheet_rows *rows, const size_t *n_levels, double **levels,
                        double *constant, double *factor)
{
    memset(rows->residual, 0, rows->n_rows * sizeof *rows->residual);
    for (size_t round = 0; round < n_rounds; round++) {
        const double limit = find_limit(rows, round);
        if (!fit_round(rows, levels, limit, constant, factor)) return false;
        leave_residuals(rows, levels, *constant, factor);
        for (size_t i = 1; i < rows->n_terms; i++) {
            if (levels[i] == NULL) continue;
            move_levels(rows, i, n_levels[i], levels[i], find_limit(rows, 1), factor[i]);
            leave_residuals(rows, levels, *constant, factor);
        }
    }
    return true;
}

/* ---- The spread ---- */

double owi_sheet_median(const owi_sheet_rows *rows)
{
    for (size_t r = 0; r < rows->n_rows; r++) rows->room[r] = fabs(rows->residual[r]);
    owi_sort_numbers(rows->room, rows->n_rows);
    return 1.4826 * owi_quantile(rows->room, rows->n_rows, 0.5);
}

/* The most probable spread for so many degrees of freedom, by iterated weights; returns the
 * log-density of the residuals. */
static double fit_freedom(const owi_sheet_rows *rows, double freedom, double least,
                          double *spread)
{
    const double n = (double)rows->n_rows;
    double square = 0.0, sum = 0.0;
    *spread = fmax(least, owi_sheet_median(rows));
    for (size_t step = 0; step < n_steps; step++) {
        square = 0.0;
        for (size_t r = 0; r < rows->n_rows; r++) {
            const double rr = rows->residual[r] * rows->residual[r];
            square += (freedom + 1.0) * rr / (freedom + rr / (*spread * *spread));
        }
        *spread = fmax(least, sqrt(square / n));
    }
    for (size_t r = 0; r < rows->n_rows; r++) {
        const double z = rows->residual[r] / *spread;
        sum -= 0.5 * (freedom + 1.0) * log1p(z * z / freedom);
    }
    return sum + n * (lgamma(0.5 * (freedom + 1.0)) - lgamma(0.5 * freedom) -
                      0.5 * log(freedom) - log(*spread));
}

void owi_sheet_fit_spread(const owi_sheet_rows *rows, double least, double *spread,
                          double *freedom)
{
    static const double tried[] = {2.0, 4.0, 8.0, 16.0, 32.0};
    double best = -INFINITY;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        double own;
        const double value = fit_freedom(rows, tried[i], least, &own);
        if (!(value > best)) continue;
        best = value;
        *spread = own;
        *freedom = tried[i];
    }
}
