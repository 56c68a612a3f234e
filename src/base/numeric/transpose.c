/* SPDX-License-Identifier: MIT */
#include "base/numeric/transpose.h"

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

/* Four rows.  The last columns, if they do not fill a block, are done with some that are
 * done already. */
static OWI_INLINE void transpose_rows(size_t n_columns, const float *from, size_t from_step,
                                      float *to, size_t to_step)
{
    for (size_t j = 0; j + 4 <= n_columns; j += 4)
        transpose_four(from + j, from_step, to + j * to_step, to_step);
    if (n_columns % 4 != 0)
        transpose_four(from + n_columns - 4, from_step, to + (n_columns - 4) * to_step,
                       to_step);
}

OWI_WIDE static void transpose(size_t n_rows, size_t n_columns, const float *from,
                               size_t from_step, float *to, size_t to_step)
{
    size_t i = 0;
    for (; i + 4 <= n_rows && n_columns >= 4; i += 4)
        transpose_rows(n_columns, from + i * from_step, from_step, to + i, to_step);
    for (; i < n_rows; i++)
        for (size_t j = 0; j < n_columns; j++)
            to[j * to_step + i] = from[i * from_step + j];
}

void owi_transpose(size_t n_rows, size_t n_columns, const float *from, size_t from_step,
                   float *to, size_t to_step)
{
    transpose(n_rows, n_columns, from, from_step, to, to_step);
}
