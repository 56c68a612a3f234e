/* SPDX-License-Identifier: MIT */
#include "model/percentile.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/complete.h"
#include "base/text/string_map.h"
#include "circuit/pass/evaluator.h"

/* Two evaluations of the same row agree to about this share of 1 + |log S|: batches of
 * different sizes may add in a different order. */
static const double rounding = 1e-5;

struct owi_gap_percentiles {
    const ow_model *model;
    ow_evaluator *evaluator;
    float *rows;       /* a class's samples with gaps: owi_n_samples x circuit columns */
    double *log_class; /* their densities: owi_n_samples x classes */
    char *key;         /* class and gaps as a text */
    size_t key_length;
    size_t most;
    owi_string_map *patterns; /* the keys so far */
    size_t capacity;
    float *sorted; /* for each of them owi_n_samples log marginals, ascending */
};

/* ---- Ranks ---- */

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void owi_sort_figures(float *figures, size_t n)
{
    if (n > 0) qsort(figures, n, sizeof *figures, compare_floats);
}

/* How many of n ascending figures are below x, or, with equal, not above it. */
static size_t count_below(const float *sorted, size_t n, double x, bool equal)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const double figure = (double)sorted[middle];
        if (figure < x || (equal && figure <= x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double owi_percentile_of(const float *sorted, size_t n, double x)
{
    const double slack = isfinite(x) ? rounding * (1.0 + fabs(x)) : 0.0;
    const size_t below = count_below(sorted, n, x - slack, false);
    const size_t not_above = count_below(sorted, n, x + slack, true);
    return n > 0 ? 50.0 * (double)(below + not_above) / (double)n : NAN;
}

double ow_model_density_at(const ow_model *model, size_t class_index, double percent)
{
    const owi_class_figures *figures = &model->classes[class_index];
    const size_t n = figures->n_densities;
    if (n == 0) return NAN;
    return (double)figures->densities[(size_t)(percent / 100.0 * (double)(n - 1) + 0.5)];
}

double ow_model_percentile(const ow_model *model, size_t class_index, double log_density)
{
    const owi_class_figures *figures = &model->classes[class_index];
    return owi_percentile_of(figures->densities, figures->n_densities, log_density);
}

/* ---- Rows with gaps ---- */

ow_status owi_gap_percentiles_new(const ow_model *model, ow_evaluator *evaluator,
                                  size_t most, owi_gap_percentiles **out)
{
    ow_context *ctx = model->ctx;
    const size_t C = ow_schema_n_classes(model->schema), width = model->plan.width;
    owi_gap_percentiles *gaps = owi_alloc_zeroed(ctx, sizeof *gaps);
    *out = NULL;
    if (gaps == NULL) return OW_ERR_MEMORY;
    gaps->model = model;
    gaps->evaluator = evaluator;
    gaps->most = most;
    gaps->key_length = sizeof(size_t) * 2 + (width + 3) / 4;
    gaps->key = owi_alloc_array(ctx, gaps->key_length, 1);
    gaps->rows = owi_alloc_array(ctx, owi_n_samples * width, sizeof *gaps->rows);
    gaps->log_class = owi_alloc_array(ctx, owi_n_samples * C, sizeof *gaps->log_class);
    ow_status status = owi_string_map_new(ctx, &gaps->patterns);
    if (gaps->key == NULL || gaps->rows == NULL || gaps->log_class == NULL)
        status = OW_ERR_MEMORY;
    if (status == OW_OK)
        *out = gaps;
    else
        owi_gap_percentiles_free(gaps);
    return status;
}

void owi_gap_percentiles_free(owi_gap_percentiles *gaps)
{
    if (gaps == NULL) return;
    ow_context *ctx = gaps->model->ctx;
    owi_string_map_free(gaps->patterns);
    owi_free(ctx, gaps->sorted);
    owi_free(ctx, gaps->key);
    owi_free(ctx, gaps->rows);
    owi_free(ctx, gaps->log_class);
    owi_free(ctx, gaps);
}

/* The class's number, then a bit for each column, four to a letter: maps take texts. */
static void write_key(owi_gap_percentiles *gaps, const float *row, size_t class_index)
{
    const size_t width = gaps->model->plan.width;
    char *letter = gaps->key;
    for (size_t i = 0; i < sizeof(size_t) * 2; i++)
        *letter++ = (char)('a' + (class_index >> (4 * i) & 15));
    for (size_t j = 0; j < width; j += 4) {
        unsigned bits = 0;
        for (size_t k = j; k < j + 4 && k < width; k++)
            bits |= (isnan(row[k]) ? 1U : 0U) << (k - j);
        *letter++ = (char)('a' + bits);
    }
}

/* log S(x given c), summed over the gaps, for the class's samples x, ascending. */
static ow_status sorted_marginals(const owi_call *call, owi_gap_percentiles *gaps,
                                  const float *row, size_t class_index, float *sorted)
{
    const owi_class_figures *figures = &gaps->model->classes[class_index];
    const size_t n = owi_smaller(figures->n_samples, owi_n_samples);
    const size_t C = ow_schema_n_classes(gaps->model->schema);
    const size_t width = gaps->model->plan.width;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < width; j++)
            gaps->rows[i * width + j] =
                isnan(row[j]) ? NAN : figures->samples[i * width + j];
    OWI_TRY(owi_evaluate(call, gaps->evaluator, n, gaps->rows, gaps->log_class));
    for (size_t i = 0; i < n; i++) sorted[i] = (float)gaps->log_class[i * C + class_index];
    owi_sort_figures(sorted, n);
    return OW_OK;
}

/* A new pattern, behind the others. */
static ow_status add_pattern(const owi_call *call, owi_gap_percentiles *gaps,
                             const float *row, size_t class_index, size_t *pattern)
{
    ow_context *ctx = gaps->model->ctx;
    if (owi_string_map_count(gaps->patterns) == gaps->most) {
        owi_string_map *none;
        OWI_TRY(owi_string_map_new(ctx, &none));
        owi_string_map_free(gaps->patterns);
        gaps->patterns = none;
    }
    const size_t next = owi_string_map_count(gaps->patterns);
    OWI_TRY(owi_grow(ctx, &gaps->sorted, &gaps->capacity, (next + 1) * owi_n_samples,
                     sizeof *gaps->sorted));
    OWI_TRY(sorted_marginals(call, gaps, row, class_index,
                             gaps->sorted + next * owi_n_samples));
    return owi_string_map_add(gaps->patterns, gaps->key, gaps->key_length, pattern);
}

ow_status owi_gap_percentile(const owi_call *call, owi_gap_percentiles *gaps,
                             const float *row, size_t class_index, double log_class,
                             double *percentile)
{
    write_key(gaps, row, class_index);
    size_t pattern = owi_string_map_find(gaps->patterns, gaps->key, gaps->key_length);
    if (pattern == SIZE_MAX) OWI_TRY(add_pattern(call, gaps, row, class_index, &pattern));
    const size_t n =
        owi_smaller(gaps->model->classes[class_index].n_samples, owi_n_samples);
    *percentile = owi_percentile_of(gaps->sorted + pattern * owi_n_samples, n, log_class);
    return OW_OK;
}

ow_status owi_row_percentile(const owi_call *call, const ow_model *model,
                             ow_evaluator *evaluator, owi_gap_percentiles **gaps,
                             const float *row, size_t class_index, double log_class,
                             double *percentile)
{
    *percentile = ow_model_percentile(model, class_index, log_class);
    if (owi_is_complete(row, model->plan.width)) return OW_OK;
    if (*gaps == NULL)
        OWI_TRY(owi_gap_percentiles_new(model, evaluator, owi_most_gaps, gaps));
    return owi_gap_percentile(call, *gaps, row, class_index, log_class, percentile);
}
