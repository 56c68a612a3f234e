/* SPDX-License-Identifier: MIT */
/* From the other side: typical rows of the target class, brought as near to the query as
 * its class and density allow.
 *
 * Columns that depend on each other (marital status and relationship) cannot be crossed by
 * single changes that each make the row better; a row that has already crossed can take
 * back what it does not need.  Seeds are known rows of the class, or the model's samples of
 * it, that are decided for it and denser than a quarter of them; a query gets the nearest
 * ones, with all that it must keep put in. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "explain/guided/guided_batch.h"
#include "explain/guided/guided_search.h"

enum {
    most_starts = 2000,
    climb_steps = 3,     /* of rows that have an answer      */
    long_climb_steps = 8 /* of those that have found nothing */
};

/* ---- Once ---- */

/* The move of a unit that comes nearest to a row's values; SIZE_MAX: it has none, or
 * the value is missing. */
static size_t nearest_move(const owi_guided *guided, size_t rank, const double *values)
{
    const owi_moves *moves = &guided->moves;
    const owi_unit *unit = &guided->units[guided->order[rank]];
    size_t best = SIZE_MAX;
    double least = INFINITY;
    for (size_t m = moves->first[rank]; m < moves->first[rank + 1]; m++) {
        double change = 0.0;
        for (size_t k = 0; k < unit->n_columns; k++) {
            const double x = values[unit->columns[k]];
            if (isnan(x)) return SIZE_MAX;
            change += owi_change_cost(guided->rules, unit->columns[k], x,
                                      moves->values[m * guided->widest + k]);
        }
        if (change < least) {
            least = change;
            best = m;
        }
    }
    return best;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Keeps those of n rows (values) that the circuit decides for the class and that reach the
 * quarter of them. */
static ow_status keep_typical(owi_guided *guided, const owi_problem *problem, size_t n,
                              const double *values, int32_t target, owi_starts *starts)
{
    ow_context *ctx = guided->ctx;
    const ow_circuit *circuit = ow_model_circuit(problem->model);
    const size_t C = problem->n_classes, width = ow_circuit_get_spec(circuit)->n_columns;
    float *rows;
    double *log_class, *log_proba, *sorted;
    float *soft;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(rows, n * width), OWI_PIECE(log_class, n * C),
                                OWI_PIECE(log_proba, n * C), OWI_PIECE(sorted, n),
                                OWI_PIECE(soft, n * problem->soft_width)};
    starts->moves = owi_alloc_array(ctx, n * guided->n_units, sizeof *starts->moves);
    if (starts->moves == NULL) return OW_ERR_MEMORY;
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &scratch));
    ow_model_encode(problem->model, n, values, rows);
    ow_status status = owi_evaluate(problem->call, problem->evaluator, n, rows, log_class);
    if (status == OW_OK)
        status = owi_model_classify(problem->call, problem->model, problem->classifier, n,
                                    values, soft, log_proba);
    if (status != OW_OK) goto done;

    for (size_t i = 0; i < n; i++) sorted[i] = log_class[i * C + (size_t)target];
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    for (size_t i = 0; i < n; i++) {
        if (log_class[i * C + (size_t)target] < sorted[n / 4] ||
            !owi_is_decided(problem, log_proba + i * C, target))
            continue;
        uint32_t *to = starts->moves + starts->n * guided->n_units;
        for (size_t rank = 0; rank < guided->n_units; rank++) {
            const size_t m = nearest_move(guided, rank, values + i * guided->n_columns);
            to[rank] = m == SIZE_MAX ? UINT32_MAX : (uint32_t)m;
        }
        starts->n++;
    }

done:
    owi_workspace_free(scratch);
    return status;
}

/* Puts columns that follow others to what follows exactly, and keeps the rows where that is
 * possible: a query that takes over the other columns gets about these values, whatever a
 * sample of the circuit has. */
static size_t keep_related(const owi_guided *guided, size_t n, double *values)
{
    const size_t n_columns = guided->n_columns;
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        double *row = values + i * n_columns;
        if (!owi_follow_exactly(guided->rules, row)) continue;
        memmove(values + n_kept++ * n_columns, row, n_columns * sizeof *row);
    }
    return n_kept;
}

/* Known rows of the class if there are any, else the model's samples. */
static ow_status gather_starts(owi_guided *guided, const owi_problem *problem,
                               int32_t target, owi_starts *starts)
{
    const owi_background *known = problem->background;
    const size_t n_columns = guided->n_columns;
    double *values = owi_alloc_array(guided->ctx, most_starts * n_columns, sizeof *values);
    size_t n = 0, n_samples;
    if (values == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; known != NULL && i < known->n_rows && n < most_starts; i++)
        if (known->predicted[i] == target)
            memcpy(values + n++ * n_columns, known->values + i * n_columns,
                   n_columns * sizeof *values);
    if (n == 0) {
        const float *samples = ow_model_samples(problem->model, (size_t)target, &n_samples);
        n = owi_smaller(n_samples, most_starts);
        ow_model_decode(problem->model, n, samples, values);
    }
    if (guided->has_leads) n = keep_related(guided, n, values);
    const ow_status status =
        n > 0 ? keep_typical(guided, problem, n, values, target, starts) : OW_OK;
    owi_free(guided->ctx, values);
    return status;
}

