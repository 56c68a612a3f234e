/* SPDX-License-Identifier: MIT */
#include "explain/guided/guided_pairs.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/guided/guided_trees.h"
#include "model/model_private.h"

enum { most_at_once = 64 };

/* Requests of one target, and what ow_changes_pairs is told of them. */
typedef struct {
    const owi_guided_block *block;
    owi_pair_goal goal;
    size_t n;
    const owi_pair_request *requests[most_at_once];
    owi_workspace *workspace;
    float *rows;                       /* (n, circuit columns) */
    bool *allowed;                     /* (n, simple moves)    */
    double *price;                     /* likewise             */
    double *least_log, *limit, *joint; /* n, n, (n, classes)   */
    double *values;                    /* (n, columns), where there are conditions */
} batch;

static ow_status make_batch(const owi_guided_block *block, owi_pair_goal goal, batch *b)
{
    const size_t n = most_at_once, n_simple = block->guided->moves.n_simple;
    const owi_problem *problem = block->problem;
    const size_t width = ow_circuit_get_spec(ow_model_circuit(problem->model))->n_columns;
    const size_t n_scratch = block->guided->has_conditions ? block->guided->n_columns : 0;
    *b = (batch){.block = block, .goal = goal};
    const owi_piece pieces[] = {OWI_PIECE(b->rows, n * width),
                                OWI_PIECE(b->allowed, n * n_simple),
                                OWI_PIECE(b->price, n * n_simple),
                                OWI_PIECE(b->least_log, n),
                                OWI_PIECE(b->limit, n),
                                OWI_PIECE(b->values, n * n_scratch),
                                OWI_PIECE(b->joint, n * problem->n_classes)};
    return owi_pieces_new(problem->ctx, OWI_PIECES(pieces), &b->workspace);
}

/* Which moves the request leaves, and their prices. */
static void fill_moves(batch *b, size_t i)
{
    const owi_guided *guided = b->block->guided;
    const owi_moves *moves = &guided->moves;
    const owi_pair_request *request = b->requests[i];
    const owi_guided_row *row = request->row;
    bool *allowed = b->allowed + i * moves->n_simple;
    double *price = b->price + i * moves->n_simple;

    for (size_t rank = 0; rank < guided->n_units; rank++) {
        const uint32_t u = guided->order[rank];
        const size_t first = moves->first[rank];
        const size_t end = owi_smaller(moves->first[rank + 1], moves->n_simple);
        if (first >= end) continue;
        const bool any = request->units[0] == SIZE_MAX;
        const bool may = (any || u == request->units[0] || u == request->units[1]) &&
                         !owi_unit_differs(guided, row, request->state->values, u) &&
                         !owi_state_repeats(guided, row, request->state, u, SIZE_MAX);
        for (size_t m = first; m < end; m++) {
            allowed[m] = may && row->allowed[m] == owi_move_allowed && moves->in_pairs[m];
            price[m] = row->price[m];
        }
    }
}

static void add_request(batch *b, const owi_pair_request *request)
{
    const owi_problem *problem = b->block->problem;
    const size_t width = ow_circuit_get_spec(ow_model_circuit(problem->model))->n_columns;
    const owi_aims *aims = &request->row->aims;
    const size_t i = b->n++;
    b->requests[i] = request;
    ow_model_encode(problem->model, 1, request->state->values, b->rows + i * width);
    fill_moves(b, i);
    b->limit[i] = b->goal == OWI_PAIRS_NEAREST && request->scan->has_found
                      ? request->scan->found.score.l1 - request->state->score.l1
                      : INFINITY;
    /* Only a pair that is cheaper than the single change is of use. */
    if (b->goal == OWI_PAIRS_NEAREST && aims->by_cost && request->row->has_found)
        b->limit[i] =
            fmin(b->limit[i], request->row->found.score.l1 - request->state->score.l1);
    b->least_log[i] = b->goal == OWI_PAIRS_DENSEST ? -INFINITY
                      : b->goal == OWI_PAIRS_NEAREST
                          ? aims->threshold - owi_tie
                          : aims->threshold - owi_tie + request->bound;
    request->row->n_gradient++;
}

