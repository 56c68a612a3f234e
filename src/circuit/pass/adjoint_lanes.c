/* SPDX-License-Identifier: MIT */
#include "circuit/pass/adjoint_lanes.h"

owi_adjoint_lanes owi_find_adjoint_lanes(size_t n_classes, const float *adjoint)
{
    owi_adjoint_lanes found = {0};
    for (size_t lane = 0; lane < owi_tile_lanes; lane++) {
        size_t c = 0;
        while (c < n_classes && adjoint[c * owi_tile_lanes + lane] == 0.0f) c++;
        if (c < n_classes) found.lane[found.n++] = (uint8_t)lane;
    }
    return found;
}

void owi_pack_lanes(const owi_adjoint_lanes *adjoint, size_t n, const float *from,
                    float *to)
{
    const size_t end = owi_lanes_of(owi_tiles_of(adjoint->n), 0);
    for (size_t i = 0; i < n; i++, from += owi_tile_lanes, to += owi_tile_lanes) {
        for (size_t s = 0; s < adjoint->n; s++) to[s] = from[adjoint->lane[s]];
        for (size_t s = adjoint->n; s < end; s++) to[s] = 0.0f;
    }
}

void owi_unpack_lanes(const owi_adjoint_lanes *adjoint, size_t n, const float *from,
                      float *to)
{
    for (size_t i = 0; i < n; i++, from += owi_tile_lanes, to += owi_tile_lanes)
        for (size_t s = 0; s < adjoint->n; s++) to[adjoint->lane[s]] = from[s];
}
