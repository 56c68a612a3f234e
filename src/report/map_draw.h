/* SPDX-License-Identifier: MIT */
/* A map of answers while it is made: page_map.c fills it, map_draw.c draws it. */
#ifndef OWI_MAP_DRAW_H
#define OWI_MAP_DRAW_H

#include "report/map_axes.h"
#include "report/page.h"

enum {
    owi_map_n_grid = 56, /* points along each axis */
    owi_map_n_levels = 4
};

typedef struct {
    ow_page *page;
    const ow_page_map_content *what;
    owi_map_axes axes;
    ow_evaluator *evaluator;
    size_t n_classes;
    double low[2], high[2]; /* the plane's part that is drawn                     */
    double end[2][2];       /* of each axis: how far rows go                       */
    double *density;        /* owi_map_n_grid x owi_map_n_grid: log S              */
    double *border;         /* likewise: log P(target) less the best other's       */
    double level[owi_map_n_levels];
    double *dots; /* 2 x n_dots: where rows are common, along each axis                  */
    size_t n_dots;
} owi_map;

/* With m->what->given: the decisions of the grid, from the deciding classifier. */
ow_status owi_map_fill_decisions(owi_map *m);
/* The part of the picture in which the target is decided, and the dots. */
void owi_map_draw_decisions(owi_map *m);
/* Where a point lies in the picture, "x y" in pixels. */
void owi_map_add_place(owi_map *m, const double point[2]);
/* The drawing area in pixels: left, top, width, height. */
extern const int owi_map_area[4];

/* The picture with its caption, onto the page. */
ow_status owi_map_draw(owi_map *m);

#endif
