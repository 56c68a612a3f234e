/* SPDX-License-Identifier: MIT */
/* --prefer typical: from the least answer on, changes are made, altered or taken back, one
 * at a time and the one that pays most first, while that lowers owi_price: further changes
 * for a row that is as dense as typical ones and surer to be of the class. */
#include <math.h>

#include "base/error.h"
#include "explain/guided/guided_batch.h"
#include "explain/guided/guided_search.h"

/* In nats: less is not worth a change, and so each step lowers the price by this. */
static const double least_saving = 0.02;

typedef struct {
    size_t move; /* SIZE_MAX: none pays */
    owi_score score;
    double saving;
} best_move;

/* What a move of the unit of rank `rank` saves; l0 and l1 are those of the state without
 * that unit's change. */
static void look_at_unit(const owi_guided_block *block, const owi_request *request,
                         const owi_move_table *table, size_t rank, owi_score without,
                         best_move *best)
{
    const owi_moves *moves = &block->guided->moves;
    const owi_guided_row *row = request->row;
    const double now = owi_price(&row->aims, &request->state->score);
    for (size_t m = moves->first[rank]; m < moves->first[rank + 1]; m++) {
        const bool own = row->allowed[m] == owi_move_own;
        const owi_score score = {.log_t = table->log_t[m],
                                 .margin = table->margin[m],
                                 .l1 = without.l1 + (own ? 0.0 : row->price[m]),
                                 .l0 = without.l0 + !own};
        if (row->allowed[m] == owi_move_refused || score.l0 == 0 ||
            !owi_may_change(block, score.l0) ||
            owi_potential(&row->aims, score.log_t, score.margin) < 0.0)
            continue;
        const double saving = now - owi_price(&row->aims, &score);
        if (saving > best->saving) *best = (best_move){m, score, saving};
    }
}

static void consume(const owi_guided_block *block, const owi_request *request,
                    const owi_move_table *table, void *user)
{
    const owi_guided *guided = block->guided;
    const owi_guided_row *row = request->row;
    best_move *best = (best_move *)user + request->slot;
    *best = (best_move){.move = SIZE_MAX, .saving = least_saving};
    for (size_t rank = 0; rank < guided->n_units; rank++) {
        const uint32_t u = guided->order[rank];
        const owi_unit *unit = &guided->units[u];
        owi_score without = request->state->score;
        if (owi_unit_differs(guided, row, request->state->values, u)) {
            without.l0--;
            for (size_t k = 0; k < unit->n_columns; k++) {
                const size_t j = unit->columns[k];
                without.l1 -= owi_change_cost(guided->rules, j, row->query[j],
                                              request->state->values[j]);
            }
        } else if (owi_state_repeats(guided, row, request->state, u, SIZE_MAX)) {
            continue;
        }
        look_at_unit(block, request, table, rank, without, best);
    }
}

typedef struct {
    owi_request *requests;
    best_move *best;
    bool *is_done;    /* rows */
    uint32_t *listed; /* compound moves, alike for all */
} arrays;

/* One step of every row that is not done; false: there is none. */
static ow_status step(const owi_guided_block *block, const arrays *a, bool *any)
{
    const owi_guided *guided = block->guided;
    const size_t n_compound = guided->moves.n_moves - guided->moves.n_simple;
    size_t n = 0;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (a->is_done[i]) continue;
        a->requests[n] = (owi_request){.row = row,
                                       .state = &row->found,
                                       .listed = a->listed,
                                       .n_listed = n_compound,
                                       .slot = n};
        n++;
    }
    *any = n > 0;
    if (n == 0) return OW_OK;
    OWI_TRY(owi_guided_expand(block, n, a->requests, consume, a->best));
    for (size_t i = 0; i < n; i++) {
        owi_guided_row *row = a->requests[i].row;
        a->is_done[row->number] = a->best[i].move == SIZE_MAX;
        if (a->best[i].move == SIZE_MAX) continue;
        (void)owi_state_apply(guided, row, a->best[i].move, &row->found);
        owi_state_measure(guided, row, &row->found);
        row->found.score.log_t = a->best[i].score.log_t;
        row->found.score.margin = a->best[i].score.margin;
    }
    return OW_OK;
}

ow_status owi_guided_make_typical(const owi_guided_block *block)
{
    const owi_moves *moves = &block->guided->moves;
    const size_t n_compound = moves->n_moves - moves->n_simple;
    arrays a;
    owi_workspace *scratch;
    bool any = true;
    const owi_piece pieces[] = {OWI_PIECE(a.requests, block->n_rows),
                                OWI_PIECE(a.best, block->n_rows),
                                OWI_PIECE(a.is_done, block->n_rows),
                                OWI_PIECE(a.listed, n_compound)};
    ow_status status = owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &scratch);
    for (size_t k = 0; k < n_compound && status == OW_OK; k++)
        a.listed[k] = (uint32_t)(moves->n_simple + k);
    for (size_t i = 0; i < block->n_rows && status == OW_OK; i++)
        a.is_done[i] = block->rows[i].is_out || !block->rows[i].has_found;
    while (status == OW_OK && any) status = step(block, &a, &any);
    for (size_t i = 0; i < block->n_rows && status == OW_OK; i++)
        block->rows[i].least = OW_LEAST_BEST_FOUND;
    owi_workspace_free(scratch);
    return status;
}
