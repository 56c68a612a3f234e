/* SPDX-License-Identifier: MIT */
/* The reference figures of a model from its file: counts must fit what is there, figures be
 * in order and finite, samples be rows that the circuit takes. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/structure/leaf_features.h"
#include "model/class_limits.h"
#include "model/file/model_file.h"

/* ---- Columns ---- */

static bool ascend(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i]) || (i > 0 && values[i] < values[i - 1])) return false;
    return true;
}

/* A count that was stored as a double, at most `most`. */
static bool is_count(double x, size_t most)
{
    return x >= 0.0 && x <= (double)most && x == floor(x);
}

/* Figures of all columns from their table; quantiles and seen values lie one after the
 * other. */
static ow_status split_columns(const owi_safetensors *file, ow_model *model,
                               const double *figures, size_t n_quantiles, size_t n_seen)
{
    const double *quantiles = model->column_values, *seen = quantiles + n_quantiles;
    for (size_t j = 0; j < model->plan.n_columns; j++) {
        const double *of = figures + j * owi_n_column_figures;
        bool good = isfinite(of[0]) && isfinite(of[1]) && of[0] <= of[1] && of[2] >= 0.0 &&
                    isfinite(of[2]) && is_count(of[3], n_quantiles) &&
                    is_count(of[4], n_seen);
        if (good) good = ascend(quantiles, (size_t)of[3]) && ascend(seen, (size_t)of[4]);
        if (!good)
            return owi_fail(OW_ERR_FORMAT, "%s: the figures of column %zu are damaged",
                            file->name, j);
        model->columns[j] = (ow_column_figures){.low = of[0],
                                                .high = of[1],
                                                .mad = of[2],
                                                .n_quantiles = (size_t)of[3],
                                                .quantiles = quantiles,
                                                .n_seen = (size_t)of[4],
                                                .seen = seen};
        n_quantiles -= (size_t)of[3];
        n_seen -= (size_t)of[4];
        quantiles += (size_t)of[3];
        seen += (size_t)of[4];
    }
    return OW_OK;
}

static ow_status read_columns(const owi_safetensors *file, ow_model *model)
{
    const size_t n_columns = model->plan.n_columns;
    size_t n_quantiles, n_seen;
    OWI_TRY(
        owi_safetensors_count(file, OWI_TENSOR_QUANTILES, OWI_TENSOR_F64, &n_quantiles));
    OWI_TRY(owi_safetensors_count(file, OWI_TENSOR_SEEN, OWI_TENSOR_F64, &n_seen));
    model->column_values =
        owi_alloc_array(model->ctx, n_quantiles + n_seen, sizeof *model->column_values);
    double *figures = owi_alloc_array(model->ctx, n_columns * owi_n_column_figures, 8);
    ow_status status =
        model->column_values != NULL && figures != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK)
        status = owi_safetensors_read(file, OWI_TENSOR_FIGURES, OWI_TENSOR_F64,
                                      n_columns * owi_n_column_figures, figures);
    if (status == OW_OK)
        status = owi_safetensors_read(file, OWI_TENSOR_QUANTILES, OWI_TENSOR_F64,
                                      n_quantiles, model->column_values);
    if (status == OW_OK)
        status = owi_safetensors_read(file, OWI_TENSOR_SEEN, OWI_TENSOR_F64, n_seen,
                                      model->column_values + n_quantiles);
    if (status == OW_OK) status = split_columns(file, model, figures, n_quantiles, n_seen);
    owi_free(model->ctx, figures);
    return status;
}

/* ---- Classes ---- */

static bool densities_ascend(const float *densities, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(densities[i] < INFINITY) || (i > 0 && densities[i] < densities[i - 1]))
            return false;
    return true;
}

/* One class's part of a tensor that holds all of them. */
static ow_status copy_part(ow_context *ctx, const float *all, size_t first, size_t n,
                           float **out)
{
    *out = owi_alloc_array(ctx, n, sizeof **out);
    if (*out == NULL) return OW_ERR_MEMORY;
    memcpy(*out, all + first, n * sizeof **out);
    return OW_OK;
}

static ow_status split_classes(const owi_safetensors *file, ow_model *model,
                               const int64_t *counts, const float *densities,
                               size_t n_densities, const float *samples, size_t n_samples)
{
    const size_t width = model->plan.width;
    size_t density = 0, sample = 0;
    for (size_t c = 0; c < ow_schema_n_classes(model->schema); c++) {
        owi_class_figures *of = &model->classes[c];
        const int64_t n = counts[2 * c], m = counts[2 * c + 1];
        if (n < 0 || (uint64_t)n > n_densities - density || m < 0 || m > owi_n_samples ||
            (uint64_t)m > n_samples - sample)
            return owi_fail(OW_ERR_FORMAT, "%s: the figures of class %zu are damaged",
                            file->name, c);
        if (!densities_ascend(densities + density, (size_t)n))
            return owi_fail(OW_ERR_FORMAT, "%s: the densities of class %zu do not ascend",
                            file->name, c);
        OWI_TRY(copy_part(model->ctx, densities, density, (size_t)n, &of->densities));
        of->n_densities = (size_t)n;
        OWI_TRY(copy_part(model->ctx, samples, sample * width, (size_t)m * width,
                          &of->samples));
        of->n_samples = (size_t)m;
        density += (size_t)n;
        sample += (size_t)m;
    }
    return OW_OK;
}

