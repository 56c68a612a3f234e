/* SPDX-License-Identifier: MIT */
/* Lines of equal density, the border of the class, rows with what became of them, axes and
 * their values. */
#include "report/map_draw.h"

#include <math.h>
#include <stdio.h>

#include "report/contour.h"
#include "report/support.h"

enum {
    picture_width = 656,
    picture_height = 480,
    margin_left = 86,
    margin_top = 14,
    plot_width = 550,
    plot_height = 410
};

const int owi_map_area[4] = {margin_left, margin_top, plot_width, plot_height};

/* ---- Lines ---- */

static void draw_lines(owi_map *m)
{
    owi_markup *body = &m->page->body;
    if (m->what->given != NULL) owi_map_draw_decisions(m);
    owi_height_map heights = {owi_map_n_grid, owi_map_n_grid, m->density, margin_left,
                              margin_top,     plot_width,     plot_height};
    for (int i = 0; i < owi_map_n_levels && m->density != NULL; i++) {
        owi_markup_add(body, "<path class=\"axis\" opacity=\"0.%d\" d=\"", 3 + 2 * i);
        owi_contour_path(body, &heights, m->level[i]);
        owi_markup_add(body, "\"/>\n");
    }
    heights.heights = m->border;
    owi_markup_add(body, "<path fill=\"none\" stroke=\"var(--ink)\" stroke-width=\"1.5\" "
                         "stroke-dasharray=\"6 4\" d=\"");
    owi_contour_path(body, &heights, 0.0);
    owi_markup_add(body, "\"/>\n");
}

void owi_map_add_place(owi_map *m, const double point[2])
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

/* A dot as a line of no length with round ends: one attribute instead of two
 * coordinates. */
static void draw_dot(owi_map *m, const double point[2], const char *style)
{
    if (!isfinite(point[0]) || !isfinite(point[1])) return;
    owi_markup_add(&m->page->body, "<path stroke-linecap=\"round\" %s d=\"M", style);
    owi_map_add_place(m, point);
    owi_markup_add(&m->page->body, "h0\"/>");
}

/* Whether two rows differ in a column that is no axis. */
static bool differs_elsewhere(const owi_map *m, const double *a, const double *b)
{
    const size_t n = ow_schema_n_columns(ow_model_schema(m->what->model));
    for (size_t j = 0; j < n; j++)
        if (j != m->axes.column[0] && j != m->axes.column[1] && a[j] != b[j] &&
            !(isnan(a[j]) && isnan(b[j])))
            return true;
    return false;
}

/* What pointing at a dot tells: the values on the axes, and what else is different. */
static void add_title(owi_map *m, const char *what, const double *values,
                      const double *query)
{
    const ow_schema *schema = ow_model_schema(m->what->model);
    owi_markup *body = &m->page->body;
    char text[200];
    owi_markup_add(body, "<title>");
    owi_markup_text(body, what, 60);
    for (size_t j = 0; j < ow_schema_n_columns(schema) && !m->axes.is_principal; j++) {
        const bool on_axis = j == m->axes.column[0] || j == m->axes.column[1];
        const bool same = values[j] == query[j] || (isnan(values[j]) && isnan(query[j]));
        if (!on_axis && same) continue;
        ow_schema_print_value(schema, j, values[j], text, sizeof text);
        owi_markup_add(body, "; ");
        owi_markup_text(body, ow_schema_column(schema, j)->name, 60);
        owi_markup_add(body, " ");
        owi_markup_text(body, isnan(values[j]) ? "not known" : text, 60);
    }
    owi_markup_add(body, "</title>");
}

/* The end of a way, with its title.  Open where the picture is not that of its other
 * columns. */
static void draw_end(owi_map *m, const double point[2], const char *what,
                     const double *values, const double *query)
{
    const bool is_open =
        m->what->given != NULL && differs_elsewhere(m, values, m->what->given);
    if (!isfinite(point[0]) || !isfinite(point[1])) return;
    owi_markup_add(&m->page->body, "<g>");
    add_title(m, what, values, query);
    draw_dot(m, point,
             values == query ? "stroke=\"var(--ink)\" stroke-width=\"11\""
                             : "stroke=\"var(--accent)\" stroke-width=\"11\"");
    if (is_open) draw_dot(m, point, "stroke=\"var(--ground)\" stroke-width=\"6\"");
    owi_markup_add(&m->page->body, "</g>");
}

