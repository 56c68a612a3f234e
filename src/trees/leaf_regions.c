/* SPDX-License-Identifier: MIT */
#include "trees/leaf_regions.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

/* A split on the way to the node at hand. */
typedef struct {
    const owi_split *split;
    bool is_left;
} step;

typedef struct {
    owi_leaf_regions *regions;
    const owi_forest *forest;
    const owi_tree_candidates *candidates;
    step *path;
    bool *inside; /* candidates of one feature */
} building;

/* ---- One leaf ---- */

static ow_status add_runs(building *b, size_t n, bool wanted, uint32_t *first,
                          uint32_t *n_runs)
{
    owi_leaf_regions *regions = b->regions;
    *first = (uint32_t)regions->n_runs;
    for (size_t i = 0; i < n; i++) {
        if (b->inside[i] != wanted) continue;
        const size_t begin = i;
        while (i < n && b->inside[i] == wanted) i++;
        OWI_TRY(owi_grow(b->forest->ctx, &regions->runs, &regions->run_capacity,
                         regions->n_runs + 1, sizeof *regions->runs));
        regions->runs[regions->n_runs++] = (owi_run){(uint32_t)begin, (uint32_t)i};
    }
    if (regions->n_runs > UINT32_MAX)
        return owi_fail(OW_ERR_MEMORY, "the trees have too many leaves for their changes");
    *n_runs = (uint32_t)(regions->n_runs - *first);
    return OW_OK;
}

/* The feature of path[k], unless an earlier step has it. */
static ow_status add_side(building *b, size_t length, size_t k)
{
    owi_leaf_regions *regions = b->regions;
    const uint32_t f = b->path[k].split->feature;
    const size_t first = b->candidates->start[f], n = b->candidates->start[f + 1] - first;
    for (size_t i = 0; i < k; i++)
        if (b->path[i].split->feature == f) return OW_OK;
    memset(b->inside, 1, n * sizeof *b->inside);
    for (size_t i = k; i < length; i++) {
        const step *s = &b->path[i];
        if (s->split->feature != f) continue;
        for (size_t j = 0; j < n; j++)
            b->inside[j] &=
                s->is_left ==
                owi_split_goes_left(b->forest, s->split, b->candidates->values[first + j]);
    }
    owi_leaf_side side = {.feature = f};
    OWI_TRY(add_runs(b, n, true, &side.in, &side.n_in));
    OWI_TRY(add_runs(b, n, false, &side.out, &side.n_out));
    OWI_TRY(owi_grow(b->forest->ctx, &regions->sides, &regions->side_capacity,
                     regions->n_sides + 1, sizeof *regions->sides));
    regions->sides[regions->n_sides++] = side;
    return OW_OK;
}

/* ---- One tree ---- */

/* Depth first, left before right: leaves come in their order.  A node that is done with its
 * left side is met again as a step to the right. */
static ow_status add_tree(building *b, const owi_tree *tree)
{
    const owi_split *splits = b->forest->splits + tree->first_split;
    size_t length = 0;
    int32_t at = tree->n_splits > 0 ? 0 : ~0;
    for (;;) {
        for (; at >= 0; at = splits[at].left) b->path[length++] = (step){&splits[at], true};
        b->regions->first_side[tree->first_leaf + (size_t)~at] = b->regions->n_sides;
        for (size_t k = 0; k < length; k++) OWI_TRY(add_side(b, length, k));
        while (length > 0 && !b->path[length - 1].is_left) length--;
        if (length == 0) return OW_OK;
        b->path[length - 1].is_left = false;
        at = b->path[length - 1].split->right;
    }
}

void owi_leaf_regions_clear(owi_leaf_regions *regions, ow_context *ctx)
{
    owi_free(ctx, regions->first_side);
    owi_free(ctx, regions->sides);
    owi_free(ctx, regions->runs);
    *regions = (owi_leaf_regions){0};
}

ow_status owi_leaf_regions_init(owi_leaf_regions *regions, const owi_forest *forest,
                                const owi_tree_candidates *candidates)
{
    building b = {.regions = regions, .forest = forest, .candidates = candidates};
    size_t most = 0;
    *regions = (owi_leaf_regions){0};
    for (size_t f = 0; f < forest->n_features; f++)
        if (candidates->start[f + 1] - candidates->start[f] > most)
            most = candidates->start[f + 1] - candidates->start[f];
    for (size_t t = 0; t < forest->n_trees; t++)
        if (forest->trees[t].n_splits > regions->most_splits)
            regions->most_splits = forest->trees[t].n_splits;
    regions->first_side =
        owi_alloc_array(forest->ctx, forest->n_leaves + 1, sizeof *regions->first_side);
    b.path = owi_alloc_array(forest->ctx, regions->most_splits + 1, sizeof *b.path);
    b.inside = owi_alloc_array(forest->ctx, most + 1, sizeof *b.inside);
    ow_status status = regions->first_side != NULL && b.path != NULL && b.inside != NULL
                           ? OW_OK
                           : OW_ERR_MEMORY;
    for (size_t t = 0; t < forest->n_trees && status == OW_OK; t++)
        status = add_tree(&b, &forest->trees[t]);
    if (status == OW_OK) regions->first_side[forest->n_leaves] = regions->n_sides;
    owi_free(forest->ctx, b.path);
    owi_free(forest->ctx, b.inside);
    return status;
}
