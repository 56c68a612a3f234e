/* SPDX-License-Identifier: MIT */
#include "explain/descent/descent.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"

enum { rows_of_a_chunk = owi_row_lanes };

ow_status owi_descent_init(owi_descent *descent, bool whole_groups)
{
    owi_descent *d = descent;
    const owi_problem *problem = d->problem;
    const owi_queries *queries = d->queries;
    const size_t n = queries->n_rows, classes = n * problem->n_classes;
    d->n_filled = (n + owi_tile_lanes - 1) / owi_tile_lanes * owi_tile_lanes;
    d->judges_whole =
        whole_groups && ow_schema_layout(problem->schema).kind == OW_LAYOUT_TABLE;
    const size_t entries = d->n_filled * problem->soft_width;
    const owi_piece pieces[] = {
        OWI_PIECE(d->rows, n),
        OWI_PIECE(d->active, n),
        OWI_PIECE(d->asking, n),
        OWI_PIECE(d->x, entries),
        OWI_PIECE(d->whole, entries),
        OWI_PIECE(d->gradient, entries),
        OWI_PIECE(d->factor, classes),
        OWI_PIECE(d->log_proba, classes),
        OWI_PIECE(d->log_judged, classes),
    };
    OWI_TRY(owi_pieces_new(problem->ctx, OWI_PIECES(pieces), &d->workspace));
    for (size_t row = 0; row < n; row++) d->rows[row].best = INFINITY;
    OWI_TRY(owi_boxes_init(&d->boxes, problem->ctx, problem->rules, n, queries->values,
                           queries->soft, whole_groups));
    return owi_row_batch_init(&d->batch, problem->call, problem->classifier, n);
}

void owi_descent_clear(owi_descent *descent)
{
    owi_row_batch_clear(&descent->batch);
    owi_boxes_clear(&descent->boxes);
    owi_workspace_free(descent->workspace);
}

void owi_descent_keep(owi_descent *descent, size_t row, double distance)
{
    const owi_problem *problem = descent->problem;
    owi_answer *answer = &descent->answers[row * problem->options->n_answers];
    descent->rows[row].best = distance;
    memcpy(answer->soft, owi_descent_candidate(descent, row),
           problem->soft_width * sizeof *answer->soft);
    answer->given = true;
}

/* ---- A turn ---- */

/* What the factors should be may be known only after a pass at x: they are guessed, and
 * rows where the guess was wrong are run again. */
static ow_status find_slope(owi_descent *d, const owi_objective *o, void *self)
{
    const uint32_t *which = d->active;
    for (size_t n = d->n_active; n > 0; which = d->asking) {
        for (size_t i = 0; i < n && o->set_factor != NULL; i++)
            o->set_factor(self, which[i]);
        OWI_TRY(which == d->active && n == d->queries->n_rows
                    ? owi_row_batch_differentiate_all(&d->batch, n, d->x, d->factor,
                                                      d->log_proba, d->gradient)
                    : owi_row_batch_differentiate(&d->batch, n, which, d->x, d->factor,
                                                  d->log_proba, d->gradient));
        size_t n_wrong = 0;
        for (size_t i = 0; i < n; i++) {
            const uint32_t row = which[i];
            d->rows[row].n_gradient++;
            if (o->is_wrong != NULL && o->is_wrong(self, row)) d->asking[n_wrong++] = row;
        }
        n = n_wrong;
    }
    return o->pull != NULL ? o->pull(self) : OW_OK;
}

static ow_status judge_rows(owi_descent *d, const owi_objective *o, void *self)
{
    const float *candidates = d->judges_apart ? d->whole : d->x;
    size_t n = 0;
    for (size_t a = 0; a < d->n_active; a++)
        if (d->rows[d->active[a]].asks) d->asking[n++] = d->active[a];
    OWI_TRY(
        !d->judges_whole && n == d->queries->n_rows
            ? owi_row_batch_classify_all(&d->batch, n, candidates, d->log_judged)
            : owi_row_batch_classify(&d->batch, n, d->asking, candidates, d->log_judged));
    for (size_t a = 0; a < n; a++) {
        d->rows[d->asking[a]].n_forward++;
        o->judge(self, d->asking[a]);
    }
    return OW_OK;
}

static void let_go(owi_descent *d, const owi_objective *o, void *self)
{
    size_t n = 0;
    for (size_t a = 0; a < d->n_active; a++) {
        const uint32_t row = d->active[a];
        d->rows[row].done = o->settle(self, row);
        if (!d->rows[row].done) d->active[n++] = row;
    }
    d->n_active = n;
}

static ow_status take_turn(owi_descent *d, const owi_objective *o, void *self)
{
    OWI_TRY(find_slope(d, o, self));
    const size_t n = o->in_lanes ? d->queries->n_rows : d->n_active;
    OWI_TRY(owi_parallel_rows(d->problem->call, n, rows_of_a_chunk, o->look, self));
    if (d->judges_apart) OWI_TRY(judge_rows(d, o, self));
    if (o->advance != NULL)
        OWI_TRY(owi_parallel_rows(d->problem->call, n, rows_of_a_chunk, o->advance, self));
    let_go(d, o, self);
    return OW_OK;
}

/* ---- Rounds ---- */

static ow_status run_round(owi_descent *d, const owi_objective *o, void *self,
                           bool *in_time)
{
    const size_t n = d->queries->n_rows;
    memcpy(d->x, d->queries->soft, n * d->problem->soft_width * sizeof *d->x);
    for (size_t row = 0; row < n; row++) {
        d->active[row] = (uint32_t)row;
        d->rows[row].done = false;
    }
    d->n_active = n;
    o->begin_round(self);
    for (d->step = 0; d->step < o->steps && d->n_active > 0; d->step++) {
        *in_time = !owi_call_is_late(d->problem->call);
        if (!*in_time) return OW_OK;
        OWI_TRY(owi_call_tick(d->problem->call));
        OWI_TRY(take_turn(d, o, self));
    }
    if (d->judges_apart) return OW_OK;
    for (size_t a = 0; a < d->n_active; a++) d->rows[d->active[a]].asks = true;
    return judge_rows(d, o, self);
}

static void finish(owi_descent *d, bool in_time)
{
    const size_t width = d->problem->soft_width;
    for (size_t row = 0; row < d->queries->n_rows; row++) {
        owi_answer *answer = &d->answers[row * d->problem->options->n_answers];
        answer->n_gradient = d->rows[row].n_gradient;
        answer->n_forward = d->rows[row].n_forward;
        if (answer->given) continue;
        memcpy(answer->soft, d->x + row * width, width * sizeof *answer->soft);
        answer->given = true;
        answer->reason =
            in_time || d->rows[row].done ? OW_REASON_NOT_FLIPPED : OW_REASON_TIME_LIMIT;
    }
}

ow_status owi_descent_run(owi_descent *descent, const owi_objective *objective, void *self)
{
    bool in_time = true;
    for (size_t round = 0; round < objective->rounds && in_time; round++) {
        OWI_TRY(run_round(descent, objective, self, &in_time));
        for (size_t row = 0; row < descent->queries->n_rows; row++)
            if (objective->end_round != NULL) objective->end_round(self, row);
    }
    finish(descent, in_time);
    return OW_OK;
}
