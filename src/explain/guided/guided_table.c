/* SPDX-License-Identifier: MIT */
/* A block of rows of a table, from queries to answers. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "explain/guided/guided_scan.h"
#include "explain/guided/guided_search.h"

/* With so many changes another way may need fewer. */
enum { many_changes = 4 };
/* In nats: as far as values of such answers are stretched. */
static const double stretched_margin = 4.0;

static ow_status score_queries(const owi_guided_block *block)
{
    ow_context *ctx = block->problem->ctx;
    owi_evaluation *evaluations = owi_alloc_array(ctx, block->n_rows, sizeof *evaluations);
    if (evaluations == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < block->n_rows; i++)
        evaluations[i] = (owi_evaluation){&block->rows[i], &block->rows[i].query_state};
    const ow_status status = owi_guided_evaluate(block, block->n_rows, evaluations);
    owi_free(ctx, evaluations);
    return status;
}

static bool in_time(const owi_problem *problem)
{
    return !owi_call_is_late(problem->call);
}

/* The answers that were found, but for those of one unit or two that the search has already
 * put to their nearest candidate value. */
static size_t list_found(const owi_guided_block *block, bool all, owi_shrink *list)
{
    size_t n = 0;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        const bool is_exact = row->least == OW_LEAST_PROVED;
        if (row->is_out || !row->has_found || (is_exact && !all)) continue;
        list[n++] = (owi_shrink){.row = row, .state = &row->found};
    }
    return n;
}

/* Where all changes of up to n units were looked at, an answer of n + 1 has the least
 * number. */
static void settle_found(const owi_guided_block *block)
{
    const bool has_pairs = owi_knows_margins(block) && block->guided->votes.n == 0;
    const size_t n_searched = !block->guided->moves.is_whole ? 0 : has_pairs ? 2 : 1;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (!row->is_out && row->has_found && row->least == OW_LEAST_BEST_FOUND &&
            row->found.score.l0 <= n_searched + 1)
            row->least = OW_LEAST_NUMBER_PROVED;
    }
}

/* Answers of many changes: the values of some go farther than they have to where others
 * can then be taken back. */
static ow_status stretch_found(const owi_guided_block *block)
{
    owi_shrink *list = owi_alloc_array(block->problem->ctx, block->n_rows, sizeof *list);
    size_t n = 0;
    if (list == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (row->is_out || !row->has_found || row->found.score.l0 < many_changes ||
            row->aims.by_cost)
            continue;
        row->aims.sure_density = row->aims.typical;
        row->aims.sure_margin = fmax(row->aims.sure_margin, stretched_margin);
        list[n++] = (owi_shrink){.row = row, .state = &row->found};
    }
    const ow_status status = owi_guided_shrink(block, n, list);
    for (size_t i = 0; i < n; i++) list[i].row->aims = list[i].row->asked;
    owi_free(block->problem->ctx, list);
    return status;
}

/* Nothing can be taken back, and every number goes no farther than it has to.  A number
 * that has come nearer may make another change needless, so that this is asked again. */
static ow_status finish_found(const owi_guided_block *block)
{
    owi_shrink *list = owi_alloc_array(block->problem->ctx, block->n_rows, sizeof *list);
    if (list == NULL) return OW_ERR_MEMORY;
    ow_status status = owi_guided_shrink(block, list_found(block, false, list), list);
    bool any = true;
    for (size_t i = 0; i < block->n_rows; i++)
        if (block->rows[i].has_found)
            block->rows[i].aims =
                owi_as_sure(&block->rows[i].asked, &block->rows[i].found.score);
    while (status == OW_OK && any) {
        status = owi_guided_tip(block);
        if (status == OW_OK)
            status = owi_guided_take_back(block, list_found(block, true, list), list, &any);
    }
    if (status == OW_OK) status = owi_guided_tip_class(block);
    settle_found(block);
    owi_free(block->problem->ctx, list);
    return status;
}

/* One answer for each row that still looks for one. */
static ow_status search(const owi_guided_block *block)
{
    OWI_TRY(owi_guided_singles(block));
    if (in_time(block->problem)) OWI_TRY(owi_guided_all_pairs(block));
    if (in_time(block->problem)) OWI_TRY(owi_guided_enumerate(block));
    for (size_t i = 0; i < block->n_rows; i++)
        if (block->rows[i].aims.by_cost && block->rows[i].has_found)
            block->rows[i].is_done = true;
    if (in_time(block->problem)) OWI_TRY(owi_guided_beam(block));
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        row->is_done = row->is_out || row->is_whole ||
                       (row->has_found && row->found.score.l0 < many_changes);
    }
    if (in_time(block->problem)) OWI_TRY(owi_guided_triples(block));
    if (in_time(block->problem)) OWI_TRY(owi_guided_from_starts(block));
    if (in_time(block->problem) && !block->problem->options->density_required)
        OWI_TRY(owi_guided_densest_pairs(block));
    if (!in_time(block->problem)) return OW_OK;
    if (block->problem->options->prefer == OW_PREFER_TYPICAL)
        return owi_guided_make_typical(block);
    OWI_TRY(stretch_found(block));
    return finish_found(block);
}

