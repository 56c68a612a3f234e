/* SPDX-License-Identifier: MIT */
#include "backend/cpu/root_offset.h"

#include <math.h>

#include "backend/pair_sum.h"

size_t owi_root_child(const owi_root_shape *shape, size_t t, size_t c, size_t p)
{
    return t * owi_root_n_regions(shape) +
           (c * shape->class_stride + p) * (shape->single ? 1 : 2);
}

/* top_left + top_right of one row; a partition with one child has only the left. */
static inline float pair_top(const owi_root_shape *shape, size_t lanes, const float *top,
                             size_t lane)
{
    return shape->single ? top[lane] : top[lane] + top[lanes + lane];
}

void owi_root_offset(const owi_root_shape *shape, size_t lanes, const owi_layer_values *in,
                     size_t t, size_t c, float *offset)
{
    for (size_t lane = 0; lane < lanes; lane++) offset[lane] = -INFINITY;
    for (size_t p = 0; p < shape->n_partitions; p++) {
        const float *top = in->top + owi_root_child(shape, t, c, p) * lanes;
        for (size_t lane = 0; lane < lanes; lane++) {
            const float sum = pair_top(shape, lanes, top, lane);
            offset[lane] = sum > offset[lane] ? sum : offset[lane];
        }
    }
}

void owi_root_exponent(const owi_root_shape *shape, size_t lanes,
                       const owi_layer_values *in, size_t t, size_t c, size_t p,
                       const float *offset, float *exponent)
{
    const float *top = in->top + owi_root_child(shape, t, c, p) * lanes;
    for (size_t lane = 0; lane < lanes; lane++)
        exponent[lane] = pair_top(shape, lanes, top, lane) - offset[lane];
}
