/* SPDX-License-Identifier: MIT */
/* Four panels that show on a plane what the two-step method does.  All is drawn in the
 * circuit's space, where gradients are taken. */
#include <math.h>
#include <string.h>

#include "otherwise/report.h"
#include "report/contour.h"
#include "report/support.h"
#include "report/svg.h"

enum {
    n_grid = 60,
    n_arrows = 13, /* along each axis                                             */
    n_panels = 4,
    panel_size = 300, /* five pixels for each point of the grid               */
    gap = 26,
    title_room = 58,
    n_lines = 9,
    arrow_length = 13
};

static const char *const class_colours[] = {"#c2410c", "#1d4ed8", "#15803d", "#7e22ce"};
enum { n_colours = sizeof class_colours / sizeof *class_colours };

typedef struct {
    owi_svg svg;
    ow_context *ctx;
    const ow_model *model;
    ow_evaluator *evaluator;
    size_t n_classes, n_rows;
    const int32_t *classes;
    float *rows; /* n_rows x 2, in the circuit's space               */
    double low[2], high[2];
    double *log_class; /* n_grid x n_grid x classes                        */
    double *heights;   /* n_grid x n_grid                                  */
} plane;

/* ---- Places ---- */

static double panel_left(int panel)
{
    return gap + (double)panel * (panel_size + gap);
}

static void add_place(plane *p, int panel, double x, double y)
{
    owi_markup_number(&p->svg,
                      panel_left(panel) +
                          panel_size * (x - p->low[0]) / (p->high[0] - p->low[0]),
                      1);
    owi_markup_add(&p->svg, " ");
    owi_markup_number(&p->svg,
                      title_room + panel_size * (p->high[1] - y) / (p->high[1] - p->low[1]),
                      1);
}

static void grid_point(const plane *p, size_t n, size_t x, size_t y, float point[2])
{
    point[0] = (float)(p->low[0] + (p->high[0] - p->low[0]) * (double)x / (double)(n - 1));
    point[1] = (float)(p->low[1] + (p->high[1] - p->low[1]) * (double)y / (double)(n - 1));
}

static void set_frame(plane *p)
{
    for (int k = 0; k < 2; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < p->n_rows; i++) {
            const double x = (double)p->rows[2 * i + (size_t)k];
            if (!isfinite(x)) continue;
            low = fmin(low, x), high = fmax(high, x);
        }
        if (!(high > low)) low = -1.0, high = 1.0;
        p->low[k] = low - 0.15 * (high - low);
        p->high[k] = high + 0.15 * (high - low);
    }
}

/* ---- Figures ---- */

static ow_status fill_grid(plane *p)
{
    float *line = owi_report_alloc(p->ctx, n_grid, 2 * sizeof *line);
    p->log_class = owi_report_alloc(p->ctx, n_grid * n_grid, p->n_classes * sizeof(double));
    p->heights = owi_report_alloc(p->ctx, n_grid * n_grid, sizeof *p->heights);
    ow_status status =
        line != NULL && p->log_class != NULL && p->heights != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t y = 0; y < n_grid && status == OW_OK; y++) {
        for (size_t x = 0; x < n_grid; x++) grid_point(p, n_grid, x, y, line + 2 * x);
        status = ow_evaluator_evaluate(p->evaluator, n_grid, line, NULL,
                                       p->log_class + y * n_grid * p->n_classes);
    }
    ow_bytes_free(line);
    return status;
}

static void fill_log_ratio(plane *p)
{
    for (size_t i = 0; i < n_grid * n_grid; i++)
        p->heights[i] = p->log_class[i * p->n_classes + 1] - p->log_class[i * p->n_classes];
}

static void fill_density(plane *p)
{
    ow_circuit_posterior(ow_model_circuit(p->model), n_grid * n_grid, p->log_class,
                         p->heights, NULL);
}

/* ---- Drawing ---- */

static void begin_panel(plane *p, int panel, const char *title)
{
    const long left = (long)panel_left(panel);
    owi_markup_add(&p->svg,
                   "<clipPath id=\"panel%d\"><rect x=\"%ld\" y=\"%d\" width=\"%d\" "
                   "height=\"%d\"/></clipPath>\n",
                   panel, left, title_room, panel_size, panel_size);
    owi_svg_label(&p->svg, left, title_room - 10, "font-size=\"13\" fill=\"#222\"", title,
                  60);
    owi_markup_add(&p->svg, "<g clip-path=\"url(#panel%d)\">\n", panel);
}

static void end_panel(plane *p, int panel)
{
    owi_markup_add(
        &p->svg,
        "</g>\n<rect x=\"%ld\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
        "stroke=\"#555\"/>\n",
        (long)panel_left(panel), title_room, panel_size, panel_size);
}

