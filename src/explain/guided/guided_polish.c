/* SPDX-License-Identifier: MIT */
/* Changes that are not needed are taken back, and numbers go as near to the query as they
 * can.
 *
 * The table of a state tells what taking back each of its changes would leave, exactly
 * where the query's own value is in the table and between its neighbours otherwise.  Losses
 * of several are about their sum, so as many as that allows are taken back at once and
 * confirmed by an evaluation; if it fails, half as many.  When none can be taken back, the
 * number that can come nearest does: the table has all its values. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/guided/guided_batch.h"
#include "explain/guided/guided_search.h"

enum { most_undone = 32 };

/* In nats: less is not worth a pass. */
static const double least_saving = 0.02;

typedef struct {
    uint32_t unit;
    double log_t, margin,
        change; /* of the state without this change; its distance         */
    double saving;
} undo;

typedef struct {
    size_t n_undos;
    undo undos[most_undone]; /* largest saving first                                    */
    size_t move;             /* the best one that is not taking back, or SIZE_MAX       */
    double saving, log_t,
        margin; /* of that move                                          */
} options;

/* One state at work. */
typedef struct {
    owi_polish *entry;
    owi_state trial;
    options options;
    size_t n_tried; /* changes taken back in the trial; 0: none                 */
} work;

/* ---- What the table says ---- */

static void keep_undo(options *o, const undo *u)
{
    size_t at = o->n_undos;
    while (at > 0 && o->undos[at - 1].saving < u->saving) at--;
    if (at >= most_undone) return;
    const size_t n_after = owi_smaller(o->n_undos, most_undone - 1) - at;
    memmove(&o->undos[at + 1], &o->undos[at], n_after * sizeof *u);
    o->undos[at] = *u;
    o->n_undos = owi_smaller(o->n_undos + 1, most_undone);
}

static bool is_known(const owi_move_table *table, size_t m)
{
    return !isnan(table->log_t[m]) && !isnan(table->margin[m]);
}

/* A number's own value between its neighbours in the table; false if nothing near it is
 * known. */
static bool between(const owi_guided *guided, const owi_moves *moves, size_t first,
                    size_t last, double x, const owi_move_table *table, undo *u)
{
    size_t below = SIZE_MAX, above = SIZE_MAX;
    for (size_t m = first; m < last; m++) {
        if (!is_known(table, m)) continue;
        if (moves->values[m * guided->widest] <= x) below = m;
        if (moves->values[m * guided->widest] >= x && above == SIZE_MAX) above = m;
    }
    if (below == SIZE_MAX) below = above;
    if (above == SIZE_MAX) above = below;
    if (below == SIZE_MAX) return false;
    const double low = moves->values[below * guided->widest];
    const double high = moves->values[above * guided->widest];
    const double share = high > low ? fmin(fmax((x - low) / (high - low), 0.0), 1.0) : 0.0;
    u->log_t = (1.0 - share) * table->log_t[below] + share * table->log_t[above];
    u->margin = (1.0 - share) * table->margin[below] + share * table->margin[above];
    return true;
}

/* What a state offers at one unit, or several units at once: all that the parts of it need.
 * */
typedef struct {
    const owi_guided *guided;
    const owi_moves *moves;
    bool fine;
    const owi_guided_row *row;
    const owi_state *state;
    const owi_move_table *table;
    double now; /* the state's price */
} view;

/* What a state with this score saves, if it differs from the one looked at by one column:
 * the difference of their prices, and what the column itself wins or loses. */
static double saving_of(const view *v, const owi_score *score)
{
    return v->now - owi_price(&v->row->aims, score) +
           owi_coherence(&v->row->aims, v->state->score.log_t, score->log_t);
}

/* The best other value of a unit that is all that was asked; change: the unit's distance
 * now, l0: changes after it. */
static void find_move(const view *v, size_t rank, double change, size_t l0, options *o)
{
    for (size_t m = v->moves->first[rank]; m < v->moves->first[rank + 1]; m++) {
        if (v->row->allowed[v->fine][m] != owi_move_allowed || !is_known(v->table, m))
            continue;
        const owi_score score = {.log_t = v->table->log_t[m],
                                 .margin = v->table->margin[m],
                                 .l1 = v->state->score.l1 - change +
                                       (double)v->row->change[v->fine][m],
                                 .l0 = l0};
        const double saving = saving_of(v, &score);
        if (saving <= o->saving ||
            owi_potential(&v->row->aims, score.log_t, score.margin) < 0.0)
            continue;
        o->move = m;
        o->saving = saving;
        o->log_t = score.log_t;
        o->margin = score.margin;
    }
}

/* The unit's change taken back: by the query's own value in the table, or between its
 * neighbours there. */
