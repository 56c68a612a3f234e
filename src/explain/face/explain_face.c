/* SPDX-License-Identifier: MIT */
/* face: R. Poyiadzi, K. Sokol, R. Santos-Rodriguez, T. De Bie, P. Flach, "FACE: feasible
 * and actionable counterfactual explanations", AIES 2020.
 *
 * An answer is a known row of the target class, the one that is cheapest to reach from the
 * query over a graph of known rows that joins near ones (face_graph.h); edges through dense
 * regions may be made cheaper (face_density.h).  An end of the journey is
 *
 *     of class t with probability t_p or more, and with log S(x') >= t_d,
 *
 * every step keeps the constraints, and the way there is part of the answer.
 *
 * Departures: neighbours are the k nearest among the rows that constraints allow, where the
 * authors drop edges afterwards, which tears graphs apart; the graph is undirected unless
 * asked for; the default weight is the plain length. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/threads/parallel.h"
#include "circuit/pass/evaluator.h"
#include "explain/core/background.h"
#include "explain/core/background_thin.h"
#include "explain/core/explainer_list.h"
#include "explain/face/face_graph.h"

typedef struct {
    int64_t rows, neighbours; /* rows -1: all */
    bool directed;
    int weights;
    double bandwidth;
    double probability;
    double density; /* NaN: no matter */
} settings;

static const char *const weight_names[] = {"distance", "knn", "kde", "circuit", NULL};

static const owi_param params[] = {
    OWI_INTEGER(settings, neighbours, "neighbours", 1, 1000, "5",
                .summary = "nearest rows that each row is joined with"),
    OWI_INTEGER(settings, rows, "rows", 1, 1e6, "auto",
                .summary =
                    "the first so many background rows make the graph; auto: all, of more "
                    "than 10000 so many, evenly taken",
                .has_auto = true, .paper = "1000"),
    OWI_FLAG(settings, directed, "directed", "no",
             .summary = "steps lead to the nearest rows only, not back from them"),
    OWI_CHOICE(settings, weights, "weights", weight_names, "distance",
               .summary =
                   "what a step costs: its length, or more of it where rows are rare",
               .reference = "knn"),
    OWI_NUMBER(settings, bandwidth, "bandwidth", 1e-6, 1e6, "auto",
               .summary = "weights=kde: width of the kernel; auto: by Scott's rule",
               .has_auto = true),
    OWI_NUMBER(settings, probability, "probability", 0, 1, "0",
               .summary = "least probability of the target class at the end"),
    OWI_NUMBER(settings, density, "density", -1e9, 1e9, "auto",
               .summary = "least log-density at the end; auto: no matter",
               .has_auto = true),
};

/* ---- Once for all queries ---- */

/* More rows than this take minutes to join, in the square of their number. */
enum { most_by_default = 10000 };

typedef struct {
    owi_thin_background known; /* the rows of the graph, n of them                      */
    float *soft;               /* the same, n x soft width                              */
    owi_face_graph face;
    owi_workspace *densities;
    double *log_class;   /* n x classes, log S of the rows; NULL where nobody asks */
    double *log_density; /* (n), likewise                                               */
} face_state;

static void release(ow_context *ctx, void *opaque)
{
    face_state *state = opaque;
    owi_face_graph_clear(&state->face);
    owi_thin_background_clear(&state->known);
    owi_free(ctx, state->soft);
    owi_workspace_free(state->densities);
    owi_free(ctx, state);
}

/* When somebody asks for the first time. */
static ow_status measure_density(const owi_problem *problem, face_state *state)
{
    if (state->log_class != NULL) return OW_OK;
    const size_t n = state->known.rows.n_rows;
    const owi_piece pieces[] = {OWI_PIECE(state->log_class, n * problem->n_classes),
                                OWI_PIECE(state->log_density, n)};
    OWI_TRY(owi_pieces_new(problem->ctx, OWI_PIECES(pieces), &state->densities));
    const ow_status status = owi_evaluate_soft(problem->call, problem->evaluator, n,
                                               state->soft, state->log_class);
    if (status == OW_OK) {
        ow_circuit_posterior(ow_model_circuit(problem->model), n, state->log_class,
                             state->log_density, NULL);
        return OW_OK;
    }
    owi_workspace_free(state->densities);
    state->densities = NULL;
    state->log_class = state->log_density = NULL;
    return status;
}

