/* SPDX-License-Identifier: MIT */
/* Rows in blocks: what the classifier makes of them, which of them need an answer, the
 * method, the verdict.  A row's answer depends on the row alone, so blocks are only a
 * matter of speed. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "explain/core/decision.h"
#include "explain/core/explainer_private.h"
#include "model/cutoffs.h"
#include "model/model_private.h"

/* ---- Scratch of a block ---- */

typedef struct {
    owi_workspace *workspace;
    size_t most_rows;
    owi_decision
        decision;   /* of the rows; soft and log_proba of active ones move to the front */
    double *factor; /* block x classes, and block x soft width: of the method that */
    float *slope;   /* wants them, else NULL                                       */
    double *copies; /* rows of values; NULL before the first block that needs them */
    const double *values; /* active rows from here on                              */
    int32_t *origin, *target;
    uint64_t *number;
    const owi_wish **wishes;
    ow_outcome **outcomes;
    owi_answer *answers; /* active x k                                         */
} scratch;

static ow_status make_scratch(const owi_explainer_impl *impl, const owi_problem *problem,
                              size_t block, scratch *s)
{
    const size_t k = problem->options->n_answers, sloped = impl->wants_slope ? block : 0;
    *s = (scratch){.most_rows = block};
    const owi_piece pieces[] = {
        OWI_PIECE(s->factor, sloped * problem->n_classes),
        OWI_PIECE(s->slope, sloped * problem->soft_width),
        OWI_PIECE(s->origin, block),
        OWI_PIECE(s->target, block),
        OWI_PIECE(s->number, block),
        OWI_PIECE(s->wishes, block),
        OWI_PIECE(s->outcomes, block),
        OWI_PIECE(s->answers, block * k),
    };
    OWI_TRY(owi_pieces_room(problem->ctx, OWI_PIECES(pieces), &s->workspace));
    return owi_decision_init(&s->decision, problem, block);
}

/* ---- The queries ---- */

typedef struct {
    ow_explainer *explainer;
    owi_session *session;
    ow_explanation *explanation;
    scratch *s;
    size_t first, n; /* rows of the call                                       */
    const double *values;
    const owi_wish *wishes;
    bool has_slope; /* the scratch's is of these rows */
} block;

/* Rows below are unlike those that the model has seen. */
static const double least_percentile = 1.0;

/* What is wanted of a row, when the classifier has decided. */
static void decide_query(const block *b, size_t i)
{
    const owi_problem *problem = &b->session->problem;
    const double *log_proba = b->s->decision.log_proba + i * problem->n_classes;
    const int32_t predicted = owi_model_decide(problem->model, log_proba, -1);
    const int32_t wanted = b->wishes[i].target;
    ow_outcome *outcome = &b->explanation->outcomes[b->first + i];
    *outcome =
        (ow_outcome){.kind = OW_OUTCOME_NOT_FOUND,
                     .predicted = predicted,
                     .target = wanted == OW_ANY_OTHER_CLASS
                                   ? owi_model_decide(problem->model, log_proba, predicted)
                                   : wanted};
    if (owi_is_valid(problem, log_proba, outcome->target))
        outcome->kind = OW_OUTCOME_ALREADY_TARGET;
}

/* The class to leave. */
static int32_t origin_of(const block *b, size_t i)
{
    const owi_problem *problem = &b->session->problem;
    const ow_outcome *outcome = &b->explanation->outcomes[b->first + i];
    if (outcome->predicted != outcome->target) return outcome->predicted;
    return owi_model_decide(problem->model,
                            b->s->decision.log_proba + i * problem->n_classes,
                            outcome->target);
}

/* Rows that need an answer are led from their class to the target. */
static void choose_slopes(void *user, size_t first, size_t n)
{
    const block *b = user;
    const size_t C = b->session->problem.n_classes;
    for (size_t i = first; i < first + n; i++) {
        const ow_outcome *outcome = &b->explanation->outcomes[b->first + i];
        double *factor = b->s->factor + i * C;
        decide_query(b, i);
        memset(factor, 0, C * sizeof *factor);
        if (outcome->kind == OW_OUTCOME_ALREADY_TARGET) continue;
        factor[outcome->target] = 1.0;
        factor[origin_of(b, i)] = -1.0;
    }
}

static ow_status decide_queries(block *b)
{
    const owi_problem *problem = &b->session->problem;
    const owi_decision_slopes wanted = {choose_slopes, b, b->s->factor, b->s->slope};
    b->has_slope =
        b->explainer->impl->wants_slope && owi_decision_has_slope(&b->s->decision, problem);
    if (b->has_slope)
        return owi_decision_and_slope(&b->s->decision, problem, b->n, b->values, &wanted);
    OWI_TRY(owi_decision_of_values(&b->s->decision, problem, OWI_ALL, b->n, b->values));
    for (size_t i = 0; i < b->n; i++) decide_query(b, i);
    return OW_OK;
}

