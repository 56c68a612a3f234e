/* SPDX-License-Identifier: MIT */
/* A photograph with heat over it. */
#ifndef CLI_HEAT_MAP_H
#define CLI_HEAT_MAP_H

#include "otherwise/report.h"

/* All borrowed. */
typedef struct {
    const char *photo; /* a JPEG file */
    size_t most_side;  /* pixels of the picture's longer side, if the file has more */
    size_t rows, columns;
    /* rows x columns, none below 0, spread over the whole photograph; NULL: none */
    const double *heat;
    double full; /* the heat at full strength; 0: the largest there is */
    /* left, top, width, height in pixels of the file, drawn as a line; NULL: none */
    const double *box;
} heat_map;

/* The photograph with heat in colours from blue to red over it, smoothed between the cells
 * of the map; a cell without heat shows it as it is.  A file that is no JPEG fails with
 * OW_ERR_FORMAT.  The pixels are freed with ow_pixels_clear. */
ow_status heat_map_draw(ow_context *ctx, const heat_map *map, ow_pixels *picture);

#endif
