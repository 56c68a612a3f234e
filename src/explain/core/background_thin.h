/* SPDX-License-Identifier: MIT */
/* Some of the background rows, for what grows with the square of their number. */
#ifndef OWI_BACKGROUND_THIN_H
#define OWI_BACKGROUND_THIN_H

#include "base/memory/workspace.h"
#include "explain/core/explainer.h"

typedef struct {
    owi_background rows;
    owi_workspace *workspace; /* of its arrays; NULL: all is lent by the problem        */
} owi_thin_background;

/* The first `first` rows (0: all), and of more than `most` (0: any number) so many at the
 * most, evenly taken.  Zeroed or made by init: clear does for both. */
ow_status owi_thin_background_init(owi_thin_background *thin, const owi_problem *problem,
                                   size_t first, size_t most);
void owi_thin_background_clear(owi_thin_background *thin);

#endif
