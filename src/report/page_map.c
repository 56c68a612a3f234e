/* SPDX-License-Identifier: MIT */
/* A map of the answers (map_axes.h): densities and classes on a grid of the plane, and rows as points on it. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sizes.h"
#include "report/contour.h"
#include "report/map_axes.h"
#include "report/page.h"

enum {
    n_grid = 56, /* points along each axis                                     */
    n_levels = 4,
    most_samples =
        400, /* of each class, to find how far the plane goes and how dense it is */
    picture_width = 640,
    picture_height = 480,
    margin_left = 70,
    margin_top = 14,
    plot_width = 550,
    plot_height = 410
};

typedef struct {
    ow_page *page;
    const ow_page_map_content *what;
    owi_map_axes axes;
    ow_evaluator *evaluator;
    size_t n_classes;
    double low[2], high[2]; /* the plane's part that is drawn                  */
    double *density;        /* n_grid x n_grid: log S                           */
    double *border;         /* likewise: log P(target) less the best other's    */
    double level[n_levels];
} map;

/* ---- How far it goes ---- */

static void include_point(map *m, const double point[2])
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

/* A feature's axis goes as far as the middle 98 percent of the training rows do.  False for a principal axis. */
static bool set_range_of_column(map *m, int k)
{
    if (m->axes.is_principal) return false;
    const ow_column_figures figures = ow_model_figures(m->what->model, m->axes.column[k]);
    if (figures.n_quantiles == 0) return false;
    const size_t last = figures.n_quantiles - 1;
    const double ends[2] = {figures.quantiles[0], figures.quantiles[last]};
    for (int i = 0; i < 2; i++) {
        double point[2];
        if (!owi_map_place(&m->axes, k, ends[i], point)) return false;
        m->low[k] = fmin(m->low[k], point[k]);
        m->high[k] = fmax(m->high[k], point[k]);
    }
    return true;
}

/* Samples of all classes as soft rows of the plane, and between which percentiles they lie; *log_class is their densities. */
static ow_status look_at_samples(map *m, double **log_density, size_t *n_samples)
{
    const size_t width = m->axes.width, C = m->n_classes;
    const ow_circuit *circuit = ow_model_circuit(m->what->model);
    ow_context *ctx = m->page->ctx;
    float *soft = owi_alloc_array(ctx, C * most_samples, width * sizeof *soft);
    double *along = owi_alloc_array(ctx, 2 * C * most_samples, sizeof *along);
    double *log_class = owi_alloc_array(ctx, C * most_samples, C * sizeof *log_class);
    double *density = owi_alloc_array(ctx, C * most_samples, sizeof *density);
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
    status = ow_evaluate_soft(m->evaluator, n, soft, log_class);
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
    owi_free(ctx, soft);
    owi_free(ctx, along);
    owi_free(ctx, log_class);
    owi_free(ctx, density);
    return status;
}

/* Lines through the densities that 10, 30, 50 and 80 percent of the samples lie below. */
static void set_levels(map *m, double *log_density, size_t n)
{
    static const double share[n_levels] = {0.1, 0.3, 0.5, 0.8};
    if (n > 0) qsort(log_density, n, sizeof *log_density, compare_doubles);
    for (int i = 0; i < n_levels; i++)
        m->level[i] = n > 0 ? log_density[(size_t)(share[i] * (double)(n - 1))] : 0.0;
}

static ow_status set_frame(map *m)
{
    double *log_density = NULL, point[2];
    size_t n = 0;
    for (int k = 0; k < 2; k++) m->low[k] = DBL_MAX, m->high[k] = -DBL_MAX;
    OWI_TRY(look_at_samples(m, &log_density, &n));
    set_levels(m, log_density, n);
    owi_free(m->page->ctx, log_density);
    for (size_t i = 0; i < m->what->n_rows; i++) {
        OWI_TRY(owi_map_point(&m->axes, m->what->rows[i].query, point));
        include_point(m, point);
        if (m->what->rows[i].answer == NULL) continue;
        OWI_TRY(owi_map_point(&m->axes, m->what->rows[i].answer, point));
        include_point(m, point);
    }
    for (int k = 0; k < 2; k++) {
        if (!(m->high[k] > m->low[k])) m->low[k] -= 1.0, m->high[k] += 1.0;
        const double room = 0.06 * (m->high[k] - m->low[k]);
        m->low[k] -= room, m->high[k] += room;
    }
    return OW_OK;
}

/* ---- The grid ---- */

static void fill_line(map *m, size_t y, const double *log_class)
{
    const double *log_prior = ow_circuit_log_prior(ow_model_circuit(m->what->model));
    for (size_t x = 0; x < n_grid; x++) {
        const double *of_point = log_class + x * m->n_classes;
        double other = -INFINITY;
        for (size_t c = 0; c < m->n_classes; c++)
            if ((int32_t)c != m->what->target)
                other = fmax(other, of_point[c] + log_prior[c]);
        const double own = of_point[m->what->target] + log_prior[m->what->target];
        m->border[y * n_grid + x] = own == other ? 0.0 : own - other;
        ow_circuit_posterior(ow_model_circuit(m->what->model), 1, of_point,
                             &m->density[y * n_grid + x], NULL);
    }
}

