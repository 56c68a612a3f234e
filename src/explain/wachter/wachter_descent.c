/* SPDX-License-Identifier: MIT */
/* All rows of a block that are not done yet take a step at a time, so that the classifier
 * sees them together; what a row does next depends on nothing but the row. */
#include "explain/wachter/wachter_descent.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "base/threads/parallel.h"
#include "explain/constraints/boxes.h"
#include "explain/constraints/simplex_lanes.h"
#include "explain/core/entry_scale.h"
#include "explain/core/row_batch.h"
#include "explain/wachter/adam_row.h"
#include "explain/wachter/lambda_search.h"

/* Rows that a thread moves at a time. */
enum { rows_of_a_chunk = owi_simplex_lanes };
/* Steps of Adam whose bias is worked out once for all rows. */
enum { kept_biases = 8192 };

/* ---- A row's search ---- */

typedef struct {
    owi_lambda_search lambda;
    uint64_t step;    /* of this round                                       */
    int64_t in_a_row; /* hits if positive, misses if negative                */
    int64_t settled;  /* steps since the first hit of this round             */
    bool hit;         /* where it stands                                     */
    bool asks;        /* as repaired it is not what it was when it was judged */
    bool whole_hit;   /* what was the verdict then                           */
    bool round_hit, done;
    double best; /* distance of the answer; infinity: none              */
    uint64_t n_gradient, n_forward;
} row_search;

typedef struct {
    const owi_problem *problem;
    const owi_wachter_settings *set;
    const owi_queries *queries;
    owi_answer *answers;
    owi_workspace *workspace; /* of all arrays below */
    float *weight; /* (width): 1 / m_j                                            */
    size_t n_biases, most_biases;
    owi_adam_bias *biases; /* of Adam's steps, as far as rows have come                 */
    owi_boxes boxes;
    owi_row_batch batch;
    bool judges_whole;
    row_search *searches;
    size_t n_active;
    uint32_t *active, *asking;
    float *x, *whole, *gradient, *first, *second; /* n_rows x width               */
    double *factor, *log_proba, *log_whole;       /* n_rows x classes             */
} descent;

static owi_answer *answer_of(const descent *work, size_t row)
{
    return &work->answers[row * work->problem->options->n_answers];
}

/* Back to the query. */
static void begin_round(descent *work, size_t row)
{
    const size_t width = work->problem->soft_width;
    row_search *search = &work->searches[row];
    search->step = 0;
    search->in_a_row = search->settled = 0;
    search->round_hit = false;
    memcpy(work->x + row * width, work->queries->soft + row * width,
           width * sizeof *work->x);
    memset(work->first + row * width, 0, width * sizeof *work->first);
    memset(work->second + row * width, 0, width * sizeof *work->second);
}

/* ---- One step of a row ---- */

/* The probability that is wanted: 1, as far as that was not forbidden. */
static double wanted(const owi_problem *problem)
{
    return fmin(1.0, problem->options->most_proba);
}

static bool is_hit(const descent *work, size_t row, const double *log_proba)
{
    const owi_problem *problem = work->problem;
    const int32_t t = work->queries->target[row];
    log_proba += row * problem->n_classes;
    if (!owi_is_valid(problem->options, problem->n_classes, log_proba, t)) return false;
    return work->set->hit == OWI_WACHTER_HIT_CLASS ||
           fabs(exp(log_proba[t]) - wanted(problem)) <= work->set->tolerance;
}

/* Which rows of a chunk hit where they stand.  Of tables, what counts is the row as it will
 * be after repair: if that is new, it asks for a verdict. */
static ow_status look_at_chunk(void *user, const owi_chunk *chunk)
{
    descent *work = user;
    const size_t width = work->problem->soft_width;
    for (size_t a = chunk->first; a < chunk->first + chunk->n; a++) {
        const size_t row = work->active[a];
        row_search *search = &work->searches[row];
        search->hit = search->asks = is_hit(work, row, work->log_proba);
        if (search->hit && work->judges_whole)
            search->asks = owi_repair_row(work->queries->repair, row, work->x + row * width,
                                          work->whole + row * width);
    }
    return OW_OK;
}

static ow_status find_hits(descent *work)
{
    size_t n = 0;
    OWI_TRY(owi_parallel_rows(work->problem->ctx, work->n_active, rows_of_a_chunk,
                              look_at_chunk, work));
    if (!work->judges_whole) return OW_OK;
    for (size_t a = 0; a < work->n_active; a++)
        if (work->searches[work->active[a]].asks) work->asking[n++] = work->active[a];
    OWI_TRY(owi_row_batch_classify(&work->batch, n, work->asking, work->whole,
                                   work->log_whole));
    for (size_t a = 0; a < n; a++) {
        row_search *search = &work->searches[work->asking[a]];
        search->whole_hit = is_hit(work, work->asking[a], work->log_whole);
        search->n_forward++;
    }
    for (size_t a = 0; a < work->n_active; a++) {
        row_search *search = &work->searches[work->active[a]];
        search->hit = search->hit && search->whole_hit;
    }
    return OW_OK;
}

