/* SPDX-License-Identifier: MIT */
/* Marching squares: in each cell of the grid the line joins those sides whose ends lie on
 * different sides of the level, at the point where a straight line between the two ends has
 * the level's height.  In a saddle, where all four sides are crossed, the middle decides
 * which corners belong together. */
#include "report/contour.h"

#include <math.h>

static double height_at(const owi_height_map *map, size_t x, size_t y, double level)
{
    const double height = map->heights[y * map->n_x + x];
    return isfinite(height) ? height - level : -1e3;
}

/* A cell's corners in turn: bottom left, bottom right, top right, top left; side k goes
 * from corner k to the next one. */
typedef struct {
    const owi_height_map *map;
    size_t x, y;
    double corner[4];
} cell;

static bool is_crossed(const cell *c, int side)
{
    return (c->corner[side] >= 0.0) != (c->corner[(side + 1) % 4] >= 0.0);
}

/* Where a side is crossed, in pixels. */
static void add_crossing(owi_markup *markup, const cell *c, int side)
{
    static const double x_of[] = {0, 1, 1, 0}, y_of[] = {0, 0, 1, 1};
    const int next = (side + 1) % 4;
    const double share = c->corner[side] / (c->corner[side] - c->corner[next]);
    const double x = (double)c->x + x_of[side] + share * (x_of[next] - x_of[side]);
    const double y = (double)c->y + y_of[side] + share * (y_of[next] - y_of[side]);
    const owi_height_map *map = c->map;
    owi_markup_number(markup, map->left + map->width * x / (double)(map->n_x - 1), 1);
    owi_markup_add(markup, " ");
    owi_markup_number(markup, map->top + map->height * (1.0 - y / (double)(map->n_y - 1)),
                      1);
}

static void add_piece(owi_markup *markup, const cell *c, int from, int to)
{
    owi_markup_add(markup, "M");
    add_crossing(markup, c, from);
    owi_markup_add(markup, "L");
    add_crossing(markup, c, to);
}

static void add_cell(owi_markup *markup, const cell *c)
{
    int sides[4], n = 0;
    for (int side = 0; side < 4; side++)
        if (is_crossed(c, side)) sides[n++] = side;
    if (n == 2) add_piece(markup, c, sides[0], sides[1]);
    if (n < 4) return;
    /* The middle is like corners 0 and 2: the lines cut off the other two, 1 and 3. */
    const double middle = c->corner[0] + c->corner[1] + c->corner[2] + c->corner[3];
    const int first = (middle >= 0.0) == (c->corner[0] >= 0.0) ? 0 : 3;
    add_piece(markup, c, first, (first + 1) % 4);
    add_piece(markup, c, (first + 2) % 4, (first + 3) % 4);
}

void owi_contour_path(owi_markup *markup, const owi_height_map *map, double level)
{
    for (size_t y = 0; y + 1 < map->n_y; y++)
        for (size_t x = 0; x + 1 < map->n_x; x++) {
            const cell c = {map,
                            x,
                            y,
                            {height_at(map, x, y, level), height_at(map, x + 1, y, level),
                             height_at(map, x + 1, y + 1, level),
                             height_at(map, x, y + 1, level)}};
            add_cell(markup, &c);
        }
}
