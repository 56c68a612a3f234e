/* SPDX-License-Identifier: MIT */
/* With r = (u_0 - constant - sum_i factor_i u_i) / spread and n degrees of freedom,
 *
 *     log p(x_0 given the others) = sheet_constant - (n + 1) / 2 log(1 + r^2 / n)
 *                                   + log(du_0 / dx_0)
 *
 * where sheet_constant has the norm of Student's distribution, -log spread and log_cell. */
#include "circuit/structure/sheets.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/structure/leaf_features.h"

static const double log_pi = 1.1447298858494001741;
/* Numbers whose logarithm is larger are taken as large as this: their square is finite. */
static const double most_logarithm = 300.0;

/* ---- Units ---- */

/* u of a number, and du/dx. */
static double unit_of(const ow_sheet_term *term, double x, double *slope)
{
    double y = term->centre + term->scale * x, dy = term->scale;
    if (term->log1p && y > 0.0) {
        const double w = fmin(y, most_logarithm);
        dy *= exp(w);
        y = expm1(w);
    }
    if (term->least > 0.0) {
        const double at = fmax(y, term->least);
        dy /= at;
        y = log(at) + (y - at) / at;
    }
    *slope = dy;
    return y;
}

/* The number that has the unit u. */
static double number_of(const ow_sheet_term *term, double u)
{
    double y = u;
    if (term->least > 0.0)
        y = u >= log(term->least) ? exp(fmin(u, most_logarithm))
                                  : term->least * (1.0 + u - log(term->least));
    if (term->log1p && y > 0.0) y = log1p(y);
    return (y - term->centre) / term->scale;
}

/* A row with changes. */
typedef struct {
    const ow_circuit *circuit;
    bool soft;
    const float *row;
    owi_sheet_change change;
} seen_row;

static float number_in(const seen_row *seen, size_t column)
{
    if (column == seen->change.first) return seen->change.v;
    if (column == seen->change.second) return seen->change.w;
    return seen->row[owi_circuit_entry(seen->circuit, seen->soft, column)];
}

static double term_unit(const seen_row *seen, const ow_sheet_term *term, double *slope)
{
    *slope = 0.0;
    if (term->levels == NULL)
        return unit_of(term, (double)number_in(seen, term->column), slope);
    if (!seen->soft) {
        const float level = number_in(seen, term->column);
        return isnan(level) ? NAN : term->levels[(size_t)level];
    }
    const float *share = seen->row + owi_circuit_entry(seen->circuit, true, term->column);
    double u = 0.0;
    for (size_t k = 0; k < seen->circuit->leaves[term->column].n_levels; k++)
        u += (double)share[k] * term->levels[k];
    return u;
}

/* r of a sheet, NaN where a value is missing; slope gets du_0/dx_0. */
static double residual(const seen_row *seen, const ow_sheet *sheet, double *slope)
{
    double other, r = term_unit(seen, &sheet->terms[0], slope) - sheet->constant;
    for (size_t i = 1; i < sheet->n_terms; i++)
        r -= sheet->terms[i].factor * term_unit(seen, &sheet->terms[i], &other);
    return r / sheet->spread;
}

/* ---- Densities ---- */

static double sum_logs(const seen_row *seen, uint64_t bits)
{
    const ow_circuit *circuit = seen->circuit;
    double sum = 0.0;
    for (size_t s = 0; s < circuit->spec.n_sheets; s++) {
        if ((bits >> s & 1) == 0) continue;
        const ow_sheet *sheet = &circuit->sheets[s];
        double slope;
        const double r = residual(seen, sheet, &slope);
        if (isnan(r)) continue;
        sum += circuit->sheet_constant[s] + log(slope) -
               0.5 * (sheet->freedom + 1.0) * log1p(r * r / sheet->freedom);
    }
    return sum;
}