/* Most rows need none, so that they are made for the first that does. */
static ow_status make_starts(owi_guided *guided, const owi_problem *problem, int32_t target)
{
    if (guided->starts == NULL)
        guided->starts =
            owi_alloc_array(guided->ctx, problem->n_classes, sizeof *guided->starts);
    if (guided->starts == NULL) return OW_ERR_MEMORY;
    owi_starts *starts = &guided->starts[target];
    if (starts->is_made) return OW_OK;
    owi_free(guided->ctx, starts->moves);
    *starts = (owi_starts){0};
    OWI_TRY(gather_starts(guided, problem, target, starts));
    starts->is_made = true;
    return OW_OK;
}

void owi_guided_starts_clear(owi_guided *guided)
{
    for (size_t c = 0; guided->starts != NULL && c < guided->n_classes; c++)
        owi_free(guided->ctx, guided->starts[c].moves);
    owi_free(guided->ctx, guided->starts);
}

/* ---- For each query ---- */

static double start_distance(const owi_guided *guided, const owi_guided_row *row,
                             const uint32_t *moves)
{
    double distance = 0.0;
    for (size_t rank = 0; rank < guided->n_units; rank++)
        if (moves[rank] != UINT32_MAX && row->allowed[moves[rank]] == owi_move_allowed)
            distance += row->price[moves[rank]];
    return distance;
}

/* The query with the start's values wherever it may have them; false: what follows from
 * them is not permitted. */
static bool plant(const owi_guided *guided, const owi_guided_row *row,
                  const uint32_t *moves, owi_state *state)
{
    bool is_permitted = true;
    owi_state_copy(guided, state, &row->query_state);
    for (size_t rank = 0; rank < guided->n_units; rank++)
        if (moves[rank] != UINT32_MAX && row->allowed[moves[rank]] == owi_move_allowed)
            is_permitted = owi_state_apply(guided, row, moves[rank], state);
    owi_state_measure(guided, row, state);
    return is_permitted;
}

/* The nearest starts of the row's class become its beam, from number `first` to before
 * number `most`. */
static void choose_starts(const owi_guided *guided, owi_guided_row *row, size_t first,
                          size_t most)
{
    const owi_starts *starts = &guided->starts[row->target];
    double distance[owi_most_beam];
    size_t start[owi_most_beam], n = 0;

    for (size_t i = 0; i < starts->n && most > 0; i++) {
        const double d = start_distance(guided, row, starts->moves + i * guided->n_units);
        size_t at = n;
        while (at > 0 && distance[at - 1] > d) at--;
        if (at >= most) continue;
        for (size_t k = owi_smaller(n, most - 1); k > at; k--) {
            distance[k] = distance[k - 1];
            start[k] = start[k - 1];
        }
        distance[at] = d;
        start[at] = i;
        n = owi_smaller(n + 1, most);
    }
    row->n_beam = 0;
    for (size_t k = first; k < n; k++)
        row->n_beam += plant(guided, row, starts->moves + start[k] * guided->n_units,
                             &row->beam[row->n_beam]);
}

/* ---- Upwards ---- */

typedef struct {
    size_t move;
    double log_t, margin, score;
} climb;

/* The move, of any unit, with the highest potential. */
static void consume(const owi_guided_block *block, const owi_request *request,
                    const owi_move_table *table, void *user)
{
    const owi_moves *moves = &block->guided->moves;
    const owi_guided_row *row = request->row;
    climb *best = (climb *)user + request->slot;
    *best = (climb){.move = SIZE_MAX,
                    .score = owi_potential(&row->aims, request->state->score.log_t,
                                           request->state->score.margin) +
                             1e-3};
    for (size_t m = 0; m < moves->n_moves; m++) {
        if (isnan(table->log_t[m]) || isnan(table->margin[m])) continue;
        const double score = owi_potential(&row->aims, table->log_t[m], table->margin[m]) -
                             1e-3 * row->price[m];
        if (score > best->score)
            *best = (climb){m, table->log_t[m], table->margin[m], score};
    }
}

typedef struct {
    owi_request *requests;
    owi_evaluation *evaluations;
    owi_shrink *list;
    climb *climbs;
    uint32_t *listed; /* (rows, n_compound) */
    size_t *n_listed; /* rows */
    size_t n_compound;
} scratch;

