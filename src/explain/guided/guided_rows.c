/* SPDX-License-Identifier: MIT */
/* A block of queries, the states of their searches, and what is kept of
 * them: of states that are all that was asked (potential 0, guided_score.h) the cheapest;
 * for when there is none, the densest one of the class and the one that came closest. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/core/distance.h"
#include "explain/guided/guided.h"
#include "explain/guided/guided_scan.h"
#include "model/class_limits.h"

/* Real rows of the class up to this quantile: denser ones are no more plausible. */
static const double typical_quantile = 0.75;
/* Up to this one of two robust answers the denser one is surer. */
static const double sure_quantile = 0.5;
/* A robust answer has at least this share of the margin of a sure row. */
static const double least_share = 0.25;

/* ---- States ---- */

void owi_state_copy(const owi_guided *guided, owi_state *to, const owi_state *from)
{
    double *values = to->values;
    if (to == from) return;
    memcpy(values, from->values, guided->n_columns * sizeof *values);
    *to = *from;
    to->values = values;
}

bool owi_state_follow(const owi_guided *guided, const owi_guided_row *row, owi_state *state)
{
    return owi_follow(guided->rules, row->query, state->values);
}

bool owi_followers_are_usual(const owi_guided *guided, const owi_guided_row *row,
                             const double *values)
{
    const owi_rules *rules = guided->rules;
    for (size_t j = 0; j < guided->n_columns && guided->has_leads; j++)
        if (rules->columns[j].depends &&
            !owi_guided_is_usual(guided->problem, (size_t)row->target, j, row->query[j],
                                 values[j]))
            return false;
    return true;
}

bool owi_row_keeps(const owi_guided *guided, const owi_guided_row *row,
                   const double *values)
{
    return owi_followers_are_usual(guided, row, values) &&
           (!guided->has_conditions ||
            owi_keeps_conditions(guided->rules, row->query, values));
}

bool owi_state_apply(const owi_guided *guided, const owi_guided_row *row, size_t move,
                     owi_state *state)
{
    const owi_moves *moves = &guided->moves;
    const owi_unit *unit = &guided->units[moves->unit[move]];
    for (size_t k = 0; k < unit->n_columns; k++)
        state->values[unit->columns[k]] = moves->values[move * guided->widest + k];
    return !unit->leads || owi_state_follow(guided, row, state);
}

bool owi_state_undo(const owi_guided *guided, const owi_guided_row *row, size_t u,
                    owi_state *state)
{
    const owi_unit *unit = &guided->units[u];
    for (size_t k = 0; k < unit->n_columns; k++)
        state->values[unit->columns[k]] = row->query[unit->columns[k]];
    return !unit->leads || owi_state_follow(guided, row, state);
}

bool owi_unit_differs(const owi_guided *guided, const owi_guided_row *row,
                      const double *values, size_t u)
{
    const owi_unit *unit = &guided->units[u];
    for (size_t k = 0; k < unit->n_columns && !unit->depends; k++)
        if (!owi_same_value(values[unit->columns[k]], row->query[unit->columns[k]]))
            return true;
    return false;
}

void owi_state_measure(const owi_guided *guided, const owi_guided_row *row,
                       owi_state *state)
{
    state->score.l0 = 0;
    state->score.l1 = 0.0;
    for (size_t u = 0; u < guided->n_units; u++)
        state->score.l0 += owi_unit_differs(guided, row, state->values, u);
    for (size_t j = 0; j < guided->n_columns; j++)
        state->score.l1 +=
            owi_change_cost(guided->rules, j, row->query[j], state->values[j]);
}

bool owi_state_passes(const owi_guided_row *row, const owi_state *state)
{
    return owi_potential(&row->aims, state->score.log_t, state->score.margin) == 0.0;
}

bool owi_state_repeats(const owi_guided *guided, const owi_guided_row *row,
                       const owi_state *state, size_t unit, size_t other)
{
    for (size_t a = 0; a < row->n_forbidden; a++) {
        const bool *changed = row->forbidden + a * guided->n_units;
        bool repeats = true;
        for (size_t u = 0; u < guided->n_units && repeats; u++)
            if (changed[u])
                repeats = u == unit || u == other ||
                          owi_unit_differs(guided, row, state->values, u);
        if (repeats) return true;
    }
    return false;
}

bool owi_may_change(const owi_guided_block *block, size_t n)
{
    const size_t most = block->problem->constraints->most_changes;
    return most == 0 || n <= most;
}

/* The lesser one; of two that change as much, the one whose first different value is
 * smaller. */
static bool comes_first(const owi_guided *guided, const owi_aims *aims, const owi_state *a,
                        const owi_state *b)
{
    if (owi_is_lesser(aims, &a->score, &b->score)) return true;
    if (owi_is_lesser(aims, &b->score, &a->score)) return false;
    for (size_t j = 0; j < guided->n_columns; j++)
        if (a->values[j] != b->values[j] && !isnan(a->values[j]))
            return a->values[j] < b->values[j];
    return false;
}

