/* SPDX-License-Identifier: MIT */
/* A block of rows of a table, from queries to answers. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "explain/guided/guided_batch.h"
#include "explain/guided/guided_search.h"

/* From so many changes on another way may need fewer. */
enum { many_changes = 3 };

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

static ow_status polish_found(const owi_guided_block *block)
{
    ow_context *ctx = block->problem->ctx;
    owi_polish *list = owi_alloc_array(ctx, block->n_rows, sizeof *list);
    size_t n = 0;
    if (list == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        if (row->is_out || !row->has_found) continue;
        owi_state_copy(block->guided, &row->beam[0], &row->found);
        list[n++] = (owi_polish){.row = row, .state = &row->beam[0], .may_add = true};
    }
    const ow_status status = owi_guided_polish(block, true, n, list);
    /* What polishing likes better need not be cheaper: it also looks at single columns. */
    for (size_t i = 0; i < n && status == OW_OK; i++)
        owi_state_copy(block->guided, &list[i].row->found, list[i].state);
    owi_free(ctx, list);
    return status;
}

static bool in_time(const owi_problem *problem)
{
    return !owi_call_is_late(problem->call);
}

/* One answer for each row that still looks for one. */
static ow_status search(const owi_guided_block *block)
{
    OWI_TRY(owi_guided_beam(block));
    for (size_t i = 0; i < block->n_rows; i++) {
        owi_guided_row *row = &block->rows[i];
        row->is_done =
            row->is_out || (row->has_found && row->found.score.l0 < many_changes);
    }
    if (in_time(block->problem)) OWI_TRY(owi_guided_from_starts(block));
    return in_time(block->problem) ? polish_found(block) : OW_OK;
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
    row->n_gradient = row->n_forward = 0;
    if (!row->has_found && !row->has_valid && !row->has_closest) return;
    answer->given = answer->has_values = true;
    memcpy(answer->values, state->values, guided->n_columns * sizeof *answer->values);
    ow_model_soften(block->problem->model, 1, answer->values, answer->soft);

    bool *changed = row->forbidden + row->n_forbidden++ * guided->n_units;
    for (size_t u = 0; u < guided->n_units; u++)
        changed[u] = owi_unit_differs(guided, row, state->values, u);
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
        for (size_t i = 0; i < block->n_rows; i++) {
            owi_guided_row *row = &block->rows[i];
            /* After a first answer that fell short there is no second one. */
            row->is_done = row->is_out = a > 0 && !row->has_found;
            row->has_found = row->has_valid = row->has_closest = false;
            any |= !row->is_out;
        }
        if (!any) return OW_OK;
        OWI_TRY(search(block));
        for (size_t i = 0; i < block->n_rows; i++) {
            owi_guided_row *row = &block->rows[i];
            if (a == 0 || row->has_found)
                write_answer(block, row, &answers[i * n_answers + a]);
        }
    }
    return OW_OK;
}

ow_status owi_guided_explain_table(const owi_guided *guided, const owi_problem *problem,
                                   const owi_queries *queries, owi_answer *answers)
{
    owi_guided_block block;
    OWI_TRY(owi_guided_block_init(&block, guided, problem, queries));
    const ow_status status = answer_all(&block, answers);
    owi_guided_block_clear(&block);
    return status;
}
