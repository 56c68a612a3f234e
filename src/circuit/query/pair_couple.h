/* SPDX-License-Identifier: MIT */
/* The first product of pair_tables.h: H with the values of single changes.
 *
 * A lane is a change of one column, so that only the components of the regions which hold
 * that column have values.  With halves these are most of what a region sees of its
 * repetition.  With trees they are one node of many, and the product is made tile by tile,
 * over the nodes of the tile's columns alone, and for the nodes of columns before them:
 * what lanes of the column itself and before it would get is not asked for, and 0. */
#ifndef OWI_PAIR_COUPLE_H
#define OWI_PAIR_COUPLE_H

#include "circuit/query/pair_tables.h"

/* Room for it in a pair row. */
void owi_pair_couple_carve(owi_pair_row *pairs, owi_carver *from);
/* The regions that hold a column with lanes, between which H is needed; NULL: all. */
const bool *owi_pair_couple_wanted(owi_pair_row *pairs, size_t copy);
/* second (tiles, leaf components, lanes) = H values. */
void owi_pair_couple(owi_pair_row *pairs, size_t copy, float *second);

#endif
