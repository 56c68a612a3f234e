/* SPDX-License-Identifier: MIT */
/* Three changes and more: single changes of the most promising pairs, single changes of the
 * best of these, and so on.  The best are those with the highest potential less the price
 * of their distance; a row ends at the first depth where some change is all that was asked,
 * with the nearest of them. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/guided/guided_pairs.h"
#include "explain/guided/guided_search.h"

/* Compound moves of one state that are evaluated; the rest is left out by what it did to
 * the query. */
enum { most_listed = 32 };
/* Changes up to which the search goes at least where a foreign classifier is asked. */
enum { asked_changes = 8 };

/* ---- Pairs to begin with ---- */

static ow_status find_pairs(const owi_guided_block *block)
{
    const owi_guided *guided = block->guided;
    owi_pair_request *requests;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(requests, block->n_rows)};
    OWI_TRY(owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &scratch));
    size_t n = 0;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (row->is_done) continue;
        /* A pair that lacks more than the best single change is no way on. */
        const double bound = row->has_closest
                                 ? owi_potential(&row->aims, row->closest.score.log_t,
                                                 row->closest.score.margin)
                                 : -INFINITY;
        requests[n++] = (owi_pair_request){.row = row,
                                           .state = &row->query_state,
                                           .units = {SIZE_MAX, SIZE_MAX},
                                           .bound = bound,
                                           .scan = row->pairs};
    }
    /* With voters or a foreign classifier the best pairs have been kept already. */
    const bool has_pairs = guided->votes.n > 0 || !owi_knows_margins(block);
    const ow_status status =
        owi_guided_pairs(block, OWI_PAIRS_PROMISING, has_pairs ? 0 : n, requests);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        owi_guided_row *row = requests[i].row;
        row->n_beam = row->pairs->n_steps;
        for (size_t k = 0; k < row->n_beam; k++)
            owi_step_make(guided, row, &row->query_state, &row->pairs->steps[k],
                          &row->beam[k]);
    }
    owi_workspace_free(scratch);
    return status;
}

/* ---- A round ---- */

typedef struct {
    owi_request *requests;
    owi_scan *scans;
    uint32_t *listed; /* (states, most_listed) */
} round_arrays;

/* The compound moves that did most for the query: moves add up roughly. */
static size_t list_compound(const owi_guided *guided, const owi_guided_row *row,
                            const owi_state *state, uint32_t *listed)
{
    const owi_moves *moves = &guided->moves;
    double ranks[most_listed];
    size_t n = 0;
    for (size_t m = moves->n_simple; m < moves->n_moves; m++) {
        if (row->allowed[m] != owi_move_allowed ||
            owi_unit_differs(guided, row, state->values, moves->unit[m]))
            continue;
        const double *transfer = row->transfer + 2 * m;
        const double rank = owi_potential(&row->aims, state->score.log_t + transfer[0],
                                          state->score.margin + transfer[1]) -
                            row->aims.nearness * row->price[m];
        if (!(rank > -INFINITY)) continue;
        size_t at = n;
        while (at > 0 && ranks[at - 1] < rank) at--;
        if (at >= most_listed) continue;
        const size_t n_after = owi_smaller(n, most_listed - 1) - at;
        memmove(&ranks[at + 1], &ranks[at], n_after * sizeof *ranks);
        memmove(&listed[at + 1], &listed[at], n_after * sizeof *listed);
        ranks[at] = rank;
        listed[at] = (uint32_t)m;
        n = owi_smaller(n + 1, most_listed);
    }
    return n;
}

static bool same_values(const owi_guided *guided, const double *a, const double *b)
{
    for (size_t j = 0; j < guided->n_columns; j++)
        if (a[j] != b[j] && !(isnan(a[j]) && isnan(b[j]))) return false;
    return true;
}

/* The next beam: the best steps of all states of the row, the same state only once. */
static void advance(const owi_guided *guided, owi_guided_row *row, const owi_scan *scans)
{
    size_t taken[owi_most_beam] = {0};
    size_t n = 0;
    while (n < (size_t)guided->settings.beam_width) {
        size_t best = SIZE_MAX;
        /* Every state's steps are sorted: the next best of all is at one of their heads. */
        for (size_t k = 0; k < row->n_beam; k++)
            if (taken[k] < scans[k].n_steps &&
                (best == SIZE_MAX ||
                 scans[k].steps[taken[k]].rank > scans[best].steps[taken[best]].rank))
                best = k;
        if (best == SIZE_MAX) break;
        const owi_step *step = &scans[best].steps[taken[best]++];
        owi_step_make(guided, row, &row->beam[best], step, &row->next[n]);
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

static ow_status run_round(const owi_guided_block *block, const round_arrays *a)
{
    const owi_guided *guided = block->guided;
    size_t n = 0;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (row->is_done) continue;
        for (size_t k = 0; k < row->n_beam; k++, n++) {
            uint32_t *listed = a->listed + n * most_listed;
            a->requests[n] =
                (owi_request){.row = row,
                              .state = &row->beam[k],
                              .listed = listed,
                              .n_listed = list_compound(guided, row, &row->beam[k], listed),
                              .slot = n};
        }
    }
    OWI_TRY(owi_guided_expand(block, n, a->requests, owi_scan_table, a->scans));
    for (size_t first = 0; first < n;) {
        owi_guided_row *row = a->requests[first].row;
        const size_t n_beam = row->n_beam;
        for (size_t k = 0; k < n_beam; k++)
            owi_scan_offer(block, row, &row->beam[k], &a->scans[first + k]);
        advance(guided, row, a->scans + first);
        row->is_done = row->has_found || row->n_beam == 0;
        first += n_beam;
    }
    return OW_OK;
}

/* Whether some pair that a foreign classifier was shown moved its margin the right way:
 * where none did, single steps lead nowhere. */
static bool leads_somewhere(const owi_guided_row *row)
{
    static const double least = 1e-9;
    for (size_t k = 0; k < row->pairs->n_steps; k++)
        if (row->pairs->steps[k].score.margin > row->query_state.score.margin + least)
            return true;
    return false;
}

ow_status owi_guided_beam(const owi_guided_block *block)
{
    const owi_guided *guided = block->guided;
    const size_t most = block->n_rows * (size_t)guided->settings.beam_width;
    size_t depth = (size_t)guided->settings.beam_changes;
    round_arrays a;
    owi_workspace *scratch;
    if (!owi_may_change(block, 2)) return OW_OK;
    const owi_piece pieces[] = {OWI_PIECE(a.requests, most), OWI_PIECE(a.scans, most),
                                OWI_PIECE(a.listed, most * most_listed)};
    ow_status status = owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &scratch);
    if (status == OW_OK) status = find_pairs(block);
    /* Other ways on, from rows of the class, end with more changes in a foreign model. */
    if (!owi_knows_margins(block)) depth = owi_larger(depth, asked_changes);
    while (!owi_may_change(block, depth)) depth--;
    for (size_t i = 0; i < block->n_rows; i++)
        block->rows[i].is_done |=
            block->rows[i].has_found ||
            (!owi_knows_margins(block) && !leads_somewhere(&block->rows[i]));
    for (size_t n = 3; n <= depth && status == OW_OK; n++) status = run_round(block, &a);
    owi_workspace_free(scratch);
    return status;
}