static void write_answer(const owi_guided_block *block, owi_guided_row *row,
                         owi_answer *answer)
{
    const owi_guided *guided = block->guided;
    const owi_state *state = row->has_found   ? &row->found
                             : row->has_valid ? &row->valid
                                              : &row->closest;
    answer->n_gradient = row->n_gradient;
    answer->n_forward = row->n_forward;
    answer->is_whole = row->is_whole;
    row->n_gradient = row->n_forward = 0;
    if (!row->has_found && !row->has_valid && !row->has_closest) return;
    answer->given = answer->has_values = true;
    /* Both were judged with what is asked of a robust answer. */
    answer->is_robust = block->problem->options->prefer == OW_PREFER_ROBUST &&
                        !row->is_plain && (row->has_found || row->has_valid);
    /* What is known is about the number of changes. */
    answer->least =
        row->has_found && !row->asked.by_cost ? row->least : OW_LEAST_BEST_FOUND;
    memcpy(answer->values, state->values, guided->n_columns * sizeof *answer->values);
    if (row->has_found) {
        const size_t size = guided->n_columns * sizeof *answer->enough;
        memcpy(answer->enough, row->enough, size);
        memcpy(answer->enough_for_class, row->enough_for_class, size);
    }
    ow_model_soften(block->problem->model, 1, answer->values, answer->soft);

    bool *changed = row->forbidden + row->n_forbidden++ * guided->n_units;
    for (size_t u = 0; u < guided->n_units; u++)
        changed[u] = owi_unit_differs(guided, row, state->values, u);
}

static bool begin_answer(owi_guided_row *row, const owi_guided *guided, bool is_first)
{
    /* After a first answer that fell short there is no second one. */
    row->is_done = row->is_out = !is_first && (!row->has_found || row->is_plain);
    row->has_found = row->has_valid = row->has_closest = row->is_whole = false;
    row->aims = row->asked;
    row->least = OW_LEAST_BEST_FOUND;
    row->pairs->n_steps = 0;
    for (size_t j = 0; j < guided->n_columns; j++)
        row->enough[j] = row->enough_for_class[j] = NAN;
    return !row->is_out;
}

/* The rows that found no robust answer look for the least one of the model alone. */
static ow_status search_plain(const owi_guided_block *block)
{
    owi_votes *votes = &block->guided->votes;
    const size_t n_voters = votes->n;
    const bool is_required = block->problem->options->density_required;
    bool any = false;
    if (block->problem->options->prefer != OW_PREFER_ROBUST) return OW_OK;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        row->is_plain = !row->has_found && (!row->has_valid || is_required);
        any |= row->is_plain;
        if (!row->is_plain) continue;
        (void)begin_answer(row, block->guided, true);
        row->aims.least_margin = 0.0;
        row->aims.sure_density = row->aims.sure_margin = -INFINITY;
        row->asked = row->aims;
    }
    if (!any || !in_time(block->problem)) return OW_OK;
    for (size_t i = 0; i < block->n_rows; i++)
        block->rows[i].is_done = block->rows[i].is_out = !block->rows[i].is_plain;
    votes->n = 0;
    ow_status status = score_queries(block);
    if (status == OW_OK) status = search(block);
    votes->n = n_voters;
    for (size_t i = 0; i < block->n_rows; i++) block->rows[i].is_out = false;
    /* The other rows may go on, with voters. */
    return status == OW_OK ? score_queries(block) : status;
}

/* Several answers: each is looked for anew, and must not change all that an earlier one
 * changed. */
static ow_status answer_all(const owi_guided_block *block, owi_answer *answers)
{
    const size_t n_answers = block->problem->options->n_answers;
    OWI_TRY(score_queries(block));
    for (size_t a = 0; a < n_answers; a++) {
        bool any = false;
        if (!in_time(block->problem)) {
            for (size_t i = 0; i < block->n_rows; i++)
                answers[i * n_answers + a].reason = OW_REASON_TIME_LIMIT;
            return OW_OK;
        }
        for (size_t i = 0; i < block->n_rows; i++)
            any |= begin_answer(&block->rows[i], block->guided, a == 0);
        if (!any) return OW_OK;
        OWI_TRY(search(block));
        if (a == 0) OWI_TRY(search_plain(block));
        for (size_t i = 0; i < block->n_rows; i++) {
            owi_guided_row *row = &block->rows[i];
            if (a == 0 || row->has_found)
                write_answer(block, row, &answers[i * n_answers + a]);
        }
    }
    return OW_OK;
}

ow_status owi_guided_explain_table(owi_guided *guided, const owi_problem *problem,
                                   const owi_queries *queries, owi_answer *answers)
{
    owi_guided_block block;
    OWI_TRY(owi_guided_block_init(&block, guided, problem, queries));
    const ow_status status = answer_all(&block, answers);
    owi_guided_block_clear(&block);
    return status;
}
