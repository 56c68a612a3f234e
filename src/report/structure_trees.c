/* SPDX-License-Identifier: MIT */
/* A circuit of trees as a picture: every tree from its root on the left to the right, a box
 * with the name of its column for each node.  Numbers that follow from others tell the
 * trees nothing: they stand below, each with what it follows from. */
#include <stdio.h>
#include <string.h>

#include "report/structure_svg.h"
#include "report/support.h"

enum {
    most_trees = 3,  /* drawn                                        */
    most_nodes = 72, /* of a tree: the first ones from the root      */
    most_following = 24,
    node_width = 150,
    node_height = 24,
    level_gap = 44,
    row_height = 32,
    top_room = 96,
    tree_room = 40 /* above each: its name */
};

/* Where the nodes of one tree are. */
typedef struct {
    size_t n_nodes, n_drawn, n_levels;
    size_t parent[most_nodes], level[most_nodes];
    bool left_out[most_nodes]; /* it follows from others, and nothing hangs on it */
    long y[most_nodes];        /* the middle of the box, from the top of the tree */
    long height;
} tree_layout;

/* The group of columns that a column is in, as ow_circuit_spec.parents numbers them. */
static size_t group_of(const ow_circuit_spec *spec, size_t column)
{
    size_t group = 0;
    for (size_t j = 1; j <= column; j++)
        group += spec->leaves[j].group != spec->leaves[j - 1].group;
    return group;
}

static size_t node_group(const owi_drawing *d, size_t tree, size_t node)
{
    size_t n;
    return group_of(d->spec, ow_circuit_region(d->circuit, 0, tree, node, &n)[0]);
}

/* Gives a node and all below it their places, those without children a row each; *row is
 * the next free one. */
static void place(tree_layout *layout, size_t node, size_t *row)
{
    long first = -1, last = -1;
    for (size_t child = node + 1; child < layout->n_drawn; child++) {
        if (layout->parent[child] != node || layout->left_out[child]) continue;
        layout->level[child] = layout->level[node] + 1;
        place(layout, child, row);
        if (first < 0) first = layout->y[child];
        last = layout->y[child];
    }
    if (layout->n_levels < layout->level[node] + 1)
        layout->n_levels = layout->level[node] + 1;
    layout->y[node] =
        first < 0 ? (long)(*row)++ * row_height + row_height / 2 : (first + last) / 2;
}

static void lay_out(const owi_drawing *d, size_t tree, tree_layout *layout)
{
    size_t group[most_nodes], row = 0;
    const size_t n_groups = group_of(d->spec, d->spec->n_columns - 1) + 1;
    *layout = (tree_layout){.n_nodes = n_groups, .n_drawn = n_groups};
    if (layout->n_drawn > most_nodes) layout->n_drawn = most_nodes;
    /* A node stands behind its parent, so that the first ones are a tree of their own. */
    for (size_t node = 0; node < layout->n_drawn; node++) {
        group[node] = node_group(d, tree, node);
        const size_t above = d->spec->parents[tree * n_groups + group[node]];
        for (size_t p = 0; p < node; p++)
            if (group[p] == above) layout->parent[node] = p;
    }
    for (size_t node = 1; node < layout->n_drawn; node++) {
        size_t n;
        const uint32_t *columns = ow_circuit_region(d->circuit, 0, tree, node, &n);
        layout->left_out[node] = d->spec->leaves[columns[0]].kind == OW_LEAF_FOLLOWS;
    }
    for (size_t node = layout->n_drawn; node-- > 1;)
        if (!layout->left_out[node]) layout->left_out[layout->parent[node]] = false;
    place(layout, 0, &row);
    layout->height = (long)row * row_height;
}

static long level_x(size_t level)
{
    return margin + (long)level * (node_width + level_gap);
}

static void draw_tree(owi_drawing *d, size_t tree, const tree_layout *layout, long top)
{
    const ow_schema *schema = ow_model_schema(d->model);
    char text[96];
    if (layout->n_drawn < layout->n_nodes)
        snprintf(text, sizeof text, "Tree %zu: %zu of %zu columns, from the root", tree + 1,
                 layout->n_drawn, layout->n_nodes);
    else
        snprintf(text, sizeof text, "Tree %zu", tree + 1);
    owi_svg_label(&d->svg, margin, top - 14, OWI_LEFT_NAME, text, 60);
    for (size_t node = 1; node < layout->n_drawn; node++) {
        if (layout->left_out[node]) continue;
        const size_t above = layout->parent[node];
        const long x1 = level_x(layout->level[above]) + node_width;
        const long x2 = level_x(layout->level[node]), middle = (x1 + x2) / 2;
        owi_markup_add(
            &d->svg,
            "<path d=\"M%ld %ldC%ld %ld %ld %ld %ld %ld\" fill=\"none\" " OWI_EDGE "/>\n",
            x1, top + layout->y[above], middle, top + layout->y[above], middle,
            top + layout->y[node], x2, top + layout->y[node]);
    }
    for (size_t node = 0; node < layout->n_drawn; node++) {
        if (layout->left_out[node]) continue;
        size_t n;
        const uint32_t *columns = ow_circuit_region(d->circuit, 0, tree, node, &n);
        const ow_column *column = ow_schema_column(schema, d->column_of[columns[0]]);
        const long x = level_x(layout->level[node]), y = top + layout->y[node];
        owi_svg_box(&d->svg, x, y - node_height / 2, node_width, node_height,
                    column->n_levels > 0 ? OWI_PRODUCT : OWI_LEAF);
        owi_svg_label(&d->svg, x + node_width / 2, y + 4, OWI_SMALL, column->name,
                      columns_of_box);
    }
}

