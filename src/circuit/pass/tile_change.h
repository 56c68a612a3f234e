/* SPDX-License-Identifier: MIT */
/* In what the features of a tile differ from those of a known tile. */
#ifndef OWI_TILE_CHANGE_H
#define OWI_TILE_CHANGE_H

#include "backend/backend.h"

/* change = features - known, (F, owi_tile_lanes) each; bits marks, for each group of lanes,
 * the features where that is not 0 in every one of them (backend.h). */
void owi_tile_change(size_t n_features, const float *features, const float *known,
                     float *change, uint32_t *bits);

#endif