/* Beside the dot, on the side that has room. */
static void draw_name(owi_map *m, const double point[2], const char *name)
{
    if (!isfinite(point[0]) || !isfinite(point[1])) return;
    const bool right_half = point[0] > 0.5 * (m->low[0] + m->high[0]);
    owi_markup_add(&m->page->body,
                   "<text class=\"name\"%s dx=\"%d\" dy=\"-7\" transform=\"translate(",
                   right_half ? " text-anchor=\"end\"" : "", right_half ? -8 : 8);
    owi_map_add_place(m, point);
    owi_markup_add(&m->page->body, ")\">");
    owi_markup_text(&m->page->body, name, 48);
    owi_markup_add(&m->page->body, "</text>");
}

/* Moves a point that lies outside the picture to its edge. */
static void bring_inside(const owi_map *m, double point[2])
{
    for (int k = 0; k < 2; k++) point[k] = fmin(fmax(point[k], m->low[k]), m->high[k]);
}

static bool is_same_place(const owi_map *m, const double a[2], const double b[2])
{
    const double x = plot_width * (a[0] - b[0]) / (m->high[0] - m->low[0]),
                 y = plot_height * (a[1] - b[1]) / (m->high[1] - m->low[1]);
    return x * x + y * y < 64.0; /* pixels: within the dot */
}

/* An arrow to the next stop of a way, which `at` is then; none where it stays in place,
 * since other columns change there. */
static void draw_arrow(owi_map *m, double at[2], const double to[2])
{
    owi_markup *body = &m->page->body;
    if (!isfinite(to[0]) || !isfinite(to[1])) return;
    if (is_same_place(m, at, to)) return;
    owi_markup_add(body, "<path fill=\"none\" stroke=\"var(--ink)\" d=\"M");
    owi_map_add_place(m, at);
    owi_markup_add(body, "L");
    owi_map_add_place(m, to);
    owi_markup_add(body, "\" marker-end=\"url(#arrow-%zu)\"/>", m->page->n_maps);
    at[0] = to[0], at[1] = to[1];
}

/* From the query over what lies between to the answer. */
static ow_status draw_way(owi_map *m, const ow_page_map_row *row, const double from[2],
                          const double to[2])
{
    const size_t n_columns = ow_schema_n_columns(ow_model_schema(m->what->model));
    double between[2] = {NAN, NAN}, at[2] = {from[0], from[1]};
    if (row->intermediate != NULL) {
        owi_map_soft_point(&m->axes, row->intermediate, between);
        if (isfinite(between[0]) && isfinite(between[1])) bring_inside(m, between);
    }
    draw_arrow(m, at, between);
    draw_dot(m, between, "stroke=\"var(--soft)\" stroke-width=\"8\"");
    for (size_t i = 0; i < row->n_path; i++) {
        double point[2];
        OWI_TRY(owi_map_point(&m->axes, row->path + i * n_columns, point));
        bring_inside(m, point);
        draw_arrow(m, at, point);
        draw_dot(m, point, "stroke=\"var(--soft)\" stroke-width=\"6\"");
    }
    draw_arrow(m, at, to);
    return OW_OK;
}

static ow_status draw_row(owi_map *m, const ow_page_map_row *row)
{
    double from[2], to[2];
    OWI_TRY(owi_map_point(&m->axes, row->query, from));
    if (!isfinite(from[0]) || !isfinite(from[1])) return OW_OK;
    if (row->answer != NULL) {
        OWI_TRY(owi_map_point(&m->axes, row->answer, to));
        OWI_TRY(draw_way(m, row, from, to));
        draw_end(m, to, row->name != NULL ? row->name : "answer", row->answer, row->query);
        if (row->name != NULL) {
            char name[96];
            const bool stays = is_same_place(m, from, to);
            snprintf(name, sizeof name, stays ? "%.24s: mostly other columns" : "%.24s",
                     row->name);
            draw_name(m, to, name);
        }
    }
    draw_end(m, from, "the row as it is", row->query, row->query);
    owi_markup_add(&m->page->body, "\n");
    return OW_OK;
}

/* ---- Axes ---- */

enum { most_ticks = 12, tick_size = 32 };

typedef struct {
    double at; /* on the axis */
    char text[tick_size];
} tick;