static void draw_rows(plane *p, int panel, const char *opacity)
{
    for (size_t i = 0; i < p->n_rows; i++) {
        if (isnan(p->rows[2 * i]) || isnan(p->rows[2 * i + 1])) continue;
        owi_markup_add(&p->svg,
                       "<path stroke=\"%s\" stroke-opacity=\"%s\" stroke-width=\"4\" "
                       "stroke-linecap=\"round\" d=\"M",
                       class_colours[(size_t)p->classes[i] % n_colours], opacity);
        add_place(p, panel, (double)p->rows[2 * i], (double)p->rows[2 * i + 1]);
        owi_markup_add(&p->svg, "h0\"/>");
    }
    owi_markup_add(&p->svg, "\n");
}

/* Each cell in its class's colour, the fainter the less certain. */
static void draw_classes(plane *p, int panel, double *posterior)
{
    const double step = (double)panel_size / n_grid;
    for (size_t y = 0; y < n_grid; y++)
        for (size_t x = 0; x < n_grid; x++) {
            size_t best = 0;
            ow_circuit_posterior(ow_model_circuit(p->model), 1,
                                 p->log_class + (y * n_grid + x) * p->n_classes, NULL,
                                 posterior);
            for (size_t c = 1; c < p->n_classes; c++)
                if (posterior[c] > posterior[best]) best = c;
            owi_markup_add(&p->svg, "<rect fill=\"%s\" fill-opacity=\"",
                           class_colours[best % n_colours]);
            owi_markup_number(&p->svg, 0.55 * posterior[best], 2);
            owi_markup_add(&p->svg, "\" x=\"");
            owi_markup_number(&p->svg, panel_left(panel) + step * (double)x, 1);
            owi_markup_add(&p->svg, "\" y=\"");
            owi_markup_number(&p->svg, title_room + panel_size - step * (double)(y + 1), 1);
            owi_markup_add(&p->svg, "\" width=\"5\" height=\"5\"/>");
        }
    owi_markup_add(&p->svg, "\n");
}

/* Lines between the 2nd and the 98th percentile of the heights, evenly in rank. */
static void draw_lines(plane *p, int panel, const double *levels, size_t n_levels)
{
    const owi_height_map map = {n_grid,     n_grid,     p->heights, panel_left(panel),
                                title_room, panel_size, panel_size};
    for (size_t i = 0; i < n_levels; i++) {
        owi_markup_add(&p->svg,
                       "<path fill=\"none\" stroke=\"#333\" stroke-opacity=\"%s\" d=\"",
                       levels[i] == 0.0 ? "1\" stroke-width=\"1.6" : "0.45");
        owi_contour_path(&p->svg, &map, levels[i]);
        owi_markup_add(&p->svg, "\"/>\n");
    }
}

/* All arrows have the same length: where gradients differ by orders of magnitude only the
 * direction can be seen. */
static void draw_arrow(plane *p, int panel, const float point[2], const float gradient[2])
{
    const double x_scale = (p->high[0] - p->low[0]) / panel_size;
    const double y_scale = (p->high[1] - p->low[1]) / panel_size;
    const double dx = (double)gradient[0] / x_scale, dy = (double)gradient[1] / y_scale;
    const double length = hypot(dx, dy);
    if (!(length > 0.0) || !isfinite(length)) return;
    const double ux = dx / length * arrow_length * x_scale;
    const double uy = dy / length * arrow_length * y_scale;
    owi_markup_add(&p->svg, "M");
    add_place(p, panel, (double)point[0], (double)point[1]);
    owi_markup_add(&p->svg, "L");
    add_place(p, panel, (double)point[0] + ux, (double)point[1] + uy);
    /* The head: two short strokes back from the tip, half a right angle to each side. */
    for (int side = -1; side <= 1; side += 2) {
        const double bx = -0.32 * (dx - side * dy) / length * arrow_length * x_scale;
        const double by = -0.32 * (dy + side * dx) / length * arrow_length * y_scale;
        owi_markup_add(&p->svg, "M");
        add_place(p, panel, (double)point[0] + ux, (double)point[1] + uy);
        owi_markup_add(&p->svg, "L");
        add_place(p, panel, (double)point[0] + ux + bx, (double)point[1] + uy + by);
    }
}

/* From a coarse grid; off_data: only where the density is lower than that of most of the
 * grid. */
