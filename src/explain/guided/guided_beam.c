/* SPDX-License-Identifier: MIT */
/* From the query outwards: all single changes, then single changes of the best of these,
 * and so on.  The best are those with the highest potential less the price of their
 * distance, one for each column that a state can change; a row ends at the first depth
 * where some change is all that was asked, with the smallest of them. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/guided/guided_batch.h"
#include "explain/guided/guided_search.h"

/* A change of one unit, and what it would make of its state. */
typedef struct {
    size_t move;
    owi_score score;
    double rank;  /* potential less the price of the distance: who stays in the beam */
    double price; /* owi_price                                                        */
} step;

/* What came of one request. */
typedef struct {
    size_t n_steps;
    step steps[owi_most_beam]; /* best rank first                                       */
    step found, valid, closest;
    bool has_found, has_valid, has_closest;
} outcome;

/* Keeps the best `width` steps. */
static void keep_step(outcome *o, const step *s, size_t width)
{
    size_t at = o->n_steps;
    while (at > 0 && o->steps[at - 1].rank < s->rank) at--;
    if (at >= width) return;
    const size_t n_after = owi_smaller(o->n_steps, width - 1) - at;
    memmove(&o->steps[at + 1], &o->steps[at], n_after * sizeof *s);
    o->steps[at] = *s;
    o->n_steps = owi_smaller(o->n_steps + 1, width);
}

static void keep_answers(outcome *o, const step *s, double potential)
{
    if (potential == 0.0 && (!o->has_found || s->price < o->found.price)) {
        o->found = *s;
        o->has_found = true;
    }
    if (s->score.margin > 0.0 && (!o->has_valid || s->score.log_t > o->valid.score.log_t)) {
        o->valid = *s;
        o->has_valid = true;
    }
    if (!o->has_closest || potential > o->closest.rank) {
        o->closest = *s;
        o->closest.rank = potential;
        o->has_closest = true;
    }
}

static void consume(const owi_guided_block *block, const owi_request *request,
                    const owi_move_table *table, void *user)
{
    const owi_guided *guided = block->guided;
    const owi_moves *moves = &guided->coarse;
    const owi_guided_row *row = request->row;
    const owi_state *state = request->state;
    outcome *o = (outcome *)user + request->slot;

    o->n_steps = 0;
    o->has_found = o->has_valid = o->has_closest = false;
    for (size_t rank = 0; rank < guided->n_units; rank++) {
        const uint32_t u = guided->order[rank];
        step best = {.rank = -INFINITY};
        if (moves->first[rank] == moves->first[rank + 1] ||
            owi_unit_differs(guided, row, state->values, u) ||
            owi_state_repeats(guided, row, state, u))
            continue;
        for (size_t m = moves->first[rank]; m < moves->first[rank + 1]; m++) {
            if (row->allowed[0][m] != owi_move_allowed || isnan(table->log_t[m]) ||
                isnan(table->margin[m]))
                continue;
            const double potential =
                owi_potential(&row->aims, table->log_t[m], table->margin[m]);
            const double change = (double)row->change[0][m];
            step s = {.move = m,
                      .score = {.log_t = table->log_t[m],
                                .margin = table->margin[m],
                                .l1 = state->score.l1 + change,
                                .l0 = state->score.l0 + 1}};
            s.rank = potential - row->aims.nearness * s.score.l1;
            s.price = owi_price(&row->aims, &s.score);
            keep_answers(o, &s, potential);
            if (s.rank > best.rank) best = s;
        }
        if (best.rank > -INFINITY) keep_step(o, &best, (size_t)guided->settings.beam_width);
    }
}

/* ---- Compound moves ---- */

/* A later state evaluates only those that did most for the query: one in eight, at least
 * two. */
static size_t n_confirmed(size_t n_compound)
{
    return owi_larger(2, n_compound / 8);
}

/* What the compound moves did to the query itself. */
static void remember_transfer(const owi_guided_block *block, const owi_request *request,
                              const owi_move_table *table)
{
    const owi_moves *moves = &block->guided->coarse;
    for (size_t m = moves->n_simple; m < moves->n_moves; m++) {
        double *transfer = request->row->transfer + 2 * (m - moves->n_simple);
        transfer[0] = table->log_t[m] - request->state->score.log_t;
        transfer[1] = table->margin[m] - request->state->score.margin;
    }
}

static void consume_first(const owi_guided_block *block, const owi_request *request,
                          const owi_move_table *table, void *user)
{
    remember_transfer(block, request, table);
    consume(block, request, table, user);
}

static bool may_try(const owi_guided *guided, const owi_guided_row *row,
                    const owi_state *state, size_t move)
{
    return row->allowed[0][move] == owi_move_allowed &&
           !owi_unit_differs(guided, row, state->values, guided->coarse.unit[move]);
}

/* From the query all that are allowed are evaluated. */
static size_t list_compound(const owi_guided *guided, const owi_guided_row *row,
                            const owi_state *state, uint32_t *chosen)
{
    size_t n = 0;
    for (size_t m = guided->coarse.n_simple; m < guided->coarse.n_moves; m++)
        if (may_try(guided, row, state, m)) chosen[n++] = (uint32_t)m;
    return n;
}

/* From a later state the best, by what they did to the query: moves add up roughly.  ranks
 * is scratch for n_confirmed numbers, of the chosen ones in falling order. */
