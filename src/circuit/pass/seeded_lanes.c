/* SPDX-License-Identifier: MIT */
#include "circuit/pass/seeded_lanes.h"

owi_seeded_lanes owi_find_seeded_lanes(size_t n_classes, const float *seed)
{
    owi_seeded_lanes found = {0};
    for (size_t lane = 0; lane < owi_tile_lanes; lane++) {
        size_t c = 0;
        while (c < n_classes && seed[c * owi_tile_lanes + lane] == 0.0f) c++;
        if (c < n_classes) found.lane[found.n++] = (uint8_t)lane;
    }
    return found;
}

void owi_pack_lanes(const owi_seeded_lanes *seeded, size_t n, const float *from, float *to)
{
    const size_t end = owi_lanes_of(owi_tiles_of(seeded->n), 0);
    for (size_t i = 0; i < n; i++, from += owi_tile_lanes, to += owi_tile_lanes) {
        for (size_t s = 0; s < seeded->n; s++) to[s] = from[seeded->lane[s]];
        for (size_t s = seeded->n; s < end; s++) to[s] = 0.0f;
    }
}

void owi_unpack_lanes(const owi_seeded_lanes *seeded, size_t n, const float *from,
                      float *to)
{
    for (size_t i = 0; i < n; i++, from += owi_tile_lanes, to += owi_tile_lanes)
        for (size_t s = 0; s < seeded->n; s++) to[seeded->lane[s]] = from[s];
}
