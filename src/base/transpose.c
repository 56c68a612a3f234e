/* SPDX-License-Identifier: MIT */
#include "base/transpose.h"

#include <string.h>

#include "base/compiler.h"

typedef float four OWI_VECTOR(4);

static OWI_INLINE four load(const float *from)
{
    four v;
    memcpy(&v, from, sizeof v);
    return v;
}

static OWI_INLINE void store(float *to, four v)
{
    memcpy(to, &v, sizeof v);
}

/* 4 x 4 in eight permutations of pairs of registers. */
static OWI_INLINE void transpose_four(const float *from, size_t from_step, float *to,
                                      size_t to_step)
{
    const four a = load(from), b = load(from + from_step), c = load(from + 2 * from_step),
               d = load(from + 3 * from_step);
    const four ab_low = OWI_PICK_4(a, b, 0, 4, 1, 5),
               ab_high = OWI_PICK_4(a, b, 2, 6, 3, 7);
    const four cd_low = OWI_PICK_4(c, d, 0, 4, 1, 5),
               cd_high = OWI_PICK_4(c, d, 2, 6, 3, 7);
    store(to, OWI_PICK_4(ab_low, cd_low, 0, 1, 4, 5));
    store(to + to_step, OWI_PICK_4(ab_low, cd_low, 2, 3, 6, 7));
    store(to + 2 * to_step, OWI_PICK_4(ab_high, cd_high, 0, 1, 4, 5));
    store(to + 3 * to_step, OWI_PICK_4(ab_high, cd_high, 2, 3, 6, 7));
}

OWI_WIDE static void transpose(size_t n_rows, size_t n_columns, const float *from,
                               size_t from_step, float *to, size_t to_step)
{
    const size_t whole_rows = n_rows - n_rows % 4,
                 whole_columns = n_columns - n_columns % 4;

    for (size_t i = 0; i < whole_rows; i += 4)
        for (size_t j = 0; j < whole_columns; j += 4)
            transpose_four(from + i * from_step + j, from_step, to + j * to_step + i,
                           to_step);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = i < whole_rows ? whole_columns : 0; j < n_columns; j++)
            to[j * to_step + i] = from[i * from_step + j];
}

void owi_transpose(size_t n_rows, size_t n_columns, const float *from, size_t from_step,
                   float *to, size_t to_step)
{
    transpose(n_rows, n_columns, from, from_step, to, to_step);
}