static size_t best_compound(const owi_guided *guided, const owi_guided_row *row,
                            const owi_state *state, double *ranks, uint32_t *chosen)
{
    const owi_moves *moves = &guided->coarse;
    const size_t most = n_confirmed(moves->n_moves - moves->n_simple);
    size_t n = 0;
    for (size_t m = moves->n_simple; m < moves->n_moves; m++) {
        if (!may_try(guided, row, state, m)) continue;
        const double *transfer = row->transfer + 2 * (m - moves->n_simple);
        const double rank = owi_potential(&row->aims, state->score.log_t + transfer[0],
                                          state->score.margin + transfer[1]) -
                            row->aims.nearness * (double)row->change[0][m];
        if (!(rank > -INFINITY)) continue;
        size_t at = n;
        while (at > 0 && ranks[at - 1] < rank) at--;
        if (at >= most) continue;
        const size_t n_after = owi_smaller(n, most - 1) - at;
        memmove(&ranks[at + 1], &ranks[at], n_after * sizeof *ranks);
        memmove(&chosen[at + 1], &chosen[at], n_after * sizeof *chosen);
        ranks[at] = rank;
        chosen[at] = (uint32_t)m;
        n = owi_smaller(n + 1, most);
    }
    return n;
}

/* ---- A round ---- */

static void make_state(const owi_guided *guided, const owi_state *from, const step *s,
                       owi_state *to)
{
    owi_state_copy(guided, to, from);
    owi_state_apply(guided, &guided->coarse, s->move, to);
    to->score = s->score;
}

static bool same_values(const owi_guided *guided, const double *a, const double *b)
{
    for (size_t j = 0; j < guided->n_columns; j++)
        if (a[j] != b[j] && !(isnan(a[j]) && isnan(b[j]))) return false;
    return true;
}

/* The next beam: the best steps of all states of the row, the same state only once. */
static void advance(const owi_guided *guided, owi_guided_row *row, const outcome *outcomes)
{
    size_t taken[owi_most_beam] = {0};
    size_t n = 0;
    while (n < (size_t)guided->settings.beam_width) {
        size_t best = SIZE_MAX;
        /* Every state's steps are sorted: the next best of all is at one of their heads. */
        for (size_t k = 0; k < row->n_beam; k++)
            if (taken[k] < outcomes[k].n_steps &&
                (best == SIZE_MAX ||
                 outcomes[k].steps[taken[k]].rank > outcomes[best].steps[taken[best]].rank))
                best = k;
        if (best == SIZE_MAX) break;
        const step *s = &outcomes[best].steps[taken[best]++];
        make_state(guided, &row->beam[best], s, &row->next[n]);
        bool is_new = true;
        for (size_t k = 0; k < n && is_new; k++)
            is_new = !same_values(guided, row->next[n].values, row->next[k].values);
        n += is_new;
    }
    owi_state *was = row->beam;
    row->beam = row->next;
    row->next = was;
    row->n_beam = n;
}

/* Everything that may be an answer. */
static void offer_outcome(const owi_guided_block *block, owi_guided_row *row,
                          const owi_state *from, const outcome *o)
{
    owi_state *made = &row->next[0]; /* free until the next beam is made */
    const step *const answers[] = {o->has_found ? &o->found : NULL,
                                   o->has_valid ? &o->valid : NULL,
                                   o->has_closest ? &o->closest : NULL};
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++) {
        if (answers[k] == NULL) continue;
        make_state(block->guided, from, answers[k], made);
        owi_row_offer(block, row, made);
    }
}

static ow_status run_round(const owi_guided_block *block, bool is_first,
                           owi_request *requests, outcome *outcomes, uint32_t *compound,
                           double *ranks)
{
    const owi_guided *guided = block->guided;
    const size_t n_compound = guided->coarse.n_moves - guided->coarse.n_simple;
    size_t n = 0;

    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (row->is_done) continue;
        for (size_t k = 0; k < row->n_beam; k++, n++) {
            uint32_t *chosen = compound + n * n_compound;
            const owi_state *state = &row->beam[k];
            const size_t n_chosen = is_first
                                        ? list_compound(guided, row, state, chosen)
                                        : best_compound(guided, row, state, ranks, chosen);
            requests[n] = (owi_request){row, state, chosen, n_chosen, n};
        }
    }
    OWI_TRY(owi_guided_expand(block, &guided->coarse, n, requests,
                              is_first ? consume_first : consume, outcomes));
    for (size_t first = 0; first < n;) {
        owi_guided_row *row = requests[first].row;
        const size_t n_beam = row->n_beam;
        for (size_t k = 0; k < n_beam; k++)
            offer_outcome(block, row, &row->beam[k], &outcomes[first + k]);
        advance(guided, row, outcomes + first);
        row->is_done = row->has_found || row->n_beam == 0;
        first += n_beam;
    }
    return OW_OK;
}

ow_status owi_guided_beam(const owi_guided_block *block)
{
    const owi_guided *guided = block->guided;
    const size_t most_changes = block->problem->constraints->most_changes;
    const size_t n_compound = guided->coarse.n_moves - guided->coarse.n_simple;
    const size_t most = block->n_rows * (size_t)guided->settings.beam_width;
    size_t depth = (size_t)guided->settings.beam_changes;
    owi_request *requests;
    outcome *outcomes;
    uint32_t *compound;
    double *ranks;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(requests, most), OWI_PIECE(outcomes, most),
                                OWI_PIECE(compound, most * n_compound),
                                OWI_PIECE(ranks, n_confirmed(n_compound))};
    ow_status status = owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &scratch);

    if (most_changes > 0) depth = owi_smaller(depth, most_changes);
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        row->n_beam = 1;
        owi_state_copy(guided, &row->beam[0], &row->query_state);
    }
    for (size_t round = 0; round < depth && status == OW_OK; round++)
        status = run_round(block, round == 0, requests, outcomes, compound, ranks);
    owi_workspace_free(scratch);
    return status;
}