/* What is judged, and kept. */
static const float *candidate_of(const descent *work, size_t row)
{
    return (work->judges_whole ? work->whole : work->x) + row * work->problem->soft_width;
}

/* sum_j |x'_j - x_j| / m_j; missing entries are equal. */
static double distance_of(const descent *work, size_t row)
{
    const size_t width = work->problem->soft_width;
    const float *x = candidate_of(work, row);
    const float *query = work->queries->soft + row * width;
    double sum = 0.0;
    for (size_t j = 0; j < width; j++)
        if (x[j] != query[j] && !isnan(query[j]))
            sum += fabs((double)x[j] - (double)query[j]) * (double)work->weight[j];
    return sum;
}

static void keep_if_nearer(descent *work, size_t row)
{
    const double distance = distance_of(work, row);
    const size_t width = work->problem->soft_width;
    owi_answer *answer = answer_of(work, row);
    if (distance >= work->searches[row].best) return;
    work->searches[row].best = distance;
    memcpy(answer->encoded, candidate_of(work, row), width * sizeof *answer->encoded);
    answer->given = true;
}

/* What the loss multiplies d log f_t / dx with: -1, or 2 (f_t - p) f_t, which is called 0
 * before its square leaves what a float holds. */
static float loss_slope(const descent *work, size_t row)
{
    if (work->set->loss == OWI_WACHTER_CROSS_ENTROPY) return -1.0f;
    const owi_problem *problem = work->problem;
    const size_t t = (size_t)work->queries->target[row];
    const double f = exp(work->log_proba[row * problem->n_classes + t]);
    const double slope = 2.0 * (f - wanted(problem)) * f;
    return fabs(slope) < 1e-17 ? 0.0f : (float)slope;
}

/* Along the gradient; what the constraints say of it comes after that, for all rows of a
 * chunk. */
