/* SPDX-License-Identifier: MIT */
/* Both optimisers go through the same steps for all rows of the block:
 *
 *     gradient at y of c hinge (by the classifier) and of the autoencoder's error
 *     FISTA   a' = shrink(y - s (gradient + 2 (y - z)), s beta),
 *             then y = a' + k/(k+3) (a' - a)
 *     Adam    y moves along gradient + 2 (y - z) + beta sign(y - z)
 *     back to where x' may be; accept it if the class rule holds and it is nearest so far
 *
 * z is the query (negatives) or the value that says nothing (positives). */
#include "explain/cem/cem_descent.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/threads/parallel.h"
#include "explain/cem/cem_block.h"

enum { rows_of_a_chunk = owi_row_lanes, entries_at_a_time = 16 };

static const float *centre_of(const owi_cem_block *work, size_t row)
{
    return work->options->mode == OWI_CEM_POSITIVE
               ? work->basis->nothing
               : work->queries->soft + row * work->problem->soft_width;
}

/* ---- What is accepted ---- */

/* Nats.  The nearest answers lie on the boundary; rows near a base are rounded otherwise
 * than in the verdict, where none should fall back behind it. */
static const double more_than_rounding = 1e-3;

static void accept_if_best(owi_cem_block *work, size_t row, const float *x)
{
    const size_t width = work->problem->soft_width;
    const float *z = centre_of(work, row);
    owi_cem_row *own = &work->rows[row];
    owi_answer *answer = &work->answers[row * work->problem->options->n_answers];
    const double margin = owi_cem_margin(work, row);
    /* Without a margin asked, a tie is not enough. */
    own->holds = margin > work->least_margin && margin >= work->options->kappa;
    if (!own->holds) return;

    if (!own->accepted) own->nearer_at = work->step;
    own->accepted = true;
    double size = 0.0, sum = 0.0, square = 0.0;
    /* The sums only grow: what is too far after some entries stays so. */
    for (size_t first = 0; first < width; first += entries_at_a_time) {
        const size_t end = owi_smaller(first + entries_at_a_time, width);
        for (size_t j = first; j < end; j++) {
            const double delta = (double)x[j] - (double)z[j];
            if (isnan(delta)) continue;
            sum += fabs(delta);
            square += delta * delta;
        }
        size = work->options->beta * sum + square;
        if (size >= own->best) return;
    }
    own->nearer_at = work->step;
    own->best = size;
    memcpy(answer->encoded, x, width * sizeof *x);
    answer->given = true;
}

/* ---- Steps ---- */

/* Adam's rows stand where their gradient was taken, so that their classes are known, unless
 * they are repaired first. */
static bool judges_apart(const owi_cem_block *work)
{
    return work->options->optimiser == OWI_CEM_FISTA || work->judges_whole;
}

/* Rows that are done go along with the others of their chunk, and nobody looks at them. */
static ow_status step_chunk(void *user, const owi_chunk *chunk)
{
    owi_cem_block *work = user;
    const size_t width = work->problem->soft_width, at = chunk->first * width;
    size_t n_going = 0;
    for (size_t row = chunk->first; row < chunk->first + chunk->n; row++) {
        if (work->rows[row].done) continue;
        if (!judges_apart(work)) accept_if_best(work, row, work->y + row * width);
        n_going++;
    }
    if (n_going == 0) return OW_OK;
    owi_cem_step(work, chunk);
    if (!judges_apart(work)) return OW_OK;
    const float *reached =
        (work->options->optimiser == OWI_CEM_FISTA ? work->a : work->y_lanes) + at;
    if (!work->judges_whole) {
        owi_lanes_to_rows(chunk->n, width, reached, work->whole + at);
        return OW_OK;
    }
    bool asks[owi_row_lanes];
    owi_repair_lanes(work->queries->repair, chunk->first, chunk->n, reached,
                     work->whole + at, asks);
    for (size_t i = 0; i < chunk->n; i++) work->rows[chunk->first + i].asks = asks[i];
    return OW_OK;
}

