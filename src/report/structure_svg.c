/* SPDX-License-Identifier: MIT */
/* The structure of a circuit, drawn from the density down to the leaf regions:
 *
 *     S(x)                     mixture of the classes, P(c) at its edges
 *     root of each class       mixture over all pairs of all repetitions
 *     partition                products of pairs, left and right half of the columns
 *     inner region             sums over the pairs of its halves (from depth 2 on)
 *     leaf region              its columns by name, or as a picture where rows are images
 *
 * Every level is a line of the picture; the leaf regions of a repetition stand side by side
 * at equal distances, and everything above them in the middle of what is below.  What there
 * is no room for is counted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "otherwise/file.h"
#include "otherwise/report.h"
#include "report/structure_svg.h"
#include "report/support.h"

static bool is_shared(const owi_drawing *d)
{
    return d->spec->structure == OW_STRUCTURE_SHARED;
}

/* ---- Where things are ---- */

static bool has_more_repetitions(const owi_drawing *d)
{
    return d->n_repetitions < d->spec->repetitions;
}

static long repetition_width(const owi_drawing *d)
{
    return (long)d->n_leaves * slot;
}

/* All repetitions of one sub-circuit, and what counts the others. */
static long part_width(const owi_drawing *d)
{
    const long n = (long)d->n_repetitions;
    return n * repetition_width(d) + (n - 1) * between_parts +
           (has_more_repetitions(d) ? between_parts + root_width : 0);
}

/* The width of everything below the mixture. */
static long whole_width(const owi_drawing *d)
{
    const long n_rest =
        (long)(d->n_roots - d->n_detailed) + (d->spec->n_classes > d->n_roots);
    const long rest = n_rest * (root_width + between_parts);
    if (is_shared(d)) {
        const long roots =
            (long)(d->n_roots + (d->spec->n_classes > d->n_roots)) * root_width;
        return roots > part_width(d) ? roots : part_width(d);
    }
    return (long)d->n_detailed * (part_width(d) + between_parts) + rest;
}

static long repetition_x(const owi_drawing *d, long part_x, size_t repetition)
{
    return part_x + (long)repetition * (repetition_width(d) + between_parts);
}

/* ---- Roots ---- */

/* A sub-circuit below the root at root_x. */
static void draw_part(owi_drawing *d, size_t copy, long part_x)
{
    for (size_t r = 0; r < d->n_repetitions; r++)
        owi_draw_repetition(d, copy, r, repetition_x(d, part_x, r));
    if (!has_more_repetitions(d)) return;
    char text[64];
    const long x = part_x + part_width(d) - root_width, y = partition_y - 22;
    owi_svg_box(&d->svg, x, y, root_width, 44, OWI_REST);
    snprintf(text, sizeof text, "and %zu more", d->spec->repetitions - d->n_repetitions);
    owi_svg_label(&d->svg, x + root_width / 2, y + 18, OWI_NAME, text, columns_of_box);
    owi_svg_label(&d->svg, x + root_width / 2, y + 34, OWI_SMALL, "repetitions",
                  columns_of_box);
}

static void draw_edges_to_part(owi_drawing *d, long root_x, long part_x)
{
    const long top = d->depth == 0 ? partition_y - 30 : partition_y - radius;
    for (size_t r = 0; r < d->n_repetitions; r++)
        owi_svg_line(&d->svg, root_x, root_y + radius,
                     owi_drawing_region_x(d, repetition_x(d, part_x, r), 0, 0), top,
                     OWI_EDGE);
    if (has_more_repetitions(d))
        owi_svg_line(&d->svg, root_x, root_y + radius,
                     part_x + part_width(d) - root_width / 2, partition_y - 22,
                     OWI_FAINT_EDGE);
}

static void draw_root(owi_drawing *d, size_t c, long x)
{
    char prior[32];
    owi_svg_line(&d->svg, d->width / 2, mixture_y + radius, x, root_y - radius, OWI_EDGE);
    owi_draw_node(d, x, root_y, OWI_SUM, "+");
    owi_svg_label(&d->svg, x + radius + 8, root_y - 2, OWI_LEFT_NAME,
                  ow_schema_class_name(ow_model_schema(d->model), c), 13);
    /* In thousandths, so that no locale has a say in the point. */
    const long prior_thousandths =
        lround(1000.0 * exp(ow_circuit_log_prior(d->circuit)[c]));
    snprintf(prior, sizeof prior, "P = %ld.%03ld", prior_thousandths / 1000,
             prior_thousandths % 1000);
    owi_svg_label(&d->svg, x + radius + 8, root_y + 13, OWI_LEFT, prior, columns_of_box);
}

