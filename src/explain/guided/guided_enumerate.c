/* SPDX-License-Identifier: MIT */
/* Everything: rows of which so few units may change that all answers can be looked at.
 *
 * Two of the units are left to the circuit's tables of pairs; for every combination of
 * values of the others, the query's own among them, the row is made, and its single changes
 * and pairs of these two units are looked at. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/guided/guided_pairs.h"
#include "explain/guided/guided_search.h"

enum { most_combinations = 2048, states_at_once = 256, most_units = 16 };

/* What may change in one row. */
typedef struct {
    size_t n;                   /* units that may change                         */
    size_t rank[most_units];    /* fewest moves first; the tables' two last      */
    size_t n_moves[most_units]; /* that are allowed                              */
    size_t n_counted;           /* of the first ones: those that are gone through */
} space;

typedef struct {
    size_t n;
    owi_workspace *workspace;
    owi_state *states;
    double *values;
    owi_request *requests;
    owi_pair_request *pairs;
    owi_evaluation *evaluations;
    owi_scan *scans;
} arrays;

/* ---- How much there is ---- */

static size_t n_allowed(const owi_guided *guided, const owi_guided_row *row, size_t rank)
{
    size_t n = 0;
    for (size_t m = guided->moves.first[rank]; m < guided->moves.first[rank + 1]; m++)
        n += row->allowed[m] == owi_move_allowed;
    return n;
}

static void swap_units(space *s, size_t a, size_t b)
{
    const size_t rank = s->rank[a], n_moves = s->n_moves[a];
    s->rank[a] = s->rank[b];
    s->n_moves[a] = s->n_moves[b];
    s->rank[b] = rank;
    s->n_moves[b] = n_moves;
}

/* Moves the simple unit with the most moves among the first n to place n - 1; false if
 * there is none. */
static bool move_last(const owi_guided *guided, space *s, size_t n)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        if (!guided->units[guided->order[s->rank[i]]].compound &&
            (best == SIZE_MAX || s->n_moves[i] > s->n_moves[best]))
            best = i;
    if (best != SIZE_MAX) swap_units(s, best, n - 1);
    return best != SIZE_MAX;
}

/* Whether the row's space is small enough. */
static bool measure_space(const owi_guided *guided, const owi_guided_row *row, space *s)
{
    double n_combinations = 1.0;
    *s = (space){0};
    for (size_t rank = 0; rank < guided->n_units; rank++) {
        const size_t n = n_allowed(guided, row, rank);
        if (n == 0) continue;
        if (s->n == most_units) return false;
        s->rank[s->n] = rank;
        s->n_moves[s->n++] = n;
    }
    s->n_counted = s->n;
    /* Voters have tables of single changes only. */
    const int n_left = guided->votes.n > 0 ? 1 : 2;
    for (int k = 0; k < n_left && s->n_counted > 0; k++)
        if (move_last(guided, s, s->n_counted)) s->n_counted--;
    for (size_t i = 0; i < s->n_counted; i++) n_combinations *= (double)s->n_moves[i] + 1.0;
    return n_combinations <= most_combinations;
}

/* ---- Going through it ---- */

static void begin_scan(owi_scan *scan)
{
    scan->n_steps = 0;
    scan->has_found = scan->has_valid = scan->has_closest = false;
}

static ow_status run_states(const owi_guided_block *block, owi_pair_goal goal, arrays *a)
{
    OWI_TRY(owi_guided_evaluate(block, a->n, a->evaluations));
    for (size_t i = 0; i < a->n; i++)
        owi_row_offer(block, a->evaluations[i].row, &a->states[i]);
    OWI_TRY(owi_guided_expand(block, a->n, a->requests, owi_scan_table, a->scans));
    for (size_t i = 0; i < a->n; i++) {
        owi_scan_offer(block, a->requests[i].row, &a->states[i], &a->scans[i]);
        begin_scan(&a->scans[i]);
    }
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        if (a->pairs[i].units[1] != SIZE_MAX &&
            owi_may_change(block, a->states[i].score.l0 + 2))
            a->pairs[n++] = a->pairs[i];
    OWI_TRY(owi_guided_pairs(block, goal, n, a->pairs));
    for (size_t i = 0; i < n; i++)
        owi_scan_offer(block, a->pairs[i].row, a->pairs[i].state, a->pairs[i].scan);
    a->n = 0;
    return OW_OK;
}