double owi_sheets_log(const ow_circuit *circuit, uint64_t bits, bool soft, const float *row)
{
    const seen_row seen = {circuit, soft, row, {SIZE_MAX, SIZE_MAX, 0.0f, 0.0f}};
    return sum_logs(&seen, bits);
}

double owi_sheets_log_changed(const ow_circuit *circuit, uint64_t bits, const float *row,
                              owi_sheet_change change)
{
    const seen_row seen = {circuit, false, row, change};
    return sum_logs(&seen, bits);
}

double owi_sheets_gain(const ow_circuit *circuit, const float *row, size_t column, float v)
{
    const uint64_t bits = circuit->sheet_bits[column];
    if (bits == 0) return 0.0;
    const owi_sheet_change change = {column, SIZE_MAX, v, 0.0f};
    return owi_sheets_log_changed(circuit, bits, row, change) -
           owi_sheets_log(circuit, bits, false, row);
}

/* d log(du/dx) / dx of a number. */
static double log_slope_gradient(const ow_sheet_term *term, double x)
{
    const double w = fmin(term->centre + term->scale * x, most_logarithm);
    const bool warped = term->log1p && w > 0.0;
    const double y = warped ? expm1(w) : w,
                 dy = warped ? term->scale * exp(w) : term->scale;
    return (warped ? term->scale : 0.0) -
           (term->least > 0.0 && y > term->least ? dy / y : 0.0);
}

void owi_sheets_add_gradient(const ow_circuit *circuit, bool soft, const float *row,
                             float factor, float *gradient)
{
    const seen_row seen = {circuit, soft, row, {SIZE_MAX, SIZE_MAX, 0.0f, 0.0f}};
    for (size_t s = 0; s < circuit->spec.n_sheets; s++) {
        const ow_sheet *sheet = &circuit->sheets[s];
        double slope;
        const double r = residual(&seen, sheet, &slope);
        if (isnan(r)) continue;
        /* d log p / du_0; of the others -factor_i times that. */
        const double by_unit = -(sheet->freedom + 1.0) * r / (sheet->freedom + r * r) /
                               sheet->spread * (double)factor;
        for (size_t i = 0; i < sheet->n_terms; i++) {
            const ow_sheet_term *term = &sheet->terms[i];
            const double by = i == 0 ? by_unit : -term->factor * by_unit;
            float *to = gradient + owi_circuit_entry(circuit, soft, term->column);
            if (term->levels == NULL) {
                (void)term_unit(&seen, term, &slope);
                *to += (float)(by * slope);
                if (i == 0)
                    *to += factor * (float)log_slope_gradient(
                                        term, (double)number_in(&seen, term->column));
            } else if (soft) {
                for (size_t k = 0; k < circuit->leaves[term->column].n_levels; k++)
                    to[k] += (float)(by * term->levels[k]);
            }
        }
    }
}

/* ---- Completing ---- */

/* Student's t: a normal number over the root of a mean of `freedom` squares of others. */
static double draw_deviation(const ow_sheet *sheet, owi_rng *rng)
{
    if (rng == NULL) return 0.0;
    const double normal = owi_rng_normal(rng);
    double squares = 0.0;
    for (size_t i = 0; (double)i < sheet->freedom; i++) {
        const double z = owi_rng_normal(rng);
        squares += z * z;
    }
    return normal / sqrt(squares / sheet->freedom);
}