/* What stands at a place of an axis, in the column's own units. */
static double value_at(const owi_map *m, int axis, double at)
{
    if (m->axes.is_principal) return at;
    const size_t n_columns = ow_schema_n_columns(ow_model_schema(m->what->model));
    ow_context *ctx = m->page->ctx;
    float *soft = owi_report_alloc(ctx, m->axes.width, sizeof *soft);
    double *values = owi_report_alloc(ctx, n_columns, sizeof *values), value = NAN;
    if (soft != NULL && values != NULL) {
        const double point[2] = {axis == 0 ? at : m->low[0], axis == 1 ? at : m->low[1]};
        owi_map_row(&m->axes, point, soft);
        ow_model_harden(m->what->model, 1, soft, values);
        value = values[m->axes.column[axis]];
    }
    ow_bytes_free(soft);
    ow_bytes_free(values);
    return value;
}

/* 1, 2 or 5 times a power of ten, such that two to five of them fit. */
static double round_step(double range)
{
    const double rough = range / 5.0, power = pow(10.0, floor(log10(rough)));
    const double lead = rough / power;
    return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

/* Puts a tick at a value; false where there is no room for more. */
static bool add_tick(const owi_map *m, int axis, double value, tick *ticks, size_t *n)
{
    double point[2] = {value, value};
    if (*n == most_ticks) return false;
    if (!m->axes.is_principal && !owi_map_place(&m->axes, axis, value, point)) return false;
    ticks[*n].at = point[axis];
    snprintf(ticks[*n].text, tick_size, fabs(value) < 1e6 ? "%.6g" : "%.3g", value);
    ++*n;
    return true;
}

/* 1, 2, 5, 10, 20, ... between two positive numbers. */
static size_t find_log_ticks(const owi_map *m, int axis, double from, double to,
                             tick ticks[most_ticks])
{
    static const double lead[] = {1.0, 2.0, 5.0};
    size_t n = 0;
    for (double power = pow(10.0, floor(log10(from))); power <= to; power *= 10.0)
        for (size_t i = 0; i < sizeof lead / sizeof *lead; i++) {
            const double value = lead[i] * power;
            if (value >= from && value <= to && !add_tick(m, axis, value, ticks, &n))
                return n;
        }
    return n;
}

/* Round numbers along an axis; returns how many. */
static size_t find_ticks(const owi_map *m, int axis, tick ticks[most_ticks])
{
    const double from = value_at(m, axis, m->low[axis]),
                 to = value_at(m, axis, m->high[axis]);
    size_t n = 0;
    if (!(to > from) || !isfinite(to - from)) return 0;
    /* Half way along the axis is far below half of the numbers: it is logarithmic. */
    const double middle = value_at(m, axis, 0.5 * (m->low[axis] + m->high[axis]));
    if (from > 0.0 && middle - from < 0.3 * (to - from))
        return find_log_ticks(m, axis, from, to, ticks);
    double step = round_step(to - from);
    if (!m->axes.is_principal &&
        ow_schema_column(ow_model_schema(m->what->model), m->axes.column[axis])->type ==
            OW_TYPE_INTEGER)
        step = fmax(step, 1.0);
    for (double i = ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; i++) {
        const double value = i == 0.0 ? 0.0 : i * step; /* no -0 */
        if (!add_tick(m, axis, value, ticks, &n)) break;
    }
    return n;
}

/* How far along the axis, in pixels. */
static int pixels_along(const owi_map *m, int axis, double at)
{
    const double share = (at - m->low[axis]) / (m->high[axis] - m->low[axis]);
    return (int)lround(share * (axis == 0 ? plot_width : plot_height));
}

static void draw_ticks(owi_map *m, int axis)
{
    enum { least_gap = 44 }; /* between the words below the picture */
    owi_markup *body = &m->page->body;
    tick ticks[most_ticks];
    const size_t n = find_ticks(m, axis, ticks);
    const int bottom = margin_top + plot_height;
    int last = -least_gap;
    for (size_t i = 0; i < n; i++) {
        const int at = pixels_along(m, axis, ticks[i].at);
        if (at - last < (axis == 0 ? (int)least_gap : 16)) continue;
        last = at;
        if (axis == 0)
            owi_markup_add(body,
                           "<path class=\"axis\" d=\"M%d %dv5\"/><text "
                           "text-anchor=\"middle\" x=\"%d\" y=\"%d\">",
                           margin_left + at, bottom, margin_left + at, bottom + 19);
        else
            owi_markup_add(body,
                           "<path class=\"axis\" d=\"M%d %dh-5\"/><text "
                           "text-anchor=\"end\" x=\"%d\" y=\"%d\">",
                           margin_left, bottom - at, margin_left - 8, bottom - at + 4);
        owi_markup_text(body, ticks[i].text, 12);
        owi_markup_add(body, "</text>\n");
    }
}

static void draw_axes(owi_map *m)
{
    owi_markup *body = &m->page->body;
    char text[64];
    owi_markup_add(body,
                   "<rect class=\"axis\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                   margin_left, margin_top, plot_width, plot_height);
    for (int axis = 0; axis < 2; axis++) draw_ticks(m, axis);
    owi_map_axis_name(&m->axes, 0, text, sizeof text);
    owi_markup_add(body, "<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">",
                   margin_left + plot_width / 2, picture_height - 14);
    owi_markup_text(body, text, 60);
    owi_map_axis_name(&m->axes, 1, text, sizeof text);
    owi_markup_add(body,
                   "</text><text text-anchor=\"middle\" transform=\"translate(18 %d) "
                   "rotate(-90)\">",
                   margin_top + plot_height / 2);
    owi_markup_text(body, text, 60);
    owi_markup_add(body, "</text>\n");
}

/* ---- The whole ---- */

static void add_class_name(owi_map *m)
{
    owi_markup_text(
        &m->page->body,
        ow_schema_class_name(ow_model_schema(m->what->model), (size_t)m->what->target), 60);
}

static void add_caption(owi_map *m)
{
    owi_markup *body = &m->page->body;
    char x[64], y[64];
    owi_map_axis_name(&m->axes, 0, x, sizeof x);
    owi_map_axis_name(&m->axes, 1, y, sizeof y);
    owi_markup_add(body, "<figcaption class=\"caption\">");
    if (m->what->given != NULL) {
        owi_markup_add(body, "Coloured: where the model says \"");
        add_class_name(m);
        owi_markup_add(body, "\" of this row if only ");
        owi_markup_text(body, x, 60);
        owi_markup_add(body, " and ");
        owi_markup_text(body, y, 60);
        owi_markup_add(
            body,
            " change. The black dot is the row as it is, arrows lead to "
            "answers; an open dot changes other columns, too, so that the "
            "border is not its own. An answer may lie beyond the border in "
            "order to be as typical as was asked for. Grey dots: where rows are common, "
            "drawn from what the model has learned. Point at a dot for "
            "its values.</figcaption>");
        return;
    }
    owi_markup_text(body, x, 60);
    owi_markup_add(body, " against ");
    owi_markup_text(body, y, 60);
    owi_markup_add(body, m->axes.is_principal
                             ? ": the plane along which rows spread most. "
                             : ", everything else left open, as the circuit sees it. ");
    owi_markup_add(body, "Thin lines: equal density, with 10, 30, 50 and 80 percent of the "
                         "rows outside. Dashed: where \"");
    add_class_name(m);
    owi_markup_add(
        body,
        "\" begins to be the most probable class. Black dots are rows as they are, blue "
        "ones their answers, grey ones what lies between (at the edge: outside the "
        "picture).</figcaption>");
}

ow_status owi_map_draw(owi_map *m)
{
    owi_markup *body = &m->page->body;
    m->page->n_maps++;
    owi_markup_add(
        body,
        "<figure><svg class=\"wide\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
        "aria-label=\"Map of rows and answers\">\n<rect class=\"ground\" x=\"%d\" y=\"%d\" "
        "width=\"%d\" height=\"%d\"/>\n",
        picture_width, picture_height, picture_width, margin_left, margin_top, plot_width,
        plot_height);
    owi_markup_add(body,
                   "<defs><marker id=\"arrow-%zu\" viewBox=\"0 0 10 10\" refX=\"17\" "
                   "refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path "
                   "d=\"M0 1L9 5L0 9z\" "
                   "fill=\"var(--ink)\"/></marker></defs>\n",
                   m->page->n_maps);
    draw_lines(m);
    for (size_t i = 0; i < m->what->n_rows; i++) OWI_TRY(draw_row(m, &m->what->rows[i]));
    draw_axes(m);
    owi_markup_add(body, "</svg>");
    add_caption(m);
    owi_markup_add(body, "</figure>\n");
    return body->status;
}
