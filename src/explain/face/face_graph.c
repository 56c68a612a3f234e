/* SPDX-License-Identifier: MIT */
#include "explain/face/face_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

/* ---- Neighbours of every row ---- */

typedef struct {
    owi_face_graph *face;
    owi_near *near;   /* n_rows x k */
    uint32_t *n_near; /* (n_rows)   */
} neighbour_lists;

static bool may_link(const void *user, size_t from, uint32_t to)
{
    const owi_face_rules *rules = user;
    return from != to &&
           owi_face_may_step(rules, rules->values + from * rules->n_columns, to);
}

static ow_status find_neighbours(void *user, const owi_point *point)
{
    const neighbour_lists *lists = user;
    owi_face_graph *face = lists->face;
    const size_t i = point->index, k = face->options.k;
    owi_near *near = lists->near + i * k;
    const size_t n = owi_point_nearest(point, k, may_link, &face->rules, near);
    lists->n_near[i] = (uint32_t)n;
    face->reach[i] = n == k ? near[k - 1].distance : INFINITY;
    return OW_OK;
}

/* ---- Arcs ---- */

/* Rows whose arcs are gone over between two ticks. */
enum { rows_per_tick = 1024 };

/* Arcs are counted, then put in place, by the same walk over the lists. */
static ow_status walk_arcs(const owi_call *call, const owi_face_graph *face,
                           const neighbour_lists *lists, size_t *next, owi_arc *arcs)
{
    const owi_face_rules *rules = &face->rules;
    for (size_t i = 0; i < rules->n_rows; i++) {
        if (i % rows_per_tick == 0) OWI_TRY(owi_call_tick(call));
        for (size_t a = 0; a < lists->n_near[i]; a++) {
            const owi_near *near = &lists->near[i * face->options.k + a];
            const size_t j = near->row;
            if (arcs != NULL) arcs[next[i]] = (owi_arc){near->row, near->distance};
            next[i]++;
            if (face->options.directed || !may_link(rules, j, (uint32_t)i)) continue;
            if (arcs != NULL) arcs[next[j]] = (owi_arc){(uint32_t)i, near->distance};
            next[j]++;
        }
    }
    return OW_OK;
}

static int compare_arcs(const void *a, const void *b)
{
    const owi_arc *one = a, *other = b;
    return (one->to > other->to) - (one->to < other->to);
}

/* Arcs of each row in order, each once; start is where they begin, and becomes where they
 * begin afterwards. */
static ow_status settle_arcs(const owi_call *call, size_t n_rows, size_t *start,
                             owi_arc *arcs)
{
    size_t n = 0;
    for (size_t i = 0; i < n_rows; i++) {
        if (i % rows_per_tick == 0) OWI_TRY(owi_call_tick(call));
        const size_t first = start[i], end = start[i + 1];
        qsort(arcs + first, end - first, sizeof *arcs, compare_arcs);
        start[i] = n;
        for (size_t a = first; a < end; a++)
            if (a == first || arcs[a].to != arcs[a - 1].to) arcs[n++] = arcs[a];
    }
    start[n_rows] = n;
    return OW_OK;
}

/* The graph's arcs with their lengths, row by row; *out is the caller's, after a failure,
 * too. */
static ow_status join_rows(const owi_call *call, owi_face_graph *face,
                           const neighbour_lists *lists, owi_arc **out)
{
    const size_t n_rows = face->rules.n_rows;
    size_t *start = face->graph.start;
    size_t *next = owi_alloc_array(face->ctx, n_rows, sizeof *next);
    if (next == NULL) return OW_ERR_MEMORY;
    ow_status status = walk_arcs(call, face, lists, next, NULL);
    if (status == OW_OK) {
        for (size_t i = 0; i < n_rows; i++) start[i + 1] = start[i] + next[i];
        memcpy(next, start, n_rows * sizeof *next);
        *out = owi_alloc_array(face->ctx, start[n_rows], sizeof **out);
        if (*out == NULL) status = OW_ERR_MEMORY;
    }
    if (status == OW_OK) status = walk_arcs(call, face, lists, next, *out);
    if (status == OW_OK) status = settle_arcs(call, n_rows, start, *out);
    owi_free(face->ctx, next);
    return status;
}

/* ---- Weights ---- */

