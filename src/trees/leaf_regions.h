/* SPDX-License-Identifier: MIT */
/* Which candidates of each feature lead to a leaf: the sets A_f of tree_changes.h, as runs
 * of candidates. */
#ifndef OWI_LEAF_REGIONS_H
#define OWI_LEAF_REGIONS_H

#include "trees/tree_changes.h"

/* Candidates first to end - 1 of a feature, counted from its first one. */
typedef struct {
    uint32_t first, end;
} owi_run;

/* A feature on the path to a leaf: its A_f, and what is not in it. */
typedef struct {
    uint32_t feature;
    uint32_t in, n_in;   /* runs[in] ... runs[in + n_in - 1] */
    uint32_t out, n_out; /* likewise                         */
} owi_leaf_side;

typedef struct {
    size_t *first_side; /* leaves + 1: the sides of leaf l begin at first_side[l] */
    owi_leaf_side *sides;
    owi_run *runs;
    size_t n_sides, n_runs;
    size_t side_capacity, run_capacity;
    size_t most_splits; /* of a tree */
} owi_leaf_regions;

/* Either way owi_leaf_regions_clear. */
ow_status owi_leaf_regions_init(owi_leaf_regions *regions, const owi_forest *forest,
                                const owi_tree_candidates *candidates);
void owi_leaf_regions_clear(owi_leaf_regions *regions, ow_context *ctx);

#endif