static ow_status fill_grid(map *m)
{
    ow_context *ctx = m->page->ctx;
    m->density = owi_alloc_array(ctx, n_grid * n_grid, sizeof *m->density);
    m->border = owi_alloc_array(ctx, n_grid * n_grid, sizeof *m->border);
    float *line = owi_alloc_array(ctx, n_grid, m->axes.width * sizeof *line);
    double *log_class = owi_alloc_array(ctx, n_grid, m->n_classes * sizeof *log_class);
    ow_status status = OW_ERR_MEMORY;
    if (m->density == NULL || m->border == NULL || line == NULL || log_class == NULL)
        goto done;
    status = OW_OK;
    for (size_t y = 0; y < n_grid && status == OW_OK; y++) {
        for (size_t x = 0; x < n_grid; x++) {
            const double share[2] = {(double)x / (n_grid - 1), (double)y / (n_grid - 1)};
            double point[2];
            for (int k = 0; k < 2; k++)
                point[k] = m->low[k] + share[k] * (m->high[k] - m->low[k]);
            owi_map_row(&m->axes, point, line + x * m->axes.width);
        }
        status = ow_evaluate_soft(m->evaluator, n_grid, line, log_class);
        if (status == OW_OK) fill_line(m, y, log_class);
    }
done:
    owi_free(ctx, line);
    owi_free(ctx, log_class);
    return status;
}

/* ---- Drawing ---- */

static void draw_lines(map *m)
{
    owi_markup *body = &m->page->body;
    owi_height_map heights = {n_grid,     n_grid,     m->density, margin_left,
                              margin_top, plot_width, plot_height};
    for (int i = 0; i < n_levels; i++) {
        owi_markup_add(body, "<path class=\"axis\" opacity=\"0.%d\" d=\"", 3 + 2 * i);
        owi_contour_path(body, &heights, m->level[i]);
        owi_markup_add(body, "\"/>\n");
    }
    heights.heights = m->border;
    owi_markup_add(body, "<path fill=\"none\" stroke=\"var(--bad)\" stroke-width=\"2\" "
                         "stroke-dasharray=\"6 4\" d=\"");
    owi_contour_path(body, &heights, 0.0);
    owi_markup_add(body, "\"/>\n");
}

static void add_place(map *m, const double point[2])
{
    owi_markup *body = &m->page->body;
    owi_markup_number(body,
                      margin_left +
                          plot_width * (point[0] - m->low[0]) / (m->high[0] - m->low[0]),
                      1);
    owi_markup_add(body, " ");
    owi_markup_number(body,
                      margin_top +
                          plot_height * (m->high[1] - point[1]) / (m->high[1] - m->low[1]),
                      1);
}

/* A dot as a line of no length with round ends: one attribute instead of two coordinates. */
static void draw_dot(map *m, const double point[2], const char *style)
{
    if (!isfinite(point[0]) || !isfinite(point[1])) return;
    owi_markup_add(&m->page->body, "<path stroke-linecap=\"round\" %s d=\"M", style);
    add_place(m, point);
    owi_markup_add(&m->page->body, "h0\"/>");
}

static ow_status draw_row(map *m, const ow_page_map_row *row)
{
    owi_markup *body = &m->page->body;
    const size_t n_columns = ow_schema_n_columns(ow_model_schema(m->what->model));
    double from[2], to[2], between[2];

    OWI_TRY(owi_map_point(&m->axes, row->query, from));
    if (!isfinite(from[0]) || !isfinite(from[1])) return OW_OK;
    if (row->answer != NULL) {
        owi_markup_add(body, "<path fill=\"none\" stroke=\"var(--ink)\" d=\"M");
        add_place(m, from);
        for (size_t i = 0; i < row->n_path; i++) {
            OWI_TRY(owi_map_point(&m->axes, row->path + i * n_columns, between));
            if (!isfinite(between[0]) || !isfinite(between[1])) continue;
            owi_markup_add(body, "L");
            add_place(m, between);
        }
        OWI_TRY(owi_map_point(&m->axes, row->answer, to));
        owi_markup_add(body, "L");
        add_place(m, to);
        owi_markup_add(body, "\"/>");
        if (row->intermediate != NULL) {
            owi_map_soft_point(&m->axes, row->intermediate, between);
            draw_dot(m, between, "stroke=\"var(--soft)\" stroke-width=\"6\"");
        }
        draw_dot(m, to, "stroke=\"var(--good)\" stroke-width=\"10\"");
    }
    draw_dot(m, from, "stroke=\"var(--bad)\" stroke-width=\"10\"");
    owi_markup_add(body, "\n");
    return OW_OK;
}