void owi_sheets_complete(const ow_circuit *circuit, const float *given, owi_rng *rng,
                         float *row)
{
    const seen_row seen = {circuit, false, row, {SIZE_MAX, SIZE_MAX, 0.0f, 0.0f}};
    for (size_t s = 0; s < circuit->spec.n_sheets; s++) {
        const ow_sheet *sheet = &circuit->sheets[s];
        size_t moved = SIZE_MAX;
        double largest = 0.0, slope;
        /* The first if it was missing, else the missing number with a leaf that the sheet
         * is steepest in, which then has to move least. */
        for (size_t i = 0; i < sheet->n_terms && !(moved == 0); i++) {
            const ow_sheet_term *term = &sheet->terms[i];
            if (!isnan(given[term->column]) || term->levels != NULL) continue;
            if (i > 0 && circuit->leaves[term->column].kind == OW_LEAF_FOLLOWS) continue;
            (void)term_unit(&seen, term, &slope);
            if (i > 0 && !(fabs(term->factor * slope) > largest)) continue;
            largest = fabs(term->factor * slope);
            moved = i;
        }
        if (moved == SIZE_MAX) continue;
        const ow_sheet_term *term = &sheet->terms[moved];
        const double off =
            sheet->spread * (residual(&seen, sheet, &slope) - draw_deviation(sheet, rng));
        const double u = term_unit(&seen, term, &slope);
        const double x = number_of(term, moved == 0 ? u - off : u + off / term->factor);
        if (isfinite(x)) row[term->column] = (float)x;
    }
}

/* ---- Making them ---- */

static ow_status check_term(const ow_circuit_spec *spec, const ow_sheet_term *term,
                            size_t s)
{
    if (term->column >= spec->n_columns)
        return owi_fail(OW_ERR_ARGUMENT, "sheet %zu: there is no column %zu", s,
                        term->column);
    const ow_leaf *leaf = &spec->leaves[term->column];
    if (owi_leaf_has_levels(leaf) != (term->levels != NULL))
        return owi_fail(OW_ERR_ARGUMENT, "sheet %zu: column %zu has %s levels", s,
                        term->column, term->levels != NULL ? "no" : "a unit for its");
    const size_t n_levels = leaf->kind == OW_LEAF_BERNOULLI ? 2 : leaf->n_levels;
    for (size_t k = 0; term->levels != NULL && k < n_levels; k++)
        if (!isfinite(term->levels[k]))
            return owi_fail(OW_ERR_NUMERIC, "sheet %zu: a level of column %zu is %g", s,
                            term->column, term->levels[k]);
    if (isfinite(term->factor) &&
        (term->levels != NULL ||
         (isfinite(term->centre) && isfinite(term->scale) && term->scale > 0.0 &&
          isfinite(term->least) && term->least >= 0.0)))
        return OW_OK;
    return owi_fail(OW_ERR_NUMERIC, "sheet %zu: the units of column %zu are no numbers", s,
                    term->column);
}

/* That no column of the sheet is the first of this one or a later one. */
static ow_status check_order(const ow_circuit_spec *spec, size_t s)
{
    const ow_sheet *sheet = &spec->sheets[s];
    for (size_t i = 0; i < sheet->n_terms; i++)
        for (size_t later = s; later < spec->n_sheets; later++)
            if ((later > s || i > 0) &&
                spec->sheets[later].terms[0].column == sheet->terms[i].column)
                return owi_fail(OW_ERR_ARGUMENT,
                                "column %zu of sheet %zu follows from a later one",
                                sheet->terms[i].column, s);
    return OW_OK;
}

