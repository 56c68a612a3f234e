/* SPDX-License-Identifier: MIT */
#include "report/map_axes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/support.h"

enum { most_samples = 500, n_iterations = 30 };

/* ---- Features ---- */

/* A number that is one entry of a soft row: a density along it makes sense. */
static bool is_plain_number(const ow_model *model, size_t column)
{
    const ow_column_type type = ow_schema_column(ow_model_schema(model), column)->type;
    size_t first, width;
    ow_model_soft_span(model, column, &first, &width);
    return width == 1 && (type == OW_TYPE_CONTINUOUS || type == OW_TYPE_INTEGER);
}

/* How much the answers change a column, in ranges. */
static double total_change(const ow_model *model, size_t column,
                           const ow_page_map_row *rows, size_t n_rows)
{
    const ow_column_figures figures = ow_model_figures(model, column);
    double total = 0.0;
    if (!(figures.high > figures.low)) return 0.0;
    for (size_t i = 0; i < n_rows; i++) {
        if (rows[i].answer == NULL) continue;
        const double change = rows[i].answer[column] - rows[i].query[column];
        if (isfinite(change)) total += fabs(change) / (figures.high - figures.low);
    }
    return total;
}

/* The two that change most; of those that do not change, the first ones.  False if there
 * are not two. */
static bool choose_columns(owi_map_axes *axes, const ow_page_map_row *rows, size_t n_rows)
{
    const ow_schema *schema = ow_model_schema(axes->model);
    double best[2] = {-1.0, -1.0};
    if (ow_schema_layout(schema).kind != OW_LAYOUT_TABLE) return false;
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        if (!is_plain_number(axes->model, j)) continue;
        const double change = total_change(axes->model, j, rows, n_rows);
        if (change > best[0]) {
            best[1] = best[0], axes->column[1] = axes->column[0];
            best[0] = change, axes->column[0] = j;
        } else if (change > best[1]) {
            best[1] = change, axes->column[1] = j;
        }
    }
    return best[1] >= 0.0;
}

static ow_status find_columns(owi_map_axes *axes, const char *const *names)
{
    for (int k = 0; k < 2; k++) {
        OWI_TRY(ow_schema_find_column(ow_model_schema(axes->model), names[k],
                                      &axes->column[k]));
        if (!is_plain_number(axes->model, axes->column[k]))
            return owi_report_fail(
                OW_ERR_ARGUMENT,
                "column %s cannot be an axis of a map: it is no number, or one "
                "with few values",
                names[k]);
    }
    if (axes->column[0] == axes->column[1])
        return owi_report_fail(OW_ERR_ARGUMENT, "a map of %s against itself shows nothing",
                               names[0]);
    return OW_OK;
}

/* ---- Principal axes ---- */

/* Samples of all classes as soft rows, less their mean. */
typedef struct {
    size_t n, width;
    float *rows;
} cloud;

static ow_status fill_cloud(owi_map_axes *axes, cloud *points)
{
    const ow_circuit *circuit = ow_model_circuit(axes->model);
    const size_t C = ow_circuit_get_spec(circuit)->n_classes;
    points->width = axes->width;
    points->rows =
        owi_report_alloc(axes->ctx, C * most_samples, axes->width * sizeof *points->rows);
    if (points->rows == NULL) return OW_ERR_MEMORY;
    for (size_t c = 0; c < C; c++) {
        size_t n;
        const float *samples = ow_model_samples(axes->model, c, &n);
        n = owi_smaller(n, most_samples);
        ow_circuit_soften(circuit, n, samples, points->rows + points->n * axes->width);
        points->n += n;
    }
    for (size_t j = 0; j < axes->width; j++) {
        double sum = 0.0;
        for (size_t i = 0; i < points->n; i++) sum += points->rows[i * axes->width + j];
        axes->mean[j] = (float)(sum / (double)owi_larger(points->n, 1));
        for (size_t i = 0; i < points->n; i++)
            points->rows[i * axes->width + j] -= axes->mean[j];
    }
    return OW_OK;
}

static double dot(size_t n, const float *a, const float *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += (double)a[i] * b[i];
    return sum;
}

/* axis <- (X' X axis) less its part along `other`, of length 1. */
static void iterate(const cloud *points, const float *other, float *axis, double *next)
{
    const size_t width = points->width;
    memset(next, 0, width * sizeof *next);
    for (size_t i = 0; i < points->n; i++) {
        const float *row = points->rows + i * width;
        const double along = dot(width, row, axis);
        for (size_t j = 0; j < width; j++) next[j] += along * row[j];
    }
    double part = 0.0, length = 0.0;
    if (other != NULL)
        for (size_t j = 0; j < width; j++) part += next[j] * other[j];
    for (size_t j = 0; j < width; j++) {
        if (other != NULL) next[j] -= part * other[j];
        length += next[j] * next[j];
    }
    if (!(length > 0.0)) return; /* no spread that way: any direction is as good */
    for (size_t j = 0; j < width; j++) axis[j] = (float)(next[j] / sqrt(length));
}