static void find_undo(const view *v, size_t rank, undo *u, options *o)
{
    const owi_unit *unit = &v->guided->units[u->unit];
    const size_t first = v->moves->first[rank], last = v->moves->first[rank + 1];
    bool has_own = false;
    for (size_t m = first; m < last; m++)
        if (v->row->allowed[v->fine][m] == owi_move_own && is_known(v->table, m)) {
            u->log_t = v->table->log_t[m];
            u->margin = v->table->margin[m];
            has_own = true;
        }
    if (!has_own && unit->is_number)
        has_own = between(v->guided, v->moves, first, last, v->row->query[unit->columns[0]],
                          v->table, u);
    if (!has_own) return;
    u->saving = saving_of(v, &(owi_score){.log_t = u->log_t,
                                          .margin = u->margin,
                                          .l1 = v->state->score.l1 - u->change,
                                          .l0 = v->state->score.l0 - 1});
    keep_undo(o, u);
}

/* What one unit offers: its best value, and where it differs, its change taken back. */
static void look_at_unit(const view *v, size_t rank, bool may_add, options *o)
{
    const owi_guided *guided = v->guided;
    undo u = {.unit = guided->order[rank]};
    const owi_unit *unit = &guided->units[u.unit];
    const bool differs = owi_unit_differs(guided, v->row, v->state->values, u.unit);
    if (v->moves->first[rank] == v->moves->first[rank + 1]) return;
    if (!differs && (!may_add || owi_state_repeats(guided, v->row, v->state, u.unit)))
        return;
    for (size_t k = 0; k < unit->n_columns; k++) {
        const size_t j = unit->columns[k];
        u.change += owi_guided_change(guided, j, v->row->query[j], v->state->values[j]);
    }
    find_move(v, rank, u.change, v->state->score.l0 + !differs, o);
    if (differs) find_undo(v, rank, &u, o);
}

static void consume(const owi_guided_block *block, const owi_request *request,
                    const owi_move_table *table, void *user)
{
    const owi_guided *guided = block->guided;
    const size_t most = block->problem->constraints->most_changes;
    work *w = (work *)user + request->slot;
    const bool may_add =
        w->entry->may_add && (most == 0 || request->state->score.l0 < most);
    const view v = {.guided = guided,
                    .moves = w->entry->fine ? &guided->fine : &guided->coarse,
                    .fine = w->entry->fine,
                    .row = request->row,
                    .state = request->state,
                    .table = table,
                    .now = owi_price(&request->row->aims, &request->state->score)};
    w->options = (options){.move = SIZE_MAX, .saving = least_saving};
    for (size_t rank = 0; rank < guided->n_units; rank++)
        look_at_unit(&v, rank, may_add, &w->options);
}

/* ---- Taking back ---- */

/* How many of the undos, largest saving first, the sum of their effects allows; *saving is
 * what they save together. */
static size_t n_affordable(const work *w, double *saving)
{
    const owi_aims *aims = &w->entry->row->aims;
    const owi_score *now = &w->entry->state->score;
    const double price = owi_price(aims, now);
    owi_score after = *now;
    size_t n = 0;
    *saving = 0.0;
    for (; n < w->options.n_undos; n++) {
        const undo *u = &w->options.undos[n];
        if (u->saving < 0.0) break;
        /* Each undo is known alone, from the table of the state as it is; several at once
         * are taken to add up in log_t and margin. */
        after.log_t += u->log_t - now->log_t;
        after.margin += u->margin - now->margin;
        after.l1 -= u->change;
        after.l0--;
        const double saved = price - owi_price(aims, &after);
        if (owi_potential(aims, after.log_t, after.margin) < 0.0 ||
            saved < *saving + least_saving)
            break;
        *saving = saved;
    }
    return n;
}

static void make_trial(const owi_guided *guided, work *w)
{
    const owi_guided_row *row = w->entry->row;
    owi_state_copy(guided, &w->trial, w->entry->state);
    for (size_t k = 0; k < w->n_tried; k++) {
        const owi_unit *unit = &guided->units[w->options.undos[k].unit];
        for (size_t c = 0; c < unit->n_columns; c++)
            w->trial.values[unit->columns[c]] = row->query[unit->columns[c]];
    }
    owi_state_measure(guided, row, &w->trial);
}