/* What is known of the margin: exactly, or as if the two changes added up. */
static double margin_of(const batch *b, const ow_pair_list *pairs, size_t i)
{
    const owi_problem *problem = b->block->problem;
    const size_t C = problem->n_classes;
    const owi_pair_request *request = b->requests[pairs->row];
    const double *transfer = request->row->transfer;
    if (problem->is_circuit)
        return owi_circuit_margin(problem, pairs->log_changed + i * C, 1,
                                  request->row->target, b->joint + pairs->row * C);
    if (b->block->guided->trees != NULL)
        return owi_guided_trees_pair(b->block->guided->trees, problem, pairs->first,
                                     pairs->second[i], request->row->target);
    const double shift =
        transfer[2 * pairs->first + 1] + transfer[2 * (size_t)pairs->second[i] + 1];
    return isnan(shift) ? -INFINITY : request->state->score.margin + shift;
}

/* Keeps the likely pairs with the highest ranks. */
static void keep_likely(owi_likely_pairs *likely, const owi_step *step)
{
    size_t at = likely->n;
    if (at < owi_most_likely) {
        likely->n++;
        while (at > 0 && likely->steps[(at - 1) / 2].rank > step->rank) {
            likely->steps[at] = likely->steps[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        likely->steps[at] = *step;
        return;
    }
    if (step->rank <= likely->steps[0].rank) return;
    for (at = 0;;) {
        size_t child = 2 * at + 1;
        if (child >= likely->n) break;
        if (child + 1 < likely->n &&
            likely->steps[child + 1].rank < likely->steps[child].rank)
            child++;
        if (likely->steps[child].rank >= step->rank) break;
        likely->steps[at] = likely->steps[child];
        at = child;
    }
    likely->steps[at] = *step;
}

/* Whether the row with both changes keeps the conditions between columns. */
static bool keeps_with(const batch *b, size_t i, const owi_step *step)
{
    const owi_guided *guided = b->block->guided;
    const owi_pair_request *request = b->requests[i];
    /* Simple moves leave the columns that follow others as they are. */
    if (!guided->has_conditions)
        return owi_followers_are_usual(guided, request->row, request->state->values);
    owi_state changed = {.values = b->values + i * guided->n_columns};
    owi_step_make(guided, request->row, request->state, step, &changed);
    return owi_row_keeps(guided, request->row, changed.values);
}

/* Of the pairs of one move with the moves of one unit the best alone is kept, so that not
 * all that is shown changes the same two units. */
static void take_likely(const batch *b, const ow_pair_list *pairs)
{
    const owi_guided *guided = b->block->guided;
    const owi_pair_request *request = b->requests[pairs->row];
    const owi_guided_row *row = request->row;
    const size_t C = b->block->problem->n_classes;
    const uint32_t *units = guided->moves.unit;
    owi_step best = {.rank = -INFINITY};
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        const size_t other = pairs->second[i];
        const owi_step step = owi_step_of(row, request->state, pairs->first, other,
                                          pairs->log_changed[i * C + (size_t)row->target],
                                          margin_of(b, pairs, i));
        const bool repeats =
            row->n_forbidden > 0 && owi_state_repeats(guided, row, request->state,
                                                      units[pairs->first], units[other]);
        if (!repeats && step.rank > best.rank && keeps_with(b, pairs->row, &step))
            best = step;
        if (i + 1 < pairs->n_pairs && units[pairs->second[i + 1]] == units[other]) continue;
        if (best.rank > -INFINITY) keep_likely(request->likely, &best);
        best.rank = -INFINITY;
    }
}

static bool take(void *user, const ow_pair_list *pairs)
{
    const batch *b = user;
    const owi_guided *guided = b->block->guided;
    const owi_pair_request *request = b->requests[pairs->row];
    const owi_guided_row *row = request->row;
    const size_t C = b->block->problem->n_classes,
                 width = (size_t)guided->settings.beam_width;
    const size_t unit = guided->moves.unit[pairs->first];

    if (b->goal == OWI_PAIRS_LIKELY) {
        take_likely(b, pairs);
        return true;
    }
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        const size_t other = pairs->second[i];
        if (row->n_forbidden > 0 &&
            owi_state_repeats(guided, row, request->state, unit, guided->moves.unit[other]))
            continue;
        const owi_step step = owi_step_of(row, request->state, pairs->first, other,
                                          pairs->log_changed[i * C + (size_t)row->target],
                                          margin_of(b, pairs, i));
        if (b->goal == OWI_PAIRS_PROMISING &&
            owi_potential(&row->aims, step.score.log_t, step.score.margin) < request->bound)
            continue;
        if (b->goal != OWI_PAIRS_PROMISING && !keeps_with(b, pairs->row, &step)) continue;
        if (b->goal == OWI_PAIRS_PROMISING)
            owi_scan_keep_step(guided, request->scan, &step, width);
        else
            owi_scan_keep(row, request->scan, &step);
    }
    if (b->goal == OWI_PAIRS_NEAREST && request->scan->has_found)
        b->limit[pairs->row] = request->scan->found.score.l1 - request->state->score.l1;
    return true;
}

