/* SPDX-License-Identifier: MIT */
/* The engine at work for many searches at once.
 *
 * Expanding a state asks what each single move would make of it.  The circuit's tables know
 * that of all simple moves from one pass up and down; compound moves (linked columns,
 * categories that are several columns of the circuit) are applied and evaluated, those that
 * the caller lists.  Where somebody else's classifier decides, the tables still give
 * densities, and moves are shown to the classifier. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/parallel.h"
#include "explain/guided/guided_buffers.h"
#include "explain/guided/guided_trees.h"

enum {
    table_bytes = 4 << 20, /* of tables at a time, about                             */
    /* the same where a foreign classifier is asked, which wants many rows at once */
    asked_table_bytes = 64 << 20,
    most_states = 512,
    trial_rows = 512, /* rows of trials at a time                               */
    chunk_states = 4
};

/* Probabilities of 0 and 1 have margins that can still be added. */
static const double most_margin = 700.0;

typedef owi_guided_buffers buffers;

ow_status owi_guided_buffers_new(owi_guided_block *block)
{
    const owi_problem *problem = block->problem;
    const owi_guided *guided = block->guided;
    ow_context *ctx = problem->ctx;
    const size_t n_moves = owi_larger(1, guided->moves.n_moves);
    const size_t C = problem->n_classes;
    const size_t width = ow_circuit_get_spec(ow_model_circuit(problem->model))->n_columns;
    buffers *b = owi_alloc_zeroed(ctx, sizeof *b);
    block->buffers = b;
    if (b == NULL) return OW_ERR_MEMORY;
    const bool asks = !owi_knows_margins(block);
    const size_t n_bytes = asks ? asked_table_bytes : table_bytes;
    const size_t wanted =
        owi_smaller(most_states, n_bytes / (n_moves * (C + 2) * sizeof(double)));
    const size_t most = block->n_rows * owi_most_beam;
    b->n_states = owi_larger(1, owi_smaller(most, wanted));
    b->n_trials = asks ? owi_shown_rows : trial_rows;
    const size_t n_trials = b->n_trials;

    const size_t n_votes = guided->votes.n > 0 ? 1 : 0;
    const owi_piece pieces[] = {
        OWI_PIECE(b->votes, n_votes * b->n_states * n_moves),
        OWI_PIECE(b->trial_votes, n_votes * n_trials),
        OWI_PIECE(b->voted, n_votes * n_trials * C),
        OWI_PIECE(b->rows, b->n_states * width),
        OWI_PIECE(b->log_changed, b->n_states * C * n_moves),
        OWI_PIECE(b->log_t, b->n_states * n_moves),
        OWI_PIECE(b->margin, b->n_states * n_moves),
        OWI_PIECE(b->trials, n_trials * guided->n_columns),
        OWI_PIECE(b->entry, n_trials),
        OWI_PIECE(b->trial_log_t, n_trials),
        OWI_PIECE(b->trial_margin, n_trials),
        OWI_PIECE(b->target, n_trials),
        OWI_PIECE(b->tree_margin, guided->trees != NULL ? n_moves : 0),
        OWI_PIECE(b->joint, b->n_states * C),
        OWI_PIECE(b->scratch, guided->has_conditions ? b->n_states * guided->n_columns : 0),
    };
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &b->workspace));
    return owi_decision_init(&b->decision, problem, n_trials);
}

void owi_guided_buffers_free(owi_guided_block *block)
{
    if (block->buffers == NULL) return;
    owi_decision_clear(&block->buffers->decision);
    owi_workspace_free(block->buffers->workspace);
    owi_free(block->problem->ctx, block->buffers);
    block->buffers = NULL;
}

/* ---- Trials ---- */