static ow_status describe_query(const block *b, size_t i, double *proba)
{
    const owi_problem *problem = &b->session->problem;
    const size_t C = problem->n_classes;
    const owi_decision *d = &b->s->decision;
    ow_outcome *outcome = &b->explanation->outcomes[b->first + i];
    const size_t predicted = (size_t)outcome->predicted;
    for (size_t c = 0; c < C; c++) proba[c] = exp(d->log_proba[i * C + c]);
    outcome->proba = proba;
    outcome->log_density = d->log_density[i];
    OWI_TRY(owi_explainer_percentile(b->explainer, d->rows + i * problem->model->plan.width,
                                     predicted, d->log_class[i * C + predicted],
                                     &outcome->percentile));
    outcome->unlike_seen = outcome->percentile < least_percentile; /* not if it is NaN */
    return OW_OK;
}

/* Row i of the block to place n, of what is in memory of our own. */
static void move_row(const block *b, size_t i, size_t n)
{
    const owi_problem *problem = &b->session->problem;
    const size_t C = problem->n_classes, width = problem->soft_width;
    const size_t n_columns = problem->n_columns;
    scratch *s = b->s;
    float *soft = s->decision.soft;
    double *log_proba = s->decision.log_proba;
    memcpy(s->copies + n * n_columns, b->values + i * n_columns,
           n_columns * sizeof *s->copies);
    if (i == n) return;
    memmove(soft + n * width, soft + i * width, width * sizeof *soft);
    memmove(log_proba + n * C, log_proba + i * C, C * sizeof *log_proba);
    if (b->has_slope)
        memmove(s->slope + n * width, s->slope + i * width, width * sizeof *s->slope);
}

/* Rows that need an answer, moved to the front where there are others. */
static ow_status gather_active(const block *b, size_t *n_active)
{
    const owi_problem *problem = &b->session->problem;
    const ow_outcome *outcomes = b->explanation->outcomes + b->first;
    scratch *s = b->s;
    size_t n = 0, n_all = 0;
    for (size_t i = 0; i < b->n; i++)
        n_all += outcomes[i].kind != OW_OUTCOME_ALREADY_TARGET;
    s->values = b->values;
    if (n_all < b->n) {
        if (s->copies == NULL)
            s->copies = owi_alloc_array(problem->ctx, s->most_rows * problem->n_columns,
                                        sizeof *s->copies);
        if (s->copies == NULL) return OW_ERR_MEMORY;
        s->values = s->copies;
    }
    for (size_t i = 0; i < b->n; i++) {
        if (outcomes[i].kind == OW_OUTCOME_ALREADY_TARGET) continue;
        s->target[n] = outcomes[i].target;
        s->origin[n] = origin_of(b, i);
        s->number[n] = b->wishes[i].number;
        s->wishes[n] = &b->wishes[i];
        s->outcomes[n] = &b->explanation->outcomes[b->first + i];
        if (n_all < b->n) move_row(b, i, n);
        n++;
    }
    *n_active = n;
    return OW_OK;
}

/* ---- The answers ---- */

/* Room for the answers of n rows, which the explanation keeps. */
static ow_status make_answers(const block *b, size_t n)
{
    const owi_problem *problem = &b->session->problem;
    const size_t width = problem->soft_width, n_columns = problem->n_columns;
    const size_t n_answers = n * problem->options->n_answers;
    /* One array of NaN for all answers of a method that has nothing to say there. */
    const bool own_enough = b->explainer->impl->gives_enough;
    const size_t n_enough = own_enough ? n_answers * n_columns : n_columns;
    double *values =
        owi_explanation_room(b->explanation, n_answers * n_columns, sizeof *values);
    float *encoded =
        owi_explanation_room(b->explanation, n_answers * width, sizeof *encoded);
    float *intermediate =
        owi_explanation_room(b->explanation, n_answers * width, sizeof *intermediate);
    double *enough = owi_explanation_room(b->explanation, 2 * n_enough, sizeof *enough);
    if (values == NULL || encoded == NULL || intermediate == NULL || enough == NULL)
        return OW_ERR_MEMORY;
    for (size_t j = 0; j < 2 * n_enough; j++) enough[j] = NAN;
    for (size_t a = 0; a < n_answers; a++) {
        double *own = enough + (own_enough ? a * n_columns : 0);
        b->s->answers[a] = (owi_answer){.values = values + a * n_columns,
                                        .enough = own,
                                        .enough_for_class = own + n_enough,
                                        .soft = encoded + a * width,
                                        .intermediate = intermediate + a * width};
    }
    return OW_OK;
}

