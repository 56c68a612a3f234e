/* SPDX-License-Identifier: MIT */
/* Leaves for people's tables, chosen from a sample of the training rows:
 *
 *   - a number with at most 10 different values is a category of those values;
 *   - a value that a tenth of the rows or more have is a point mass beside the Gaussian (capital-gain 0), up to 8 of them;
 *   - numbers from 0 on that are skewed, the masses aside, are scaled log1p, so that a Gaussian is no nonsense for amounts;
 *   - whole numbers get the probability of their cell (density times step), so that masses and densities compare.
 *
 * Images and maps are Gaussian throughout. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sorted.h"
#include "data/encode_private.h"
#include "data/schema_private.h"
#include "model/column_plan.h"

enum { few_values = 10, most_masses = 8 };
static const double mass_share = 0.1, much_skew = 1.5;

/* The values of column j that are there, ascending; returns how many. */
static size_t sorted_values(const owi_row_sample *sample, size_t j, double *sorted)
{
    size_t n = 0;
    for (size_t i = 0; i < sample->n_rows; i++) {
        const double x = sample->values[i * sample->n_columns + j];
        if (!isnan(x)) sorted[n++] = x;
    }
    owi_sort_numbers(sorted, n);
    return n;
}

/* Keeps those values for which more than `least` of the n sorted ones are equal, at the front of the array; all
 * different ones for least = 0.  Returns how many, at most `most` + 1. */
static size_t repeated_values(double *sorted, size_t n, double least, size_t most)
{
    size_t kept = 0;
    for (size_t first = 0, next; first < n && kept <= most; first = next) {
        for (next = first + 1; next < n && sorted[next] == sorted[first];) next++;
        if ((double)(next - first) > least) sorted[kept++] = sorted[first];
    }
    return kept;
}

/* log of the encoded width of one step, at the middle of the values that are no masses. */
static double log_cell_of(const owi_plan *plan, size_t j, double middle)
{
    const double low = owi_encode_number(plan->encoding, j, middle - 0.5);
    const double high = owi_encode_number(plan->encoding, j, middle + 0.5);
    return high > low ? log(high - low) : 0.0;
}

/* The third moment of n numbers over the third power of their deviation; 0 where that is 0. */
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

/* Takes the masses out of n sorted values; returns how many are left. */
static size_t drop_masses(double *sorted, size_t n, const double *masses, size_t n_masses)
{
    size_t kept = 0, m = 0;
    for (size_t i = 0; i < n; i++) {
        while (m < n_masses && masses[m] < sorted[i]) m++;
        if (m == n_masses || masses[m] != sorted[i]) sorted[kept++] = sorted[i];
    }
    return kept;
}

/* Whether the logarithm takes most of a column's skew away.  A scaling that was asked for is not up for choice. */
static bool wants_log(const ow_column *column, const double *slab, size_t n)
{
    enum { enough = 30 };
    if (column->scaling != OW_SCALE_STANDARD || column->scaling_fixed ||
        !(column->low >= 0.0) || n < enough)
        return false;
    const double skew = skewness(slab, n, false);
    return skew > much_skew && fabs(skewness(slab, n, true)) < 0.5 * skew;
}

static ow_status keep_values(owi_plan *plan, size_t j, const double *values, size_t n)
{
    owi_column_plan *column = &plan->columns[j];
    column->values = owi_alloc_array(plan->ctx, n, sizeof *column->values);
    if (column->values == NULL) return OW_ERR_MEMORY;
    memcpy(column->values, values, n * sizeof *values);
    column->n_values = n;
    return OW_OK;
}

static ow_status choose_number(owi_plan *plan, ow_schema *schema, size_t j, bool masses,
                               const owi_row_sample *sample, double *sorted,
                               double *scratch)
{
    owi_column_plan *column = &plan->columns[j];
    const size_t n = sorted_values(sample, j, sorted);
    const double middle = n > 0 ? sorted[n / 2] : 0.0;

    memcpy(scratch, sorted, n * sizeof *sorted);
    const size_t n_different = repeated_values(scratch, n, 0.0, few_values);
    if (n_different >= 1 && n_different <= few_values) {
        column->kind = OWI_PLAN_VALUES;
        return keep_values(plan, j, scratch, n_different);
    }
    column->kind = OWI_PLAN_NUMBER;
    memcpy(scratch, sorted, n * sizeof *sorted);
    const size_t n_masses =
        repeated_values(scratch, n, mass_share * (double)n, most_masses);
    if (masses && n_masses >= 1 && n_masses <= most_masses) {
        column->kind = OWI_PLAN_MASSES;
        OWI_TRY(keep_values(plan, j, scratch, n_masses));
    }
    const size_t n_slab = drop_masses(sorted, n, column->values, column->n_values);
    if (wants_log(ow_schema_column(schema, j), sorted, n_slab)) {
        owi_schema_set_scaling(schema, j, OW_SCALE_LOG1P);
        owi_encoding_rescale(plan->encoding, j, ow_schema_column(schema, j));
    }
    if (ow_schema_column(plan->schema, j)->type == OW_INTEGER)
        column->log_cell = log_cell_of(plan, j, middle);
    return OW_OK;
}

ow_status owi_plan_choose(owi_plan *plan, ow_schema *schema, ow_leaf_choice leaves,
                          bool masses, const owi_row_sample *sample)
{
    const bool table = ow_schema_layout(plan->schema).kind == OW_LAYOUT_TABLE;
    double *sorted = owi_alloc_array(plan->ctx, 2 * sample->n_rows, sizeof *sorted);
    if (sorted == NULL) return OW_ERR_MEMORY;

    ow_status status = OW_OK;
    for (size_t j = 0; j < plan->n_columns && status == OW_OK; j++) {
        owi_column_plan *column = &plan->columns[j];
        const bool category = ow_schema_column(plan->schema, j)->n_levels > 0;
        if (category)
            column->kind =
                leaves == OW_LEAVES_GAUSSIAN ? OWI_PLAN_ONE_HOT : OWI_PLAN_LEVELS;
        else if (leaves == OW_LEAVES_GAUSSIAN || !table)
            column->kind = OWI_PLAN_NUMBER;
        else
            status = choose_number(plan, schema, j, masses, sample, sorted,
                                   sorted + sample->n_rows);
    }
    owi_free(plan->ctx, sorted);
    if (status == OW_OK) owi_plan_finish(plan);
    return status;
}
