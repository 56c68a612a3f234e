/* SPDX-License-Identifier: MIT */
#include "base/numeric/row_lanes.h"

#include "base/memory/sizes.h"
#include "base/numeric/transpose.h"

/* Entries that are turned at a time: what is read and written stays at hand. */
enum { L = owi_row_lanes, block_entries = 64 };

void owi_rows_to_lanes(size_t n, size_t width, const float *rows, float *lanes)
{
    for (size_t j = 0; j < width; j += block_entries)
        owi_transpose(n, owi_smaller(block_entries, width - j), rows + j, width,
                      lanes + j * L, L);
    for (size_t i = 0; i < width * L && n < L; i += L)
        for (size_t lane = n; lane < L; lane++) lanes[i + lane] = lanes[i + n - 1];
}

void owi_lanes_to_rows(size_t n, size_t width, const float *lanes, float *rows)
{
    for (size_t j = 0; j < width; j += block_entries)
        owi_transpose(owi_smaller(block_entries, width - j), n, lanes + j * L, L, rows + j,
                      width);
}
