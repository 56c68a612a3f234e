/* SPDX-License-Identifier: MIT */
/* A number with at most 10 different values is a category of those values.  Others are
 * Gaussian, and
 *
 *   - a value that a tenth of the rows or more have is a point mass beside the Gaussian
 *     (capital-gain 0);
 *   - so is a code that stands clear of the other values, however rare (a blood pressure of
 *     0, -9, 999): else it would stretch the Gaussian over numbers that nobody has.  The
 *     column is then scaled as if its codes were missing;
 *   - numbers from 0 on that are skewed, masses and codes aside, are scaled log1p, so that
 *     a Gaussian is no nonsense for amounts; what is a code is then judged on that scale
 *     (99999 behind 0 to 41310 is none, 0 before 200 to 10000 is one);
 *   - beyond the numbers that rows have, and a deviation more, the density has a long tail,
 *     so that a number far out costs some nats and not millions of them;
 *   - whole numbers get the probability of their cell (density times step), so that masses
 *     and densities compare. */
#include "model/train/plan_number.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/sorted.h"
#include "data/infer/sentinel_codes.h"
#include "data/schema/encode_private.h"
#include "data/schema/schema_private.h"

/* Less than ten values can each have more than a tenth of the rows. */
enum { few_values = 10, most_masses = 9 + 2 * owi_max_codes };
static const double mass_share = 0.1, much_skew = 1.5;

/* Different values, counted as far as `most` + 1, and put at the front of different. */
static size_t different_values(const double *sorted, size_t n, size_t most,
                               double *different)
{
    size_t kept = 0;
    for (size_t i = 0; i < n && kept <= most; i = owi_run_end(sorted, n, i))
        different[kept++] = sorted[i];
    return kept;
}

/* ---- Masses ---- */

typedef struct {
    bool logarithm;
    owi_sentinel_codes codes;
    size_t n_masses;
    double masses[most_masses]; /* the codes among them */
} choice;

static void list_masses(const double *sorted, size_t n, choice *to)
{
    to->n_masses = 0;
    for (size_t first = 0, next; first < n; first = next) {
        next = owi_run_end(sorted, n, first);
        if ((double)(next - first) > mass_share * (double)n ||
            owi_is_code(&to->codes, sorted[first]))
            to->masses[to->n_masses++] = sorted[first];
    }
}

/* Copies what is no mass; returns how many that are. */
static size_t copy_slab(const double *sorted, size_t n, const choice *from, double *slab)
{
    size_t kept = 0, m = 0;
    for (size_t i = 0; i < n; i++) {
        while (m < from->n_masses && from->masses[m] < sorted[i]) m++;
        if (m == from->n_masses || from->masses[m] != sorted[i]) slab[kept++] = sorted[i];
    }
    return kept;
}

size_t owi_drop_codes(double *sorted, size_t n)
{
    owi_sentinel_codes codes;
    size_t kept = 0;
    owi_find_codes_among(sorted, n, false, &codes);
    for (size_t i = 0; i < n; i++)
        if (!owi_is_code(&codes, sorted[i])) sorted[kept++] = sorted[i];
    return kept;
}

/* ---- Scaling ---- */

/* The third moment of n numbers over the third power of their deviation; 0 where that is
 * 0. */
static double skewness(const double *values, size_t n, bool warped)
{
    double mean = 0.0, second = 0.0, third = 0.0;
    for (size_t i = 0; i < n; i++)
        mean += (warped ? log1p(values[i]) : values[i]) / (double)n;
    for (size_t i = 0; i < n; i++) {
        const double z = (warped ? log1p(values[i]) : values[i]) - mean;
        second += z * z / (double)n;
        third += z * z * z / (double)n;
    }
    return second > 0.0 ? third / (second * sqrt(second)) : 0.0;
}

/* Whether the logarithm takes most of the skew away. */
static bool wants_log(const double *slab, size_t n)
{
    enum { enough = 30 };
    if (n < enough) return false;
    const double skew = skewness(slab, n, false);
    return skew > much_skew && fabs(skewness(slab, n, true)) < 0.5 * skew;
}

/* Scale, codes and masses; a scaling that was asked for is not up for choice. */
static void choose(const ow_column *column, bool masses, const double *sorted, size_t n,
                   double *slab, choice *chosen)
{
    const bool may_be_log = column->scaling == OW_SCALE_STANDARD &&
                            !column->scaling_fixed && column->low >= 0.0;
    *chosen = (choice){.logarithm = may_be_log};
    for (;; chosen->logarithm = false) {
        if (masses) {
            owi_find_codes_among(sorted, n, chosen->logarithm, &chosen->codes);
            list_masses(sorted, n, chosen);
        }
        if (!chosen->logarithm || wants_log(slab, copy_slab(sorted, n, chosen, slab)))
            return;
    }
}

/* Mean and deviation as if codes were missing. */
static void set_moments(const double *sorted, size_t n, const owi_sentinel_codes *codes,
                        ow_column *column)
{
    owi_moments plain = {0}, log = {0};
    for (size_t i = 0; i < n; i++) {
        if (owi_is_code(codes, sorted[i])) continue;
        owi_moments_add(&plain, sorted[i], 1.0);
        if (column->low >= 0.0) owi_moments_add(&log, log1p(sorted[i]), 1.0);
    }
    owi_column_set_moments(column, codes->low, codes->high, &plain, &log);
}

