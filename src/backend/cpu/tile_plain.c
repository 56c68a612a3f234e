/* SPDX-License-Identifier: MIT */
/* Any processor: vectors of 4 floats, which nearly every one has (SSE2, NEON), 16
 * registers: blocks of 2 rows x 16 lanes take 8 of them. */
enum { width = 4, block = 2 };

#include "backend/cpu/tile_vector.h"

static OWI_INLINE vector load_first(const float *from, size_t n)
{
    vector v = {0};
    for (size_t i = 0; i < n; i++) v[i] = from[i];
    return v;
}

static OWI_INLINE vector fused(vector a, vector b, vector c)
{
    return a * b + c;
}

static OWI_INLINE quad sum_four(const vector v[4])
{
    quad sums;
    for (size_t i = 0; i < 4; i++) sums[i] = (v[i][0] + v[i][1]) + (v[i][2] + v[i][3]);
    return sums;
}

#include "backend/cpu/tile_single.h"
#include "backend/cpu/tile_table.h"

const owi_instruction_set owi_cpu_plain = {.name = "plain", OWI_TILE_OPS};
