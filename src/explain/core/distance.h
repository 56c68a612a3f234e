/* SPDX-License-Identifier: MIT */
/* The units that columns share: what ow_model_distance adds up. */
#ifndef OWI_DISTANCE_H
#define OWI_DISTANCE_H

#include <math.h>

#include "otherwise/explain.h"

/* Equal, or both missing. */
static inline bool owi_same_value(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* What a change of 1 in scaled space is in original units, for each column: the training
 * range, 1 for categories. */
void owi_column_scales(const ow_model *model, double *scales);

/* ow_model_distance with these scales. */
ow_distance owi_distance_by(const ow_schema *schema, const double *scales,
                            const double *query, const double *values);

/* The change of one column in scaled space. */
static inline double owi_scaled_change(double scale, bool is_category, double from,
                                       double to)
{
    if (owi_same_value(from, to)) return 0.0;
    return is_category || isnan(from) || isnan(to) ? 1.0 : fabs(to - from) / scale;
}

/* The smallest and the largest number that any column of the schema has. */
void owi_layout_range(const ow_schema *schema, double *low, double *high);

#endif
