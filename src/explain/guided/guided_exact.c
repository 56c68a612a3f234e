/* SPDX-License-Identifier: MIT */
/* All changes of one unit, then all of two.  What these find is proved to be the least:
 * whatever has fewer changes, or as many and is nearer, was looked at.
 *
 * Pairs of simple moves come from the circuit's tables.  A compound move, whose columns lie
 * in several regions of the circuit, is put into the row, and the table of the changed row
 * has all pairs with it. */
#include <math.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/guided/guided_pairs.h"
#include "explain/guided/guided_search.h"

enum { states_at_once = 512 };

/* ---- One unit ---- */

/* Margins of a number's values that the classifier was not shown: those between two that it
 * was shown, by their places in the list. */
static void guess_transfers(const owi_guided *guided, owi_guided_row *row)
{
    const owi_moves *moves = &guided->moves;
    for (size_t rank = 0; moves->first[rank] < moves->n_simple; rank++) {
        size_t last = SIZE_MAX;
        for (size_t m = moves->first[rank]; m < moves->first[rank + 1]; m++) {
            const double shift = row->transfer[2 * m + 1];
            if (isnan(shift)) continue;
            for (size_t k = last == SIZE_MAX ? m : last + 1; k < m; k++) {
                const double before = row->transfer[2 * last + 1];
                row->transfer[2 * k + 1] =
                    before + (shift - before) * (double)(k - last) / (double)(m - last);
            }
            last = m;
        }
    }
}

static void consume_single(const owi_guided_block *block, const owi_request *request,
                           const owi_move_table *table, void *user)
{
    const owi_state *query = request->state;
    for (size_t m = 0; m < block->guided->moves.n_moves; m++) {
        double *transfer = request->row->transfer + 2 * m;
        transfer[0] = table->log_t[m] - query->score.log_t;
        transfer[1] = table->margin[m] - query->score.margin;
    }
    if (!owi_knows_margins(block)) guess_transfers(block->guided, request->row);
    owi_scan_table(block, request, table, user);
}

/* The rest of the moves: what the classifier says now stands instead of a guess. */
static void consume_rest(const owi_guided_block *block, const owi_request *request,
                         const owi_move_table *table, void *user)
{
    for (size_t m = 0; m < block->guided->moves.n_simple; m++)
        if (!isnan(table->margin[m]))
            request->row->transfer[2 * m + 1] =
                table->margin[m] - request->state->score.margin;
    owi_scan_table(block, request, table, user);
}

/* Compound moves of the units from `first` on that the row may make. */
static size_t list_compound(const owi_guided *guided, const owi_guided_row *row,
                            size_t first, uint32_t *listed)
{
    size_t n = 0;
    for (size_t m = owi_larger(first, guided->moves.n_simple); m < guided->moves.n_moves;
         m++)
        if (row->allowed[m] == owi_move_allowed &&
            (first == 0 || guided->moves.in_pairs[m]))
            listed[n++] = (uint32_t)m;
    return n;
}

/* A row that has found something is done; `least` is what is known of it.  Not so where a
 * pair may be cheaper than a single change. */
static void settle_rows(const owi_guided_block *block, ow_least least)
{
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (row->is_done || !row->has_found || row->aims.by_cost) continue;
        row->is_done = true;
        row->least = least;
    }
}

/* Rows that have found nothing show the classifier more values of their columns. */
static ow_status show_rest(const owi_guided_block *block, size_t n, owi_request *requests,
                           owi_scan *scans)
{
    size_t n_left = 0;
    for (size_t i = 0; i < n; i++)
        if (!requests[i].row->has_found) {
            requests[n_left] = (owi_request){.row = requests[i].row,
                                             .state = requests[i].state,
                                             .show = OWI_SHOW_REST,
                                             .slot = n_left};
            n_left++;
        }
    OWI_TRY(owi_guided_expand(block, n_left, requests, consume_rest, scans));
    for (size_t i = 0; i < n_left; i++)
        owi_scan_offer(block, requests[i].row, requests[i].state, &scans[i]);
    return OW_OK;
}

