/* SPDX-License-Identifier: MIT */
/* What the model decides about one row when two of its numbers change: shading of a map. */
#include <math.h>
#include <string.h>

#include "report/map_draw.h"
#include "report/support.h"

/* Above 0 where the target is decided.  Cut-offs may decide against the most probable
 * class, so the decision gives the sign. */
static double height_of(const owi_map *m, int32_t decided, const double *proba)
{
    const int32_t t = m->what->target;
    double other = 0.0;
    for (size_t c = 0; c < m->n_classes; c++)
        if ((int32_t)c != t) other = fmax(other, proba[c]);
    const double lead = fmax(fabs(proba[t] - other), 1e-6);
    return decided == t ? lead : -lead;
}

/* One line of the grid as rows of values: those of the given row, but for the two axes. */
static void make_line(const owi_map *m, size_t y, float *soft, double *values)
{
    const size_t n_columns = ow_schema_n_columns(ow_model_schema(m->what->model));
    for (size_t x = 0; x < owi_map_n_grid; x++) {
        const double share[2] = {(double)x / (owi_map_n_grid - 1),
                                 (double)y / (owi_map_n_grid - 1)};
        double point[2], *row = values + x * n_columns;
        double on_axes[2];
        for (int k = 0; k < 2; k++)
            point[k] = m->low[k] + share[k] * (m->high[k] - m->low[k]);
        owi_map_row(&m->axes, point, soft);
        ow_model_harden(m->what->model, 1, soft, row);
        for (int k = 0; k < 2; k++) on_axes[k] = row[m->axes.column[k]];
        memcpy(row, m->what->given, n_columns * sizeof *row);
        for (int k = 0; k < 2; k++) row[m->axes.column[k]] = on_axes[k];
    }
}

ow_status owi_map_fill_decisions(owi_map *m)
{
    const size_t n_columns = ow_schema_n_columns(ow_model_schema(m->what->model));
    ow_context *ctx = m->page->ctx;
    ow_predictor *predictor = NULL;
    m->border = owi_report_alloc(ctx, owi_map_n_grid * owi_map_n_grid, sizeof *m->border);
    float *soft = owi_report_alloc(ctx, m->axes.width, sizeof *soft);
    double *values = owi_report_alloc(ctx, owi_map_n_grid, n_columns * sizeof *values);
    double *proba = owi_report_alloc(ctx, owi_map_n_grid, m->n_classes * sizeof *proba);
    int32_t classes[owi_map_n_grid];
    ow_status status = OW_ERR_MEMORY;
    if (m->border != NULL && soft != NULL && values != NULL && proba != NULL)
        status = ow_predictor_new(m->what->model, m->what->backend, &predictor);
    for (size_t y = 0; y < owi_map_n_grid && status == OW_OK; y++) {
        const ow_predictions wanted = {.size = sizeof wanted,
                                       .classes = classes,
                                       .proba = proba};
        make_line(m, y, soft, values);
        status = ow_predictor_predict(predictor, owi_map_n_grid, values, NULL, &wanted);
        for (size_t x = 0; x < owi_map_n_grid && status == OW_OK; x++)
            m->border[y * owi_map_n_grid + x] =
                height_of(m, classes[x], proba + x * m->n_classes);
    }
    ow_predictor_free(predictor);
    ow_bytes_free(soft);
    ow_bytes_free(values);
    ow_bytes_free(proba);
    return status;
}

/* Runs of grid points that are decided for the target, as bars one point high. */
static void draw_run(owi_map *m, size_t y, size_t from, size_t to)
{
    const double step_x = (double)owi_map_area[2] / (owi_map_n_grid - 1),
                 step_y = (double)owi_map_area[3] / (owi_map_n_grid - 1);
    const double left = fmax(0.0, ((double)from - 0.5) * step_x),
                 right = fmin(owi_map_area[2], ((double)to - 0.5) * step_x);
    const double top = fmax(0.0, owi_map_area[3] - ((double)y + 0.5) * step_y),
                 bottom =
                     fmin(owi_map_area[3], owi_map_area[3] - ((double)y - 0.5) * step_y);
    owi_markup *body = &m->page->body;
    owi_markup_add(body, "M");
    owi_markup_number(body, owi_map_area[0] + left, 1);
    owi_markup_add(body, " ");
    owi_markup_number(body, owi_map_area[1] + top, 1);
    owi_markup_add(body, "h");
    owi_markup_number(body, right - left, 1);
    owi_markup_add(body, "v");
    owi_markup_number(body, bottom - top, 1);
    owi_markup_add(body, "h");
    owi_markup_number(body, left - right, 1);
    owi_markup_add(body, "z");
}

void owi_map_draw_decisions(owi_map *m)
{
    owi_markup *body = &m->page->body;
    owi_markup_add(body, "<path class=\"wanted\" d=\"");
    for (size_t y = 0; y < owi_map_n_grid; y++) {
        const double *line = m->border + y * owi_map_n_grid;
        for (size_t x = 0; x < owi_map_n_grid; x++) {
            if (!(line[x] > 0.0)) continue;
            const size_t from = x;
            while (x < owi_map_n_grid && line[x] > 0.0) x++;
            draw_run(m, y, from, x);
        }
    }
    owi_markup_add(body, "\"/>\n<path class=\"rows\" d=\"");
    for (size_t i = 0; i < m->n_dots; i++) {
        const double point[2] = {m->dots[i], m->dots[m->n_dots + i]};
        bool inside = true;
        for (int k = 0; k < 2; k++)
            inside = inside && point[k] >= m->low[k] && point[k] <= m->high[k];
        if (!inside) continue;
        owi_markup_add(body, "M");
        owi_map_add_place(m, point);
        owi_markup_add(body, "h0");
    }
    owi_markup_add(body, "\"/>\n");
}