static ow_status read_classes(const owi_safetensors *file, ow_model *model)
{
    ow_context *ctx = model->ctx;
    const size_t C = ow_schema_n_classes(model->schema), width = model->plan.width;
    size_t n_densities, n_samples;
    OWI_TRY(
        owi_safetensors_count(file, OWI_TENSOR_DENSITIES, OWI_TENSOR_F32, &n_densities));
    OWI_TRY(owi_safetensors_count(file, OWI_TENSOR_SAMPLES, OWI_TENSOR_F32, &n_samples));
    int64_t *counts = owi_alloc_array(ctx, 2 * C + C * C, sizeof *counts);
    float *densities = owi_alloc_array(ctx, n_densities, sizeof *densities);
    float *samples = owi_alloc_array(ctx, n_samples, sizeof *samples);
    ow_status status =
        counts != NULL && densities != NULL && samples != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK)
        status =
            owi_safetensors_read(file, OWI_TENSOR_COUNTS, OWI_TENSOR_I64, 2 * C, counts);
    if (status == OW_OK)
        status = owi_safetensors_read(file, OWI_TENSOR_CONFUSION, OWI_TENSOR_I64, C * C,
                                      counts + 2 * C);
    if (status == OW_OK)
        status = owi_safetensors_read(file, OWI_TENSOR_DENSITIES, OWI_TENSOR_F32,
                                      n_densities, densities);
    if (status == OW_OK)
        status = owi_safetensors_read(file, OWI_TENSOR_SAMPLES, OWI_TENSOR_F32, n_samples,
                                      samples);
    for (size_t i = 0; i < C * C && status == OW_OK; i++)
        if (counts[2 * C + i] < 0)
            status = owi_fail(OW_ERR_FORMAT, "%s: the confusion table has a count of %lld",
                              file->name, (long long)counts[2 * C + i]);
    if (status == OW_OK)
        status = owi_model_file_blame(file, owi_check_rows(model->circuit,
                                                           n_samples / width, samples, 0));
    if (status == OW_OK)
        status = split_classes(file, model, counts, densities, n_densities, samples,
                               n_samples / width);
    for (size_t i = 0; i < C * C && status == OW_OK; i++)
        model->confusion[i] = (size_t)counts[2 * C + i];
    owi_free(ctx, counts);
    owi_free(ctx, densities);
    owi_free(ctx, samples);
    return status;
}

/* Limits of every class and column; none in files of versions before 0.3. */
static ow_status read_limits(const owi_safetensors *file, ow_model *model)
{
    const size_t n = ow_schema_n_classes(model->schema) * model->plan.n_columns;
    size_t count = 0;
    if (!owi_safetensors_has(file, OWI_TENSOR_LIMITS)) return OW_OK;
    OWI_TRY(owi_safetensors_count(file, OWI_TENSOR_LIMITS, OWI_TENSOR_F64, &count));
    if (count == 0) return OW_OK;
    OWI_TRY(owi_model_limits_new(model));
    OWI_TRY(owi_safetensors_read(file, OWI_TENSOR_LIMITS, OWI_TENSOR_F64, 2 * n,
                                 model->class_limits));
    for (size_t i = 0; i < n; i++)
        if (!(model->class_limits[2 * i] <= model->class_limits[2 * i + 1]))
            return owi_fail(OW_ERR_FORMAT, "%s: limits %zu are damaged", file->name, i);
    return OW_OK;
}

static ow_status read_robust(const owi_safetensors *file, ow_model *model)
{
    const size_t C = ow_schema_n_classes(model->schema);
    if (!owi_safetensors_has(file, OWI_TENSOR_ROBUST)) return OW_OK;
    double *margins = owi_alloc_array(model->ctx, C, sizeof *margins);
    ow_status status = margins != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK)
        status = owi_safetensors_read(file, OWI_TENSOR_ROBUST, OWI_TENSOR_F64, C, margins);
    for (size_t c = 0; c < C && status == OW_OK; c++) {
        if (!(margins[c] >= 0.0 && isfinite(margins[c])))
            status = owi_fail(OW_ERR_FORMAT, "%s: the margin of class %zu is damaged",
                              file->name, c);
        model->classes[c].robust_margin = margins[c];
    }
    owi_free(model->ctx, margins);
    return status;
}

ow_status owi_model_read_figures(const owi_safetensors *file, ow_model *model)
{
    OWI_TRY(read_columns(file, model));
    OWI_TRY(read_limits(file, model));
    OWI_TRY(read_robust(file, model));
    return read_classes(file, model);
}
