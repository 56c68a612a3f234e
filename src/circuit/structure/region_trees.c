/* SPDX-License-Identifier: MIT */
#include "circuit/structure/region_trees.h"

#include "base/error.h"
#include "base/memory/alloc.h"

typedef struct {
    size_t n_groups;
    uint32_t *first; /* (groups + 1): the first column of each      */
    uint32_t *order; /* (groups): from the root down, level by level */
    uint32_t *place; /* (groups): where each stands in it            */
} walk;

/* The root of a tree; OW_ERR_ARGUMENT where there is not one, or a parent is no group. */
static ow_status find_root(const walk *w, size_t tree, const uint32_t *parents,
                           uint32_t *root)
{
    size_t n_roots = 0;
    for (uint32_t g = 0; g < w->n_groups; g++) {
        if (parents[g] >= w->n_groups)
            return owi_fail(OW_ERR_ARGUMENT,
                            "tree %zu: the parent of group %u is %u, of %zu groups", tree,
                            g, parents[g], w->n_groups);
        if (parents[g] != g) continue;
        *root = g;
        n_roots++;
    }
    if (n_roots == 1) return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT, "tree %zu has %zu roots, expected one", tree, n_roots);
}

/* Groups level by level, those of one parent in ascending order. */
static ow_status order_tree(walk *w, size_t tree, const uint32_t *parents)
{
    uint32_t n = 0;
    OWI_TRY(find_root(w, tree, parents, &w->order[0]));
    w->place[w->order[0]] = n++;
    for (uint32_t at = 0; at < n; at++)
        for (uint32_t g = 0; g < w->n_groups && n < w->n_groups; g++)
            if (parents[g] == w->order[at] && g != w->order[0]) {
                w->order[n] = g;
                w->place[g] = n++;
            }
    if (n == w->n_groups) return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT, "tree %zu: %zu groups go round in a circle", tree,
                    w->n_groups - n);
}

/* One tree's regions, in all copies. */
static void take_tree(owi_region_graph *graph, const ow_circuit_spec *spec, const walk *w,
                      size_t tree, const uint32_t *parents)
{
    const size_t G = graph->n_parts;
    for (size_t p = 0; p < G; p++)
        graph->parent[tree * G + p] = w->place[parents[w->order[p]]];
    for (size_t copy = 0; copy < graph->n_copies; copy++) {
        uint32_t n = (uint32_t)((copy * spec->repetitions + tree) * spec->n_columns);
        for (size_t p = 0; p < G; p++) {
            const uint32_t g = w->order[p];
            graph->start[copy * graph->n_regions + tree * G + p] = n;
            for (uint32_t j = w->first[g]; j < w->first[g + 1]; j++)
                graph->columns[n++] = j;
        }
        graph->start[copy * graph->n_regions + (tree + 1) * G] = n;
    }
}

static ow_status take_trees(owi_region_graph *graph, const ow_circuit_spec *spec, walk *w)
{
    uint32_t n = 0;
    for (uint32_t j = 0; j < spec->n_columns; j++)
        if (j == 0 || spec->leaves[j].group != spec->leaves[j - 1].group) w->first[n++] = j;
    w->first[n] = (uint32_t)spec->n_columns;
    for (size_t tree = 0; tree < spec->repetitions; tree++) {
        const uint32_t *parents = spec->parents + tree * w->n_groups;
        OWI_TRY(order_tree(w, tree, parents));
        take_tree(graph, spec, w, tree, parents);
    }
    return OW_OK;
}

ow_status owi_region_trees_init(owi_region_graph *graph, ow_context *ctx,
                                const ow_circuit_spec *spec)
{
    walk w = {.n_groups = owi_region_graph_groups(spec)};
    OWI_TRY(owi_region_graph_alloc(graph, ctx, spec));
    graph->parent = owi_alloc_array(ctx, graph->n_regions, sizeof *graph->parent);
    w.first = owi_alloc_array(ctx, 3 * w.n_groups + 1, sizeof *w.first);
    ow_status status = OW_ERR_MEMORY;
    if (graph->parent != NULL && w.first != NULL) {
        w.order = w.first + w.n_groups + 1;
        w.place = w.order + w.n_groups;
        status = take_trees(graph, spec, &w);
    }
    owi_free(ctx, w.first);
    if (status != OW_OK) owi_region_graph_clear(graph, ctx);
    return status;
}