/* Paths come from the method one by one; the explanation takes them all over, also those of
 * answers that nobody will see. */
static ow_status keep_paths(const block *b, size_t n_answers)
{
    ow_status status = OW_OK;
    for (size_t a = 0; a < n_answers; a++) {
        if (b->s->answers[a].path == NULL) continue;
        if (owi_explanation_keep(b->explanation, b->s->answers[a].path) != OW_OK)
            status = OW_ERR_MEMORY;
    }
    return status;
}

static ow_status answer_queries(const block *b, size_t n, const owi_repair *repair)
{
    const ow_explainer *explainer = b->explainer;
    const owi_problem *problem = &b->session->problem;
    const size_t n_answers = n * problem->options->n_answers;
    scratch *s = b->s;
    const owi_queries queries = {.n_rows = n,
                                 .first_row = s->number[0],
                                 .number = s->number,
                                 .values = s->values,
                                 .soft = s->decision.soft,
                                 .log_proba = s->decision.log_proba,
                                 .origin = s->origin,
                                 .target = s->target,
                                 .repair = repair,
                                 .slope = b->has_slope ? s->slope : NULL};
    ow_counterfactual *judged =
        owi_explanation_alloc(b->explanation, n_answers, sizeof *judged);
    if (judged == NULL) return OW_ERR_MEMORY;
    OWI_TRY(make_answers(b, n));
    const double start = owi_clock_seconds();
    ow_status status =
        explainer->impl->explain_block(problem, explainer->settings, b->session->state,
                                       &queries, s->answers);
    if (keep_paths(b, n_answers) != OW_OK) status = OW_ERR_MEMORY;
    if (status != OW_OK) return status;
    const owi_verdict verdict = {.explainer = b->explainer,
                                 .session = b->session,
                                 .explanation = b->explanation,
                                 .queries = &queries,
                                 .wishes = s->wishes,
                                 .outcomes = s->outcomes,
                                 .answers = s->answers,
                                 .judged = judged,
                                 .seconds = owi_clock_seconds() - start};
    return owi_verdict_of_block(&verdict);
}

/* The constraints are compiled for the queries, once for the method and the verdict. */
static ow_status answer_under_rules(const block *b, size_t n)
{
    const owi_problem *problem = &b->session->problem;
    owi_repair repair;
    if (problem->rules->whole.are && !b->explainer->impl->repairs)
        return answer_queries(b, n, NULL);
    ow_status status =
        owi_repair_init(&repair, problem->ctx, problem->rules, n, b->s->values);
    if (status == OW_OK) status = answer_queries(b, n, &repair);
    owi_repair_clear(&repair);
    return status;
}

static ow_status explain_block(block *b)
{
    const owi_problem *problem = &b->session->problem;
    const size_t C = problem->n_classes;
    double *proba = owi_explanation_alloc(b->explanation, b->n * C, sizeof *proba);
    if (proba == NULL) return OW_ERR_MEMORY;
    OWI_TRY(decide_queries(b));
    for (size_t i = 0; i < b->n; i++) OWI_TRY(describe_query(b, i, proba + i * C));
    size_t n;
    OWI_TRY(gather_active(b, &n));
    if (n == 0) return OW_OK;
    if (!owi_call_is_late(problem->call)) return answer_under_rules(b, n);
    for (size_t i = 0; i < n; i++) b->s->outcomes[i]->reason = OW_REASON_TIME_LIMIT;
    return OW_OK;
}

ow_status owi_explain_rows(ow_explainer *explainer, owi_session *session, size_t n_rows,
                           const double *values, const owi_wish *wishes,
                           ow_explanation *explanation)
{
    const owi_problem *problem = &session->problem;
    const size_t block_rows = owi_smaller(problem->block_rows, n_rows);
    scratch s;
    ow_status status = make_scratch(explainer->impl, problem, block_rows, &s);
    for (size_t first = 0; status == OW_OK && first < n_rows; first += block_rows) {
        block b = {.explainer = explainer,
                   .session = session,
                   .explanation = explanation,
                   .s = &s,
                   .first = first,
                   .n = owi_smaller(n_rows - first, block_rows),
                   .values = values + first * problem->n_columns,
                   .wishes = wishes + first};
        status = owi_call_progress(problem->call, session->stage, first, n_rows);
        if (status == OW_OK) status = explain_block(&b);
        if (status == OW_OK) explanation->n_finished = first + b.n;
    }
    owi_decision_clear(&s.decision);
    owi_free(problem->ctx, s.copies);
    owi_workspace_free(s.workspace);
    return status;
}