/* The value that stands at a place of an axis: in the column's own units. */
static void print_tick(const map *m, int axis, double at, char *text, size_t size)
{
    if (m->axes.is_principal) {
        snprintf(text, size, "%.3g", at);
        return;
    }
    const ow_schema *schema = ow_model_schema(m->what->model);
    ow_context *ctx = m->page->ctx;
    float *soft = owi_alloc_array(ctx, m->axes.width, sizeof *soft);
    double *values = owi_alloc_array(ctx, ow_schema_n_columns(schema), sizeof *values);
    text[0] = '\0';
    if (soft != NULL && values != NULL) {
        const double point[2] = {axis == 0 ? at : m->low[0], axis == 1 ? at : m->low[1]};
        owi_map_row(&m->axes, point, soft);
        ow_model_harden(m->what->model, 1, soft, values);
        ow_schema_print_value(schema, m->axes.column[axis], values[m->axes.column[axis]],
                              text, size);
    }
    owi_free(ctx, soft);
    owi_free(ctx, values);
}

static void draw_axes(map *m)
{
    owi_markup *body = &m->page->body;
    enum { n_ticks = 4 };
    char text[64];
    owi_markup_add(body,
                   "<rect class=\"axis\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                   margin_left, margin_top, plot_width, plot_height);
    for (int i = 0; i <= n_ticks; i++) {
        const double share = (double)i / n_ticks;
        print_tick(m, 0, m->low[0] + share * (m->high[0] - m->low[0]), text, sizeof text);
        owi_markup_add(body, "<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">",
                       margin_left + i * plot_width / n_ticks,
                       margin_top + plot_height + 18);
        owi_markup_text(body, text, 12);
        owi_markup_add(body, "</text>");
        print_tick(m, 1, m->low[1] + share * (m->high[1] - m->low[1]), text, sizeof text);
        owi_markup_add(body, "<text text-anchor=\"end\" x=\"%d\" y=\"%d\">",
                       margin_left - 6,
                       margin_top + plot_height - i * plot_height / n_ticks + 4);
        owi_markup_text(body, text, 9);
        owi_markup_add(body, "</text>\n");
    }
    owi_map_axis_name(&m->axes, 0, text, sizeof text);
    owi_markup_add(body, "<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">",
                   margin_left + plot_width / 2, picture_height - 14);
    owi_markup_text(body, text, 60);
    owi_map_axis_name(&m->axes, 1, text, sizeof text);
    owi_markup_add(body,
                   "</text><text text-anchor=\"middle\" transform=\"translate(14 %d) "
                   "rotate(-90)\">",
                   margin_top + plot_height / 2);
    owi_markup_text(body, text, 60);
    owi_markup_add(body, "</text>\n");
}

static void add_caption(map *m)
{
    owi_markup *body = &m->page->body;
    char x[64], y[64];
    owi_map_axis_name(&m->axes, 0, x, sizeof x);
    owi_map_axis_name(&m->axes, 1, y, sizeof y);
    owi_markup_add(body, "<figcaption class=\"caption\">");
    owi_markup_text(body, x, 60);
    owi_markup_add(body, " against ");
    owi_markup_text(body, y, 60);
    owi_markup_add(body, m->axes.is_principal
                             ? ": the plane along which rows spread most. "
                             : ", everything else left open, as the circuit sees it. ");
    owi_markup_add(body, "Thin lines: equal density, with 10, 30, 50 and 80 percent of the "
                         "rows outside. Dashed: where \"");
    owi_markup_text(
        body,
        ow_schema_class_name(ow_model_schema(m->what->model), (size_t)m->what->target), 60);
    owi_markup_add(
        body,
        "\" begins to be the most probable class. Red dots are rows as they are, green "
        "ones their answers, grey ones what lies between.</figcaption>");
}

static ow_status draw(map *m)
{
    owi_markup *body = &m->page->body;
    owi_markup_add(
        body,
        "<figure><svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
        "aria-label=\"Map of rows and answers\">\n<rect class=\"ground\" x=\"%d\" y=\"%d\" "
        "width=\"%d\" height=\"%d\"/>\n",
        picture_width, picture_height, picture_width, margin_left, margin_top, plot_width,
        plot_height);
    draw_lines(m);
    for (size_t i = 0; i < m->what->n_rows; i++) OWI_TRY(draw_row(m, &m->what->rows[i]));
    draw_axes(m);
    owi_markup_add(body, "</svg>");
    add_caption(m);
    owi_markup_add(body, "</figure>\n");
    return body->status;
}

void ow_page_map(ow_page *page, const ow_page_map_content *what)
{
    if (!owi_page_is_sound(page)) return;
    map m = {.page = page, .what = what};
    m.n_classes = ow_schema_n_classes(ow_model_schema(what->model));
    ow_status status = owi_map_axes_init(&m.axes, page->ctx, what->model, what->columns,
                                         what->rows, what->n_rows);
    if (status == OW_OK)
        status =
            ow_evaluator_new(ow_model_circuit(what->model), what->backend, &m.evaluator);
    if (status == OW_OK) status = set_frame(&m);
    if (status == OW_OK) status = fill_grid(&m);
    if (status == OW_OK) status = draw(&m);
    if (status != OW_OK) owi_page_fail(page, status);
    owi_free(page->ctx, m.density);
    owi_free(page->ctx, m.border);
    ow_evaluator_free(m.evaluator);
    owi_map_axes_clear(&m.axes);
}