static ow_status prepare(const owi_problem *problem, const void *chosen, void **out)
{
    const settings *set = chosen;
    face_state *state = owi_alloc_zeroed(problem->ctx, sizeof *state);
    if (state == NULL) return OW_ERR_MEMORY;
    const owi_background *known = &state->known.rows;
    const size_t first = set->rows > 0 ? (size_t)set->rows : 0;
    ow_status status = owi_thin_background_init(&state->known, problem, first,
                                                first > 0 ? 0 : most_by_default);
    if (status == OW_OK && first == 0 && known->n_rows < problem->background->n_rows)
        owi_log(problem->ctx, OW_LOG_INFO,
                "the graph of face joins %zu of the %zu background rows, evenly taken; set "
                "rows for more",
                known->n_rows, problem->background->n_rows);
    if (status == OW_OK)
        status = owi_soft_rows(problem, known->n_rows, known->values, &state->soft);
    const owi_face_options options = {.k = (size_t)set->neighbours,
                                      .directed = set->directed,
                                      .weights = (owi_face_weights)set->weights,
                                      .bandwidth = set->bandwidth};
    const owi_face_rows rows = {.model = problem->model,
                                .rules = problem->rules,
                                .evaluator = problem->evaluator,
                                .backend = problem->evaluator->backend,
                                .n_rows = known->n_rows,
                                .values = known->values,
                                .soft = state->soft};
    if (status == OW_OK)
        status = owi_face_graph_init(&state->face, problem->call, &options, &rows);
    if (status != OW_OK)
        release(problem->ctx, state);
    else
        *out = state;
    return status;
}

/* ---- A block of queries ---- */

typedef struct {
    const owi_problem *problem;
    const settings *set;
    const face_state *state;
    const owi_queries *queries;
    owi_answer *answers;
    owi_face_entries entries;
    double *threshold;    /* least log S(x' given t) of each query; NULL: none   */
    owi_search *searches; /* one for each worker                                */
    size_t n_searches;
} journey;

/* One traveller. */
typedef struct {
    const journey *block;
    const double *values; /* of the query */
} traveller;

static bool may_enter(void *user, uint32_t node)
{
    const traveller *who = user;
    return owi_face_may_step(&who->block->state->face.rules, who->values, node);
}

/* The row as an answer: what is missing in one of them is as in the query. */
static void take_row(const journey *block, const double *query, size_t row, double *values)
{
    const size_t n_columns = block->problem->n_columns;
    const double *known = block->state->known.rows.values + row * n_columns;
    for (size_t j = 0; j < n_columns; j++)
        values[j] = isnan(query[j]) || isnan(known[j]) ? query[j] : known[j];
}

static bool is_end(const journey *block, size_t query, uint32_t row, double *values)
{
    const owi_problem *problem = block->problem;
    const face_state *state = block->state;
    const int32_t t = block->queries->target[query];
    const double *log_proba = state->known.rows.log_proba + row * problem->n_classes;
    if (!owi_is_valid(problem, log_proba, t) || exp(log_proba[t]) < block->set->probability)
        return false;
    if (!isnan(block->set->density) && state->log_density[row] < block->set->density)
        return false;
    if (block->threshold != NULL &&
        state->log_class[row * problem->n_classes + (size_t)t] < block->threshold[query])
        return false;

    const double *from = block->queries->values + query * problem->n_columns;
    const size_t most = problem->constraints->most_changes;
    take_row(block, from, row, values);
    return most == 0 || owi_count_changes(problem->constraints, from, values) <= most;
}

/* The way to a row that was reached; the answer's values are there already. */
static ow_status keep_answer(const journey *block, const owi_search *search, size_t query,
                             uint32_t row, owi_answer *answer)
{
    const owi_problem *problem = block->problem;
    const size_t d = problem->n_columns, n_nodes = owi_search_path(search, row, NULL);
    uint32_t *nodes = owi_alloc_array(problem->ctx, n_nodes, sizeof *nodes);
    answer->path = owi_alloc_array(problem->ctx, n_nodes + 1, d * sizeof *answer->path);
    if (nodes == NULL || answer->path == NULL) {
        owi_free(problem->ctx, nodes);
        return OW_ERR_MEMORY;
    }
    owi_search_path(search, row, nodes);
    answer->n_path = n_nodes + 1;
    memcpy(answer->path, block->queries->values + query * d, d * sizeof *answer->path);
    for (size_t n = 0; n < n_nodes; n++)
        memcpy(answer->path + (n + 1) * d, block->state->known.rows.values + nodes[n] * d,
               d * sizeof *answer->path);
    memcpy(answer->path + n_nodes * d, answer->values, d * sizeof *answer->path);
    owi_free(problem->ctx, nodes);
    ow_model_soften(problem->model, 1, answer->values, answer->soft);
    answer->given = answer->has_values = true;
    return OW_OK;
}