/* What stands for the classes behind the last that is drawn. */
static void draw_other_roots(owi_drawing *d, long x)
{
    char text[64];
    const size_t n = d->spec->n_classes - d->n_roots;
    owi_svg_line(&d->svg, d->width / 2, mixture_y + radius, x, root_y - 22, OWI_FAINT_EDGE);
    owi_svg_box(&d->svg, x - root_width / 2, root_y - 22, root_width, 44, OWI_REST);
    snprintf(text, sizeof text, "and %zu more", n);
    owi_svg_label(&d->svg, x, root_y - 4, OWI_NAME, text, columns_of_box);
    owi_svg_label(&d->svg, x, root_y + 12, OWI_SMALL, n == 1 ? "class" : "classes",
                  columns_of_box);
}

/* C roots over the same repetitions. */
static void draw_shared(owi_drawing *d)
{
    const size_t n = d->n_roots + (d->spec->n_classes > d->n_roots);
    const long part_x = (d->width - part_width(d)) / 2;
    for (size_t i = 0; i < n; i++) {
        const long x = (2 * (long)i + 1) * d->width / (2 * (long)n);
        if (i < d->n_roots) {
            draw_edges_to_part(d, x, part_x);
            draw_root(d, i, x);
        } else {
            draw_other_roots(d, x);
        }
    }
    draw_part(d, 0, part_x);
}

/* A sub-circuit that looks like those drawn, with other numbers. */
static void draw_hidden_part(owi_drawing *d, long x)
{
    const long y = partition_y - 22;
    owi_svg_line(&d->svg, x, root_y + radius, x, y, OWI_FAINT_EDGE);
    owi_svg_box(&d->svg, x - root_width / 2, y, root_width, 44, OWI_REST);
    owi_svg_label(&d->svg, x, y + 18, OWI_NAME, "its own", columns_of_box);
    owi_svg_label(&d->svg, x, y + 34, OWI_SMALL, "sub-circuit, alike", columns_of_box);
}

/* A root with its own sub-circuit for each class. */
static void draw_per_class(owi_drawing *d)
{
    long x = (d->width - whole_width(d) + between_parts) / 2;
    for (size_t c = 0; c < d->n_roots; c++) {
        if (c < d->n_detailed) {
            const long root_x = x + part_width(d) / 2;
            draw_edges_to_part(d, root_x, x);
            draw_root(d, c, root_x);
            draw_part(d, c, x);
            x += part_width(d) + between_parts;
        } else {
            draw_root(d, c, x + root_width / 2);
            draw_hidden_part(d, x + root_width / 2);
            x += root_width + between_parts;
        }
    }
    if (d->spec->n_classes > d->n_roots) draw_other_roots(d, x + root_width / 2);
}

/* ---- The picture ---- */

void owi_draw_heading(owi_drawing *d, const char *sizes)
{
    const char *label = ow_schema_label(ow_model_schema(d->model));
    char text[256];
    snprintf(text, sizeof text, "Model of %.200s", label != NULL ? label : "the classes");
    owi_svg_label(&d->svg, margin, margin + 8, OWI_TITLE, text, 60);
    owi_svg_label(&d->svg, margin, margin + 26, OWI_LEFT, sizes, 160);
}

static void draw_title(owi_drawing *d)
{
    const ow_schema *schema = ow_model_schema(d->model);
    const ow_circuit_spec *spec = d->spec;
    char text[256];
    snprintf(text, sizeof text,
             "%zu column%s, %zu classes, %s, depth %zu, %zu repetition%s, %zu input%s, "
             "%zu leaf parameters, %zu weights",
             ow_schema_n_columns(schema), owi_plural(ow_schema_n_columns(schema)),
             spec->n_classes, is_shared(d) ? "shared circuit" : "a circuit for each class",
             spec->depth, spec->repetitions, owi_plural(spec->repetitions), spec->inputs,
             owi_plural(spec->inputs), ow_circuit_n_leaf_parameters(d->circuit),
             ow_circuit_n_weights(d->circuit));
    owi_draw_heading(d, text);
}

