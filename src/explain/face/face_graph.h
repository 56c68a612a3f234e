/* SPDX-License-Identifier: MIT */
/* FACE's graph: known rows, each joined with the k nearest ones among those that the
 * constraints let it step to.  Undirected (the default) a step leads both ways where the
 * constraints allow that too.  A query is joined in the same way, without becoming part of
 * the graph. */
#ifndef OWI_FACE_GRAPH_H
#define OWI_FACE_GRAPH_H

#include "base/memory/workspace.h"
#include "explain/face/face_density.h"
#include "explain/face/face_rules.h"
#include "explain/face/shortest_path.h"

typedef struct {
    size_t k;
    bool directed;
    owi_face_weights weights;
    double bandwidth; /* as in owi_face_density */
} owi_face_options;

typedef struct {
    ow_context *ctx;
    owi_workspace *rows, *arcs; /* what there is for each row, and for each arc      */
    owi_face_options options;
    const float *soft; /* n_rows x width, borrowed; values likewise        */
    owi_face_rules rules;
    owi_near_rows neighbours;
    owi_face_density density;
    double *
        reach; /* (n_rows): how far the k-th neighbour is; infinite where there are fewer */
    owi_graph graph;
} owi_face_graph;

typedef struct {
    const ow_model *model;
    const owi_rules *rules;
    ow_evaluator *evaluator;
    const owi_backend *backend;
    size_t n_rows;
    const double *values; /* n_rows x columns    */
    const float *soft;    /* n_rows x soft width */
} owi_face_rows;

ow_status owi_face_graph_init(owi_face_graph *face, const owi_call *call,
                              const owi_face_options *options, const owi_face_rows *rows);
void owi_face_graph_clear(owi_face_graph *face);

/* The arcs from queries into the graph. */
typedef struct {
    size_t n, capacity;
    owi_arc *arcs;
} owi_arc_list;

typedef struct {
    size_t list, first, n;
} owi_face_entry;

typedef struct {
    ow_context *ctx;
    owi_workspace *workspace;
    size_t n_lists;
    owi_arc_list *lists;     /* one for each worker that looked for neighbours      */
    owi_face_entry *entries; /* one for each query: arcs [first, first + n) of a list */
} owi_face_entries;

/* values is n_queries x columns, soft n_queries x width. */
ow_status owi_face_entries_init(owi_face_entries *entries, const owi_call *call,
                                const owi_face_graph *face, size_t n_queries,
                                const double *values, const float *soft);
void owi_face_entries_clear(owi_face_entries *entries);
const owi_arc *owi_face_arcs(const owi_face_entries *entries, size_t query, size_t *n);

#endif