/* Where the descent has come to, judged; of tables as it will be after repair, if that is
 * new. */
static ow_status accept_all(owi_cem_block *work)
{
    const size_t width = work->problem->soft_width;
    const float *x = judges_apart(work) ? work->whole : work->y;
    size_t n = 0;
    for (size_t i = 0; i < work->n_active; i++) {
        owi_cem_row *row = &work->rows[work->active[i]];
        if (work->judges_whole && !row->asks)
            row->accepted |= row->holds;
        else
            work->asking[n++] = work->active[i];
    }
    OWI_TRY(
        !work->judges_whole && n == work->queries->n_rows
            ? owi_row_batch_classify_all(&work->batch, n, x, work->log_proba)
            : owi_row_batch_classify(&work->batch, n, work->asking, x, work->log_proba));
    for (size_t i = 0; i < n; i++) {
        const size_t row = work->asking[i];
        work->rows[row].n_forward++;
        accept_if_best(work, row, x + row * width);
    }
    return OW_OK;
}

/* ---- Rounds ---- */

static void begin_round(owi_cem_block *work)
{
    const size_t n = work->queries->n_rows, width = work->problem->soft_width;
    const size_t n_classes = work->problem->n_classes;
    memcpy(work->y, work->queries->soft, n * width * sizeof *work->y);
    owi_cem_step_begin_round(work);
    work->n_active = n;
    for (size_t row = 0; row < n; row++) {
        work->active[row] = (uint32_t)row;
        work->rows[row].accepted = work->rows[row].done = false;
        work->rows[row].rival =
            owi_most_probable(n_classes, work->queries->log_proba + row * n_classes,
                              work->rows[row].anchor);
    }
}

/* A smaller c leaves more to the distance; a larger one to the class. */
static void next_c(owi_cem_row *row)
{
    if (row->accepted)
        row->enough = fmin(row->enough, row->c);
    else
        row->lacking = fmax(row->lacking, row->c);
    row->c = isfinite(row->enough) ? 0.5 * (row->lacking + row->enough) : 10.0 * row->c;
}

/* Rows that have waited long enough for something nearer leave; each by itself, so that its
 * answer does not depend on the others. */
static void let_go(owi_cem_block *work)
{
    const uint64_t patience = work->options->patience;
    size_t n = 0;
    for (size_t i = 0; i < work->n_active && patience > 0; i++) {
        owi_cem_row *row = &work->rows[work->active[i]];
        row->done = row->accepted && work->step - row->nearer_at >= patience;
        if (!row->done) work->active[n++] = work->active[i];
    }
    if (patience > 0) work->n_active = n;
}

static ow_status run_round(owi_cem_block *work, bool *in_time)
{
    begin_round(work);
    for (work->step = 0; work->step < work->options->steps && work->n_active > 0;
         work->step++) {
        *in_time = owi_clock_seconds() <= work->problem->deadline;
        if (!*in_time) return OW_OK;
        OWI_TRY(owi_cem_differentiate(work));
        OWI_TRY(owi_parallel_rows(work->problem->ctx, work->queries->n_rows,
                                  rows_of_a_chunk, step_chunk, work));
        if (judges_apart(work)) OWI_TRY(accept_all(work));
        let_go(work);
    }
    return judges_apart(work) ? OW_OK : accept_all(work);
}

/* A row without an accepted answer shows where its last descent ended. */
static void finish(owi_cem_block *work, ow_reason reason)
{
    const size_t width = work->problem->soft_width;
    for (size_t row = 0; row < work->queries->n_rows; row++) {
        owi_answer *answer = &work->answers[row * work->problem->options->n_answers];
        answer->n_gradient = work->rows[row].n_gradient;
        answer->n_forward = work->rows[row].n_forward;
        if (answer->given) continue;
        memcpy(answer->encoded, work->y + row * width, width * sizeof *answer->encoded);
        answer->given = true;
        answer->reason = reason;
    }
}

/* ---- A block ---- */

