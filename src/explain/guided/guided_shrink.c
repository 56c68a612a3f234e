/* SPDX-License-Identifier: MIT */
/* Changes that are not needed are taken back, and the others go to the nearest candidate
 * value that will do.
 *
 * Every change taken back alone is evaluated.  Of those that are not needed as many as
 * possible are taken back at once: all, or if the row then fails, half of them, those first
 * that leave the row most to spare.  When none can be taken back, the change that can come
 * nearest to the query's value does; both make the answer a lesser one (owi_is_lesser), so
 * that this ends. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/guided/guided_batch.h"
#include "explain/guided/guided_search.h"

typedef struct {
    uint32_t unit;
    double surplus; /* of the state without this change */
} undo;

/* One state at work. */
typedef struct {
    owi_shrink *entry;
    owi_state trial;
    undo *undos; /* units: those that pass, most to spare first */
    size_t n_undos, n_tried;
    bool is_refused; /* what follows from the trial is not permitted */
    size_t move;     /* the nearer value that saves most; SIZE_MAX: none */
    double log_t, margin;
} work;

typedef struct {
    owi_workspace *workspace;
    work *works;
    double *values, *single_values;
    owi_state *singles;  /* states with one change taken back, of all works */
    uint32_t *unit, *of; /* of each: the unit, and the work's number       */
    size_t most_singles;
    owi_evaluation *evaluations;
    undo *undos;
    owi_request *requests;
    uint32_t *listed;
} arrays;

static ow_status make_arrays(const owi_guided_block *block, size_t n, arrays *a)
{
    const owi_guided *guided = block->guided;
    const size_t n_listed = owi_knows_margins(block)
                                ? guided->moves.n_moves - guided->moves.n_simple
                                : guided->moves.n_moves;
    const size_t most = n * guided->n_units;
    *a = (arrays){.most_singles = most};
    const owi_piece pieces[] = {
        OWI_PIECE(a->works, n),
        OWI_PIECE(a->values, n * guided->n_columns),
        OWI_PIECE(a->single_values, most * guided->n_columns),
        OWI_PIECE(a->singles, most),
        OWI_PIECE(a->unit, most),
        OWI_PIECE(a->of, most),
        OWI_PIECE(a->evaluations, owi_larger(most, n)),
        OWI_PIECE(a->undos, most),
        OWI_PIECE(a->requests, n),
        OWI_PIECE(a->listed, n * n_listed),
    };
    return owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &a->workspace);
}

static size_t begin_works(const owi_guided *guided, size_t n, owi_shrink *list, arrays *a)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i].is_done) continue;
        a->works[k] = (work){.entry = &list[i],
                             .trial.values = a->values + k * guided->n_columns,
                             .undos = a->undos + k * guided->n_units,
                             .move = SIZE_MAX};
        k++;
    }
    return k;
}

/* ---- Taking back ---- */

static void keep_undo(work *w, uint32_t unit, double surplus)
{
    size_t at = w->n_undos++;
    for (; at > 0 && w->undos[at - 1].surplus < surplus; at--)
        w->undos[at] = w->undos[at - 1];
    w->undos[at] = (undo){unit, surplus};
}

/* Which changes are not needed, each alone. */
static ow_status find_undos(const owi_guided_block *block, size_t n, arrays *a)
{
    const owi_guided *guided = block->guided;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const owi_shrink *entry = a->works[i].entry;
        if (entry->state->score.l0 < 2) continue;
        for (uint32_t u = 0; u < guided->n_units; u++) {
            if (!owi_unit_differs(guided, entry->row, entry->state->values, u)) continue;
            a->singles[k].values = a->single_values + k * guided->n_columns;
            owi_state_copy(guided, &a->singles[k], entry->state);
            if (!owi_state_undo(guided, entry->row, u, &a->singles[k])) continue;
            a->evaluations[k] = (owi_evaluation){entry->row, &a->singles[k]};
            a->unit[k] = u;
            a->of[k++] = (uint32_t)i;
        }
    }
    OWI_TRY(owi_guided_evaluate(block, k, a->evaluations));
    for (size_t i = 0; i < k; i++) {
        const owi_guided_row *row = a->evaluations[i].row;
        const owi_score *score = &a->singles[i].score;
        if (owi_state_passes(row, &a->singles[i]) &&
            !owi_state_repeats(guided, row, &a->singles[i], SIZE_MAX, SIZE_MAX))
            keep_undo(&a->works[a->of[i]], a->unit[i],
                      owi_surplus(&row->aims, score->log_t, score->margin));
    }
    return OW_OK;
}

static void make_trial(const owi_guided *guided, work *w)
{
    owi_state_copy(guided, &w->trial, w->entry->state);
    w->is_refused = false;
    for (size_t k = 0; k < w->n_tried; k++)
        w->is_refused = !owi_state_undo(guided, w->entry->row, w->undos[k].unit, &w->trial);
    owi_state_measure(guided, w->entry->row, &w->trial);
}

/* Takes back as many of them as can be together; the first alone is known to be one. */
static ow_status take_back(const owi_guided_block *block, size_t n, arrays *a)
{
    const owi_guided *guided = block->guided;
    for (size_t i = 0; i < n; i++) a->works[i].n_tried = a->works[i].n_undos;
    for (;;) {
        size_t k = 0;
        for (size_t i = 0; i < n; i++) {
            work *w = &a->works[i];
            if (w->n_tried == 0) continue;
            make_trial(guided, w);
            a->evaluations[k++] = (owi_evaluation){w->entry->row, &w->trial};
        }
        if (k == 0) return OW_OK;
        OWI_TRY(owi_guided_evaluate(block, k, a->evaluations));
        for (size_t i = 0; i < n; i++) {
            work *w = &a->works[i];
            if (w->n_tried == 0) continue;
            const bool passes =
                !w->is_refused && owi_state_passes(w->entry->row, &w->trial) &&
                w->trial.score.l0 > 0 &&
                !owi_state_repeats(guided, w->entry->row, &w->trial, SIZE_MAX, SIZE_MAX);
            if (passes) owi_state_copy(guided, w->entry->state, &w->trial);
            w->n_tried = passes ? 0 : w->n_tried / 2;
        }
    }
}

