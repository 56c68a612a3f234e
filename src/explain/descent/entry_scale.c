/* SPDX-License-Identifier: MIT */
#include "explain/descent/entry_scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"

/* Rows 0, 1 and 2 hold every column's smallest, middle and largest number, the rest its
 * quantiles. */
enum { LOW, MIDDLE, HIGH, QUANTILES, most_quantiles = 32, n_probes = QUANTILES + 32 };

static void fill_probes(const ow_model *model, size_t n_columns, double *probes)
{
    for (size_t j = 0; j < n_columns; j++) {
        const ow_column_figures figures = ow_model_figures(model, j);
        if (ow_schema_column(ow_model_schema(model), j)->n_levels > 0) continue;
        probes[LOW * n_columns + j] = figures.low;
        probes[MIDDLE * n_columns + j] = 0.5 * (figures.low + figures.high);
        probes[HIGH * n_columns + j] = figures.high;
        for (size_t q = 0; q < most_quantiles && figures.n_quantiles > 0; q++)
            probes[(QUANTILES + q) * n_columns + j] =
                figures.quantiles[owi_smaller(q, figures.n_quantiles - 1)];
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(size_t n, double *values)
{
    qsort(values, n, sizeof *values, compare_doubles);
    return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

/* A number on a scale that bends (log1p): by its quantiles. */
static double bent_mad(const ow_column_figures *figures, const float *soft, size_t width)
{
    double values[most_quantiles];
    const size_t n = owi_smaller(figures->n_quantiles, most_quantiles);
    for (size_t q = 0; q < n; q++) values[q] = (double)soft[(QUANTILES + q) * width];
    const double middle = median(n, values);
    for (size_t q = 0; q < n; q++) values[q] = fabs(values[q] - middle);
    return median(n, values);
}

/* soft: the column's entry in the probes, which are width apart. */
static double number_scale(const ow_column_figures *figures, const float *soft,
                           size_t width)
{
    const double low = (double)soft[LOW * width], high = (double)soft[HIGH * width];
    const double range = high - low,
                 bend = (double)soft[MIDDLE * width] - 0.5 * (low + high);
    if (!(range > 0.0)) return 1.0;
    if (figures->mad == 0.0) return range;
    const double mad = fabs(bend) <= 1e-3 * range
                           ? figures->mad * range / (figures->high - figures->low)
                           : bent_mad(figures, soft, width);
    return mad > 0.0 ? mad : range;
}

ow_status owi_entry_scales(const ow_model *model, ow_context *ctx, float *weight)
{
    const size_t n_columns = ow_schema_n_columns(ow_model_schema(model));
    const size_t width = ow_model_soft_width(model);
    double *probes;
    float *soft;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(probes, n_columns * n_probes),
                                OWI_PIECE(soft, width * n_probes)};
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &scratch));
    fill_probes(model, n_columns, probes);
    ow_model_soften(model, n_probes, probes, soft);
    for (size_t j = 0; j < width; j++) weight[j] = 1.0f;
    for (size_t j = 0; j < n_columns; j++) {
        const ow_column_figures figures = ow_model_figures(model, j);
        size_t first, n_entries;
        ow_model_soft_span(model, j, &first, &n_entries);
        if (ow_schema_column(ow_model_schema(model), j)->n_levels == 0 && n_entries == 1)
            weight[first] = (float)(1.0 / number_scale(&figures, soft + first, width));
    }
    owi_workspace_free(scratch);
    return OW_OK;
}
