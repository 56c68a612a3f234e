/* SPDX-License-Identifier: MIT */
/* The two axes of a map of rows, and rows as points on it.
 *
 * Two features: the plane is theirs, all other columns left open, so that densities and
 * classes on it are exact marginals.  Two principal axes, where a model has no two such
 * features (images): the plane through the mean of the model's samples, in soft space,
 * along the directions of their largest spread; densities are those of the points of the
 * plane. */
#ifndef OWI_MAP_AXES_H
#define OWI_MAP_AXES_H

#include "otherwise/page.h"

typedef struct {
    ow_context *ctx;
    const ow_model *model;
    bool is_principal;
    size_t column[2]; /* features                                             */
    size_t width;     /* of a soft row                                        */
    float *mean;      /* principal: (width)                                   */
    float *axis[2];   /* likewise, of length 1                                */
} owi_map_axes;

/* names: of two number columns; NULL: those that the answers change most.  principal, or
 * where there are no two: principal axes. */
ow_status owi_map_axes_init(owi_map_axes *axes, ow_context *ctx, const ow_model *model,
                            const char *const *names, bool principal,
                            const ow_page_map_row *rows, size_t n_rows);
void owi_map_axes_clear(owi_map_axes *axes);

/* A row of original values as a point; NaN where it has no value there. */
ow_status owi_map_point(const owi_map_axes *axes, const double *values, double point[2]);
/* Where a value of the feature lies on its axis: the other entry of the point is left
 * alone.  False without memory. */
bool owi_map_place(const owi_map_axes *axes, int axis, double value, double point[2]);
/* A soft row as a point. */
void owi_map_soft_point(const owi_map_axes *axes, const float *soft, double point[2]);
/* A point as a soft row. */
void owi_map_row(const owi_map_axes *axes, const double point[2], float *soft);

/* The name of an axis, for a label. */
void owi_map_axis_name(const owi_map_axes *axes, int axis, char *text, size_t size);

#endif
