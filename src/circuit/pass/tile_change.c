/* SPDX-License-Identifier: MIT */
#include "circuit/pass/tile_change.h"

#include <string.h>

#include "base/compiler.h"

/* One feature's lanes of a group; whether any differs. */
static OWI_INLINE uint32_t subtract(const float *restrict features,
                                    const float *restrict known, float *restrict change)
{
    uint32_t differ = 0;
    for (size_t lane = 0; lane < owi_lane_group; lane++) {
        change[lane] = features[lane] - known[lane];
        differ |= change[lane] != 0.0f;
    }
    return differ;
}

OWI_WIDE static void compare(size_t n_features, const float *features, const float *known,
                             float *change, uint32_t *bits)
{
    const size_t n_words = owi_scope_words(n_features);
    memset(bits, 0, owi_lane_groups * n_words * sizeof *bits);
    for (size_t f = 0; f < n_features; f++)
        for (size_t g = 0; g < owi_lane_groups; g++) {
            const size_t at = f * owi_tile_lanes + g * owi_lane_group;
            bits[g * n_words + f / 32] |= subtract(features + at, known + at, change + at)
                                          << f % 32;
        }
}

void owi_tile_change(size_t n_features, const float *features, const float *known,
                     float *change, uint32_t *bits)
{
    compare(n_features, features, known, change, bits);
}