ow_status owi_guided_singles(const owi_guided_block *block)
{
    const owi_guided *guided = block->guided;
    const size_t n_compound = guided->moves.n_moves - guided->moves.n_simple;
    owi_request *requests;
    owi_scan *scans;
    uint32_t *listed;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(requests, block->n_rows),
                                OWI_PIECE(scans, block->n_rows),
                                OWI_PIECE(listed, block->n_rows * n_compound)};
    OWI_TRY(owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &scratch));
    size_t n = 0;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (row->is_done) continue;
        uint32_t *own = listed + n * n_compound;
        requests[n] = (owi_request){.row = row,
                                    .state = &row->query_state,
                                    .listed = own,
                                    .n_listed = list_compound(guided, row, 0, own),
                                    .show = OWI_SHOW_ALL,
                                    .slot = n};
        n++;
    }
    ow_status status = owi_guided_expand(block, n, requests, consume_single, scans);
    for (size_t i = 0; i < n && status == OW_OK; i++)
        owi_scan_offer(block, requests[i].row, requests[i].state, &scans[i]);
    if (status == OW_OK && !owi_knows_margins(block) && !guided->moves.is_whole)
        status = show_rest(block, n, requests, scans);
    settle_rows(block, owi_knows_margins(block) || guided->moves.is_whole
                           ? OW_LEAST_PROVED
                           : OW_LEAST_BEST_FOUND);
    owi_workspace_free(scratch);
    return status;
}

/* ---- Two units ---- */

typedef struct {
    size_t n;
    size_t *moves; /* the compound move of each */
    owi_request *requests;
    owi_state *states;
    double *values;
    owi_scan *scans;
    uint32_t *listed;
} compound_pairs;

static ow_status run_compound(const owi_guided_block *block, compound_pairs *c)
{
    if (c->n == 0) return OW_OK;
    OWI_TRY(owi_guided_expand(block, c->n, c->requests, owi_scan_table, c->scans));
    for (size_t i = 0; i < c->n; i++) {
        const owi_scan *scan = &c->scans[i];
        owi_guided_row *row = c->requests[i].row;
        owi_scan_offer(block, row, c->requests[i].state, scan);
        for (size_t k = 0; k < scan->n_steps; k++) {
            const owi_score *score = &scan->steps[k].score;
            const owi_step pair =
                owi_step_of(row, &row->query_state, c->moves[i], scan->steps[k].move,
                            score->log_t, score->margin);
            owi_scan_keep_step(block->guided, row->pairs, &pair,
                               (size_t)block->guided->settings.beam_width);
        }
    }
    c->n = 0;
    return OW_OK;
}

/* The row with a compound move put in: its table has all pairs with that. */
static void add_compound(const owi_guided *guided, owi_guided_row *row, size_t move,
                         compound_pairs *c)
{
    const size_t n_compound = guided->moves.n_moves - guided->moves.n_simple;
    const size_t i = c->n++;
    owi_state *state = &c->states[i];
    uint32_t *listed = c->listed + i * n_compound;
    c->moves[i] = move;
    state->values = c->values + i * guided->n_columns;
    owi_state_copy(guided, state, &row->query_state);
    if (!owi_state_apply(guided, row, move, state)) {
        c->n--;
        return;
    }
    state->score.l0 = 1;
    state->score.l1 = row->price[move];
    state->score.log_t += row->transfer[2 * move];
    state->score.margin += row->transfer[2 * move + 1];
    c->requests[i] =
        (owi_request){.row = row,
                      .state = state,
                      .listed = listed,
                      .n_listed = list_compound(guided, row, move + 1, listed),
                      .show = move < guided->moves.n_simple ? OWI_SHOW_ALL : OWI_SHOW_SOME,
                      .slot = i};
}

/* Whether a move is worth a table of its own where there are voters.  Changes of a margin
 * add up roughly, so that of a pair that passes one move goes at least half of the way; a
 * nat is left for what they do to each other. */
static bool goes_half_way(const owi_guided_row *row, size_t move)
{
    static const double slack = 1.0;
    return row->query_state.score.margin + 2.0 * row->transfer[2 * move + 1] >= -slack;
}

/* The compound moves, and before them the simple ones whose pairs no table knows: with
 * voters all, with a foreign classifier those that move its margin most. */
