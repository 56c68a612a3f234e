/* SPDX-License-Identifier: MIT */
/* Vectors, and what the products of full tiles (tile_full.h) and of single rows
 * (tile_single.h) share. A file for one instruction set says before it includes this
 *
 *     enum { width, block };   floats of a vector; rows of a product kept in registers
 *
 * and then, before the others,
 *
 *     fused(a, b, c)           a b + c, rounded once where the processor can: compilers are
 *                              free to choose for each product, and lanes would differ
 *     sum_four(v)              the sums of the floats of four vectors
 *     load_first(p, n)         the first n < width floats at p, then zeros (tile_single.h
 * only) */
#ifndef OWI_TILE_VECTOR_H
#define OWI_TILE_VECTOR_H

#include <string.h>

#include "backend/backend.h"
#include "backend/cpu/tile_ops.h"
#include "base/compiler.h"

typedef float vector OWI_VECTOR(width);
typedef float quad OWI_VECTOR(4);

static OWI_INLINE vector load(const float *from)
{
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

static OWI_INLINE void store(float *to, vector v)
{
    memcpy(to, &v, sizeof v);
}

/* out[r] += times[r] * sums[r] for M <= 4; times NULL: out[r] += sums[r]. */
static OWI_INLINE void add_quad(size_t M, const float *times, quad sums, float *out)
{
    if (M == 4) {
        quad to, by = {1.0f, 1.0f, 1.0f, 1.0f};
        if (times != NULL) memcpy(&by, times, sizeof by);
        memcpy(&to, out, sizeof to);
        to += by * sums;
        memcpy(out, &to, sizeof to);
    } else
        for (size_t r = 0; r < M; r++)
            out[r] += times != NULL ? times[r] * sums[r] : sums[r];
}

/* The same float in every lane.  Subtracting 0 changes no float, not even -0. */
static OWI_INLINE vector splat(float x)
{
    return x - (vector){0};
}

static OWI_INLINE size_t row_at(const uint32_t *index, size_t k)
{
    return index != NULL ? index[k] : k;
}

#endif