void owi_row_offer(const owi_guided_block *block, owi_guided_row *row,
                   const owi_state *state)
{
    const owi_guided *guided = block->guided;
    const double potential =
        owi_potential(&row->aims, state->score.log_t, state->score.margin);

    if (state->score.l0 == 0 || !owi_may_change(block, state->score.l0)) return;
    if (owi_state_repeats(guided, row, state, SIZE_MAX, SIZE_MAX)) return;
    if (potential == 0.0 &&
        (!row->has_found || comes_first(guided, &row->aims, state, &row->found))) {
        owi_state_copy(guided, &row->found, state);
        row->has_found = true;
    }
    if (owi_is_of_class(&row->aims, &state->score) &&
        (!row->has_valid || state->score.log_t > row->valid.score.log_t)) {
        owi_state_copy(guided, &row->valid, state);
        row->has_valid = true;
    }
    if (!row->has_closest || potential > owi_potential(&row->aims, row->closest.score.log_t,
                                                       row->closest.score.margin)) {
        owi_state_copy(guided, &row->closest, state);
        row->has_closest = true;
    }
}

/* ---- A block ---- */

/* How far a move goes with all that follows from it. */
static double price_with_followers(const owi_guided *guided, const owi_guided_row *row,
                                   size_t move, owi_state *scratch)
{
    memcpy(scratch->values, row->query, guided->n_columns * sizeof *scratch->values);
    (void)owi_state_apply(guided, row, move, scratch);
    owi_state_measure(guided, row, scratch);
    return scratch->score.l1;
}

bool owi_guided_is_usual(const owi_problem *problem, size_t target, size_t column,
                         double from, double to)
{
    return owi_same_value(from, to) ||
           problem->rules->columns[column].limits.n_allowed > 0 ||
           owi_model_is_usual(problem->model, target, column, to);
}

/* Which moves this query may make, and how far each goes. */
static void judge_moves(const owi_guided *guided, const owi_problem *problem,
                        owi_guided_row *row)
{
    const owi_moves *moves = &guided->moves;
    const double *query = row->query;
    uint8_t *allowed = row->allowed;
    double *price = row->price;
    for (size_t m = 0; m < moves->n_moves; m++) {
        const owi_unit *unit = &guided->units[moves->unit[m]];
        const double *to = moves->values + m * guided->widest;
        bool own = true, permitted = true;
        price[m] = 0.0;
        for (size_t k = 0; k < unit->n_columns && permitted; k++) {
            const size_t j = unit->columns[k];
            own &= owi_same_value(query[j], to[k]);
            permitted =
                !isnan(query[j]) &&
                owi_permits(&problem->rules->columns[j].limits, query[j], to[k]) &&
                owi_guided_is_usual(problem, (size_t)row->target, j, query[j], to[k]);
            price[m] += owi_change_cost(guided->rules, j, query[j], to[k]);
        }
        if (unit->leads && permitted)
            price[m] = price_with_followers(guided, row, m, &row->found);
        allowed[m] = own ? owi_move_own : permitted ? owi_move_allowed : owi_move_refused;
    }
}

enum { states_beside_the_beam = 4 }; /* of the query, and three answers */

/* All memory of a block. */
typedef struct {
    owi_guided_row *rows;
    owi_state *states;
    owi_scan *pairs;
    double *values, *transfer, *price, *enough, *enough_for_class;
    uint8_t *allowed;
    bool *forbidden;
    double *threshold; /* (2, n): wanted, and typical */
} row_arrays;

static size_t n_slots(const owi_guided *guided)
{
    return owi_larger((size_t)guided->settings.beam_width,
                      owi_most_row_starts(&guided->settings));
}

static ow_status make_arrays(owi_guided_block *block, row_arrays *p)
{
    const owi_guided *guided = block->guided;
    const size_t n = block->n_rows, n_answers = block->problem->options->n_answers;
    const size_t n_states = n * (2 * n_slots(guided) + states_beside_the_beam);
    const size_t n_moves = guided->moves.n_moves;
    const owi_piece pieces[] = {
        OWI_PIECE(p->rows, n),
        OWI_PIECE(p->states, n_states),
        OWI_PIECE(p->pairs, n),
        OWI_PIECE(p->values, n_states * guided->n_columns),
        OWI_PIECE(p->transfer, n * 2 * n_moves),
        OWI_PIECE(p->price, n * n_moves),
        OWI_PIECE(p->enough, n * guided->n_columns),
        OWI_PIECE(p->enough_for_class, n * guided->n_columns),
        OWI_PIECE(p->allowed, n * n_moves),
        OWI_PIECE(p->forbidden, n * n_answers * guided->n_units),
        OWI_PIECE(p->threshold, 2 * n),
    };
    return owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &block->workspace);
}