/* Power iteration from a direction with a part along every column. */
static ow_status find_axes(owi_map_axes *axes)
{
    cloud points = {0};
    double *next = owi_report_alloc(axes->ctx, axes->width, sizeof *next);
    axes->mean = owi_report_alloc(axes->ctx, axes->width, sizeof *axes->mean);
    for (int k = 0; k < 2; k++)
        axes->axis[k] = owi_report_alloc(axes->ctx, axes->width, sizeof(float));
    ow_status status = OW_ERR_MEMORY;
    if (next != NULL && axes->mean != NULL && axes->axis[0] != NULL &&
        axes->axis[1] != NULL)
        status = fill_cloud(axes, &points);
    for (int k = 0; status == OW_OK && k < 2; k++) {
        for (size_t j = 0; j < axes->width; j++)
            axes->axis[k][j] =
                (float)(sin(1.0 + (double)j * (k + 1)) / sqrt((double)axes->width));
        for (int i = 0; i < n_iterations; i++)
            iterate(&points, k == 0 ? NULL : axes->axis[0], axes->axis[k], next);
    }
    ow_bytes_free(points.rows);
    ow_bytes_free(next);
    return status;
}

/* ---- Axes ---- */

ow_status owi_map_axes_init(owi_map_axes *axes, ow_context *ctx, const ow_model *model,
                            const char *const *names, bool principal,
                            const ow_page_map_row *rows, size_t n_rows)
{
    *axes = (owi_map_axes){.ctx = ctx, .model = model, .width = ow_model_soft_width(model)};
    if (!principal && names != NULL) return find_columns(axes, names);
    if (!principal && choose_columns(axes, rows, n_rows)) return OW_OK;
    axes->is_principal = true;
    return find_axes(axes);
}

ow_status ow_page_map_check(const ow_model *model, const char *const columns[2])
{
    owi_map_axes axes = {.model = model};
    OWI_REQUIRE(model != NULL && columns != NULL);
    return find_columns(&axes, columns);
}

void owi_map_axes_clear(owi_map_axes *axes)
{
    ow_bytes_free(axes->mean);
    ow_bytes_free(axes->axis[0]);
    ow_bytes_free(axes->axis[1]);
    *axes = (owi_map_axes){0};
}

void owi_map_soft_point(const owi_map_axes *axes, const float *soft, double point[2])
{
    for (int k = 0; k < 2; k++) {
        if (axes->is_principal) {
            point[k] = 0.0;
            for (size_t j = 0; j < axes->width; j++)
                if (!isnan(soft[j]))
                    point[k] += (double)(soft[j] - axes->mean[j]) * axes->axis[k][j];
        } else {
            size_t first, width;
            ow_model_soft_span(axes->model, axes->column[k], &first, &width);
            point[k] = (double)soft[first];
        }
    }
}

ow_status owi_map_point(const owi_map_axes *axes, const double *values, double point[2])
{
    float *soft = owi_report_alloc(axes->ctx, axes->width, sizeof *soft);
    if (soft == NULL) return OW_ERR_MEMORY;
    ow_model_soften(axes->model, 1, values, soft);
    owi_map_soft_point(axes, soft, point);
    ow_bytes_free(soft);
    return OW_OK;
}

bool owi_map_place(const owi_map_axes *axes, int axis, double value, double point[2])
{
    const size_t n_columns = ow_schema_n_columns(ow_model_schema(axes->model));
    double *values = owi_report_alloc(axes->ctx, n_columns, sizeof *values);
    double found[2];
    if (values == NULL) return false;
    for (size_t j = 0; j < n_columns; j++) values[j] = NAN;
    values[axes->column[axis]] = value;
    const bool placed = owi_map_point(axes, values, found) == OW_OK;
    if (placed) point[axis] = found[axis];
    ow_bytes_free(values);
    return placed;
}

void owi_map_row(const owi_map_axes *axes, const double point[2], float *soft)
{
    for (size_t j = 0; j < axes->width; j++)
        soft[j] = axes->is_principal ? axes->mean[j] + (float)(point[0] * axes->axis[0][j] +
                                                               point[1] * axes->axis[1][j])
                                     : NAN;
    for (int k = 0; !axes->is_principal && k < 2; k++) {
        size_t first, width;
        ow_model_soft_span(axes->model, axes->column[k], &first, &width);
        soft[first] = (float)point[k];
    }
}

void owi_map_axis_name(const owi_map_axes *axes, int axis, char *text, size_t size)
{
    if (axes->is_principal)
        snprintf(text, size, "principal axis %d", axis + 1);
    else
        snprintf(text, size, "%s",
                 ow_schema_column(ow_model_schema(axes->model), axes->column[axis])->name);
}