/* What voters say of the first n trials goes into their margins. */
static ow_status vote_on_trials(const owi_guided_block *block, size_t n)
{
    const owi_problem *problem = block->problem;
    const owi_votes *votes = &block->guided->votes;
    const size_t C = problem->n_classes;
    buffers *b = block->buffers;
    for (size_t i = 0; i < n && votes->n > 0; i++) b->trial_votes[i] = (owi_vote){0};
    for (size_t k = 0; k < votes->n; k++) {
        OWI_TRY(owi_evaluate(problem->call, votes->evaluators[k], n, b->decision.rows,
                             b->voted));
        for (size_t i = 0; i < n; i++)
            owi_vote_add(&b->trial_votes[i], owi_circuit_margin(problem, b->voted + i * C,
                                                                1, b->target[i], b->joint));
    }
    for (size_t i = 0; i < n && votes->n > 0; i++)
        b->trial_margin[i] =
            owi_vote_result(&b->trial_votes[i], votes->n, b->trial_margin[i]);
    return OW_OK;
}

/* log_t and margin of the first n rows of values. */
static ow_status run_trials(const owi_guided_block *block, size_t n, bool want_density)
{
    const owi_problem *problem = block->problem;
    const size_t C = problem->n_classes;
    buffers *b = block->buffers;
    const owi_decision_parts wanted =
        want_density ? OWI_SCORES | OWI_DENSITIES : OWI_SCORES;
    OWI_TRY(owi_decision_of_values(&b->decision, problem, wanted, n, b->trials));
    for (size_t i = 0; i < n; i++) {
        const int32_t t = b->target[i];
        if (want_density) b->trial_log_t[i] = b->decision.log_class[i * C + (size_t)t];
        b->trial_margin[i] = owi_margin(problem, b->decision.log_proba + i * C, t);
        if (!problem->is_circuit)
            b->trial_margin[i] = fmax(-most_margin, fmin(most_margin, b->trial_margin[i]));
    }
    return vote_on_trials(block, n);
}

ow_status owi_guided_evaluate(const owi_guided_block *block, size_t n,
                              const owi_evaluation *evaluations)
{
    const size_t n_columns = block->guided->n_columns;
    buffers *b = block->buffers;

    for (size_t first = 0; first < n; first += b->n_trials) {
        const size_t now = owi_smaller(n - first, b->n_trials);
        for (size_t i = 0; i < now; i++) {
            const owi_evaluation *e = &evaluations[first + i];
            memcpy(b->trials + i * n_columns, e->state->values,
                   n_columns * sizeof *b->trials);
            b->target[i] = e->row->target;
            e->row->n_forward++;
        }
        OWI_TRY(run_trials(block, now, true));
        for (size_t i = 0; i < now; i++) {
            const owi_evaluation *e = &evaluations[first + i];
            e->state->score.log_t = b->trial_log_t[i];
            e->state->score.margin = owi_row_keeps(block->guided, e->row, e->state->values)
                                         ? b->trial_margin[i]
                                         : -INFINITY;
        }
    }
    return OW_OK;
}

ow_status owi_pending_flush(owi_pending *p)
{
    buffers *b = p->block->buffers;
    OWI_TRY(run_trials(p->block, p->n, p->want_density));
    for (size_t i = 0; i < p->n; i++) {
        if (p->want_density) b->log_t[b->entry[i]] = b->trial_log_t[i];
        b->margin[b->entry[i]] = b->trial_margin[i];
    }
    p->n = 0;
    return OW_OK;
}

ow_status owi_pending_add(owi_pending *p, const owi_request *request, size_t at,
                          size_t move)
{
    const owi_guided *guided = p->block->guided;
    buffers *b = p->block->buffers;
    owi_state trial = *request->state;

    trial.values = b->trials + p->n * guided->n_columns;
    memcpy(trial.values, request->state->values, guided->n_columns * sizeof *trial.values);
    /* What is not permitted stays unknown. */
    if (!owi_state_apply(guided, request->row, move, &trial) ||
        !owi_row_keeps(guided, request->row, trial.values))
        return OW_OK;
    b->entry[p->n] = at * guided->moves.n_moves + move;
    b->target[p->n] = request->row->target;
    request->row->n_forward++;
    return ++p->n == b->n_trials ? owi_pending_flush(p) : OW_OK;
}

