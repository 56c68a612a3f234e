/* SPDX-License-Identifier: MIT */
/* Some features of a tile, as bits and as lists.
 *
 * A category of many levels has a feature for each of them, and most are 0 in all rows of a
 * tile.  Kernels that sum over features leave those out: terms that are 0 change no
 * bit of a sum. */
#ifndef OWI_MARKED_FEATURES_H
#define OWI_MARKED_FEATURES_H

#include "backend/backend.h"

/* Lists the features of region r whose bit is set: marked->index, and their places in the
 * region's scope, marked->columns.  Returns how many. */
size_t owi_list_marked(const owi_leaf_shape *shape, size_t r, const uint32_t *bits,
                       const owi_marked *marked);

/* Sets the bits of the features that are not 0 in all lanes of a tile.  Returns whether a
 * quarter or more of them are 0, so that leaving them out pays. */
bool owi_mark_present(size_t n_features, size_t lanes, const float *features,
                      uint32_t *bits);

#endif
