/* SPDX-License-Identifier: MIT */
/* The lanes of a tile that a sub-circuit has a adjoint for.
 *
 * Where every class has a sub-circuit of its own, each concerns only some rows of a mixed
 * tile.  Their lanes are moved together for the product that leads back to the features,
 * which is then made for whole groups of lanes only.  The sums go on from where they stood
 * and a lane without a adjoint would have added 0 to them: all results are the same, bit by
 * bit. */
#ifndef OWI_ADJOINT_LANES_H
#define OWI_ADJOINT_LANES_H

#include "backend/backend.h"

typedef struct {
    size_t n;
    uint8_t lane[owi_tile_lanes];
} owi_adjoint_lanes;

/* Those where one of the adjoints (n_classes, L) is not 0. */
owi_adjoint_lanes owi_find_adjoint_lanes(size_t n_classes, const float *adjoint);

/* Runs of lanes, one after the other: to[i, s] = from[i, lane s], and back.  What fills the
 * last group is 0. */
void owi_pack_lanes(const owi_adjoint_lanes *adjoint, size_t n, const float *from,
                    float *to);
void owi_unpack_lanes(const owi_adjoint_lanes *adjoint, size_t n, const float *from,
                      float *to);

#endif