static ow_status try_listed(const owi_guided_block *block, size_t n,
                            const owi_request *requests)
{
    owi_pending p = {.block = block, .want_density = true};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < requests[i].n_listed; k++)
            if (requests[i].listed[k] >= block->guided->moves.n_simple)
                OWI_TRY(owi_pending_add(&p, &requests[i], i, requests[i].listed[k]));
    return owi_pending_flush(&p);
}

/* The margins of trees, which are known of all moves. */
static ow_status fill_margins(const owi_guided_block *block, size_t n,
                              const owi_request *requests)
{
    const owi_moves *moves = &block->guided->moves;
    for (size_t i = 0; i < n; i++) {
        const double *log_t = block->buffers->log_t + i * moves->n_moves;
        double *margin = block->buffers->margin + i * moves->n_moves;
        OWI_TRY(owi_call_tick(block->problem->call));
        owi_guided_trees_singles(block->guided->trees, block->problem,
                                 requests[i].state->values, requests[i].row->target,
                                 block->buffers->tree_margin);
        for (size_t m = 0; m < moves->n_simple; m++)
            if (!isnan(log_t[m])) margin[m] = block->buffers->tree_margin[m];
    }
    return OW_OK;
}

/* ---- Tables ---- */

typedef struct {
    const owi_guided_block *block;
    const owi_request *requests;
    owi_table_fn consume;
    void *user;
    size_t voter; /* whose table it is */
} job;

double owi_circuit_margin(const owi_problem *problem, const double *log_class,
                          size_t stride, int32_t target, double *joint)
{
    const double *log_prior = ow_circuit_log_prior(ow_model_circuit(problem->model));
    for (size_t c = 0; c < problem->n_classes; c++)
        joint[c] = log_class[c * stride] + log_prior[c];
    return owi_margin(problem, joint, target);
}

/* Whether the state with a simple move keeps the conditions between columns. */
static bool keeps_with(const owi_guided_block *block, const owi_request *request,
                       size_t move, double *scratch)
{
    const owi_guided *guided = block->guided;
    owi_state changed = {.values = scratch};
    if (!guided->has_conditions) return true; /* score_chunk has asked the rest */
    memcpy(scratch, request->state->values, guided->n_columns * sizeof *scratch);
    (void)owi_state_apply(guided, request->row, move, &changed);
    return owi_row_keeps(guided, request->row, scratch);
}

/* From the engine's figures to log_t and margin; NaN for what is not known. */
static ow_status score_chunk(void *user, const owi_chunk *chunk)
{
    const job *j = user;
    const owi_problem *problem = j->block->problem;
    const owi_moves *moves = &j->block->guided->moves;
    const size_t n_moves = moves->n_moves, n_simple = moves->n_simple;
    const size_t stride = problem->n_classes * n_simple;
    const size_t n_columns =
        j->block->guided->has_conditions ? j->block->guided->n_columns : 0;
    buffers *b = j->block->buffers;

    for (size_t i = chunk->first; i < chunk->first + chunk->n; i++) {
        const owi_guided_row *row = j->requests[i].row;
        const double *changed = b->log_changed + i * stride;
        const double *of_target = changed + (size_t)row->target * n_simple;
        double *joint = b->joint + i * problem->n_classes;
        double *log_t = b->log_t + i * n_moves, *margin = b->margin + i * n_moves;
        /* Simple moves leave the columns that follow others as they are. */
        const bool is_usual =
            owi_followers_are_usual(j->block->guided, row, j->requests[i].state->values);
        for (size_t m = 0; m < n_moves; m++) {
            log_t[m] = margin[m] = NAN;
            if (m >= n_simple || !is_usual || row->allowed[m] == owi_move_refused ||
                !keeps_with(j->block, &j->requests[i], m, b->scratch + i * n_columns))
                continue;
            log_t[m] = of_target[m];
            if (problem->is_circuit)
                margin[m] =
                    owi_circuit_margin(problem, changed + m, n_simple, row->target, joint);
        }
    }
    return OW_OK;
}