/* ---- Nearer values ---- */

static double unit_change(const owi_guided *guided, const owi_guided_row *row,
                          const owi_state *state, size_t u)
{
    const owi_unit *unit = &guided->units[u];
    double change = 0.0;
    for (size_t k = 0; k < unit->n_columns; k++) {
        const size_t j = unit->columns[k];
        change += owi_change_cost(guided->rules, j, row->query[j], state->values[j]);
    }
    return change;
}

/* The value of a changed unit, nearer to the query's, that saves most distance. */
static void find_nearer(const owi_guided_block *block, const owi_request *request,
                        const owi_move_table *table, void *user)
{
    const owi_guided *guided = block->guided;
    const owi_moves *moves = &guided->moves;
    const owi_guided_row *row = request->row;
    work *w = (work *)user + request->slot;
    owi_score best = request->state->score;
    for (size_t rank = 0; rank < guided->n_units; rank++) {
        const uint32_t u = guided->order[rank];
        if (!owi_unit_differs(guided, row, request->state->values, u)) continue;
        const double change = unit_change(guided, row, request->state, u);
        for (size_t m = moves->first[rank]; m < moves->first[rank + 1]; m++) {
            const double saving = change - row->price[m];
            const owi_score score = {.log_t = table->log_t[m],
                                     .margin = table->margin[m],
                                     .l1 = request->state->score.l1 - saving,
                                     .l0 = best.l0};
            if (row->allowed[m] != owi_move_allowed ||
                !owi_is_lesser(&row->aims, &score, &best) ||
                owi_potential(&row->aims, score.log_t, score.margin) < 0.0)
                continue;
            w->move = m;
            w->log_t = score.log_t;
            w->margin = score.margin;
            best = score;
        }
    }
}

/* Moves that the table does not know: nearer ones of compound units that differ, of all
 * units where somebody else's classifier decides. */
static size_t list_nearer(const owi_guided_block *block, const owi_shrink *entry,
                          uint32_t *listed)
{
    const owi_guided *guided = block->guided;
    const owi_moves *moves = &guided->moves;
    const owi_guided_row *row = entry->row;
    size_t n = 0;
    for (size_t rank = 0; rank < guided->n_units; rank++) {
        const uint32_t u = guided->order[rank];
        if ((owi_knows_margins(block) && !guided->units[u].compound) ||
            !owi_unit_differs(guided, row, entry->state->values, u))
            continue;
        const double change = unit_change(guided, row, entry->state, u);
        for (size_t m = moves->first[rank]; m < moves->first[rank + 1]; m++)
            if (row->allowed[m] == owi_move_allowed &&
                (row->price[m] < change || guided->votes.n > 0))
                listed[n++] = (uint32_t)m;
    }
    return n;
}

static ow_status make_nearer(const owi_guided_block *block, size_t n, arrays *a)
{
    const owi_guided *guided = block->guided;
    const size_t n_listed = owi_knows_margins(block)
                                ? guided->moves.n_moves - guided->moves.n_simple
                                : guided->moves.n_moves;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        work *w = &a->works[i];
        uint32_t *listed = a->listed + k * n_listed;
        if (w->n_undos > 0) continue;
        a->requests[k++] = (owi_request){.row = w->entry->row,
                                         .state = w->entry->state,
                                         .listed = listed,
                                         .n_listed = list_nearer(block, w->entry, listed),
                                         .show = OWI_SHOW_LISTED,
                                         .slot = i};
    }
    OWI_TRY(owi_guided_expand(block, k, a->requests, find_nearer, a->works));
    for (size_t i = 0; i < k; i++) {
        work *w = &a->works[a->requests[i].slot];
        w->entry->is_done = w->move == SIZE_MAX;
        if (w->entry->is_done) continue;
        (void)owi_state_apply(guided, w->entry->row, w->move, w->entry->state);
        owi_state_measure(guided, w->entry->row, w->entry->state);
        w->entry->state->score.log_t = w->log_t;
        w->entry->state->score.margin = w->margin;
    }
    return OW_OK;
}

/* ---- All together ---- */

ow_status owi_guided_take_back(const owi_guided_block *block, size_t n, owi_shrink *list,
                               bool *any)
{
    arrays a;
    ow_status status = make_arrays(block, n, &a);
    const size_t n_works = status == OW_OK ? begin_works(block->guided, n, list, &a) : 0;
    if (status == OW_OK) status = find_undos(block, n_works, &a);
    if (status == OW_OK) status = take_back(block, n_works, &a);
    *any = false;
    for (size_t i = 0; i < n_works && status == OW_OK; i++) {
        a.works[i].entry->is_done = a.works[i].n_undos == 0;
        *any |= a.works[i].n_undos > 0;
    }
    owi_workspace_free(a.workspace);
    return status;
}

ow_status owi_guided_shrink(const owi_guided_block *block, size_t n, owi_shrink *list)
{
    arrays a;
    ow_status status = make_arrays(block, n, &a);
    while (status == OW_OK) {
        const size_t n_works = begin_works(block->guided, n, list, &a);
        if (n_works == 0) break;
        status = find_undos(block, n_works, &a);
        if (status == OW_OK) status = take_back(block, n_works, &a);
        if (status == OW_OK) status = make_nearer(block, n_works, &a);
    }
    owi_workspace_free(a.workspace);
    return status;
}
