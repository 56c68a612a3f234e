/* SPDX-License-Identifier: MIT */
#include "explain/guided/guided_scan.h"

#include <math.h>
#include <string.h>

#include "base/memory/sizes.h"

owi_step owi_step_of(const owi_guided_row *row, const owi_state *state, size_t move,
                     size_t other, double log_t, double margin)
{
    const bool is_pair = other != SIZE_MAX;
    owi_step step = {.move = move,
                     .other = other,
                     .score = {.log_t = log_t,
                               .margin = margin,
                               .l1 = state->score.l1 + row->price[move] +
                                     (is_pair ? row->price[other] : 0.0),
                               .l0 = state->score.l0 + (is_pair ? 2 : 1)}};
    step.rank =
        owi_potential(&row->aims, log_t, margin) - row->aims.nearness * step.score.l1;
    return step;
}

void owi_scan_keep(const owi_guided_row *row, owi_scan *scan, const owi_step *step)
{
    const double potential =
        owi_potential(&row->aims, step->score.log_t, step->score.margin);
    if (potential == 0.0 &&
        (!scan->has_found || owi_is_lesser(&row->aims, &step->score, &scan->found.score))) {
        scan->found = *step;
        scan->has_found = true;
    }
    if (owi_is_of_class(&row->aims, &step->score) &&
        (!scan->has_valid || step->score.log_t > scan->valid.score.log_t)) {
        scan->valid = *step;
        scan->has_valid = true;
    }
    if (!scan->has_closest || potential > scan->closest.rank) {
        scan->closest = *step;
        scan->closest.rank = potential;
        scan->has_closest = true;
    }
}

/* Whether both change the same units. */
static bool is_alike(const owi_moves *moves, const owi_step *a, const owi_step *b)
{
    const uint32_t x = moves->unit[a->move], y = moves->unit[b->move];
    if (a->other == SIZE_MAX || b->other == SIZE_MAX) return a->other == b->other && x == y;
    const uint32_t v = moves->unit[a->other], w = moves->unit[b->other];
    return (x == y && v == w) || (x == w && v == y);
}

void owi_scan_keep_step(const owi_guided *guided, owi_scan *scan, const owi_step *step,
                        size_t width)
{
    size_t at = scan->n_steps, end;
    while (at > 0 && scan->steps[at - 1].rank < step->rank) at--;
    if (at >= width) return;
    for (size_t i = 0; i < at; i++)
        if (is_alike(&guided->moves, &scan->steps[i], step)) return;
    /* The place of a worse one of the same units, or the end. */
    for (end = at; end < scan->n_steps; end++)
        if (is_alike(&guided->moves, &scan->steps[end], step)) break;
    if (end == scan->n_steps) {
        if (scan->n_steps < width)
            scan->n_steps++;
        else
            end--;
    }
    memmove(&scan->steps[at + 1], &scan->steps[at], (end - at) * sizeof *step);
    scan->steps[at] = *step;
}

static void scan_table(const owi_guided_block *block, const owi_request *request,
                       const owi_move_table *table, size_t width, owi_scan *scan)
{
    const owi_guided *guided = block->guided;
    const owi_moves *moves = &guided->moves;
    const owi_guided_row *row = request->row;
    const owi_state *state = request->state;

    scan->n_steps = 0;
    scan->has_found = scan->has_valid = scan->has_closest = false;
    for (size_t rank = 0; rank < guided->n_units; rank++) {
        const uint32_t u = guided->order[rank];
        owi_step best = {.rank = -INFINITY};
        if (moves->first[rank] == moves->first[rank + 1] ||
            owi_unit_differs(guided, row, state->values, u) ||
            owi_state_repeats(guided, row, state, u, SIZE_MAX))
            continue;
        for (size_t m = moves->first[rank]; m < moves->first[rank + 1]; m++) {
            if (row->allowed[m] != owi_move_allowed || isnan(table->log_t[m]) ||
                isnan(table->margin[m]))
                continue;
            const owi_step step =
                owi_step_of(row, state, m, SIZE_MAX, table->log_t[m], table->margin[m]);
            owi_scan_keep(row, scan, &step);
            if (step.rank > best.rank) best = step;
        }
        if (best.rank > -INFINITY) owi_scan_keep_step(guided, scan, &best, width);
    }
}

void owi_scan_table(const owi_guided_block *block, const owi_request *request,
                    const owi_move_table *table, void *user)
{
    scan_table(block, request, table, (size_t)block->guided->settings.beam_width,
               (owi_scan *)user + request->slot);
}

void owi_scan_units(const owi_guided_block *block, const owi_request *request,
                    const owi_move_table *table, void *user)
{
    scan_table(block, request, table, owi_most_beam, (owi_scan *)user + request->slot);
}

void owi_step_make(const owi_guided *guided, const owi_guided_row *row,
                   const owi_state *from, const owi_step *step, owi_state *to)
{
    owi_state_copy(guided, to, from);
    (void)owi_state_apply(guided, row, step->move, to);
    if (step->other != SIZE_MAX) (void)owi_state_apply(guided, row, step->other, to);
    to->score = step->score;
    /* Two changes may have a follower in common. */
    if (guided->has_leads) owi_state_measure(guided, row, to);
}

void owi_scan_offer(const owi_guided_block *block, owi_guided_row *row,
                    const owi_state *from, const owi_scan *scan)
{
    owi_state *made = &row->next[0]; /* free until the next beam is made */
    const owi_step *const answers[] = {scan->has_found ? &scan->found : NULL,
                                       scan->has_valid ? &scan->valid : NULL,
                                       scan->has_closest ? &scan->closest : NULL};
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++) {
        if (answers[k] == NULL) continue;
        owi_step_make(block->guided, row, from, answers[k], made);
        owi_row_offer(block, row, made);
    }
}
