/* SPDX-License-Identifier: MIT */
/* The open nodes are a binary heap ordered by (cost, number), in which a node can be found
 * and moved up. */
#include "explain/face/shortest_path.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { UNSEEN, OPEN, SETTLED, FORBIDDEN };

ow_status owi_search_init(owi_search *search, ow_context *ctx, size_t n_nodes)
{
    *search = (owi_search){0};
    const owi_piece pieces[] = {OWI_PIECE(search->cost, n_nodes),
                                OWI_PIECE(search->previous, n_nodes),
                                OWI_PIECE(search->heap, n_nodes),
                                OWI_PIECE(search->place, n_nodes),
                                OWI_PIECE(search->state, n_nodes)};
    return owi_pieces_new(ctx, OWI_PIECES(pieces), &search->workspace);
}

void owi_search_clear(owi_search *search)
{
    owi_workspace_free(search->workspace);
    *search = (owi_search){0};
}

/* ---- The heap ---- */

static bool comes_before(const owi_search *search, uint32_t a, uint32_t b)
{
    if (search->cost[a] != search->cost[b]) return search->cost[a] < search->cost[b];
    return a < b;
}

static void put(owi_search *search, size_t place, uint32_t node)
{
    search->heap[place] = node;
    search->place[node] = (uint32_t)place;
}

static void move_up(owi_search *search, uint32_t node)
{
    size_t place = search->place[node];
    while (place > 0) {
        const size_t parent = (place - 1) / 2;
        if (!comes_before(search, node, search->heap[parent])) break;
        put(search, place, search->heap[parent]);
        place = parent;
    }
    put(search, place, node);
}

static void move_down(owi_search *search, uint32_t node)
{
    size_t place = 0;
    for (;;) {
        size_t child = 2 * place + 1;
        if (child >= search->n_open) break;
        if (child + 1 < search->n_open &&
            comes_before(search, search->heap[child + 1], search->heap[child]))
            child++;
        if (!comes_before(search, search->heap[child], node)) break;
        put(search, place, search->heap[child]);
        place = child;
    }
    put(search, place, node);
}

/* ---- The search ---- */

/* A way to a node at this cost is known. */
static void offer(owi_search *search, uint32_t node, uint32_t previous, double cost)
{
    assert(cost >= 0.0);
    if (isinf(cost)) return; /* no way at all */
    if (search->state[node] == UNSEEN) {
        const bool may = search->may_enter == NULL || search->may_enter(search->user, node);
        search->state[node] = may ? OPEN : FORBIDDEN;
        if (!may) return;
        put(search, search->n_open++, node);
    } else if (search->state[node] != OPEN || cost >= search->cost[node]) {
        return;
    }
    search->cost[node] = cost;
    search->previous[node] = previous;
    move_up(search, node);
}

void owi_search_begin(owi_search *search, const owi_graph *graph, size_t n_arcs,
                      const owi_arc *arcs, owi_may_enter_fn may_enter, void *user)
{
    search->graph = graph;
    search->may_enter = may_enter;
    search->user = user;
    search->n_open = 0;
    memset(search->state, UNSEEN, graph->n_nodes * sizeof *search->state);
    for (size_t a = 0; a < n_arcs; a++)
        offer(search, arcs[a].to, OWI_NO_NODE, arcs[a].weight);
}

uint32_t owi_search_next(owi_search *search)
{
    const owi_graph *graph = search->graph;
    if (search->n_open == 0) return OWI_NO_NODE;
    const uint32_t node = search->heap[0];
    search->state[node] = SETTLED;
    search->n_open--;
    if (search->n_open > 0) move_down(search, search->heap[search->n_open]);

    for (size_t a = graph->start[node]; a < graph->start[node + 1]; a++)
        offer(search, graph->to[a], node, search->cost[node] + graph->weight[a]);
    return node;
}

double owi_search_cost(const owi_search *search, uint32_t node)
{
    return search->cost[node];
}

size_t owi_search_path(const owi_search *search, uint32_t node, uint32_t *nodes)
{
    size_t n = 0;
    for (uint32_t at = node; at != OWI_NO_NODE; at = search->previous[at]) n++;
    size_t i = n;
    for (uint32_t at = node; nodes != NULL && at != OWI_NO_NODE; at = search->previous[at])
        nodes[--i] = at;
    return n;
}
