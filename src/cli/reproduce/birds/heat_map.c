/* SPDX-License-Identifier: MIT */
/* A photograph with heat over it.  The map covers the whole photograph; between the middles
 * of its cells the heat is bilinear, and towards the edge it is that of the outermost
 * cell.  A pixel p under the heat h in [0, 1] becomes
 *
 *     (1 - a h) p + a h colour(h),        a = 0.75,
 *
 * so that what has no heat stays as it is. */
#include "reproduce/birds/heat_map.h"

#include <math.h>
#include <string.h>

#include "reproduce/birds/jpeg_read.h"
#include "terminal/failure.h"

enum { colours = 3 };
static const double opacity = 0.75;
static const unsigned char box_colour[colours] = {255, 255, 255};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Blue, green, yellow, red. */
static void colour_of(double heat, double colour[colours])
{
    static const double stops[][colours] = {
        {40, 60, 220}, {40, 190, 170}, {250, 220, 40}, {225, 25, 25}};
    const size_t last = sizeof stops / sizeof *stops - 1;
    const double at = heat * (double)last;
    const size_t below = smaller((size_t)at, last - 1);
    for (size_t c = 0; c < colours; c++)
        colour[c] = stops[below][c] +
                    (at - (double)below) * (stops[below + 1][c] - stops[below][c]);
}

/* Where the middle of pixel i of n lies on a side with n_cells cells: between which two
 * cells, and how far. */
static void locate(size_t i, size_t n, size_t n_cells, size_t cell[2], double *share)
{
    double at = ((double)i + 0.5) / (double)n * (double)n_cells - 0.5;
    at = fmin(fmax(at, 0.0), (double)(n_cells - 1));
    cell[0] = (size_t)at;
    cell[1] = smaller(cell[0] + 1, n_cells - 1);
    *share = at - (double)cell[0];
}

static double heat_at(const heat_map *map, const size_t row[2], double down,
                      const size_t column[2], double right)
{
    const double *upper = map->heat + row[0] * map->columns;
    const double *lower = map->heat + row[1] * map->columns;
    const double above = (1.0 - right) * upper[column[0]] + right * upper[column[1]];
    const double below = (1.0 - right) * lower[column[0]] + right * lower[column[1]];
    return (1.0 - down) * above + down * below;
}

static void lay_over(const heat_map *map, double full, ow_pixels *picture)
{
    for (size_t y = 0; y < picture->height; y++) {
        size_t row[2];
        double down;
        locate(y, picture->height, map->rows, row, &down);
        for (size_t x = 0; x < picture->width; x++) {
            size_t column[2];
            double right, colour[colours];
            locate(x, picture->width, map->columns, column, &right);
            const double heat =
                fmin(1.0, fmax(0.0, heat_at(map, row, down, column, right) / full));
            unsigned char *pixel = picture->pixels + (y * picture->width + x) * colours;
            colour_of(heat, colour);
            for (size_t c = 0; c < colours; c++)
                pixel[c] = (unsigned char)lrint((1.0 - opacity * heat) * pixel[c] +
                                                opacity * heat * colour[c]);
        }
    }
}

/* ---- The box ---- */

/* Where a coordinate of the file is in the picture, on its edge if it lies outside. */
static size_t place(double at, size_t full, size_t side)
{
    const double inside = fmin(fmax(at / (double)full, 0.0), 1.0) * (double)side;
    return smaller((size_t)inside, side - 1);
}

static void draw_box(const double box[4], size_t full_width, size_t full_height,
                     ow_pixels *picture)
{
    const size_t left = place(box[0], full_width, picture->width);
    const size_t right = place(box[0] + box[2], full_width, picture->width);
    const size_t top = place(box[1], full_height, picture->height);
    const size_t bottom = place(box[1] + box[3], full_height, picture->height);
    for (size_t y = top; y <= bottom; y++)
        for (size_t x = left; x <= right; x++)
            if (y == top || y == bottom || x == left || x == right)
                memcpy(picture->pixels + (y * picture->width + x) * colours, box_colour,
                       colours);
}

ow_status heat_map_draw(ow_context *ctx, const heat_map *map, ow_pixels *picture)
{
    *picture = (ow_pixels){0};
    size_t full_width, full_height;
    double full = map->full;
    for (size_t i = 0; map->heat != NULL && i < map->rows * map->columns; i++) {
        if (!isfinite(map->heat[i]) || map->heat[i] < 0.0)
            return failure(OW_ERR_ARGUMENT,
                           "row %zu, column %zu of the heat map: a number of at least 0 is "
                           "expected, got %g",
                           i / map->columns + 1, i % map->columns + 1, map->heat[i]);
        if (map->full <= 0.0) full = fmax(full, map->heat[i]);
    }
    const ow_status status =
        jpeg_read(ctx, map->photo, map->most_side, picture, &full_width, &full_height);
    if (status != OW_OK) return status;
    if (map->heat != NULL && full > 0.0) lay_over(map, full, picture);
    if (map->box != NULL) draw_box(map->box, full_width, full_height, picture);
    return OW_OK;
}
