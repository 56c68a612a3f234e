/* SPDX-License-Identifier: MIT */
/* wachter's objective on the common descent (core/descent.h): Adam, rounds of each row by
 * itself, hits. */
#include "explain/wachter/wachter_descent.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/memory/sizes.h"
#include "explain/descent/adam_row.h"
#include "explain/descent/descent.h"
#include "explain/descent/entry_scale.h"
#include "explain/wachter/lambda_search.h"

/* Steps of Adam whose bias is worked out once for all rows. */
enum { kept_biases = 8192 };

/* ---- A row's search ---- */

typedef struct {
    owi_lambda_search lambda;
    uint64_t step;    /* of this round                                       */
    int64_t in_a_row; /* hits if positive, misses if negative                */
    int64_t settled;  /* steps since the first hit of this round             */
    bool hit;         /* where it stands                                     */
    bool is_new;      /* what is judged there is not what it was the last time */
    bool whole_hit;   /* what was the verdict on the repaired row then       */
    bool round_hit, done;
} row_search;

typedef struct {
    owi_descent d;
    const owi_wachter_settings *set;
    owi_workspace *workspace; /* of all arrays below */
    float *weight;            /* (width): 1 / m_j                            */
    size_t n_biases, most_biases;
    owi_adam_bias *biases; /* of Adam's steps, as far as rows have come       */
    row_search *searches;
    float *first, *second; /* n_rows x width: Adam's moments                  */
} wachter;

/* Back to the query. */
static void begin_row(wachter *work, size_t row)
{
    const size_t width = work->d.problem->soft_width, at = row * width;
    row_search *search = &work->searches[row];
    search->step = 0;
    search->in_a_row = search->settled = 0;
    search->round_hit = false;
    memcpy(work->d.x + at, work->d.queries->soft + at, width * sizeof *work->d.x);
    memset(work->first + at, 0, width * sizeof *work->first);
    memset(work->second + at, 0, width * sizeof *work->second);
}

/* ---- Where a row stands ---- */

/* The probability that is wanted: 1, as far as that was not forbidden. */
static double wanted(const owi_problem *problem)
{
    return fmin(1.0, problem->options->most_proba);
}

static bool is_hit(const wachter *work, size_t row, const double *log_proba)
{
    const owi_problem *problem = work->d.problem;
    const int32_t t = work->d.queries->target[row];
    log_proba += row * problem->n_classes;
    if (!owi_is_valid(problem, log_proba, t)) return false;
    return work->set->hit == OWI_WACHTER_HIT_CLASS ||
           fabs(exp(log_proba[t]) - wanted(problem)) <= work->set->tolerance;
}

/* Which rows of a chunk hit.  Of tables, what counts is the row as it will be after repair:
 * if that is new, it asks for a verdict. */
static ow_status look_at_chunk(void *self, const owi_chunk *chunk)
{
    wachter *work = self;
    owi_descent *d = &work->d;
    const size_t width = d->problem->soft_width;
    for (size_t a = chunk->first; a < chunk->first + chunk->n; a++) {
        const size_t row = d->active[a];
        row_search *search = &work->searches[row];
        search->hit = search->is_new = is_hit(work, row, d->log_proba);
        if (search->hit && d->judges_whole)
            search->is_new = owi_repair_row(d->queries->repair, row, d->x + row * width,
                                            d->whole + row * width);
        d->rows[row].asks = search->is_new;
    }
    return OW_OK;
}

static void judge(void *self, size_t row)
{
    wachter *work = self;
    work->searches[row].whole_hit = is_hit(work, row, work->d.log_judged);
}

/* sum_j |x'_j - x_j| / m_j; missing entries are equal. */
static void keep_if_nearer(wachter *work, size_t row)
{
    const size_t width = work->d.problem->soft_width;
    const float *x = owi_descent_candidate(&work->d, row);
    const float *query = work->d.queries->soft + row * width;
    double sum = 0.0;
    for (size_t j = 0; j < width; j++)
        if (x[j] != query[j] && !isnan(query[j]))
            sum += fabs((double)x[j] - (double)query[j]) * (double)work->weight[j];
    if (sum < work->d.rows[row].best) owi_descent_keep(&work->d, row, sum);
}

/* ---- One step of a row ---- */

/* What the loss multiplies d log f_t / dx with: -1, or 2 (f_t - p) f_t, which is called 0
 * before its square leaves what a float holds. */
static float loss_slope(const wachter *work, size_t row)
{
    if (work->set->loss == OWI_WACHTER_CROSS_ENTROPY) return -1.0f;
    const owi_problem *problem = work->d.problem;
    const size_t t = (size_t)work->d.queries->target[row];
    const double f = exp(work->d.log_proba[row * problem->n_classes + t]);
    const double slope = 2.0 * (f - wanted(problem)) * f;
    return fabs(slope) < 1e-17 ? 0.0f : (float)slope;
}

/* Along the gradient; what the constraints say of it comes after that, for all rows of a
 * chunk. */
