/* SPDX-License-Identifier: MIT */
/* Where queries enter FACE's graph.  A query is joined with its k nearest rows and,
 * undirected, with the rows that would have it among their own k nearest; in both cases
 * only with rows that it may step to. */
#include "base/error.h"
#include "base/memory/alloc.h"
#include "explain/face/face_graph.h"

typedef struct {
    const owi_face_graph *face;
    const double *values;
    owi_near *near; /* k for each worker */
    owi_face_entries *entries;
} entry_search;

static bool may_enter(const void *user, size_t query, uint32_t row)
{
    const entry_search *work = user;
    const owi_face_rules *rules = &work->face->rules;
    return owi_face_may_step(rules, work->values + query * rules->n_columns, row);
}

static ow_status add_arc(ow_context *ctx, owi_arc_list *list, uint32_t row, double length)
{
    OWI_TRY(owi_grow(ctx, &list->arcs, &list->capacity, list->n + 1, sizeof *list->arcs));
    list->arcs[list->n++] = (owi_arc){.to = row, .weight = length};
    return OW_OK;
}

/* Rows with the point inside their reach, but for the n_near nearest, which have arcs
 * already: nothing as near as the last of them is missing from those, and what is as near
 * has a higher number. */
static ow_status add_reaching_rows(const entry_search *work, const owi_point *point,
                                   const owi_near *last, owi_arc_list *list)
{
    const owi_face_graph *face = work->face;
    for (size_t row = 0; row < face->rules.n_rows; row++) {
        const double reach = face->reach[row];
        if (owi_point_square(point, row) - point->error > reach * reach) continue;
        const double distance = owi_point_distance(point, row);
        if (distance > reach || distance < last->distance ||
            (distance == last->distance && row <= last->row))
            continue;
        if (may_enter(work, point->index, (uint32_t)row))
            OWI_TRY(add_arc(face->ctx, list, (uint32_t)row, distance));
    }
    return OW_OK;
}

static ow_status find_entries(void *user, const owi_point *point)
{
    const entry_search *work = user;
    const owi_face_options *options = &work->face->options;
    owi_arc_list *list = &work->entries->lists[point->worker];
    owi_near *near = work->near + point->worker * options->k;
    const size_t first = list->n;
    const size_t n = owi_point_nearest(point, options->k, may_enter, work, near);
    for (size_t a = 0; a < n; a++)
        OWI_TRY(add_arc(work->face->ctx, list, near[a].row, near[a].distance));
    if (!options->directed && n == options->k)
        OWI_TRY(add_reaching_rows(work, point, &near[n - 1], list));
    work->entries->entries[point->index] =
        (owi_face_entry){.list = point->worker, .first = first, .n = list->n - first};
    return OW_OK;
}

static owi_arc *query_arcs(const owi_face_entries *entries, size_t query, size_t *n)
{
    const owi_face_entry *entry = &entries->entries[query];
    *n = entry->n;
    return entry->n > 0 ? entries->lists[entry->list].arcs + entry->first : NULL;
}

/* From lengths to weights. */
static ow_status weigh_entries(const owi_call *call, const owi_face_graph *face,
                               size_t n_queries, const float *soft,
                               owi_face_entries *entries)
{
    const size_t width = face->neighbours.width;
    size_t total = 0, n, e = 0;
    if (face->options.weights == OWI_FACE_DISTANCE) return OW_OK;
    for (size_t i = 0; i < n_queries; i++) total += entries->entries[i].n;
    owi_face_edge *edges;
    double *log_rho;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(edges, total), OWI_PIECE(log_rho, total)};
    OWI_TRY(owi_pieces_new(face->ctx, OWI_PIECES(pieces), &scratch));
    for (size_t i = 0; i < n_queries; i++) {
        const owi_arc *arcs = query_arcs(entries, i, &n);
        for (size_t a = 0; a < n; a++)
            edges[e++] = (owi_face_edge){.from = soft + i * width,
                                         .to = face->soft + arcs[a].to * width,
                                         .length = arcs[a].weight};
    }
    const ow_status status =
        owi_face_log_densities(call, &face->density, total, edges, log_rho);
    e = 0;
    for (size_t i = 0; i < n_queries && status == OW_OK; i++) {
        owi_arc *arcs = query_arcs(entries, i, &n);
        for (size_t a = 0; a < n; a++, e++)
            arcs[a].weight = owi_face_weight(&face->density, arcs[a].weight, log_rho[e]);
    }
    owi_workspace_free(scratch);
    return status;
}

ow_status owi_face_entries_init(owi_face_entries *entries, const owi_call *call,
                                const owi_face_graph *face, size_t n_queries,
                                const double *values, const float *soft)
{
    ow_context *ctx = face->ctx;
    const size_t n_workers = owi_near_rows_workers(call, n_queries);
    *entries = (owi_face_entries){.ctx = ctx, .n_lists = n_workers};
    entry_search work = {.face = face, .values = values, .entries = entries};
    const owi_piece pieces[] = {OWI_PIECE(entries->lists, n_workers),
                                OWI_PIECE(entries->entries, n_queries),
                                OWI_PIECE(work.near, n_workers * face->options.k)};
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &entries->workspace));
    ow_status status =
        owi_near_rows_visit(call, &face->neighbours, n_queries, soft, find_entries, &work);
    if (status == OW_OK) status = weigh_entries(call, face, n_queries, soft, entries);
    if (status != OW_OK) owi_face_entries_clear(entries);
    return status;
}

void owi_face_entries_clear(owi_face_entries *entries)
{
    if (entries->ctx == NULL) return;
    for (size_t w = 0; entries->lists != NULL && w < entries->n_lists; w++)
        owi_free(entries->ctx, entries->lists[w].arcs);
    owi_workspace_free(entries->workspace);
    *entries = (owi_face_entries){0};
}

const owi_arc *owi_face_arcs(const owi_face_entries *entries, size_t query, size_t *n)
{
    return query_arcs(entries, query, n);
}
