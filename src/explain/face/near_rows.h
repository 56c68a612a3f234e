/* SPDX-License-Identifier: MIT */
/* Who is near: Euclidean distances between points and known rows, by one blocked product
 * for a tile of points:
 *
 *     |x - b|^2 = |x|^2 - 2 (x b - |b|^2 / 2)
 *
 * The product is what a layer of leaves computes, so it runs on the backend's kernel.  It
 * is a float, and cancels where x and b are close; so it only rules rows out, by a bound of
 * its error, and distances that matter are computed again in double. Results are therefore
 * exact, and do not depend on which points are asked for together.
 *
 * An entry that is missing (NaN) stands at the mean of the rows. */
#ifndef OWI_NEAR_ROWS_H
#define OWI_NEAR_ROWS_H

#include <stdbool.h>

#include "backend/backend.h"
#include "base/memory/workspace.h"
#include "base/threads/parallel.h"

typedef struct {
    ow_context *ctx;
    owi_workspace *workspace;
    const owi_backend *backend;
    size_t n_rows, width;
    float *centre;    /* (width): mean of the entries that are there               */
    float *rows;      /* (n_rows, width): less the centre                          */
    float *bias;      /* (n_rows): -|b|^2 / 2                                      */
    double longest;   /* max |b|                                                   */
    uint32_t *scope;  /* 0 ... width - 1: every row sees every entry               */
    uint32_t ends[2]; /* 0, width                                                  */
} owi_near_rows;

/* The rows are copied. */
ow_status owi_near_rows_init(owi_near_rows *known, const owi_call *call,
                             const owi_backend *backend, size_t n_rows, size_t width,
                             const float *rows);
void owi_near_rows_clear(owi_near_rows *known);

/* One point before all rows. */
typedef struct {
    const owi_near_rows *known;
    size_t index, worker; /* number of the point; thread, for scratch of its own  */
    const float *at;      /* (width): less the centre                             */
    double square;        /* |x|^2                                                */
    double error;         /* of squared distances by the product, at most         */
    const float *product; /* of row b at [b * stride]: x b - |b|^2 / 2             */
    size_t stride;
} owi_point;

/* By the product: within error of the truth. */
static inline double owi_point_square(const owi_point *point, size_t row)
{
    return point->square - 2.0 * (double)point->product[row * point->stride];
}
/* In double. */
double owi_point_distance(const owi_point *point, size_t row);

/* Calls body for every point, on all threads. */
typedef ow_status (*owi_point_fn)(void *user, const owi_point *point);
ow_status owi_near_rows_visit(const owi_call *call, const owi_near_rows *known,
                              size_t n_points, const float *points, owi_point_fn body,
                              void *user);
/* As many workers as a visit of so many points has. */
size_t owi_near_rows_workers(const owi_call *call, size_t n_points);

typedef struct {
    uint32_t row;
    double distance;
} owi_near;

/* Whether a row counts as a neighbour of a point at all. */
typedef bool (*owi_may_link_fn)(const void *user, size_t point, uint32_t row);

/* The k nearest rows that count (may_link NULL: all do), nearest first, of equally near
 * ones the lower number.  Returns how many there are. */
size_t owi_point_nearest(const owi_point *point, size_t k, owi_may_link_fn may_link,
                         const void *user, owi_near *found);

#endif
