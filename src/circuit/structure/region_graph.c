/* SPDX-License-Identifier: MIT */
#include "circuit/structure/region_graph.h"

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/rng.h"
#include "circuit/structure/region_trees.h"

/* Whether column j begins a group: those of one group stand side by side. */
static bool begins_group(const ow_circuit_spec *spec, size_t j)
{
    return j == 0 || spec->leaves[j].group != spec->leaves[j - 1].group;
}

size_t owi_region_graph_groups(const ow_circuit_spec *spec)
{
    size_t n = 0;
    for (size_t j = 0; j < spec->n_columns; j++) n += begins_group(spec, j);
    return n;
}

size_t owi_region_graph_most_halvings(const ow_circuit_spec *spec)
{
    /* The smaller half of n is floor(n / 2): as long as that is at least 1 all the way
     * down. */
    size_t depth = 0;
    for (size_t n = owi_region_graph_groups(spec); n >= 2; n /= 2) depth++;
    return depth;
}

ow_status owi_region_graph_alloc(owi_region_graph *graph, ow_context *ctx,
                                 const ow_circuit_spec *spec)
{
    size_t n_starts, n_columns;
    *graph = (owi_region_graph){
        .n_parts = spec->parents != NULL ? owi_region_graph_groups(spec)
                                         : (size_t)1 << spec->depth,
        .n_copies = spec->structure == OW_STRUCTURE_SHARED ? 1 : spec->n_classes,
    };
    if (!owi_size_multiply(spec->repetitions, graph->n_parts, &graph->n_regions) ||
        !owi_size_multiply(graph->n_copies, graph->n_regions, &n_starts) ||
        !owi_size_multiply(graph->n_copies * spec->repetitions, spec->n_columns,
                           &n_columns) ||
        n_columns > UINT32_MAX || n_starts >= UINT32_MAX)
        return owi_fail(OW_ERR_ARGUMENT, "a circuit of %zu x %zu regions is too large",
                        graph->n_copies, graph->n_regions);
    graph->start = owi_alloc_array(ctx, n_starts + 1, sizeof *graph->start);
    graph->columns = owi_alloc_array(ctx, n_columns, sizeof *graph->columns);
    if (graph->start != NULL && graph->columns != NULL) return OW_OK;
    owi_region_graph_clear(graph, ctx);
    return OW_ERR_MEMORY;
}

/* The leaf region of every place in the shuffled order of n groups: region[place] after
 * `depth` halvings, found by walking down from the root. */
static size_t region_of(size_t place, size_t n, size_t depth)
{
    size_t region = 0;
    for (size_t level = 0; level < depth; level++) {
        const size_t left = n - n / 2;
        region = 2 * region + (place >= left);
        n = place >= left ? n - left : left;
        place = place >= left ? place - left : place;
    }
    return region;
}

/* One repetition: which of its 2^depth regions each group goes to. */
static void halve(const ow_circuit_spec *spec, uint64_t number, size_t n_groups,
                  size_t *order, size_t *region)
{
    owi_rng rng;
    owi_rng_init(&rng, spec->seed, owi_rng_stream(OWI_DRAWS_REGIONS, number));
    for (size_t g = 0; g < n_groups; g++) order[g] = g;
    owi_rng_shuffle(&rng, n_groups, order);
    for (size_t place = 0; place < n_groups; place++)
        region[order[place]] = region_of(place, n_groups, spec->depth);
}

/* Appends the columns whose group goes to this region, in ascending order. */
static uint32_t append_region(const ow_circuit_spec *spec, const size_t *region_of_group,
                              size_t region, uint32_t *columns, uint32_t n)
{
    size_t n_begun = 0; /* groups begun so far */
    for (size_t j = 0; j < spec->n_columns; j++) {
        n_begun += begins_group(spec, j);
        if (region_of_group[n_begun - 1] == region) columns[n++] = (uint32_t)j;
    }
    return n;
}

ow_status owi_region_graph_init(owi_region_graph *graph, ow_context *ctx,
                                const ow_circuit_spec *spec)
{
    const size_t n_leaves = (size_t)1 << spec->depth;
    const size_t n_groups = owi_region_graph_groups(spec);

    if (spec->parents != NULL) return owi_region_trees_init(graph, ctx, spec);
    OWI_TRY(owi_region_graph_alloc(graph, ctx, spec));
    size_t *order = owi_alloc_array(ctx, 2 * n_groups, sizeof *order);
    if (order == NULL) {
        owi_region_graph_clear(graph, ctx);
        return OW_ERR_MEMORY;
    }
    size_t *region_of_group = order + n_groups;

    uint32_t n = 0;
    for (size_t copy = 0; copy < graph->n_copies; copy++)
        for (size_t rep = 0; rep < spec->repetitions; rep++) {
            const size_t own = spec->same_regions ? 0 : copy;
            halve(spec, own * spec->repetitions + rep, n_groups, order, region_of_group);
            for (size_t leaf = 0; leaf < n_leaves; leaf++) {
                graph->start[copy * graph->n_regions + rep * n_leaves + leaf] = n;
                n = append_region(spec, region_of_group, leaf, graph->columns, n);
            }
        }
    graph->start[graph->n_copies * graph->n_regions] = n;
    owi_free(ctx, order);
    return OW_OK;
}

ow_status owi_region_graph_check(const owi_region_graph *graph, ow_context *ctx,
                                 const ow_circuit_spec *spec)
{
    const size_t n_leaves = (size_t)1 << spec->depth;
    const size_t n_repetitions = graph->n_copies * spec->repetitions;
    size_t *seen_in = owi_alloc_array(ctx, spec->n_columns, sizeof *seen_in);
    if (seen_in == NULL) return OW_ERR_MEMORY;

    ow_status status = OW_OK;
    for (size_t rep = 0; rep < n_repetitions && status == OW_OK; rep++) {
        const uint32_t first = graph->start[rep * n_leaves];
        const uint32_t end = graph->start[(rep + 1) * n_leaves];
        if (first != rep * spec->n_columns || end != (rep + 1) * spec->n_columns)
            status = owi_fail(OW_ERR_FORMAT,
                              "repetition %zu holds columns %u to %u, expected %zu of them",
                              rep, first, end, spec->n_columns);
        for (size_t r = rep * n_leaves; r < (rep + 1) * n_leaves && status == OW_OK; r++) {
            if (graph->start[r] > graph->start[r + 1] || graph->start[r + 1] > end)
                status = owi_fail(OW_ERR_FORMAT, "region %zu ends before it begins", r);
            for (uint32_t i = graph->start[r]; i < graph->start[r + 1] && status == OW_OK;
                 i++) {
                const uint32_t j = graph->columns[i];
                if (j >= spec->n_columns || seen_in[j] == rep + 1 ||
                    (i > graph->start[r] && graph->columns[i - 1] >= j))
                    status = owi_fail(OW_ERR_FORMAT,
                                      "region %zu: column %u is not the next one of %zu", r,
                                      j, spec->n_columns);
                else
                    seen_in[j] = rep + 1;
            }
        }
    }
    owi_free(ctx, seen_in);
    return status;
}

void owi_region_graph_clear(owi_region_graph *graph, ow_context *ctx)
{
    owi_free(ctx, graph->start);
    owi_free(ctx, graph->columns);
    owi_free(ctx, graph->parent);
    graph->start = graph->columns = graph->parent = NULL;
}