static ow_status weigh_arcs(const owi_call *call, owi_face_graph *face, const owi_arc *arcs)
{
    owi_graph *graph = &face->graph;
    const size_t n_arcs = graph->start[graph->n_nodes], width = face->neighbours.width;
    owi_face_edge *edges;
    owi_workspace *scratch;
    const owi_piece kept[] = {OWI_PIECE(graph->to, n_arcs),
                              OWI_PIECE(graph->weight, n_arcs)};
    const owi_piece pieces[] = {OWI_PIECE(edges, n_arcs)};
    OWI_TRY(owi_pieces_new(face->ctx, OWI_PIECES(kept), &face->arcs));
    OWI_TRY(owi_pieces_new(face->ctx, OWI_PIECES(pieces), &scratch));

    for (size_t i = 0; i < graph->n_nodes; i++)
        for (size_t a = graph->start[i]; a < graph->start[i + 1]; a++) {
            graph->to[a] = arcs[a].to;
            edges[a] = (owi_face_edge){.from = face->soft + i * width,
                                       .to = face->soft + arcs[a].to * width,
                                       .length = arcs[a].weight};
        }
    ow_status status =
        owi_face_log_densities(call, &face->density, n_arcs, edges, graph->weight);
    if (status != OW_OK) goto done;
    double densest = -INFINITY;
    for (size_t a = 0; a < n_arcs; a++)
        if (edges[a].length > 0.0) densest = fmax(densest, graph->weight[a]);
    face->density.densest = isfinite(densest) ? densest : 0.0;
    for (size_t a = 0; a < n_arcs; a++)
        graph->weight[a] =
            owi_face_weight(&face->density, edges[a].length, graph->weight[a]);
    status = owi_call_tick(call);

done:
    owi_workspace_free(scratch);
    return status;
}

/* ---- The graph ---- */

static ow_status build_graph(const owi_call *call, owi_face_graph *face)
{
    const size_t n_rows = face->rules.n_rows;
    owi_arc *arcs = NULL;
    owi_workspace *scratch;
    neighbour_lists lists = {.face = face};
    const owi_piece kept[] = {OWI_PIECE(face->reach, n_rows),
                              OWI_PIECE(face->graph.start, n_rows + 1)};
    const owi_piece pieces[] = {{&lists.near, n_rows, face->options.k * sizeof *lists.near},
                                OWI_PIECE(lists.n_near, n_rows)};
    face->graph.n_nodes = n_rows;
    OWI_TRY(owi_pieces_new(face->ctx, OWI_PIECES(kept), &face->rows));
    OWI_TRY(owi_pieces_new(face->ctx, OWI_PIECES(pieces), &scratch));
    ow_status status = owi_near_rows_visit(call, &face->neighbours, n_rows, face->soft,
                                           find_neighbours, &lists);
    if (status == OW_OK) status = join_rows(call, face, &lists, &arcs);
    if (status == OW_OK) status = weigh_arcs(call, face, arcs);
    owi_free(face->ctx, arcs);
    owi_workspace_free(scratch);
    return status;
}

ow_status owi_face_graph_init(owi_face_graph *face, const owi_call *call,
                              const owi_face_options *options, const owi_face_rows *rows)
{
    ow_context *ctx = call->ctx;
    *face = (owi_face_graph){.ctx = ctx, .options = *options, .soft = rows->soft};
    ow_status status =
        owi_face_rules_init(&face->rules, ctx, rows->rules, rows->n_rows, rows->values);
    if (status == OW_OK)
        status = owi_near_rows_init(&face->neighbours, call, rows->backend, rows->n_rows,
                                    ow_model_soft_width(rows->model), rows->soft);
    face->density = (owi_face_density){.kind = options->weights,
                                       .ctx = ctx,
                                       .neighbours = &face->neighbours,
                                       .circuit = ow_model_circuit(rows->model),
                                       .evaluator = rows->evaluator,
                                       .k = options->k,
                                       .bandwidth = options->bandwidth};
    if (status == OW_OK) owi_face_density_begin(&face->density);
    if (status == OW_OK) status = build_graph(call, face);
    if (status != OW_OK) owi_face_graph_clear(face);
    return status;
}

void owi_face_graph_clear(owi_face_graph *face)
{
    if (face->ctx == NULL) return;
    owi_face_rules_clear(&face->rules);
    owi_near_rows_clear(&face->neighbours);
    owi_workspace_free(face->rows);
    owi_workspace_free(face->arcs);
    *face = (owi_face_graph){0};
}
