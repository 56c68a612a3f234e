/* SPDX-License-Identifier: MIT */
/* A map of the answers (map_axes.h): densities and classes on a grid of the plane, and rows
 * as points on it. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "report/map_draw.h"
#include "report/support.h"

enum {
    most_samples = 400
}; /* of each class, to find how far the plane goes and how dense it is */

/* ---- How far it goes ---- */

static void include_point(owi_map *m, const double point[2])
{
    for (int k = 0; k < 2; k++) {
        if (!isfinite(point[k])) continue;
        m->low[k] = fmin(m->low[k], point[k]);
        m->high[k] = fmax(m->high[k], point[k]);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A feature's axis goes as far as the training rows do; where a few of them are far out, as
 * far as the middle 94 percent.  ends: what no axis need go beyond.  False for a principal
 * axis. */
static bool set_range_of_column(owi_map *m, int k)
{
    if (m->axes.is_principal) return false;
    const ow_column_figures figures = ow_model_figures(m->what->model, m->axes.column[k]);
    if (figures.n_quantiles == 0) return false;
    const size_t last = figures.n_quantiles - 1;
    const double *value = figures.quantiles;
    double whole[2], most[2], point[2];
    for (size_t i = 0; i < 2; i++) {
        if (!owi_map_place(&m->axes, k, value[i * last], point)) return false;
        whole[i] = point[k];
        const size_t inner = last < 2 ? i * last : i == 0 ? 1 : last - 1;
        if (!owi_map_place(&m->axes, k, value[inner], point)) return false;
        most[i] = point[k];
    }
    const bool far_out = last >= 2 && most[1] - most[0] > 0.0 &&
                         most[1] - most[0] < 0.5 * (whole[1] - whole[0]);
    m->low[k] = far_out ? most[0] : whole[0];
    m->high[k] = far_out ? most[1] : whole[1];
    m->end[k][0] = whole[0], m->end[k][1] = whole[1];
    return true;
}

/* Samples of all classes as soft rows of the plane, and between which percentiles they lie;
 * *log_class is their densities. */
static ow_status look_at_samples(owi_map *m, double **log_density, size_t *n_samples)
{
    const size_t width = m->axes.width, C = m->n_classes;
    const ow_circuit *circuit = ow_model_circuit(m->what->model);
    ow_context *ctx = m->page->ctx;
    float *soft = owi_report_alloc(ctx, C * most_samples, width * sizeof *soft);
    double *along = owi_report_alloc(ctx, 2 * C * most_samples, sizeof *along);
    double *log_class = owi_report_alloc(ctx, C * most_samples, C * sizeof *log_class);
    double *density = owi_report_alloc(ctx, C * most_samples, sizeof *density);
    ow_status status = OW_ERR_MEMORY;
    size_t n = 0;
    *log_density = NULL;
    if (soft == NULL || along == NULL || log_class == NULL || density == NULL) goto done;
    for (size_t c = 0; c < C; c++) {
        size_t n_of_class;
        const float *samples = ow_model_samples(m->what->model, c, &n_of_class);
        n_of_class = owi_smaller(n_of_class, most_samples);
        ow_circuit_soften(circuit, n_of_class, samples, soft + n * width);
        n += n_of_class;
    }
    for (size_t i = 0; i < n; i++) {
        double point[2];
        owi_map_soft_point(&m->axes, soft + i * width, point);
        along[i] = point[0], along[C * most_samples + i] = point[1];
        owi_map_row(&m->axes, point, soft + i * width);
    }
    if (m->what->given != NULL) {
        m->dots = owi_report_alloc(ctx, 2 * n, sizeof *m->dots);
        if (m->dots == NULL) goto done;
        m->n_dots = n;
        for (size_t i = 0; i < n; i++)
            m->dots[i] = along[i], m->dots[n + i] = along[C * most_samples + i];
    }
    status = ow_evaluator_evaluate_soft(m->evaluator, n, soft, NULL, log_class);
    if (status != OW_OK) goto done;
    ow_circuit_posterior(circuit, n, log_class, density, NULL);
    for (int k = 0; k < 2 && n > 0; k++) {
        if (set_range_of_column(m, k)) continue;
        double *sorted = along + (size_t)k * C * most_samples;
        qsort(sorted, n, sizeof *sorted, compare_doubles);
        m->low[k] = fmin(m->low[k], sorted[n / 100]);
        m->high[k] = fmax(m->high[k], sorted[n - 1 - n / 100]);
    }
    *log_density = density, density = NULL;
    *n_samples = n;

done:
    ow_bytes_free(soft);
    ow_bytes_free(along);
    ow_bytes_free(log_class);
    ow_bytes_free(density);
    return status;
}

/* Lines through the densities that 10, 30, 50 and 80 percent of the samples lie below. */
static void set_levels(owi_map *m, double *log_density, size_t n)
{
    static const double share[owi_map_n_levels] = {0.1, 0.3, 0.5, 0.8};
    if (n > 0) qsort(log_density, n, sizeof *log_density, compare_doubles);
    for (int i = 0; i < owi_map_n_levels; i++)
        m->level[i] = n > 0 ? log_density[(size_t)(share[i] * (double)(n - 1))] : 0.0;
}

/* A little room around, but none where no row can be: a duration does not begin below 0. */
static void add_room(owi_map *m, int k)
{
    if (!(m->high[k] > m->low[k])) {
        m->low[k] -= 1.0, m->high[k] += 1.0;
        return;
    }
    const double room = 0.06 * (m->high[k] - m->low[k]);
    const double low = fmin(m->low[k], m->end[k][0]), high = fmax(m->high[k], m->end[k][1]);
    m->low[k] = fmax(m->low[k] - room, low);
    m->high[k] = fmin(m->high[k] + room, high);
}

static ow_status set_frame(owi_map *m)
{
    double *log_density = NULL, point[2];
    size_t n = 0;
    for (int k = 0; k < 2; k++) {
        m->low[k] = DBL_MAX, m->high[k] = -DBL_MAX;
        m->end[k][0] = -DBL_MAX, m->end[k][1] = DBL_MAX;
    }
    OWI_TRY(look_at_samples(m, &log_density, &n));
    set_levels(m, log_density, n);
    ow_bytes_free(log_density);
    for (size_t i = 0; i < m->what->n_rows; i++) {
        OWI_TRY(owi_map_point(&m->axes, m->what->rows[i].query, point));
        include_point(m, point);
        if (m->what->rows[i].answer == NULL) continue;
        OWI_TRY(owi_map_point(&m->axes, m->what->rows[i].answer, point));
        include_point(m, point);
    }
    for (int k = 0; k < 2; k++) add_room(m, k);
    return OW_OK;
}

/* ---- The grid ---- */

static void fill_line(owi_map *m, size_t y, const double *log_class)
{
    const double *log_prior = ow_circuit_log_prior(ow_model_circuit(m->what->model));
    for (size_t x = 0; x < owi_map_n_grid; x++) {
        const double *of_point = log_class + x * m->n_classes;
        double other = -INFINITY;
        for (size_t c = 0; c < m->n_classes; c++)
            if ((int32_t)c != m->what->target)
                other = fmax(other, of_point[c] + log_prior[c]);
        const double own = of_point[m->what->target] + log_prior[m->what->target];
        m->border[y * owi_map_n_grid + x] = own == other ? 0.0 : own - other;
        ow_circuit_posterior(ow_model_circuit(m->what->model), 1, of_point,
                             &m->density[y * owi_map_n_grid + x], NULL);
    }
}

static ow_status fill_grid(owi_map *m)
{
    ow_context *ctx = m->page->ctx;
    m->density = owi_report_alloc(ctx, owi_map_n_grid * owi_map_n_grid, sizeof *m->density);
    m->border = owi_report_alloc(ctx, owi_map_n_grid * owi_map_n_grid, sizeof *m->border);
    float *line = owi_report_alloc(ctx, owi_map_n_grid, m->axes.width * sizeof *line);
    double *log_class =
        owi_report_alloc(ctx, owi_map_n_grid, m->n_classes * sizeof *log_class);
    ow_status status = OW_ERR_MEMORY;
    if (m->density == NULL || m->border == NULL || line == NULL || log_class == NULL)
        goto done;
    status = OW_OK;
    for (size_t y = 0; y < owi_map_n_grid && status == OW_OK; y++) {
        for (size_t x = 0; x < owi_map_n_grid; x++) {
            const double share[2] = {(double)x / (owi_map_n_grid - 1),
                                     (double)y / (owi_map_n_grid - 1)};
            double point[2];
            for (int k = 0; k < 2; k++)
                point[k] = m->low[k] + share[k] * (m->high[k] - m->low[k]);
            owi_map_row(&m->axes, point, line + x * m->axes.width);
        }
        status =
            ow_evaluator_evaluate_soft(m->evaluator, owi_map_n_grid, line, NULL, log_class);
        if (status == OW_OK) fill_line(m, y, log_class);
    }
done:
    ow_bytes_free(line);
    ow_bytes_free(log_class);
    return status;
}

void ow_page_map(ow_page *page, const ow_page_map_content *given)
{
    ow_page_map_content own = {.size = sizeof(ow_page_map_content)};
    if (!OWI_PAGE_TAKE(page, ow_page_map_content, given, &own)) return;
    const ow_page_map_content *what = &own;
    if (own.principal) own.given = NULL;
    owi_map m = {.page = page, .what = what};
    m.n_classes = ow_schema_n_classes(ow_model_schema(what->model));
    ow_status status = owi_map_axes_init(&m.axes, page->ctx, what->model, what->columns,
                                         what->principal, what->rows, what->n_rows);
    if (status == OW_OK && m.axes.is_principal) own.given = NULL;
    if (status == OW_OK)
        status =
            ow_evaluator_new(ow_model_circuit(what->model), what->backend, &m.evaluator);
    if (status == OW_OK) status = set_frame(&m);
    if (status == OW_OK)
        status = what->given != NULL ? owi_map_fill_decisions(&m) : fill_grid(&m);
    if (status == OW_OK) status = owi_map_draw(&m);
    if (status != OW_OK) owi_page_fail(page, status);
    ow_bytes_free(m.dots);
    ow_bytes_free(m.density);
    ow_bytes_free(m.border);
    ow_evaluator_free(m.evaluator);
    owi_map_axes_clear(&m.axes);
}