static size_t list_paired(const owi_guided_block *block, const owi_guided_row *row,
                          size_t *list)
{
    const owi_guided *guided = block->guided;
    const owi_moves *moves = &guided->moves;
    const bool has_voters = guided->votes.n > 0;
    size_t n = 0;
    if (!owi_knows_margins(block) && !row->has_found)
        n = owi_guided_best_moves(block, row, list);
    for (size_t m = has_voters ? 0 : moves->n_simple; m < moves->n_moves; m++)
        if (row->allowed[m] == owi_move_allowed && moves->in_pairs[m] &&
            (!has_voters || goes_half_way(row, m)))
            list[n++] = m;
    return n;
}

/* Pairs with a compound move, for rows that may have them; one that goes farther than what
 * was found is no use. */
static ow_status pair_compound(const owi_guided_block *block)
{
    const owi_guided *guided = block->guided;
    const owi_moves *moves = &guided->moves;
    const size_t n_compound = moves->n_moves - moves->n_simple, most = states_at_once;
    compound_pairs c = {0};
    owi_workspace *scratch;
    size_t *list;
    if (owi_knows_margins(block) && guided->votes.n == 0 && n_compound == 0) return OW_OK;
    const owi_piece pieces[] = {OWI_PIECE(c.moves, most),
                                OWI_PIECE(c.requests, most),
                                OWI_PIECE(c.states, most),
                                OWI_PIECE(c.values, most * guided->n_columns),
                                OWI_PIECE(c.scans, most),
                                OWI_PIECE(c.listed, most * n_compound),
                                OWI_PIECE(list, moves->n_moves + owi_best_moves)};
    ow_status status = owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &scratch);
    for (size_t i = 0; i < block->n_rows && status == OW_OK; i++) {
        owi_guided_row *row = &block->rows[i];
        if (row->is_done) continue;
        const size_t n = list_paired(block, row, list);
        for (size_t k = 0; k < n && status == OW_OK; k++) {
            if (row->has_found && guided->votes.n == 0 &&
                !(row->price[list[k]] < row->found.score.l1))
                continue;
            add_compound(guided, row, list[k], &c);
            if (c.n == most) status = run_compound(block, &c);
        }
    }
    if (status == OW_OK) status = run_compound(block, &c);
    owi_workspace_free(scratch);
    return status;
}

/* Pairs of simple moves, for rows that are not done or, where the goal is the class alone,
 * have found nothing. */
static ow_status pair_simple(const owi_guided_block *block, owi_pair_goal goal)
{
    owi_pair_request *requests;
    owi_scan *scans;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(requests, block->n_rows),
                                OWI_PIECE(scans, block->n_rows)};
    OWI_TRY(owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &scratch));
    size_t n = 0;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (goal == OWI_PAIRS_DENSEST ? row->is_out || row->has_found : row->is_done)
            continue;
        requests[n] = (owi_pair_request){.row = row,
                                         .state = &row->query_state,
                                         .units = {SIZE_MAX, SIZE_MAX},
                                         .scan = &scans[n]};
        n++;
    }
    const ow_status status = owi_guided_pairs(block, goal, n, requests);
    for (size_t i = 0; i < n && status == OW_OK; i++)
        owi_scan_offer(block, requests[i].row, requests[i].state, &scans[i]);
    owi_workspace_free(scratch);
    return status;
}

ow_status owi_guided_all_pairs(const owi_guided_block *block)
{
    const bool is_circuit = owi_knows_margins(block);
    const bool has_voters = block->guided->votes.n > 0;
    const bool is_whole = block->guided->moves.is_whole && !has_voters;
    if (!owi_may_change(block, 2)) return OW_OK;
    if (is_circuit && !has_voters) OWI_TRY(pair_simple(block, OWI_PAIRS_NEAREST));
    if (!is_circuit) OWI_TRY(owi_guided_show_pairs(block));
    OWI_TRY(pair_compound(block));
    settle_rows(block, is_circuit && is_whole   ? OW_LEAST_PROVED
                       : is_circuit || is_whole ? OW_LEAST_NUMBER_PROVED
                                                : OW_LEAST_BEST_FOUND);
    return OW_OK;
}

ow_status owi_guided_densest_pairs(const owi_guided_block *block)
{
    if (!owi_may_change(block, 2) || !owi_knows_margins(block) ||
        block->guided->votes.n > 0)
        return OW_OK;
    return pair_simple(block, OWI_PAIRS_DENSEST);
}