/* Whether the circuit, which has floats, can tell the masses apart. */
static bool masses_differ(const owi_plan *plan, size_t j, const choice *chosen)
{
    double last = -INFINITY;
    for (size_t m = 0; m < chosen->n_masses; m++) {
        const double x = owi_encode_number(plan->encoding, j, chosen->masses[m]);
        if (!(fabs(x) < 1e30) || (float)x == (float)last) return false;
        last = x;
    }
    return true;
}

/* Keeps the first of those masses that are one float: 0 and 0.004 beside 900,000. */
static void merge_equal_masses(const owi_plan *plan, size_t j, choice *chosen)
{
    size_t kept = 0;
    float last = 0.0F;
    for (size_t m = 0; m < chosen->n_masses; m++) {
        const float x = (float)owi_encode_number(plan->encoding, j, chosen->masses[m]);
        if (kept > 0 && x == last) continue;
        chosen->masses[kept++] = chosen->masses[m];
        last = x;
    }
    chosen->n_masses = kept;
}

/* The range that explanations keep to is that of what they may lead to.  Only an end that
 * the sample has seen is moved. */
static void narrow_range(const double *sorted, size_t n, double *scratch, ow_column *column)
{
    memcpy(scratch, sorted, n * sizeof *sorted);
    const size_t n_left = owi_drop_codes(scratch, n);
    if (n_left == 0) return;
    if (column->low == sorted[0]) column->low = scratch[0];
    if (column->high == sorted[n - 1]) column->high = scratch[n_left - 1];
}

/* Puts the choice into the schema and its encoding. */
static void set_scaling(owi_plan *plan, ow_column *column, size_t j, bool masses,
                        const double *sorted, size_t n, double *scratch, choice *chosen)
{
    if (chosen->logarithm) column->scaling = OW_SCALE_LOG1P;
    const ow_column before = *column;
    if (masses) narrow_range(sorted, n, scratch, column);
    if (chosen->codes.n_codes > 0) set_moments(sorted, n, &chosen->codes, column);
    owi_encoding_rescale(plan->encoding, j, column);
    if (chosen->codes.n_codes == 0 || masses_differ(plan, j, chosen)) return;
    chosen->codes = (owi_sentinel_codes){0};
    list_masses(sorted, n, chosen);
    *column = before;
    owi_encoding_rescale(plan->encoding, j, column);
}

/* log of the encoded width of one step, at the middle of the column. */
static double log_cell_of(const owi_plan *plan, size_t j, double middle)
{
    const double low = owi_encode_number(plan->encoding, j, middle - 0.5);
    const double high = owi_encode_number(plan->encoding, j, middle + 0.5);
    return high > low ? log(high - low) : 0.0;
}

/* Tails begin this far, in deviations of the column, beyond the numbers that rows have,
 * masses aside. */
static const double before_tails = 1.0;

static void set_tails(owi_plan *plan, size_t j, const double *slab, size_t n)
{
    if (n == 0) return;
    owi_column_plan *column = &plan->columns[j];
    column->low = owi_encode_number(plan->encoding, j, slab[0]) - before_tails;
    column->high = owi_encode_number(plan->encoding, j, slab[n - 1]) + before_tails;
}

/* ---- The column ---- */

static ow_status keep_values(owi_plan *plan, size_t j, const double *values, size_t n)
{
    owi_column_plan *column = &plan->columns[j];
    column->values = owi_alloc_array(plan->ctx, n, sizeof *column->values);
    if (column->values == NULL) return OW_ERR_MEMORY;
    memcpy(column->values, values, n * sizeof *values);
    column->n_values = n;
    return OW_OK;
}

ow_status owi_plan_choose_number(owi_plan *plan, ow_schema *schema, size_t j, bool masses,
                                 const double *sorted, size_t n, double *scratch)
{
    owi_column_plan *column = &plan->columns[j];
    const size_t n_different = different_values(sorted, n, few_values, scratch);
    if (n_different >= 1 && n_different <= few_values) {
        column->kind = OWI_PLAN_VALUES;
        OWI_TRY(keep_values(plan, j, scratch, n_different));
        if (masses) narrow_range(sorted, n, scratch, &schema->columns[j]);
        return OW_OK;
    }
    choice chosen;
    choose(&schema->columns[j], masses, sorted, n, scratch, &chosen);
    set_scaling(plan, &schema->columns[j], j, masses, sorted, n, scratch, &chosen);
    merge_equal_masses(plan, j, &chosen);
    column->kind = chosen.n_masses > 0 ? OWI_PLAN_MASSES : OWI_PLAN_NUMBER;
    if (chosen.n_masses > 0) OWI_TRY(keep_values(plan, j, chosen.masses, chosen.n_masses));
    if (masses) set_tails(plan, j, scratch, copy_slab(sorted, n, &chosen, scratch));
    if (schema->columns[j].type == OW_TYPE_INTEGER)
        column->log_cell = log_cell_of(plan, j, n > 0 ? sorted[n / 2] : 0.0);
    return OW_OK;
}
