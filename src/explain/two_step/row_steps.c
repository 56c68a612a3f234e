/* SPDX-License-Identifier: MIT */
#include "explain/two_step/row_steps.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "base/compiler.h"

OWI_WIDE static bool take_step(size_t n, const float *moves, double step, const float *from,
                               const float *gradient, float *restrict to)
{
    int32_t lost = 0;
    for (size_t j = 0; j < n; j++) {
        const float moved = (float)((double)from[j] + step * (double)gradient[j]);
        const float x = moves[j] != 0.0f ? moved : from[j];
        lost |= fabsf(x) <= FLT_MAX ? 0 : 1;
        to[j] = x;
    }
    return lost == 0;
}

bool owi_take_step(size_t n, const float *moves, double step, const float *from,
                   const float *gradient, float *to)
{
    return take_step(n, moves, step, from, gradient, to);
}

OWI_WIDE static void stay_finite(size_t n, const float *query, const float *from,
                                 float *restrict to)
{
    for (size_t j = 0; j < n; j++) to[j] = fabsf(from[j]) <= FLT_MAX ? from[j] : query[j];
}

void owi_stay_finite(size_t n, const float *query, const float *from, float *to)
{
    stay_finite(n, query, from, to);
}
