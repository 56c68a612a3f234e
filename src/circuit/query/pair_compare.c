/* SPDX-License-Identifier: MIT */
#include "circuit/query/pair_compare.h"

void owi_compare_density(owi_lane_span lanes, const float *sum, double factor,
                         const double *ratio, bool *keep)
{
    for (size_t i = lanes.begin; i < lanes.end; i++) {
        const double at_most = (double)(sum[i] < lanes.least ? lanes.least : sum[i]);
        keep[i] = !(at_most < factor * ratio[i]);
    }
}

void owi_compare_class(owi_lane_span lanes, const float *sum, const float *other,
                       double factor, const double *ratio, bool *keep)
{
    for (size_t i = lanes.begin; i < lanes.end; i++) {
        const double at_most = (double)(sum[i] < lanes.least ? lanes.least : sum[i]);
        const bool is_held = other[i] >= lanes.least && other[i] <= lanes.most;
        const double at_least = is_held ? (double)other[i] : 0.0;
        keep[i] = keep[i] && !(at_most < at_least * factor * ratio[i]);
    }
}
