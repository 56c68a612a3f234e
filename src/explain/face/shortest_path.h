/* SPDX-License-Identifier: MIT */
/* Cheapest ways from a point outside a graph to its nodes (Dijkstra, "A note on two
 * problems in connexion with graphs", 1959), one settled node after the other:
 *
 *     owi_search_begin(&search, &graph, n_arcs, arcs, may_enter, user);
 *     while ((node = owi_search_next(&search)) != OWI_NO_NODE)
 *         if (is_goal(node)) break;
 *     n = owi_search_path(&search, node, nodes);
 *
 * Among nodes of equal cost the lower number comes first: the same path on every
 * machine. */
#ifndef OWI_SHORTEST_PATH_H
#define OWI_SHORTEST_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/workspace.h"

#define OWI_NO_NODE UINT32_MAX

/* The arcs out of node i are [start[i], start[i + 1]); no weight is negative. */
typedef struct {
    size_t n_nodes;
    size_t *start;
    uint32_t *to;
    double *weight;
} owi_graph;

typedef struct {
    uint32_t to;
    double weight;
} owi_arc;

/* Whether the journey may pass through a node; asked at most once for each. */
typedef bool (*owi_may_enter_fn)(void *user, uint32_t node);

typedef struct {
    owi_workspace *workspace;
    const owi_graph *graph;
    owi_may_enter_fn may_enter;
    void *user;
    double *cost;       /* best known so far                                    */
    uint32_t *previous; /* node before it; OWI_NO_NODE: the starting point       */
    uint32_t *heap;     /* open nodes, cheapest first                           */
    uint32_t *place;    /* of an open node in the heap                          */
    uint8_t *state;
    size_t n_open;
} owi_search;

/* Room for graphs of up to n_nodes. */
ow_status owi_search_init(owi_search *search, ow_context *ctx, size_t n_nodes);
void owi_search_clear(owi_search *search);

/* From a point with these arcs into the graph.  may_enter NULL: everywhere. */
void owi_search_begin(owi_search *search, const owi_graph *graph, size_t n_arcs,
                      const owi_arc *arcs, owi_may_enter_fn may_enter, void *user);
/* The cheapest node that has not been given yet; OWI_NO_NODE: no more can be reached. */
uint32_t owi_search_next(owi_search *search);

/* Of a node that was given: what it costs to get there, and the nodes on the way from the
 * first one to itself (nodes NULL: only how many). */
double owi_search_cost(const owi_search *search, uint32_t node);
size_t owi_search_path(const owi_search *search, uint32_t node, uint32_t *nodes);

#endif