/* The engine knows no cut-offs k: log P(t) - log P(c) >= m + log k(t) - log k(c) for all c
 * of a pair that passes, and so no less than m + log k(t) - max log k(c). */
static double handicap(const batch *b)
{
    const double *cutoff = b->block->problem->model->log_cutoffs;
    const size_t t = (size_t)b->requests[0]->row->target;
    double most = -INFINITY;
    if (cutoff == NULL) return 0.0;
    for (size_t c = 0; c < b->block->problem->n_classes; c++)
        if (c != t) most = fmax(most, cutoff[c]);
    return cutoff[t] - most;
}

static ow_status run_batch(batch *b)
{
    const owi_problem *problem = b->block->problem;
    const bool is_nearest = b->goal == OWI_PAIRS_NEAREST;
    double least = INFINITY; /* margin that some of the rows wants */
    if (b->n == 0) return OW_OK;
    if (b->block->guided->trees != NULL)
        owi_guided_trees_begin_pairs(b->block->guided->trees,
                                     b->requests[0]->state->values);
    for (size_t i = 0; i < b->n; i++) {
        const double bound = b->goal == OWI_PAIRS_PROMISING ? b->requests[i]->bound : 0.0;
        least =
            fmin(least, b->requests[i]->row->aims.least_margin + owi_least_slack + bound);
    }
    const ow_pair_filter filter = {.size = sizeof filter,
                                   .target = b->requests[0]->row->target,
                                   .least_margin = problem->is_circuit ? least + handicap(b)
                                                                       : -INFINITY,
                                   .least_log_class = b->least_log,
                                   .allowed = b->allowed,
                                   .price = is_nearest ? b->price : NULL};
    const ow_status status =
        owi_pair_changes(problem->call, b->block->guided->moves.changes, b->n, b->rows,
                         &filter, is_nearest ? b->limit : NULL, take, b);
    b->n = 0;
    return status;
}

ow_status owi_guided_pairs(const owi_guided_block *block, owi_pair_goal goal, size_t n,
                           const owi_pair_request *requests)
{
    const size_t C = block->problem->n_classes;
    /* The tables of trees are those of one row. */
    const size_t at_once = block->guided->trees != NULL ? 1 : most_at_once;
    batch b;
    if (n == 0 || block->guided->moves.n_simple == 0) return OW_OK;
    ow_status status = make_batch(block, goal, &b);
    for (size_t c = 0; c < C && status == OW_OK; c++) {
        for (size_t i = 0; i < n && status == OW_OK; i++) {
            if ((size_t)requests[i].row->target != c) continue;
            add_request(&b, &requests[i]);
            if (b.n == at_once) status = run_batch(&b);
        }
        if (status == OW_OK) status = run_batch(&b);
    }
    owi_workspace_free(b.workspace);
    return status;
}