static ow_status draw_arrows(plane *p, int panel, const double *class_factor,
                             double density_factor, double highest)
{
    ow_status status = OW_OK;
    owi_markup_add(&p->svg,
                   "<path fill=\"none\" stroke=\"#111\" stroke-width=\"1.1\" d=\"");
    for (size_t y = 0; y < n_arrows && status == OW_OK; y++)
        for (size_t x = 0; x < n_arrows && status == OW_OK; x++) {
            float point[2], gradient[2];
            double log_density;
            double log_class[16];
            const ow_mix mix = {class_factor, density_factor};
            grid_point(p, n_arrows, x, y, point);
            status = ow_evaluator_differentiate(p->evaluator, 1, point, 1, &mix, NULL,
                                                log_class, gradient);
            if (status != OW_OK) break;
            ow_circuit_posterior(ow_model_circuit(p->model), 1, log_class, &log_density,
                                 NULL);
            if (log_density < highest) draw_arrow(p, panel, point, gradient);
        }
    owi_markup_add(&p->svg, "\"/>\n");
    return status;
}

/* ---- The picture ---- */

static ow_status draw(plane *p)
{
    double factor[16] = {-1.0, 1.0}, posterior[16], highest = -INFINITY, levels[n_lines];
    begin_panel(p, 0, "Rows");
    draw_rows(p, 0, "0.8");
    end_panel(p, 0);

    begin_panel(p, 1, "Most probable class");
    draw_classes(p, 1, posterior);
    end_panel(p, 1);

    begin_panel(p, 2, "Log-ratio of the classes, step 1");
    fill_log_ratio(p);
    const double ratios[] = {-20, -10, -5, -2, 0, 2, 5, 10, 20};
    draw_lines(p, 2, ratios, n_lines);
    OWI_TRY(draw_arrows(p, 2, factor, 0.0, INFINITY));
    end_panel(p, 2);

    begin_panel(p, 3, "Log-density, step 2 off the data");
    fill_density(p);
    for (size_t i = 0; i < n_grid * n_grid; i++) highest = fmax(highest, p->heights[i]);
    for (int i = 0; i < n_lines; i++) levels[i] = highest - 0.5 - 1.2 * i - 0.01;
    draw_rows(p, 3, "0.15");
    draw_lines(p, 3, levels, n_lines);
    OWI_TRY(draw_arrows(p, 3, NULL, 1.0, highest - 3.0));
    end_panel(p, 3);
    return OW_OK;
}

ow_status ow_report_plane(const ow_model *model, size_t n_rows, const double *values,
                          const int32_t *classes, const char *title, char **svg)
{
    OWI_REQUIRE(model != NULL && title != NULL && svg != NULL);
    OWI_REQUIRE(n_rows == 0 || (values != NULL && classes != NULL));
    *svg = NULL;
    const ow_schema *schema = ow_model_schema(model);
    const ow_circuit_spec *spec = ow_circuit_get_spec(ow_model_circuit(model));
    if (ow_schema_n_columns(schema) != 2 || spec->n_columns != 2 || spec->n_classes < 2 ||
        spec->n_classes > 16 || spec->leaves[0].kind != OW_LEAF_GAUSSIAN ||
        spec->leaves[1].kind != OW_LEAF_GAUSSIAN)
        return owi_report_fail(
            OW_ERR_ARGUMENT,
            "a plane shows models of two number columns with Gaussian leaves and "
            "2 to 16 classes");
    plane p = {
        .model = model, .n_rows = n_rows, .classes = classes, .n_classes = spec->n_classes};
    p.ctx = ow_model_context(model);
    owi_svg_begin(&p.svg, p.ctx, gap + n_panels * (panel_size + gap),
                  title_room + panel_size + gap, title);
    owi_svg_label(&p.svg, gap, 24, "font-size=\"16\" font-weight=\"bold\" fill=\"#222\"",
                  title, 100);
    p.rows = owi_report_alloc(p.ctx, n_rows, 2 * sizeof *p.rows);
    ow_status status = p.rows == NULL ? OW_ERR_MEMORY : OW_OK;
    if (status == OW_OK) {
        ow_model_encode(model, n_rows, values, p.rows);
        set_frame(&p);
        status = ow_evaluator_new(ow_model_circuit(model), NULL, &p.evaluator);
    }
    if (status == OW_OK) status = fill_grid(&p);
    if (status == OW_OK) status = draw(&p);
    char *text = NULL;
    const ow_status written = owi_svg_end(&p.svg, &text);
    if (status == OW_OK) status = written;
    if (status == OW_OK)
        *svg = text;
    else
        ow_bytes_free(text);
    ow_evaluator_free(p.evaluator);
    ow_bytes_free(p.rows);
    ow_bytes_free(p.log_class);
    ow_bytes_free(p.heights);
    return status;
}