static const char *name_of(const owi_drawing *d, size_t column)
{
    return ow_schema_column(ow_model_schema(d->model), d->column_of[column])->name;
}

static size_t n_following(const owi_drawing *d)
{
    return owi_smaller(d->spec->n_sheets, most_following);
}

static long following_room(const owi_drawing *d)
{
    return d->spec->n_sheets > 0 ? tree_room + (long)n_following(d) * row_height : 0;
}

/* The numbers that follow from others, a row each. */
static void draw_following(owi_drawing *d, long top)
{
    if (d->spec->n_sheets == 0) return;
    owi_svg_label(&d->svg, margin, top - 14, OWI_LEFT_NAME,
                  "Numbers that follow from others", 60);
    for (size_t s = 0; s < n_following(d); s++) {
        const ow_sheet *sheet = &d->spec->sheets[s];
        const long y = top + (long)s * row_height + row_height / 2;
        char text[1024] = "from "; /* more than what is drawn of it, in any script */
        size_t n = strlen(text);
        for (size_t i = 1; i < sheet->n_terms && n < sizeof text; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s",
                                  i == 1                    ? ""
                                  : i + 1 == sheet->n_terms ? " and "
                                                            : ", ",
                                  name_of(d, sheet->terms[i].column));
        owi_svg_box(&d->svg, margin, y - node_height / 2, node_width, node_height,
                    OWI_LEAF);
        owi_svg_label(&d->svg, margin + node_width / 2, y + 4, OWI_SMALL,
                      name_of(d, sheet->terms[0].column), columns_of_box);
        owi_svg_label(&d->svg, margin + node_width + 12, y + 4, OWI_LEFT, text, 120);
    }
}

static void draw_words(owi_drawing *d)
{
    const ow_schema *schema = ow_model_schema(d->model);
    const ow_circuit_spec *spec = d->spec;
    char text[256];
    snprintf(text, sizeof text,
             "%zu columns, %zu classes, %zu tree%s of dependences, %zu hidden states for "
             "each column, %zu leaf parameters, %zu weights",
             ow_schema_n_columns(schema), spec->n_classes, spec->repetitions,
             owi_plural(spec->repetitions), spec->inputs,
             ow_circuit_n_leaf_parameters(d->circuit), ow_circuit_n_weights(d->circuit));
    owi_draw_heading(d, text);
    const long y = d->height - 34;
    owi_svg_box(&d->svg, margin, y - 12, 34, 24, OWI_LEAF);
    owi_svg_label(&d->svg, margin + 42, y + 4, OWI_LEFT, "a number", 20);
    owi_svg_box(&d->svg, margin + 110, y - 12, 34, 24, OWI_PRODUCT);
    owi_svg_label(&d->svg, margin + 152, y + 4, OWI_LEFT, "a category", 20);
    owi_svg_label(&d->svg, margin + 240, y + 4, OWI_LEFT,
                  "Lines join the columns whose values say most about each other.", 80);
}

void owi_draw_trees(owi_drawing *d)
{
    tree_layout layouts[most_trees];
    const size_t n = owi_smaller(d->spec->repetitions, most_trees);
    d->height = top_room;
    d->width = least_width;
    for (size_t t = 0; t < n; t++) {
        lay_out(d, t, &layouts[t]);
        d->height += tree_room + layouts[t].height;
        const long width = level_x(layouts[t].n_levels) - level_gap + margin;
        if (d->width < width) d->width = width;
    }
    d->height += following_room(d) + legend_room;
    owi_svg_begin(&d->svg, ow_model_context(d->model), d->width, d->height,
                  "The trees of the circuit");
    draw_words(d);
    long top = top_room;
    for (size_t t = 0; t < n; t++) {
        top += tree_room;
        draw_tree(d, t, &layouts[t], top);
        top += layouts[t].height;
    }
    draw_following(d, top + tree_room);
}
