/* SPDX-License-Identifier: MIT */
/* All pairs of simple moves of a state, by the circuit's tables (ow_changes_pairs). */
#ifndef OWI_GUIDED_PAIRS_H
#define OWI_GUIDED_PAIRS_H

#include "explain/guided/guided_scan.h"

typedef enum {
    OWI_PAIRS_NEAREST,  /* the nearest that is all that was asked                 */
    OWI_PAIRS_DENSEST,  /* the densest of the class                               */
    OWI_PAIRS_PROMISING /* those with the best ranks, to go on from               */
} owi_pair_goal;

typedef struct {
    owi_guided_row *row;
    const owi_state *state;
    size_t units[2]; /* of these units alone; SIZE_MAX: of any that do not differ yet */
    double bound;    /* promising ones: of at least this potential                    */
    owi_scan *scan;  /* begun by the caller; what is found is kept there              */
} owi_pair_request;

/* Where somebody else's classifier decides, only promising pairs can be asked for: with its
 * margins as if changes added up. */
ow_status owi_guided_pairs(const owi_guided_block *block, owi_pair_goal goal, size_t n,
                           const owi_pair_request *requests);

#endif
