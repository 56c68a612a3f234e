/* SPDX-License-Identifier: MIT */
/* Images and maps: the two-step method's gradients, but in short steps, each taken where
 * the last one ended, until the class has been reached by a margin:
 *
 *     u  <- clamp(u + h v d/du [log P(u, t) - log P(u, c)])  c: the best class but t
 *     x'  = clamp(u + e v d/du log S(u))                      v: the variance of the leaves
 *
 * One long step overshoots: it ends at what all rows of the target class have in common.
 * Short ones stop as soon as x' is of the class, where slant and stroke of the query are
 * still there.  Both gradients come from one pass at u.  Blending x' back towards the query
 * makes it nearer but wins nothing: other classifiers do not follow.  Where the margin is
 * not to be had together with the density (classes that differ by a few nats of thousands),
 * the densest x' of the class is the answer.
 *
 * A further answer must do without what the ones before it changed most: the entries that
 * make up half of the squared change of each of them stay as in the query.  One that does
 * not reach the class so is none. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/numeric/sorted.h"
#include "circuit/structure/circuit.h"
#include "explain/constraints/boxes.h"
#include "explain/core/decision.h"
#include "explain/guided/guided_search.h"
#include "model/cutoffs.h"

/* How good an answer is: first by kind, then by how far it is within the kind. */
typedef enum { OTHER_CLASS, OF_THE_CLASS, DENSE, DENSE_AND_SURE } answer_kind;

typedef struct {
    answer_kind kind;
    double lead; /* of the target before other classes; from DENSE on log S of the target */
    bool is_sure; /* of the class by the margin that is wanted */
} merit;

/* Rows that are still on their way come first in all arrays; n of them. */
typedef struct {
    const owi_guided_settings *settings;
    const owi_problem *problem;
    const owi_queries *queries;
    owi_answer *answers;
    owi_boxes boxes;          /* of the queries */
    owi_workspace *workspace; /* of all arrays below                               */
    size_t answer; /* which of those that are wanted                               */
    size_t n;
    size_t *row;                /* in the queries                                 */
    float *u, *made, *gradient; /* (n, width); gradient: class, then density      */
    owi_decision decision;      /* of n rows: about made, or what was known before */
    double *factor;             /* (n, classes)                                   */
    double *threshold;          /* (queries): log S of the target to be reached   */
    merit *best;                /* (queries): of the best answer so far           */
    bool *held;                 /* (queries, width): stays as in the query        */
    double *squares;            /* (width)                                        */
    double variance;
} walk;

static owi_answer *answer_of(const walk *w, size_t i)
{
    return &w->answers[w->row[i] * w->problem->options->n_answers + w->answer];
}

static float *density_gradient(const walk *w)
{
    return w->gradient + w->n * w->problem->soft_width;
}

/* The gradients at u: +1 at the target, -1 at the best other class by log_proba; and, from
 * the second pass on, of the density. */
static ow_status differentiate(const walk *w, bool want_density)
{
    const owi_problem *problem = w->problem;
    const size_t C = problem->n_classes;
    memset(w->factor, 0, w->n * C * sizeof *w->factor);
    for (size_t i = 0; i < w->n; i++) {
        const int32_t t = w->queries->target[w->row[i]];
        const int32_t other =
            owi_model_decide(w->problem->model, w->decision.log_proba + i * C, t);
        w->factor[i * C + (size_t)t] = 1.0;
        w->factor[i * C + (size_t)other] = -1.0;
        answer_of(w, i)->n_gradient++;
    }
    return owi_decision_slope(problem, w->n, w->u, w->factor, want_density, w->gradient);
}

/* to = clamp(u + length * gradient); to may be the gradient. */
static void step(const walk *w, const float *gradient, double length, float *to)
{
    const size_t width = w->problem->soft_width;
    const float scaled = (float)(length * w->variance);
    for (size_t i = 0; i < w->n * width; i++) to[i] = w->u[i] + scaled * gradient[i];
    for (size_t i = 0; i < w->n && w->answer > 0; i++) {
        const bool *held = w->held + w->row[i] * width;
        for (size_t j = 0; j < width; j++)
            if (held[j]) to[i * width + j] = w->queries->soft[w->row[i] * width + j];
    }
    for (size_t i = 0; i < w->n; i++) owi_boxes_clamp(&w->boxes, w->row[i], to + i * width);
}

static merit judge(const walk *w, size_t i)
{
    const size_t C = w->problem->n_classes, row = w->row[i];
    const int32_t t = w->queries->target[row];
    const double log_density = w->decision.log_class[i * C + (size_t)t];
    const double margin = owi_margin(w->problem, w->decision.log_proba + i * C, t);
    const bool is_sure = margin >= w->settings->image_margin;
    if (!(margin > 0.0)) return (merit){OTHER_CLASS, margin, is_sure};
    if (!(log_density >= w->threshold[row])) return (merit){OF_THE_CLASS, margin, is_sure};
    return (merit){is_sure ? DENSE_AND_SURE : DENSE, log_density, is_sure};
}

static bool is_better(merit a, merit b)
{
    return a.kind != b.kind ? a.kind > b.kind : a.lead > b.lead;
}

/* Keeps x' where it is the best so far.  Done when it is all that was asked; where only
 * density is missing, u goes on from x', else from where the class gradient leads. */
static bool keep(const walk *w, size_t i)
{
    const size_t width = w->problem->soft_width, row = w->row[i];
    const merit now = judge(w, i);
    owi_answer *answer = answer_of(w, i);

    answer->n_forward++;
    if (!answer->given || is_better(now, w->best[row])) {
        answer->given = true;
        w->best[row] = now;
        memcpy(answer->soft, w->made + i * width, width * sizeof *answer->soft);
    }
    memcpy(w->u + i * width, (now.is_sure ? w->made : w->gradient) + i * width,
           width * sizeof *w->u);
    return now.kind == DENSE_AND_SURE;
}