OWI_WIDE static void move(wachter *work, size_t row)
{
    const size_t width = work->d.problem->soft_width;
    row_search *search = &work->searches[row];
    float *x = work->d.x + row * width, *gradient = work->d.gradient + row * width;
    const float *query = work->d.queries->soft + row * width;
    const float slope = loss_slope(work, row), lambda = (float)search->lambda.lambda;
    for (size_t j = 0; j < width; j++) {
        const float side = x[j] > query[j] ? 1.0f : x[j] < query[j] ? -1.0f : 0.0f;
        gradient[j] = slope * gradient[j] + lambda * work->weight[j] * side;
    }
    const double left = 1.0 - (double)search->step / (double)work->set->steps;
    search->step++;
    const owi_adam_bias bias = search->step < work->n_biases
                                   ? work->biases[search->step]
                                   : owi_adam_bias_of(search->step);
    owi_adam_row(width, gradient,
                 work->set->decay ? work->set->rate * left : work->set->rate, &bias,
                 work->first + row * width, work->second + row * width, x);
}

/* Whether the round has come far enough to know what it is worth. */
static bool is_decided(const wachter *work, const row_search *search)
{
    const int64_t n = search->in_a_row;
    if (search->step >= (uint64_t)work->set->steps) return true;
    if (work->set->search) return (n > 0 ? n : -n) > work->set->patience;
    return search->round_hit && search->settled > work->set->settle;
}

/* Where the row stands is known: keep it if it is a hit, then go on.  True: it has moved,
 * and is not back at the query, or done. */
static bool advance(wachter *work, size_t row)
{
    row_search *search = &work->searches[row];
    const bool hit = search->hit && (!work->d.judges_whole || search->whole_hit);
    search->round_hit |= hit;
    search->settled += search->round_hit;
    if (hit) {
        if (search->is_new) keep_if_nearer(work, row); /* else it has been looked at */
        search->in_a_row = search->in_a_row > 0 ? search->in_a_row + 1 : 1;
    } else {
        search->in_a_row = search->in_a_row < 0 ? search->in_a_row - 1 : -1;
    }
    if (!is_decided(work, search)) {
        move(work, row);
        return true;
    }
    search->done = !work->set->search ||
                   !owi_lambda_next(&search->lambda, search->round_hit, work->set->rounds);
    if (!search->done) begin_row(work, row);
    return false;
}

static ow_status advance_chunk(void *self, const owi_chunk *chunk)
{
    wachter *work = self;
    uint32_t moved[owi_row_lanes];
    size_t n_moved = 0;
    for (size_t a = chunk->first; a < chunk->first + chunk->n; a++) {
        const uint32_t row = work->d.active[a];
        if (advance(work, row)) moved[n_moved++] = row;
    }
    owi_boxes_project(&work->d.boxes, n_moved, moved, work->d.x);
    return OW_OK;
}

/* ---- A block ---- */

static void begin_rows(void *self)
{
    wachter *work = self;
    for (size_t row = 0; row < work->d.queries->n_rows; row++) begin_row(work, row);
}

/* No row has made more steps than there were turns. */
static ow_status work_out_bias(void *self)
{
    wachter *work = self;
    if (work->n_biases == work->most_biases) return OW_OK;
    work->biases[work->n_biases] = owi_adam_bias_of(work->n_biases);
    work->n_biases++;
    return OW_OK;
}

static bool is_done(void *self, size_t row)
{
    const wachter *work = self;
    return work->searches[row].done;
}

/* Rows have rounds of their own, so that the block has one. */
static const owi_objective objective = {.rounds = 1,
                                        .steps = UINT64_MAX,
                                        .begin_round = begin_rows,
                                        .pull = work_out_bias,
                                        .look = look_at_chunk,
                                        .judge = judge,
                                        .advance = advance_chunk,
                                        .settle = is_done};

static ow_status begin(wachter *work)
{
    const owi_problem *problem = work->d.problem;
    const size_t n = work->d.queries->n_rows, width = problem->soft_width;
    work->most_biases = owi_smaller((size_t)work->set->steps + 1, kept_biases);
    const owi_piece pieces[] = {
        OWI_PIECE(work->weight, width),     OWI_PIECE(work->biases, work->most_biases),
        OWI_PIECE(work->searches, n),       OWI_PIECE(work->first, n * width),
        OWI_PIECE(work->second, n * width),
    };
    OWI_TRY(owi_pieces_new(problem->ctx, OWI_PIECES(pieces), &work->workspace));
    OWI_TRY(owi_descent_init(&work->d, work->set->whole_groups));
    work->d.judges_apart = work->d.judges_whole;
    for (size_t i = 0; i < n; i++) {
        owi_lambda_begin(&work->searches[i].lambda, work->set->lambda);
        work->d.factor[i * problem->n_classes + (size_t)work->d.queries->target[i]] = 1.0;
    }
    work->n_biases = 1; /* steps are numbered from 1 on */
    if (work->set->distance == OWI_WACHTER_MAD)
        return owi_entry_scales(problem->model, problem->ctx, work->weight);
    for (size_t j = 0; j < width; j++) work->weight[j] = 1.0f;
    return OW_OK;
}

ow_status owi_wachter_descend(const owi_problem *problem, const owi_wachter_settings *set,
                              const owi_queries *queries, owi_answer *answers)
{
    wachter work = {.d = {.problem = problem, .queries = queries, .answers = answers},
                    .set = set};
    ow_status status = begin(&work);
    if (status == OW_OK) status = owi_descent_run(&work.d, &objective, &work);
    owi_descent_clear(&work.d);
    owi_workspace_free(work.workspace);
    return status;
}