static ow_status make_arrays(owi_cem_block *work)
{
    const size_t n = work->queries->n_rows, width = work->problem->soft_width;
    const size_t entries = work->n_filled * width, classes = n * work->problem->n_classes;
    const owi_piece pieces[] = {
        OWI_PIECE(work->rows, n),
        OWI_PIECE(work->active, n),
        OWI_PIECE(work->wrong, n),
        OWI_PIECE(work->asking, n),
        OWI_PIECE(work->y, entries),
        OWI_PIECE(work->gradient, entries),
        OWI_PIECE(work->whole, entries),
        OWI_PIECE(work->pull, entries),
        OWI_PIECE(work->raw, entries),
        OWI_PIECE(work->a, entries),
        OWI_PIECE(work->y_lanes, entries),
        OWI_PIECE(work->first, entries),
        OWI_PIECE(work->second, entries),
        OWI_PIECE(work->query, entries),
        OWI_PIECE(work->centre, entries),
        OWI_PIECE(work->low, entries),
        OWI_PIECE(work->high, entries),
        OWI_PIECE(work->sided, width),
        OWI_PIECE(work->boxed, width),
        OWI_PIECE(work->factor, classes),
        OWI_PIECE(work->log_proba, classes),
    };
    return owi_pieces_new(work->problem->ctx, OWI_PIECES(pieces), &work->workspace);
}

static ow_status begin(owi_cem_block *work)
{
    const owi_problem *problem = work->problem;
    const owi_queries *queries = work->queries;
    const size_t n = queries->n_rows;
    work->n_filled = (n + owi_tile_lanes - 1) / owi_tile_lanes * owi_tile_lanes;
    OWI_TRY(make_arrays(work));
    OWI_TRY(owi_boxes_init(&work->boxes, problem->ctx, problem->rules, n, queries->values,
                           queries->soft, work->options->whole_groups));
    owi_cem_step_begin(work);
    OWI_TRY(owi_row_batch_init(&work->batch, problem->ctx, problem->classifier, n));
    const bool is_table = ow_schema_layout(problem->schema).kind == OW_LAYOUT_TABLE;
    work->judges_whole = work->options->whole_groups && is_table;
    /* Shrinking leaves most of many columns as they are; where Adam has been, all have
     * moved.  Rows that leave would be asked for apart. */
    if (work->options->optimiser == OWI_CEM_FISTA && work->options->patience == 0 &&
        !is_table) {
        OWI_TRY(owi_row_batch_stay_near(&work->batch, n, queries->soft));
        work->least_margin = more_than_rounding;
    }
    const bool from_predicted =
        owi_cem_goes_away(work) || work->options->mode == OWI_CEM_POSITIVE;
    for (size_t i = 0; i < n; i++) {
        work->rows[i] = (owi_cem_row){.anchor = from_predicted ? queries->origin[i]
                                                               : queries->target[i],
                                      .c = work->options->c,
                                      .enough = INFINITY,
                                      .best = INFINITY};
    }
    return OW_OK;
}

ow_status owi_cem_descend(const owi_problem *problem, const owi_cem_options *options,
                          const owi_cem_basis *basis, const owi_queries *queries,
                          owi_answer *answers)
{
    owi_cem_block work = {.problem = problem,
                          .options = options,
                          .basis = basis,
                          .queries = queries,
                          .answers = answers};
    bool in_time = true;
    ow_status status = begin(&work);
    for (size_t round = 0; round < options->rounds && status == OW_OK && in_time; round++) {
        status = run_round(&work, &in_time);
        for (size_t i = 0; i < queries->n_rows && status == OW_OK; i++)
            next_c(&work.rows[i]);
    }
    if (status == OW_OK)
        finish(&work, in_time ? OW_REASON_NOT_FLIPPED : OW_REASON_TIME_LIMIT);
    owi_row_batch_clear(&work.batch);
    owi_boxes_clear(&work.boxes);
    owi_workspace_free(work.workspace);
    return status;
}