/* The margins of voter k are added to the votes. */
static ow_status count_chunk(void *user, const owi_chunk *chunk)
{
    const job *j = user;
    const owi_problem *problem = j->block->problem;
    const owi_moves *moves = &j->block->guided->moves;
    const size_t n_simple = moves->n_simple, stride = problem->n_classes * n_simple;
    buffers *b = j->block->buffers;
    for (size_t i = chunk->first; i < chunk->first + chunk->n; i++) {
        const owi_guided_row *row = j->requests[i].row;
        const double *changed = b->log_changed + i * stride;
        owi_vote *votes = b->votes + i * moves->n_moves;
        for (size_t m = 0; m < n_simple; m++)
            owi_vote_add(&votes[m],
                         owi_circuit_margin(problem, changed + m, n_simple, row->target,
                                            b->joint + i * problem->n_classes));
    }
    return OW_OK;
}

/* What all voters say of the simple moves goes into their margins. */
static ow_status vote_on_tables(job *j, size_t n)
{
    const owi_guided *guided = j->block->guided;
    const size_t n_moves = guided->moves.n_moves, n_simple = guided->moves.n_simple;
    buffers *b = j->block->buffers;
    if (guided->votes.n == 0) return OW_OK;
    for (size_t i = 0; i < n * n_moves; i++) b->votes[i] = (owi_vote){0};
    for (j->voter = 0; j->voter < guided->votes.n; j->voter++) {
        OWI_TRY(owi_single_changes(j->block->problem->call, guided->votes.changes[j->voter],
                                   n, b->rows, NULL, b->log_changed));
        OWI_TRY(
            owi_parallel_rows(j->block->problem->call, n, chunk_states, count_chunk, j));
    }
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < n_simple; m++)
            b->margin[i * n_moves + m] =
                owi_vote_result(&b->votes[i * n_moves + m], guided->votes.n,
                                b->margin[i * n_moves + m]);
    return OW_OK;
}

static ow_status consume_chunk(void *user, const owi_chunk *chunk)
{
    const job *j = user;
    const size_t n_moves = j->block->guided->moves.n_moves;
    const buffers *b = j->block->buffers;
    for (size_t i = chunk->first; i < chunk->first + chunk->n; i++)
        j->consume(j->block, &j->requests[i],
                   &(owi_move_table){b->log_t + i * n_moves, b->margin + i * n_moves},
                   j->user);
    return OW_OK;
}

static ow_status expand_some(job *j, size_t n)
{
    const owi_guided_block *block = j->block;
    const owi_problem *problem = block->problem;
    const size_t width = ow_circuit_get_spec(ow_model_circuit(problem->model))->n_columns;
    buffers *b = block->buffers;

    for (size_t i = 0; i < n; i++) {
        ow_model_encode(problem->model, 1, j->requests[i].state->values,
                        b->rows + i * width);
        j->requests[i].row->n_gradient++;
    }
    OWI_TRY(owi_single_changes(problem->call, block->guided->moves.changes, n, b->rows,
                               NULL, b->log_changed));
    OWI_TRY(owi_parallel_rows(problem->call, n, chunk_states, score_chunk, j));
    OWI_TRY(vote_on_tables(j, n));
    OWI_TRY(try_listed(block, n, j->requests));
    if (block->guided->trees != NULL)
        OWI_TRY(fill_margins(block, n, j->requests));
    else if (!problem->is_circuit)
        OWI_TRY(owi_guided_show(block, n, j->requests));
    return owi_parallel_rows(problem->call, n, chunk_states, consume_chunk, j);
}

ow_status owi_guided_expand(const owi_guided_block *block, size_t n_requests,
                            const owi_request *requests, owi_table_fn consume, void *user)
{
    const size_t at_once = block->buffers->n_states;
    for (size_t first = 0; first < n_requests; first += at_once) {
        job j = {block, requests + first, consume, user, 0};
        OWI_TRY(expand_some(&j, owi_smaller(n_requests - first, at_once)));
    }
    return OW_OK;
}