/* Evaluates all trials that are left, until each is accepted or given up. */
static ow_status try_undos(const owi_guided_block *block, size_t n, work *works,
                           owi_evaluation *evaluations)
{
    const owi_guided *guided = block->guided;
    const size_t most = block->problem->constraints->most_changes;
    for (;;) {
        size_t n_trials = 0;
        for (size_t i = 0; i < n; i++) {
            if (works[i].n_tried == 0) continue;
            make_trial(guided, &works[i]);
            evaluations[n_trials++] =
                (owi_evaluation){works[i].entry->row, &works[i].trial};
        }
        if (n_trials == 0) return OW_OK;
        OWI_TRY(owi_guided_evaluate(block, n_trials, evaluations));
        /* The sum of single effects was a guess.  A trial that turns out to lose class or
         * density, or to cost more, takes back half as many changes, the surest ones first;
         * one that has too many changes is taken whatever it costs. */
        for (size_t i = 0; i < n; i++) {
            work *w = &works[i];
            const owi_guided_row *row = w->entry->row;
            owi_state *state = w->entry->state;
            if (w->n_tried == 0) continue;
            const bool too_many = most > 0 && state->score.l0 > most;
            const bool pays =
                owi_potential(&row->aims, w->trial.score.log_t, w->trial.score.margin) ==
                    0.0 &&
                owi_price(&row->aims, &w->trial.score) <
                    owi_price(&row->aims, &state->score) +
                        owi_coherence(&row->aims, state->score.log_t, w->trial.score.log_t);
            if (too_many || pays) {
                owi_state_copy(guided, state, &w->trial);
                w->options.move = SIZE_MAX; /* of the state that was */
                w->n_tried = 0;
            } else {
                w->n_tried /= 2;
                if (w->n_tried == 0 && w->options.move == SIZE_MAX)
                    w->entry->is_done = true;
            }
        }
    }
}

/* Taking back or moving, whichever saves more. */
static void begin_round(const owi_guided_block *block, work *w)
{
    const size_t most = block->problem->constraints->most_changes;
    const size_t l0 = w->entry->state->score.l0;
    double saving;
    w->n_tried = n_affordable(w, &saving);
    if (w->options.move != SIZE_MAX && w->options.saving > saving) w->n_tried = 0;
    if (most > 0 && l0 > most) /* needs to lose some, at whatever price */
        w->n_tried = owi_larger(w->n_tried, owi_smaller(l0 - most, w->options.n_undos));
    if (w->n_tried == 0 && w->options.move == SIZE_MAX) w->entry->is_done = true;
}

static void make_move(const owi_guided *guided, work *w)
{
    owi_state *state = w->entry->state;
    if (w->entry->is_done || w->options.move == SIZE_MAX) return;
    owi_state_apply(guided, w->entry->fine ? &guided->fine : &guided->coarse,
                    w->options.move, state);
    owi_state_measure(guided, w->entry->row, state);
    state->score.log_t = w->options.log_t;
    state->score.margin = w->options.margin;
}

/* ---- All together ---- */

/* The query's own combination of every compound unit that differs. */
static size_t own_compound(const owi_guided *guided, const owi_moves *moves, bool fine,
                           const owi_polish *entry, uint32_t *chosen)
{
    size_t n = 0;
    for (size_t m = moves->n_simple; m < moves->n_moves; m++)
        if (entry->row->allowed[fine][m] == owi_move_own &&
            owi_unit_differs(guided, entry->row, entry->state->values, moves->unit[m]))
            chosen[n++] = (uint32_t)m;
    return n;
}

typedef struct {
    owi_request *requests;
    owi_evaluation *evaluations;
    work *works;
    uint32_t *compound; /* (n, units) */
    double *values;     /* (n, columns) */
} scratch;

static ow_status polish_round(const owi_guided_block *block, bool fine, size_t n,
                              owi_polish *list, scratch *s, size_t *n_active)
{
    const owi_guided *guided = block->guided;
    const owi_moves *moves = fine ? &guided->fine : &guided->coarse;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i].is_done) continue;
        uint32_t *chosen = s->compound + k * guided->n_units;
        list[i].fine = fine;
        s->works[k] =
            (work){.entry = &list[i], .trial.values = s->values + k * guided->n_columns};
        s->requests[k] =
            (owi_request){list[i].row, list[i].state, chosen,
                          own_compound(guided, moves, fine, &list[i], chosen), k};
        k++;
    }
    *n_active = k;
    if (k == 0) return OW_OK;
    OWI_TRY(owi_guided_expand(block, moves, k, s->requests, consume, s->works));
    for (size_t i = 0; i < k; i++) begin_round(block, &s->works[i]);
    OWI_TRY(try_undos(block, k, s->works, s->evaluations));
    for (size_t i = 0; i < k; i++) make_move(guided, &s->works[i]);
    return OW_OK;
}

ow_status owi_guided_polish(const owi_guided_block *block, bool fine, size_t n,
                            owi_polish *list)
{
    const owi_guided *guided = block->guided;
    scratch s;
    owi_workspace *workspace;
    const owi_piece pieces[] = {OWI_PIECE(s.requests, n), OWI_PIECE(s.evaluations, n),
                                OWI_PIECE(s.works, n),
                                OWI_PIECE(s.compound, n * guided->n_units),
                                OWI_PIECE(s.values, n * guided->n_columns)};
    ow_status status = owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &workspace);
    size_t n_active = n;

    for (int64_t round = 0;
         round < guided->settings.polish_steps && n_active > 0 && status == OW_OK; round++)
        status = polish_round(block, fine, n, list, &s, &n_active);
    for (size_t i = 0; i < n && status == OW_OK; i++)
        owi_row_offer(block, list[i].row, list[i].state);
    owi_workspace_free(workspace);
    return status;
}
