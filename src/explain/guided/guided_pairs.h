/* SPDX-License-Identifier: MIT */
/* All pairs of simple moves of a state, by the circuit's tables (ow_changes_pairs). */
#ifndef OWI_GUIDED_PAIRS_H
#define OWI_GUIDED_PAIRS_H

#include "explain/guided/guided_scan.h"

typedef enum {
    OWI_PAIRS_NEAREST,   /* the nearest that is all that was asked                 */
    OWI_PAIRS_DENSEST,   /* the densest of the class                               */
    OWI_PAIRS_PROMISING, /* those with the best ranks, to go on from              */
    OWI_PAIRS_LIKELY     /* many of these, for a classifier to be shown           */
} owi_pair_goal;

/* Pairs that may pass: a heap, the one with the lowest rank first. */
enum { owi_most_likely = 512 };
typedef struct {
    size_t n;
    owi_step steps[owi_most_likely];
} owi_likely_pairs;

typedef struct {
    owi_guided_row *row;
    const owi_state *state;
    size_t units[2]; /* of these units alone; SIZE_MAX: of any that do not differ yet */
    double bound;    /* promising ones: of at least this potential                    */
    owi_scan *scan;  /* begun by the caller; what is found is kept there              */
    owi_likely_pairs *likely; /* likewise, where that is the goal                     */
} owi_pair_request;

/* Where somebody else's classifier decides, only promising and likely pairs can be asked
 * for: with its margins as if changes added up. */
ow_status owi_guided_pairs(const owi_guided_block *block, owi_pair_goal goal, size_t n,
                           const owi_pair_request *requests);

#endif