static void begin_row(const owi_guided_block *block, const owi_queries *queries, size_t i,
                      const row_arrays *p)
{
    const owi_guided *guided = block->guided;
    const size_t slots = n_slots(guided), each = 2 * slots + states_beside_the_beam;
    const size_t n_moves = guided->moves.n_moves;
    owi_state *states = p->states + i * each;
    owi_guided_row *row = &block->rows[i];

    for (size_t s = 0; s < each; s++)
        states[s] = (owi_state){.values = p->values + (i * each + s) * guided->n_columns};
    *row = (owi_guided_row){.number = i,
                            .query = queries->values + i * guided->n_columns,
                            .target = queries->target[i],
                            .allowed = p->allowed + i * n_moves,
                            .price = p->price + i * n_moves,
                            .transfer = p->transfer + i * 2 * n_moves,
                            .enough = p->enough + i * guided->n_columns,
                            .enough_for_class = p->enough_for_class + i * guided->n_columns,
                            .pairs = p->pairs + i,
                            .beam = states,
                            .next = states + slots,
                            .query_state = states[2 * slots],
                            .found = states[2 * slots + 1],
                            .valid = states[2 * slots + 2],
                            .closest = states[2 * slots + 3],
                            .forbidden =
                                p->forbidden +
                                i * block->problem->options->n_answers * guided->n_units};
    memcpy(row->query_state.values, row->query, guided->n_columns * sizeof(double));
    judge_moves(guided, block->problem, row);
}

/* --prefer robust: beyond the boundary by what another training may move it
 * (model/class_limits.h). */
static double least_margin(const owi_guided *guided, const owi_problem *problem,
                           int32_t target)
{
    if (problem->options->prefer != OW_PREFER_ROBUST || guided->votes.n > 0) return 0.0;
    return owi_model_robust_margin(problem->model, (size_t)target);
}

/* What is asked of row i; threshold: of the answers' densities, and of what is typical or
 * sure. */
static ow_status set_aims(const owi_guided_block *block, const owi_queries *queries,
                          size_t i, const double *threshold)
{
    const owi_problem *problem = block->problem;
    const owi_guided_settings *settings = &block->guided->settings;
    owi_guided_row *row = &block->rows[i];
    const double beyond = threshold[block->n_rows + i];
    row->asked =
        (owi_aims){.threshold = threshold[i],
                   .typical = beyond,
                   .sure_density = -INFINITY,
                   .sure_margin = -INFINITY,
                   .least_margin = least_margin(block->guided, problem, queries->target[i]),
                   .margin_worth = owi_margin_worth(problem->options->least_proba > 0.0),
                   .change_price = settings->change_price,
                   .nearness = settings->nearness,
                   .reserve = settings->reserve,
                   .by_cost = problem->options->prefer == OW_PREFER_CHEAPEST};
    if (block->guided->votes.n > 0) {
        row->asked.sure_density = beyond;
        OWI_TRY(owi_votes_sure_margin(&block->guided->votes, problem,
                                      (size_t)queries->target[i], &row->asked.sure_margin));
        row->asked.least_margin = least_share * row->asked.sure_margin;
    }
    row->aims = row->asked;
    return OW_OK;
}

static ow_status begin_rows(owi_guided_block *block, const owi_queries *queries)
{
    const owi_problem *problem = block->problem;
    const size_t n = block->n_rows;
    const double quantile = problem->options->density_quantile;
    const double beyond = block->guided->votes.n > 0 ? sure_quantile : typical_quantile;
    row_arrays p;
    OWI_TRY(make_arrays(block, &p));
    OWI_TRY(owi_guided_buffers_new(block));
    OWI_TRY(owi_density_thresholds(problem->call, problem->reference, n, queries->values,
                                   queries->target, quantile, p.threshold));
    OWI_TRY(owi_density_thresholds(problem->call, problem->reference, n, queries->values,
                                   queries->target, fmax(beyond, quantile),
                                   p.threshold + n));
    block->rows = p.rows;
    for (size_t i = 0; i < n; i++) {
        OWI_TRY(owi_call_tick(problem->call));
        begin_row(block, queries, i, &p);
        OWI_TRY(set_aims(block, queries, i, p.threshold));
    }
    return OW_OK;
}

ow_status owi_guided_block_init(owi_guided_block *block, owi_guided *guided,
                                const owi_problem *problem, const owi_queries *queries)
{
    *block =
        (owi_guided_block){.guided = guided, .problem = problem, .n_rows = queries->n_rows};
    guided->rules = problem->rules;
    guided->problem = problem;
    const ow_status status = begin_rows(block, queries);
    if (status != OW_OK) owi_guided_block_clear(block);
    return status;
}

void owi_guided_block_clear(owi_guided_block *block)
{
    owi_guided_buffers_free(block);
    owi_workspace_free(block->workspace);
    *block = (owi_guided_block){0};
}
