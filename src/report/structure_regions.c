/* SPDX-License-Identifier: MIT */
/* A repetition of a circuit as a picture: partitions, inner regions, leaf regions. */
#include <stdio.h>

#include "report/structure_svg.h"

long owi_drawing_level_y(size_t level)
{
    return partition_y + (long)level * level_height;
}

/* The middle of region p at a level of a repetition that begins at x. */
long owi_drawing_region_x(const owi_drawing *d, long x, size_t level, size_t p)
{
    const long boxes = (long)(d->n_leaves >> level);
    return x + ((2 * (long)p + 1) * boxes * slot) / 2;
}

void owi_draw_node(owi_drawing *d, long x, long y, const char *style, const char *sign)
{
    owi_svg_circle(&d->svg, x, y, radius, style);
    owi_svg_label(&d->svg, x, y + 7, OWI_SIGN, sign, 2);
}

/* ---- Leaf regions ---- */

/* The columns of a region of an image as they lie in it: one dark stroke for each run of
 * pixels in a line. */
static void draw_pixels(owi_drawing *d, const uint32_t *columns, size_t n, long x, long y)
{
    const ow_layout layout = ow_schema_layout(ow_model_schema(d->model));
    const long side = 64;
    owi_markup_add(
        &d->svg,
        "<svg x=\"%ld\" y=\"%ld\" width=\"%ld\" height=\"%ld\" viewBox=\"0 0 %zu %zu\">"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/><path fill=\"#4a9440\" "
        "d=\"",
        x - side / 2, y, side, side, layout.width, layout.height);
    for (size_t i = 0, run; i < n; i += run) {
        const size_t first = columns[i], left = layout.width - first % layout.width;
        for (run = 1; run < left && i + run < n && columns[i + run] == first + run;) run++;
        owi_markup_add(&d->svg, "M%zu %zuh%zuv1h-%zuz", first % layout.width,
                       first / layout.width, run, run);
    }
    owi_markup_add(&d->svg, "\"/></svg>\n");
}

/* The names of a region's columns, each once: one-hot columns of a category share
 * theirs. */
static void draw_names(owi_drawing *d, const uint32_t *columns, size_t n,
                       size_t n_different, long x, long y)
{
    size_t told = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t j = d->column_of[columns[i]];
        if (i > 0 && j == d->column_of[columns[i - 1]]) continue;
        if (told == most_names - 1 && n_different > most_names) break;
        owi_svg_label(&d->svg, x, y + (long)told * line_height, OWI_SMALL,
                      ow_schema_column(ow_model_schema(d->model), j)->name, columns_of_box);
        told++;
    }
    if (told == n_different) return;
    char more[64];
    snprintf(more, sizeof more, "and %zu more", n_different - told);
    owi_svg_label(&d->svg, x, y + (long)told * line_height, OWI_SMALL, more,
                  columns_of_box);
}

static void draw_leaf(owi_drawing *d, size_t copy, size_t repetition, size_t region, long x,
                      long y)
{
    size_t n, n_different = 0;
    const uint32_t *columns = ow_circuit_region(d->circuit, copy, repetition, region, &n);
    char text[96];
    for (size_t i = 0; i < n; i++)
        n_different += i == 0 || d->column_of[columns[i]] != d->column_of[columns[i - 1]];
    owi_svg_box(&d->svg, x - box_width / 2, y, box_width, box_height, OWI_LEAF);
    snprintf(text, sizeof text, "%zu input%s", d->spec->inputs,
             owi_plural(d->spec->inputs));
    owi_svg_label(&d->svg, x, y + 16, OWI_NAME, text, columns_of_box);
    snprintf(text, sizeof text, "%zu column%s", n_different, owi_plural(n_different));
    owi_svg_label(&d->svg, x, y + 31, OWI_SMALL, text, columns_of_box);
    if (ow_schema_layout(ow_model_schema(d->model)).kind == OW_LAYOUT_IMAGE)
        draw_pixels(d, columns, n, x, y + 36);
    else
        draw_names(d, columns, n, n_different, x, y + 49);
}

/* A region that is halved further than the picture goes. */
static void draw_deeper(owi_drawing *d, long x, long y)
{
    char text[96];
    owi_svg_box(&d->svg, x - box_width / 2, y, box_width, 44, OWI_REST);
    snprintf(text, sizeof text, "%zu sum%s", d->spec->sums, owi_plural(d->spec->sums));
    owi_svg_label(&d->svg, x, y + 17, OWI_NAME, text, columns_of_box);
    snprintf(text, sizeof text, "halved %zu more time%s", d->spec->depth - d->depth,
             owi_plural(d->spec->depth - d->depth));
    owi_svg_label(&d->svg, x, y + 34, OWI_SMALL, text, columns_of_box);
}

/* ---- A repetition ---- */

/* An inner region: its sums, and the partition below them. */
static void draw_inner(owi_drawing *d, size_t level, long x)
{
    const long y = owi_drawing_level_y(level) - 15;
    char text[64];
    owi_svg_line(&d->svg, x, y, x, y + 50, OWI_EDGE);
    owi_draw_node(d, x, y, OWI_SUM, "+");
    snprintf(text, sizeof text, "%zu sum%s", d->spec->sums, owi_plural(d->spec->sums));
    owi_svg_label(&d->svg, x + radius + 8, y + 4, OWI_LEFT, text, columns_of_box);
    owi_draw_node(d, x, y + 50, OWI_PRODUCT, "\xC3\x97");
}

/* The regions of one level, and the edges up to the partitions above them. */
static void draw_level(owi_drawing *d, size_t copy, size_t repetition, long left,
                       size_t level)
{
    const bool last = level == d->depth;
    for (size_t p = 0; p < (size_t)1 << level; p++) {
        const long x = owi_drawing_region_x(d, left, level, p);
        const long above_x = owi_drawing_region_x(d, left, level - 1, p / 2);
        const long above_y = level == 1 ? partition_y : owi_drawing_level_y(level - 1) + 35;
        const long y = last ? owi_drawing_level_y(level) - 10
                            : owi_drawing_level_y(level) - 15 - radius;
        owi_svg_line(&d->svg, above_x, above_y + radius, x, y, OWI_EDGE);
        if (!last)
            draw_inner(d, level, x);
        else if (d->depth < d->spec->depth)
            draw_deeper(d, x, y);
        else
            draw_leaf(d, copy, repetition, p, x, y);
    }
}

void owi_draw_repetition(owi_drawing *d, size_t copy, size_t repetition, long left)
{
    const long x = owi_drawing_region_x(d, left, 0, 0);
    if (d->depth == 0) {
        draw_leaf(d, copy, repetition, 0, x, partition_y - 30);
        return;
    }
    const size_t K = d->spec->depth == 1 ? d->spec->inputs : d->spec->sums;
    char text[96];
    for (size_t level = 1; level <= d->depth; level++)
        draw_level(d, copy, repetition, left, level);
    owi_draw_node(d, x, partition_y, OWI_PRODUCT, "\xC3\x97");
    snprintf(text, sizeof text, "repetition %zu", repetition + 1);
    owi_svg_label(&d->svg, x + radius + 8, partition_y - 3, OWI_LEFT, text, columns_of_box);
    snprintf(text, sizeof text, "%zu x %zu products", K, K);
    owi_svg_label(&d->svg, x + radius + 8, partition_y + 11, OWI_LEFT, text,
                  columns_of_box);
}