/* The query with the moves that are counted to; 0: the unit's own value. */
static void add_state(const owi_guided *guided, owi_guided_row *row, const space *s,
                      const size_t *count, arrays *a)
{
    const size_t i = a->n++;
    const size_t n_left = s->n - s->n_counted;
    owi_state *state = &a->states[i];
    bool is_permitted = true;
    state->values = a->values + i * guided->n_columns;
    owi_state_copy(guided, state, &row->query_state);
    for (size_t u = 0; u < s->n_counted; u++) {
        size_t left = count[u];
        for (size_t m = guided->moves.first[s->rank[u]]; left > 0; m++)
            if (row->allowed[m] == owi_move_allowed && --left == 0)
                is_permitted = owi_state_apply(guided, row, m, state);
    }
    if (!is_permitted) {
        a->n--;
        return;
    }
    owi_state_measure(guided, row, state);
    a->evaluations[i] = (owi_evaluation){row, state};
    a->requests[i] =
        (owi_request){.row = row, .state = state, .show = OWI_SHOW_LISTED, .slot = i};
    a->pairs[i] = (owi_pair_request){
        .row = row,
        .state = state,
        .units = {n_left > 0 ? guided->order[s->rank[s->n - 1]] : SIZE_MAX,
                  n_left > 1 ? guided->order[s->rank[s->n - 2]] : SIZE_MAX},
        .scan = &a->scans[i]};
}

/* All combinations, those with too many changes left out. */
static ow_status count_through(const owi_guided_block *block, owi_guided_row *row,
                               const space *s, owi_pair_goal goal, arrays *a)
{
    size_t count[most_units] = {0};
    for (;;) {
        size_t u = 0, l0 = 0;
        for (size_t i = 0; i < s->n_counted; i++) l0 += count[i] > 0;
        if (owi_may_change(block, l0)) add_state(block->guided, row, s, count, a);
        if (a->n == states_at_once) OWI_TRY(run_states(block, goal, a));
        while (u < s->n_counted && count[u] == s->n_moves[u]) count[u++] = 0;
        if (u == s->n_counted) break;
        count[u]++;
    }
    return run_states(block, goal, a);
}

static ow_status go_through(const owi_guided_block *block, arrays *a)
{
    const bool wants_class = !block->problem->options->density_required;
    /* Where there are voters, not all pairs were looked at. */
    const size_t n_searched = block->guided->votes.n > 0 ? 1 : 2;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        space s;
        if (row->is_done || !measure_space(block->guided, row, &s)) continue;
        if (s.n > n_searched && owi_may_change(block, n_searched + 1))
            OWI_TRY(count_through(block, row, &s, OWI_PAIRS_NEAREST, a));
        if (!row->has_found && wants_class && s.n > 1 && n_searched > 1)
            OWI_TRY(count_through(block, row, &s, OWI_PAIRS_DENSEST, a));
        row->is_done = row->is_whole = true;
        row->least = OW_LEAST_PROVED;
    }
    return OW_OK;
}

ow_status owi_guided_enumerate(const owi_guided_block *block)
{
    const size_t n = states_at_once, n_columns = block->guided->n_columns;
    arrays a = {0};
    if (!block->problem->is_circuit || !block->guided->moves.is_whole) return OW_OK;
    /* What was searched was all that may change. */
    const size_t n_searched = block->guided->votes.n > 0 ? 1 : 2;
    for (size_t i = 0; i < block->n_rows && !owi_may_change(block, n_searched + 1); i++)
        block->rows[i].is_whole = true;
    const owi_piece pieces[] = {
        OWI_PIECE(a.states, n),      OWI_PIECE(a.values, n * n_columns),
        OWI_PIECE(a.requests, n),    OWI_PIECE(a.pairs, n),
        OWI_PIECE(a.evaluations, n), OWI_PIECE(a.scans, n)};
    OWI_TRY(owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &a.workspace));
    const ow_status status = go_through(block, &a);
    owi_workspace_free(a.workspace);
    return status;
}