/* Compound moves that pairs are made of, which tables do not know: evaluating them is dear,
 * so that only rows which have found nothing do. */
static void list_compound(const owi_guided *guided, const owi_guided_row *row, scratch *s)
{
    const owi_moves *moves = &guided->moves;
    uint32_t *listed = s->listed + row->number * s->n_compound;
    size_t n = 0;
    for (size_t m = moves->n_simple; m < moves->n_moves && !row->has_found; m++)
        if (row->allowed[m] != owi_move_refused && moves->in_pairs[m])
            listed[n++] = (uint32_t)m;
    s->n_listed[row->number] = n;
}

/* The states that fall short and may still climb. */
static size_t list_climbers(size_t n, int step, const scratch *s)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const owi_evaluation *e = &s->evaluations[i];
        const bool has_stopped = step > 0 && s->climbs[i].move == SIZE_MAX;
        if (has_stopped || (step >= climb_steps && e->row->has_found) ||
            owi_state_passes(e->row, e->state))
            continue;
        s->requests[k++] =
            (owi_request){.row = e->row,
                          .state = e->state,
                          .listed = s->listed + e->row->number * s->n_compound,
                          .n_listed = s->n_listed[e->row->number],
                          .slot = i};
    }
    return k;
}

/* Changes states that fall short for the better, one move at a time, until they pass or
 * nothing helps. */
static ow_status climb_up(const owi_guided_block *block, size_t n, scratch *s)
{
    const owi_guided *guided = block->guided;
    for (int step = 0; step < long_climb_steps; step++) {
        const size_t k = list_climbers(n, step, s);
        if (k == 0) return OW_OK;
        OWI_TRY(owi_guided_expand(block, k, s->requests, consume, s->climbs));
        for (size_t r = 0; r < k; r++) {
            const climb *best = &s->climbs[s->requests[r].slot];
            owi_state *state = s->evaluations[s->requests[r].slot].state;
            if (best->move == SIZE_MAX) continue;
            (void)owi_state_apply(guided, s->requests[r].row, best->move, state);
            owi_state_measure(guided, s->requests[r].row, state);
            state->score.log_t = best->log_t;
            state->score.margin = best->margin;
        }
    }
    return OW_OK;
}

/* From each row's nearest starts, number `first` to before `most`. */
static ow_status grow_starts(const owi_guided_block *block, size_t first, size_t most,
                             scratch *s)
{
    size_t n = 0, n_list = 0;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (row->is_done) continue;
        OWI_TRY(owi_call_tick(block->problem->call));
        OWI_TRY(make_starts(block->guided, block->problem, row->target));
        choose_starts(block->guided, row, first, most);
        list_compound(block->guided, row, s);
        for (size_t k = 0; k < row->n_beam; k++)
            s->evaluations[n++] = (owi_evaluation){row, &row->beam[k]};
    }
    OWI_TRY(owi_guided_evaluate(block, n, s->evaluations));
    OWI_TRY(climb_up(block, n, s));
    for (size_t i = 0; i < n; i++) {
        const owi_evaluation *e = &s->evaluations[i];
        owi_row_offer(block, e->row, e->state);
        if (owi_state_passes(e->row, e->state))
            s->list[n_list++] = (owi_shrink){.row = e->row, .state = e->state};
    }
    OWI_TRY(owi_guided_shrink(block, n_list, s->list));
    for (size_t i = 0; i < n_list; i++)
        owi_row_offer(block, s->list[i].row, s->list[i].state);
    return OW_OK;
}

ow_status owi_guided_from_starts(const owi_guided_block *block)
{
    const owi_guided *guided = block->guided;
    const size_t seeds = (size_t)guided->settings.seeds;
    const size_t most = owi_most_row_starts(&guided->settings);
    const size_t n_states = block->n_rows * most;
    scratch s;
    owi_workspace *workspace;
    s.n_compound = guided->moves.n_moves - guided->moves.n_simple;
    const owi_piece pieces[] = {
        OWI_PIECE(s.requests, n_states),
        OWI_PIECE(s.evaluations, n_states),
        OWI_PIECE(s.list, n_states),
        OWI_PIECE(s.climbs, n_states),
        OWI_PIECE(s.listed, block->n_rows * s.n_compound),
        OWI_PIECE(s.n_listed, block->n_rows),
    };
    OWI_TRY(owi_pieces_new(block->problem->ctx, OWI_PIECES(pieces), &workspace));
    ow_status status = grow_starts(block, 0, seeds, &s);
    for (size_t i = 0; i < block->n_rows; i++)
        block->rows[i].is_done |= block->rows[i].has_found;
    if (status == OW_OK && !owi_call_is_late(block->problem->call))
        status = grow_starts(block, seeds, most, &s);
    owi_workspace_free(workspace);
    return status;
}
