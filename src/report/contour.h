/* SPDX-License-Identifier: MIT */
/* Lines of equal height on a grid, as the d attribute of an SVG path (marching squares). */
#ifndef OWI_CONTOUR_H
#define OWI_CONTOUR_H

#include "report/markup.h"

/* heights is n_y x n_x, the first line at the bottom.  The grid's corners lie at (left,
 * top) and (left + width, top + height), in pixels.  Heights that are not finite count as
 * far below every level. */
typedef struct {
    size_t n_x, n_y;
    const double *heights;
    double left, top, width, height;
} owi_height_map;

/* Appends the pieces of the line at this level: "M1.5 2L3 4M...". */
void owi_contour_path(owi_markup *markup, const owi_height_map *map, double level);

#endif
