/* SPDX-License-Identifier: MIT */
/* The drawing of a circuit's structure: what of it is drawn, where things are, and the
 * parts below the roots. */
#ifndef OWI_STRUCTURE_SVG_H
#define OWI_STRUCTURE_SVG_H

#include "otherwise/model.h"
#include "report/svg.h"

/* How much is drawn. */
enum {
    most_depth = 3,  /* levels below the root; what is deeper is one box          */
    most_roots = 5,  /* classes                                                   */
    most_leaves = 8, /* leaf regions of all repetitions that are drawn            */
    most_repetitions = 2,
    most_names = 4 /* columns named in a leaf region                            */
};

/* Sizes in pixels. */
enum {
    margin = 30,
    box_width = 150,
    box_height = 104,
    slot = 170,         /* from one leaf region to the next */
    between_parts = 50, /* from one repetition or class to the next */
    mixture_y = 100,
    root_y = 190,
    partition_y = 290,
    level_height = 130, /* from one level of regions to the next */
    legend_room = 80,
    radius = 17,
    root_width = 130,
    line_height = 14,
    least_width = 760,
    columns_of_box = 23 /* characters that fit into it */
};

#define OWI_EDGE       "stroke=\"#8a8f98\" stroke-width=\"1.2\""
#define OWI_FAINT_EDGE "stroke=\"#8a8f98\" stroke-width=\"1.2\" stroke-dasharray=\"4 4\""
#define OWI_SUM        "fill=\"#d6e6fb\" stroke=\"#2f6db5\" stroke-width=\"1.5\""
#define OWI_PRODUCT    "fill=\"#fde7cc\" stroke=\"#c77c1a\" stroke-width=\"1.5\""
#define OWI_LEAF       "fill=\"#e2f3df\" stroke=\"#4a9440\" stroke-width=\"1.2\""
#define OWI_REST                                                                           \
    "fill=\"#f6f7f9\" stroke=\"#8a8f98\" stroke-width=\"1.2\" stroke-dasharray=\"4 4\""
#define OWI_SIGN "font-size=\"19\" text-anchor=\"middle\" fill=\"#222\""
#define OWI_NAME                                                                           \
    "font-size=\"13\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"#222\""
#define OWI_SMALL     "font-size=\"11\" text-anchor=\"middle\" fill=\"#444\""
#define OWI_LEFT      "font-size=\"11\" fill=\"#444\""
#define OWI_LEFT_NAME "font-size=\"13\" font-weight=\"bold\" fill=\"#222\""
#define OWI_TITLE     "font-size=\"17\" font-weight=\"bold\" fill=\"#222\""

typedef struct {
    owi_svg svg;
    const ow_model *model;
    const ow_circuit *circuit;
    const ow_circuit_spec *spec;
    size_t n_roots;       /* classes drawn                                      */
    size_t n_detailed;    /* of them, those whose sub-circuit is drawn          */
    size_t depth;         /* levels drawn                                       */
    size_t n_leaves;      /* leaf boxes of a repetition                         */
    size_t n_repetitions; /* drawn                                              */
    size_t *column_of;    /* schema column of each circuit column               */
    long width, height;
} owi_drawing;

/* Where things are: the height of a level of regions, and the middle of region p of a level
 * of a repetition whose drawing begins at x. */
long owi_drawing_level_y(size_t level);
long owi_drawing_region_x(const owi_drawing *d, long x, size_t level, size_t p);

static inline const char *owi_plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* The title above every picture, and a line below it that says how large the circuit is. */
void owi_draw_heading(owi_drawing *d, const char *sizes);

/* A node with its sign. */
void owi_draw_node(owi_drawing *d, long x, long y, const char *style, const char *sign);

/* The whole picture of a circuit of trees, from its beginning. */
void owi_draw_trees(owi_drawing *d);

/* One repetition of a copy, from its partition (or, at depth 0, its one region) down. */
void owi_draw_repetition(owi_drawing *d, size_t copy, size_t repetition, long left);

#endif