/* Ends are reached in the order of what they cost: the first k of them are the answers. */
static ow_status travel(void *user, const owi_chunk *chunk)
{
    const journey *block = user;
    const owi_problem *problem = block->problem;
    const size_t k = problem->options->n_answers, i = chunk->first;
    owi_answer *answers = block->answers + i * k;
    owi_search *search = &block->searches[chunk->worker];
    traveller who = {block, block->queries->values + i * problem->n_columns};
    size_t n_arcs, n_found = 0;

    if (owi_call_is_late(problem->call)) {
        for (size_t a = 0; a < k; a++) answers[a].reason = OW_REASON_TIME_LIMIT;
        return OW_OK;
    }
    const owi_arc *arcs = owi_face_arcs(&block->entries, i, &n_arcs);
    owi_search_begin(search, &block->state->face.graph, n_arcs, arcs, may_enter, &who);
    while (n_found < k) {
        const uint32_t row = owi_search_next(search);
        if (row == OWI_NO_NODE) break;
        if (!is_end(block, i, row, answers[n_found].values)) continue;
        OWI_TRY(keep_answer(block, search, i, row, &answers[n_found]));
        n_found++;
    }
    for (size_t a = n_found; a < k; a++) answers[a].reason = OW_REASON_NO_PATH;
    return OW_OK;
}

static ow_status begin_searches(journey *block)
{
    const size_t n = owi_parallel_workers(block->problem->call, block->queries->n_rows, 1);
    block->searches = owi_alloc_array(block->problem->ctx, n, sizeof *block->searches);
    if (block->searches == NULL) return OW_ERR_MEMORY;
    while (block->n_searches < n) {
        OWI_TRY(owi_search_init(&block->searches[block->n_searches], block->problem->ctx,
                                block->state->known.rows.n_rows));
        block->n_searches++;
    }
    return OW_OK;
}

static ow_status find_thresholds(journey *block)
{
    const owi_problem *problem = block->problem;
    const owi_queries *queries = block->queries;
    if (!problem->options->density_required) return OW_OK;
    block->threshold =
        owi_alloc_array(problem->ctx, queries->n_rows, sizeof *block->threshold);
    if (block->threshold == NULL) return OW_ERR_MEMORY;
    return owi_density_thresholds(problem->call, problem->reference, queries->n_rows,
                                  queries->values, queries->target,
                                  problem->options->density_quantile, block->threshold);
}

static ow_status explain_block(const owi_problem *problem, const void *chosen, void *opaque,
                               const owi_queries *queries, owi_answer *answers)
{
    face_state *state = opaque;
    const settings *set = chosen;
    journey block = {.problem = problem,
                     .set = set,
                     .state = state,
                     .queries = queries,
                     .answers = answers};
    ow_status status =
        owi_face_entries_init(&block.entries, problem->call, &state->face, queries->n_rows,
                              queries->values, queries->soft);
    if (status == OW_OK && (!isnan(set->density) || problem->options->density_required))
        status = measure_density(problem, state);
    if (status == OW_OK) status = find_thresholds(&block);
    if (status == OW_OK) status = begin_searches(&block);
    if (status == OW_OK)
        status = owi_parallel_rows(problem->call, queries->n_rows, 1, travel, &block);
    for (size_t s = 0; s < block.n_searches; s++) owi_search_clear(&block.searches[s]);
    owi_free(problem->ctx, block.searches);
    owi_free(problem->ctx, block.threshold);
    owi_face_entries_clear(&block.entries);
    return status;
}

const owi_explainer_impl owi_explainer_face = {
    .shown =
        {
            .name = "face",
            .summary = "the cheapest way to a known row of the class, over known rows",
            .needs_background = true,
            .n_params = sizeof params / sizeof *params,
        },
    .settings_size = sizeof(settings),
    .params = params,
    .prepare = prepare,
    .release = release,
    .explain_block = explain_block,
};