static void draw_legend(owi_drawing *d)
{
    const long y = d->height - legend_room + 30;
    owi_draw_node(d, margin + radius, y, OWI_SUM, "+");
    owi_svg_label(&d->svg, margin + 42, y + 4, OWI_LEFT, "sum: a weighted mixture", 40);
    owi_draw_node(d, margin + 230, y, OWI_PRODUCT, "\xC3\x97");
    owi_svg_label(&d->svg, margin + 255, y + 4, OWI_LEFT,
                  "products of the pairs of two halves", 50);
    owi_svg_box(&d->svg, margin + 470, y - 12, 34, 24, OWI_LEAF);
    owi_svg_label(&d->svg, margin + 512, y + 4, OWI_LEFT, "inputs: products of leaves", 50);
}

/* How much of the circuit the picture shows. */
static void plan(owi_drawing *d)
{
    const ow_circuit_spec *spec = d->spec;
    d->depth = owi_smaller(spec->depth, most_depth);
    d->n_leaves = (size_t)1 << d->depth;
    d->n_roots = owi_smaller(spec->n_classes, most_roots);
    d->n_detailed = is_shared(d) ? d->n_roots : 1;
    if (!is_shared(d) && spec->n_classes == 2 && d->depth <= 1) d->n_detailed = 2;
    const size_t n_parts = is_shared(d) ? 1 : d->n_detailed;
    const size_t room = most_leaves / (d->n_leaves * n_parts);
    d->n_repetitions =
        owi_smaller(spec->repetitions, owi_smaller(room > 0 ? room : 1, most_repetitions));
    d->width = 2 * margin + whole_width(d);
    if (d->width < least_width) d->width = least_width;
    d->height = owi_drawing_level_y(d->depth) + (d->depth == 0 ? -20 : 0) + box_height +
                legend_room;
}

static ow_status find_columns(owi_drawing *d)
{
    d->column_of = owi_report_alloc(ow_model_context(d->model), d->spec->n_columns,
                                    sizeof *d->column_of);
    if (d->column_of == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < ow_schema_n_columns(ow_model_schema(d->model)); j++) {
        size_t first, width;
        ow_model_span(d->model, j, &first, &width);
        for (size_t i = 0; i < width; i++) d->column_of[first + i] = j;
    }
    return OW_OK;
}

/* Halves: the mixture, the roots of the classes, and what is below them. */
static void draw_halves(owi_drawing *d)
{
    plan(d);
    owi_svg_begin(&d->svg, ow_model_context(d->model), d->width, d->height,
                  "The structure of the circuit");
    draw_title(d);
    if (is_shared(d))
        draw_shared(d);
    else
        draw_per_class(d);
    owi_draw_node(d, d->width / 2, mixture_y, OWI_SUM, "+");
    owi_svg_label(&d->svg, d->width / 2 + radius + 8, mixture_y + 5, OWI_LEFT_NAME, "S(x)",
                  10);
    draw_legend(d);
}

ow_status ow_report_structure(const ow_model *model, char **svg)
{
    OWI_REQUIRE(model != NULL && svg != NULL);
    *svg = NULL;
    owi_drawing d = {.model = model, .circuit = ow_model_circuit(model)};
    d.spec = ow_circuit_get_spec(d.circuit);
    OWI_TRY(find_columns(&d));
    if (d.spec->parents != NULL)
        owi_draw_trees(&d);
    else
        draw_halves(&d);
    ow_bytes_free(d.column_of);
    return owi_svg_end(&d.svg, svg);
}

ow_status ow_report_structure_save(const ow_model *model, const char *path)
{
    char *svg = NULL;
    OWI_REQUIRE(model != NULL && path != NULL);
    OWI_TRY(ow_report_structure(model, &svg));
    const ow_status status = ow_file_write(ow_model_context(model), path, svg, strlen(svg));
    ow_bytes_free(svg);
    return status;
}