OWI_WIDE static void move(descent *work, size_t row)
{
    const size_t width = work->problem->soft_width;
    row_search *search = &work->searches[row];
    float *x = work->x + row * width, *gradient = work->gradient + row * width;
    const float *query = work->queries->soft + row * width;
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
static bool is_decided(const descent *work, const row_search *search)
{
    const int64_t n = search->in_a_row;
    if (search->step >= (uint64_t)work->set->steps) return true;
    if (work->set->search) return (n > 0 ? n : -n) > work->set->patience;
    return search->round_hit && search->settled > work->set->settle;
}

typedef enum { ROW_MOVED, ROW_BEGINS_ANEW, ROW_IS_DONE } row_state;

/* Where the row stands is known: keep it if it is a hit, then go on. */
static row_state advance(descent *work, size_t row)
{
    row_search *search = &work->searches[row];
    const bool hit = search->hit;
    search->n_gradient++;
    search->round_hit |= hit;
    search->settled += search->round_hit;
    if (hit) {
        if (search->asks) keep_if_nearer(work, row); /* else it has been looked at */
        search->in_a_row = search->in_a_row > 0 ? search->in_a_row + 1 : 1;
    } else {
        search->in_a_row = search->in_a_row < 0 ? search->in_a_row - 1 : -1;
    }
    if (!is_decided(work, search)) {
        move(work, row);
        return ROW_MOVED;
    }
    if (!work->set->search ||
        !owi_lambda_next(&search->lambda, search->round_hit, work->set->rounds))
        return ROW_IS_DONE;
    begin_round(work, row);
    return ROW_BEGINS_ANEW;
}

/* ---- A block ---- */

/* A row without a hit shows where its last descent ended. */
static void finish_row(descent *work, size_t row, ow_reason reason)
{
    const size_t width = work->problem->soft_width;
    owi_answer *answer = answer_of(work, row);
    answer->n_gradient = work->searches[row].n_gradient;
    answer->n_forward = work->searches[row].n_forward;
    if (answer->given) return;
    memcpy(answer->encoded, work->x + row * width, width * sizeof *answer->encoded);
    answer->given = true;
    answer->reason = reason;
}

static ow_status advance_chunk(void *user, const owi_chunk *chunk)
{
    descent *work = user;
    uint32_t moved[rows_of_a_chunk];
    size_t n_moved = 0;
    for (size_t a = chunk->first; a < chunk->first + chunk->n; a++) {
        const uint32_t row = work->active[a];
        const row_state now = advance(work, row);
        if (now == ROW_MOVED) moved[n_moved++] = row;
        if (now != ROW_IS_DONE) continue;
        finish_row(work, row, OW_REASON_NOT_FLIPPED);
        work->searches[row].done = true;
    }
    owi_boxes_project(&work->boxes, n_moved, moved, work->x);
    return OW_OK;
}

static ow_status descend(descent *work)
{
    const owi_problem *problem = work->problem;
    while (work->n_active > 0) {
        if (owi_clock_seconds() > problem->deadline) {
            for (size_t a = 0; a < work->n_active; a++)
                finish_row(work, work->active[a], OW_REASON_TIME_LIMIT);
            break;
        }
        /* No row has made more steps than there were turns. */
        if (work->n_biases < work->most_biases) {
            work->biases[work->n_biases] = owi_adam_bias_of(work->n_biases);
            work->n_biases++;
        }
        OWI_TRY(owi_row_batch_differentiate(&work->batch, work->n_active, work->active,
                                            work->x, work->factor, work->log_proba,
                                            work->gradient));
        OWI_TRY(find_hits(work));
        OWI_TRY(owi_parallel_rows(problem->ctx, work->n_active, rows_of_a_chunk,
                                  advance_chunk, work));
        size_t n_left = 0;
        for (size_t a = 0; a < work->n_active; a++) {
            const uint32_t row = work->active[a];
            if (!work->searches[row].done) work->active[n_left++] = row;
        }
        work->n_active = n_left;
    }
    return OW_OK;
}

static ow_status make_arrays(descent *work)
{
    const size_t n = work->queries->n_rows, entries = n * work->problem->soft_width;
    const size_t classes = n * work->problem->n_classes;
    const owi_piece pieces[] = {
        OWI_PIECE(work->weight, work->problem->soft_width),
        OWI_PIECE(work->biases, work->most_biases),
        OWI_PIECE(work->searches, n),
        OWI_PIECE(work->active, n),
        OWI_PIECE(work->asking, n),
        OWI_PIECE(work->x, entries),
        OWI_PIECE(work->whole, entries),
        OWI_PIECE(work->gradient, entries),
        OWI_PIECE(work->first, entries),
        OWI_PIECE(work->second, entries),
        OWI_PIECE(work->factor, classes),
        OWI_PIECE(work->log_proba, classes),
        OWI_PIECE(work->log_whole, classes),
    };
    return owi_pieces_new(work->problem->ctx, OWI_PIECES(pieces), &work->workspace);
}

static ow_status begin(descent *work)
{
    const owi_problem *problem = work->problem;
    const owi_queries *queries = work->queries;
    const size_t n = queries->n_rows, n_classes = problem->n_classes;
    work->most_biases = owi_smaller((size_t)work->set->steps + 1, kept_biases);
    OWI_TRY(make_arrays(work));
    OWI_TRY(owi_boxes_init(&work->boxes, problem->ctx, problem->rules, n, queries->values,
                           queries->soft, work->set->whole_groups));
    OWI_TRY(owi_row_batch_init(&work->batch, problem->ctx, problem->classifier, n));
    for (size_t i = 0; i < n; i++) {
        work->searches[i] = (row_search){.best = INFINITY};
        owi_lambda_begin(&work->searches[i].lambda, work->set->lambda);
        work->factor[i * n_classes + (size_t)queries->target[i]] = 1.0;
        work->active[i] = (uint32_t)i;
        begin_round(work, i);
    }
    work->n_active = n;
    work->n_biases = 1; /* steps are numbered from 1 on */
    if (work->set->distance == OWI_WACHTER_MAD)
        return owi_entry_scales(problem->model, problem->ctx, work->weight);
    for (size_t j = 0; j < problem->soft_width; j++) work->weight[j] = 1.0f;
    return OW_OK;
}

ow_status owi_wachter_descend(const owi_problem *problem, const owi_wachter_settings *set,
                              const owi_queries *queries, owi_answer *answers)
{
    const bool table = ow_schema_layout(problem->schema).kind == OW_LAYOUT_TABLE;
    descent work = {.problem = problem,
                    .judges_whole = set->whole_groups && table,
                    .set = set,
                    .queries = queries,
                    .answers = answers};
    ow_status status = begin(&work);
    if (status == OW_OK) status = descend(&work);
    owi_row_batch_clear(&work.batch);
    owi_boxes_clear(&work.boxes);
    owi_workspace_free(work.workspace);
    return status;
}