ow_status owi_sheets_check(const ow_circuit_spec *spec)
{
    size_t n_follow = 0;
    for (size_t j = 0; j < spec->n_columns; j++)
        n_follow += spec->leaves[j].kind == OW_LEAF_FOLLOWS;
    if (n_follow != spec->n_sheets)
        return owi_fail(OW_ERR_ARGUMENT, "%zu columns follow from others by %zu sheets",
                        n_follow, spec->n_sheets);
    if (spec->n_sheets == 0) return OW_OK;
    OWI_REQUIRE(spec->sheets != NULL && spec->n_sheets <= owi_most_sheets);
    if (spec->variance > 0.0)
        return owi_fail(OW_ERR_ARGUMENT, "sheets need learned variances");
    for (size_t s = 0; s < spec->n_sheets; s++) {
        const ow_sheet *sheet = &spec->sheets[s];
        OWI_REQUIRE(sheet->n_terms >= 2 && sheet->terms != NULL);
        for (size_t i = 0; i < sheet->n_terms; i++)
            OWI_TRY(check_term(spec, &sheet->terms[i], s));
        if (spec->leaves[sheet->terms[0].column].kind != OW_LEAF_FOLLOWS)
            return owi_fail(OW_ERR_ARGUMENT,
                            "sheet %zu: its first column has a leaf of its own", s);
        if (!isfinite(sheet->constant) || !(sheet->spread > 0.0) ||
            !isfinite(sheet->spread) || !(sheet->freedom >= 1.0 && sheet->freedom <= 1e6) ||
            sheet->freedom != floor(sheet->freedom))
            return owi_fail(OW_ERR_NUMERIC,
                            "sheet %zu: constant %g, spread %g, degrees of freedom %g", s,
                            sheet->constant, sheet->spread, sheet->freedom);
    }
    for (size_t s = 0; s < spec->n_sheets; s++) OWI_TRY(check_order(spec, s));
    return OW_OK;
}

/* Terms and levels behind the sheets, in one block. */
static ow_status copy_block(ow_circuit *circuit)
{
    const ow_circuit_spec *spec = &circuit->spec;
    size_t n_terms = 0, n_levels = 0;
    for (size_t s = 0; s < spec->n_sheets; s++)
        for (size_t i = 0; i < spec->sheets[s].n_terms; i++, n_terms++)
            n_levels += circuit->leaves[spec->sheets[s].terms[i].column].n_levels;
    circuit->sheets = owi_alloc(circuit->ctx, spec->n_sheets * sizeof(ow_sheet) +
                                                  n_terms * sizeof(ow_sheet_term) +
                                                  n_levels * sizeof(double));
    if (circuit->sheets == NULL) return OW_ERR_MEMORY;
    ow_sheet_term *term = (ow_sheet_term *)(void *)(circuit->sheets + spec->n_sheets);
    double *level = (double *)(void *)(term + n_terms);
    for (size_t s = 0; s < spec->n_sheets; s++) {
        circuit->sheets[s] = spec->sheets[s];
        circuit->sheets[s].terms = term;
        for (size_t i = 0; i < spec->sheets[s].n_terms; i++, term++) {
            *term = spec->sheets[s].terms[i];
            if (term->levels == NULL) continue;
            const size_t n = circuit->leaves[term->column].n_levels;
            memcpy(level, term->levels, n * sizeof *level);
            term->levels = level;
            level += n;
        }
    }
    return OW_OK;
}

ow_status owi_sheets_copy(ow_circuit *circuit)
{
    ow_circuit_spec *spec = &circuit->spec;
    const size_t d = spec->n_columns, n = spec->n_sheets;
    circuit->sheet_bits = owi_alloc_array(circuit->ctx, d, sizeof *circuit->sheet_bits);
    circuit->sheet_constant =
        owi_alloc_array(circuit->ctx, n, sizeof *circuit->sheet_constant);
    if (circuit->sheet_bits == NULL || circuit->sheet_constant == NULL)
        return OW_ERR_MEMORY;
    if (n == 0) return OW_OK;
    OWI_TRY(copy_block(circuit));
    spec->sheets = circuit->sheets;
    for (size_t s = 0; s < n; s++) {
        const ow_sheet *sheet = &circuit->sheets[s];
        const double f = sheet->freedom;
        for (size_t i = 0; i < sheet->n_terms; i++)
            circuit->sheet_bits[sheet->terms[i].column] |= (uint64_t)1 << s;
        circuit->sheet_constant[s] = lgamma(0.5 * (f + 1.0)) - lgamma(0.5 * f) -
                                     0.5 * (log(f) + log_pi) - log(sheet->spread) +
                                     circuit->leaves[sheet->terms[0].column].log_cell;
    }
    return OW_OK;
}
