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

/* 4 x 4 in eight permutations of pairs of registers, which is what compilers make of the braces. */
static OWI_INLINE void transpose_four(const float *from, size_t from_step, float *to,
                                      size_t to_step)
{
    const four a = load(from), b = load(from + from_step), c = load(from + 2 * from_step),
               d = load(from + 3 * from_step);
    const four ab_low = {a[0], b[0], a[1], b[1]}, ab_high = {a[2], b[2], a[3], b[3]};
    const four cd_low = {c[0], d[0], c[1], d[1]}, cd_high = {c[2], d[2], c[3], d[3]};
    store(to, (four){ab_low[0], ab_low[1], cd_low[0], cd_low[1]});
    store(to + to_step, (four){ab_low[2], ab_low[3], cd_low[2], cd_low[3]});
    store(to + 2 * to_step, (four){ab_high[0], ab_high[1], cd_high[0], cd_high[1]});
    store(to + 3 * to_step, (four){ab_high[2], ab_high[3], cd_high[2], cd_high[3]});
}

void owi_transpose(size_t n_rows, size_t n_columns, const float *from, size_t from_step,
                   float *to, size_t to_step)
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