/* Rows that are done leave; the others move up. */
static void walk_on(walk *w)
{
    const size_t width = w->problem->soft_width, C = w->problem->n_classes;
    size_t kept = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (keep(w, i)) continue;
        w->row[kept] = w->row[i];
        memmove(w->u + kept * width, w->u + i * width, width * sizeof *w->u);
        memmove(w->decision.log_proba + kept * C, w->decision.log_proba + i * C,
                C * sizeof *w->decision.log_proba);
        kept++;
    }
    w->n = kept;
}

static ow_status take_steps(walk *w)
{
    const owi_guided_settings *settings = w->settings;
    OWI_TRY(differentiate(w, false));
    step(w, w->gradient, settings->class_step, w->u);
    for (int64_t k = 0; k < settings->image_steps && w->n > 0; k++) {
        if (owi_call_is_late(w->problem->call)) break;
        OWI_TRY(differentiate(w, true));
        step(w, density_gradient(w), settings->density_step, w->made);
        OWI_TRY(owi_decision_of_soft(&w->decision, w->problem, w->n, w->made));
        step(w, w->gradient, settings->class_step, w->gradient);
        walk_on(w);
    }
    return OW_OK;
}

static ow_status make_arrays(walk *w)
{
    const owi_problem *problem = w->problem;
    const size_t n = w->n, C = problem->n_classes, width = problem->soft_width;
    const owi_piece pieces[] = {
        OWI_PIECE(w->row, n),          OWI_PIECE(w->u, n * width),
        OWI_PIECE(w->made, n * width), OWI_PIECE(w->gradient, 2 * n * width),
        OWI_PIECE(w->factor, n * C),   OWI_PIECE(w->threshold, n),
        OWI_PIECE(w->best, n),         OWI_PIECE(w->held, n * width),
        OWI_PIECE(w->squares, width),
    };
    OWI_TRY(owi_pieces_new(problem->ctx, OWI_PIECES(pieces), &w->workspace));
    OWI_TRY(owi_boxes_init(&w->boxes, problem->ctx, problem->rules, n, w->queries->values,
                           w->queries->soft, false));
    return owi_decision_init(&w->decision, problem, n);
}

/* ---- One answer after the other ---- */

/* The largest changes of an answer, which together make up half of its squared change, are
 * not for later ones. */
static void hold_changes(walk *w, size_t row, const float *answer)
{
    const size_t width = w->problem->soft_width;
    const float *query = w->queries->soft + row * width;
    double total = 0.0, sum = 0.0, least = INFINITY;
    for (size_t j = 0; j < width; j++) {
        const double change = (double)answer[j] - (double)query[j];
        w->squares[j] = isnan(change) ? 0.0 : change * change;
        total += w->squares[j];
    }
    owi_sort_numbers(w->squares, width);
    for (size_t j = width; j > 0 && sum < 0.5 * total; j--) {
        least = w->squares[j - 1];
        sum += least;
    }
    for (size_t j = 0; j < width; j++) {
        const double change = (double)answer[j] - (double)query[j];
        w->held[row * width + j] |= change * change >= least;
    }
}

/* Back to the queries that want another answer: at first all, later those whose last one
 * was of the class. */
static void begin(walk *w)
{
    const owi_problem *problem = w->problem;
    const size_t width = problem->soft_width, C = problem->n_classes;
    const owi_queries *queries = w->queries;
    w->n = 0;
    for (size_t row = 0; row < queries->n_rows; row++) {
        if (w->answer > 0) {
            const size_t k = problem->options->n_answers;
            const owi_answer *last = &w->answers[row * k + w->answer - 1];
            if (!last->given || w->best[row].kind == OTHER_CLASS) continue;
            hold_changes(w, row, last->soft);
        }
        const size_t i = w->n++;
        w->row[i] = row;
        memcpy(w->u + i * width, queries->soft + row * width, width * sizeof *w->u);
        memcpy(w->decision.log_proba + i * C, queries->log_proba + row * C,
               C * sizeof *w->decision.log_proba);
    }
}

/* A first answer shows how far it came even where that is not far enough. */
static void drop_failures(const walk *w)
{
    const size_t k = w->problem->options->n_answers;
    for (size_t row = 0; row < w->queries->n_rows && w->answer > 0; row++)
        if (w->best[row].kind == OTHER_CLASS) w->answers[row * k + w->answer].given = false;
}

static ow_status answer_all(walk *w)
{
    for (w->answer = 0; w->answer < w->problem->options->n_answers; w->answer++) {
        begin(w);
        if (w->n == 0) break;
        OWI_TRY(take_steps(w));
        drop_failures(w);
    }
    return OW_OK;
}

ow_status owi_guided_explain_image(const owi_guided_settings *settings,
                                   const owi_problem *problem, const owi_queries *queries,
                                   owi_answer *answers)
{
    walk w = {.settings = settings,
              .problem = problem,
              .queries = queries,
              .answers = answers,
              .n = queries->n_rows,
              .variance = owi_circuit_mean_variance(ow_model_circuit(problem->model))};
    ow_status status = make_arrays(&w);
    if (status == OW_OK)
        status = owi_density_thresholds(problem->call, problem->reference, w.n,
                                        queries->values, queries->target,
                                        problem->options->density_quantile, w.threshold);
    if (status == OW_OK) status = answer_all(&w);
    owi_boxes_clear(&w.boxes);
    owi_decision_clear(&w.decision);
    owi_workspace_free(w.workspace);
    return status;
}
