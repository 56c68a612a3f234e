/* SPDX-License-Identifier: MIT */
/* What an answer is worth, and what came of a row.  Every method's answers are repaired and
 * judged here, alike: the class before and after repair, the density, how far it is. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/workspace.h"
#include "circuit/query/class_drift.h"
#include "explain/constraints/whole_rows.h"
#include "explain/core/decision.h"
#include "explain/core/explainer_private.h"
#include "model/cutoffs.h"
#include "model/model_private.h"

/* The answers that were given, one behind the other. */
typedef struct {
    owi_workspace *workspace;
    size_t n;
    size_t *answer; /* number among all answers of the block                  */
    /* All answers were given, one behind the other and as finite numbers: values and soft
     * are their own arrays, not copies. */
    bool is_lent;
    double *values;     /* n x columns: repaired                                  */
    float *soft;        /* n x soft width: as the method made them, made finite   */
    bool *is_finite;    /* n: they were                                           */
    owi_decision after; /* repair                                                 */
    double *before;     /* n x classes: log-probabilities, of the same validity */
    double *thresholds; /* rows of the block                              */
    int32_t *targets;   /* likewise                                       */
    size_t *kept;       /* n: those that repair may have changed the validity of */
    double *log_proba;  /* n x classes: of those                          */
} given;

/* A number with all bits of its exponent set is infinite or missing. */
static bool are_finite(size_t n, const float *x)
{
    uint32_t found = 0;
    for (size_t j = 0; j < n; j++) {
        uint32_t bits;
        memcpy(&bits, &x[j], sizeof bits);
        found |= (bits & 0x7f800000u) == 0x7f800000u;
    }
    return found == 0;
}

/* Whether the answers of the block can be judged where they are. */
static bool can_lend(const owi_verdict *v)
{
    const owi_problem *problem = &v->session->problem;
    const size_t width = problem->soft_width, k = problem->options->n_answers;
    for (size_t a = 0; a < v->queries->n_rows * k; a++) {
        const owi_answer *answer = &v->answers[a];
        if (!answer->given || answer->soft != v->answers[0].soft + a * width ||
            answer->values != v->answers[0].values + a * problem->n_columns ||
            !are_finite(width, answer->soft) ||
            !are_finite(width, v->queries->soft + a / k * width))
            return false;
    }
    return v->queries->n_rows > 0;
}

static ow_status make_given(const owi_verdict *v, given *g)
{
    const owi_problem *problem = &v->session->problem;
    const size_t C = problem->n_classes, n_rows = v->queries->n_rows;
    const size_t n_all = n_rows * problem->options->n_answers;
    size_t n = 0;
    for (size_t a = 0; a < n_all; a++) n += v->answers[a].given;
    g->is_lent = can_lend(v);
    const size_t n_copied = g->is_lent ? 0 : n;
    const owi_piece pieces[] = {
        OWI_PIECE(g->answer, n),
        OWI_PIECE(g->values, n_copied * problem->n_columns),
        OWI_PIECE(g->soft, n_copied * problem->soft_width),
        OWI_PIECE(g->is_finite, n),
        OWI_PIECE(g->before, n * C),
        OWI_PIECE(g->thresholds, n_rows),
        OWI_PIECE(g->targets, n_rows),
        OWI_PIECE(g->kept, n),
        OWI_PIECE(g->log_proba, n * C),
    };
    OWI_TRY(owi_pieces_new(problem->ctx, OWI_PIECES(pieces), &g->workspace));
    for (size_t a = 0; a < n_all; a++)
        if (v->answers[a].given) g->answer[g->n++] = a;
    if (g->is_lent) {
        g->values = v->answers[0].values;
        g->soft = v->answers[0].soft;
        for (size_t i = 0; i < n; i++) g->is_finite[i] = true;
    }
    return owi_decision_init(&g->after, problem, n);
}

/* ---- Repair ---- */

/* Copies what the method made.  Where steps have run away to infinity the query's own entry
 * stands in, so that the rest can still be judged. */
static bool copy_finite(size_t width, const float *query, const float *encoded, float *to)
{
    bool is_finite = true;
    for (size_t j = 0; j < width; j++) {
        const bool ok = isfinite(encoded[j]) || isnan(query[j]);
        to[j] = ok && !isnan(query[j]) ? encoded[j] : query[j];
        is_finite &= ok;
    }
    return is_finite;
}

/* The values of a soft row of query number `row`. */
static void repair_soft(const owi_verdict *v, size_t row, const float *soft, double *values)
{
    const owi_problem *problem = &v->session->problem;
    const size_t n_columns = problem->n_columns;
    const owi_repair *repair = v->queries->repair;
    const double *query = v->queries->values + row * n_columns;
    if (problem->rules->whole.are) {
        owi_whole_repair(problem->rules, query, soft, values);
        return;
    }
    (void)owi_repair_row(repair, row, soft, NULL);
    memcpy(values, repair->values + row * n_columns, n_columns * sizeof *values);
}

static void repair_answers(const owi_verdict *v, given *g)
{
    const owi_problem *problem = &v->session->problem;
    const size_t k = problem->options->n_answers, n_columns = problem->n_columns;
    const size_t width = problem->soft_width;
    float *whole = g->after.soft; /* is made anew from the values */
    for (size_t i = 0; i < g->n; i++) {
        const owi_answer *answer = &v->answers[g->answer[i]];
        const size_t row = g->answer[i] / k;
        const double *query = v->queries->values + row * n_columns;
        float *soft = g->soft + i * width;
        if (!g->is_lent)
            g->is_finite[i] =
                copy_finite(width, v->queries->soft + row * width, answer->soft, soft);
        if (answer->has_values) ow_model_soften(problem->model, 1, answer->values, whole);
        /* Values that keep every constraint are left as the method chose them. */
        if (!answer->has_values ||
            (!answer->is_final &&
             owi_rules_violations(problem->rules, query, answer->values) > 0))
            repair_soft(v, row, answer->has_values ? whole : soft, answer->values);
        if (!g->is_lent)
            memcpy(g->values + i * n_columns, answer->values, n_columns * sizeof(double));
    }
}

/* ---- Classes and densities ---- */

/* The rows listed in g->kept, n of the answers, which are all of them or copied. */
static ow_status classify_listed(const owi_verdict *v, given *g, size_t n)
{
    const owi_problem *problem = &v->session->problem;
    const size_t width = problem->soft_width;
    ow_context *ctx = problem->ctx;
    float *copies =
        n < g->n && g->is_lent ? owi_alloc_array(ctx, n * width, sizeof *copies) : g->soft;
    if (copies == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < n && n < g->n; i++)
        memmove(copies + i * width, g->soft + g->kept[i] * width, width * sizeof *copies);
    const ow_status status =
        owi_classify(problem->call, problem->classifier, n, copies, g->log_proba);
    if (copies != g->soft) owi_free(ctx, copies);
    return status;
}

/* What bounds the change of a decision without a pass, for those who have enough answers:
 * it takes as long as a few of them.  *out is NULL where there is no such bound. */
static ow_status find_spread(const owi_verdict *v, size_t n_answers, const float **out)
{
    enum { fewest_answers = 32 };
    ow_explainer *explainer = v->explainer;
    const ow_circuit *circuit = explainer->model->circuit;
    const size_t F = circuit->n_features;
    *out = explainer->spread;
    if (*out != NULL || n_answers < fewest_answers || !explainer->is_circuit ||
        !owi_circuit_is_plain(circuit) || circuit->has_levels)
        return OW_OK;
    explainer->spread = owi_alloc_array(explainer->ctx, 2 * F, sizeof(float));
    if (explainer->spread == NULL) return OW_ERR_MEMORY;
    owi_feature_spread(circuit, explainer->spread + F, explainer->spread);
    *out = explainer->spread;
    return OW_OK;
}

/* Whether an answer before repair is surely of the target or surely not, as after it:
 * repair has not moved it far enough for another decision. */
static bool is_settled(const owi_verdict *v, const given *g, size_t i, const float *spread)
{
    static const double rounding = 1e-4; /* of 1 + |log S|, of two evaluations */
    const owi_problem *problem = &v->session->problem;
    const size_t width = problem->soft_width;
    if (spread == NULL) return false;
    const double drift =
        owi_most_drift(width, spread, g->soft + i * width, g->after.soft + i * width);
    const double slack = rounding * (1.0 + fabs(g->after.log_density[i]));
    const double margin =
        fabs(owi_margin(problem, g->after.log_proba + i * problem->n_classes,
                        g->targets[g->answer[i] / problem->options->n_answers]));
    return isfinite(margin) && margin > drift + slack;
}

/* Before repair, of those that repair has changed and may have changed the decision of; the
 * others are as after. */
static ow_status classify_before(const owi_verdict *v, given *g)
{
    const owi_problem *problem = &v->session->problem;
    const size_t C = problem->n_classes, width = problem->soft_width;
    const float *spread;
    size_t n = 0;
    OWI_TRY(find_spread(v, g->n, &spread));
    memcpy(g->before, g->after.log_proba, g->n * C * sizeof(double));
    for (size_t i = 0; i < g->n; i++)
        if (memcmp(g->soft + i * width, g->after.soft + i * width, width * sizeof(float)) !=
                0 &&
            !is_settled(v, g, i, spread))
            g->kept[n++] = i;
    if (n > 0) OWI_TRY(classify_listed(v, g, n));
    for (size_t i = 0; i < n; i++)
        memcpy(g->before + g->kept[i] * C, g->log_proba + i * C, C * sizeof(double));
    return OW_OK;
}

/* Any other class was asked: if none of a row's answers is of the class that seemed
 * nearest, one may be of another. */
static void settle_targets(const owi_verdict *v, given *g)
{
    const owi_problem *problem = &v->session->problem;
    const size_t C = problem->n_classes, k = problem->options->n_answers;
    size_t first = 0, end; /* the row's answers */
    for (size_t row = 0; row < v->queries->n_rows; row++, first = end) {
        for (end = first; end < g->n && g->answer[end] < (row + 1) * k;) end++;
        g->targets[row] = v->queries->target[row];
        int32_t other = -1;
        bool reached = v->wishes[row]->target != OW_ANY_OTHER_CLASS;
        for (size_t i = first; i < end && !reached; i++) {
            const double *log_proba = g->after.log_proba + i * C;
            const int32_t c = owi_model_decide(problem->model, log_proba, -1);
            if (!owi_is_valid(problem, log_proba, c)) continue;
            reached = c == g->targets[row];
            if (other < 0 && c != v->outcomes[row]->predicted) other = c;
        }
        if (!reached && other >= 0) g->targets[row] = other;
        v->outcomes[row]->target = g->targets[row];
    }
}

/* ---- Counterfactuals ---- */

/* Nats by which two evaluations of the same row may differ. */
static const double rounding = 1e-4;

static ow_status describe_answer(const owi_verdict *v, const given *g, size_t i,
                                 double *proba, ow_counterfactual *out)
{
    const owi_problem *problem = &v->session->problem;
    const size_t C = problem->n_classes, row = g->answer[i] / problem->options->n_answers;
    const owi_answer *answer = &v->answers[g->answer[i]];
    const double *log_proba = g->after.log_proba + i * C;
    const int32_t target = g->targets[row];
    const double log_target = g->after.log_class[i * C + (size_t)target];
    const double *query = v->queries->values + row * problem->n_columns;
    for (size_t c = 0; c < C; c++) proba[c] = exp(log_proba[c]);
    *out = (ow_counterfactual){
        .values = answer->values,
        .soft = answer->soft,
        .intermediate = answer->has_intermediate ? answer->intermediate : NULL,
        .predicted = owi_model_decide(problem->model, log_proba, -1),
        .proba = proba,
        .valid = owi_is_valid(problem, log_proba, target),
        .valid_before_repair =
            g->is_finite[i] && owi_is_valid(problem, g->before + i * C, target),
        .dense = log_target >= g->thresholds[row] - rounding,
        .log_density = g->after.log_density[i],
        .log_density_target = log_target,
        .distance = owi_rules_distance(problem->rules, query, answer->values),
        .violations = owi_rules_violations(problem->rules, query, answer->values),
        .least = answer->least,
        .enough = answer->enough,
        .enough_for_class = answer->enough_for_class,
        .not_robust = problem->options->prefer == OW_PREFER_ROBUST && !answer->is_robust,
        .n_path = answer->n_path,
        .path = answer->path,
        .n_gradient = answer->n_gradient,
        .n_forward = answer->n_forward,
        .seconds = v->seconds / (double)v->queries->n_rows};
    return owi_explainer_percentile(v->explainer,
                                    g->after.rows + i * problem->model->plan.width,
                                    (size_t)target, log_target, &out->percentile);
}

/* 2: all that was asked; 1: of the class; 0: not. */
static int rank_of(const ow_counterfactual *answer)
{
    return answer->valid ? 1 + answer->dense : 0;
}

/* A row's answers, the better ones first, each only once. */
static size_t order_answers(size_t n_columns, size_t n, ow_counterfactual *answers)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        const ow_counterfactual answer = answers[i];
        size_t at = 0;
        while (at < n_kept &&
               memcmp(answers[at].values, answer.values, n_columns * sizeof(double)) != 0)
            at++;
        if (at < n_kept) continue;
        at = n_kept++;
        while (at > 0 && rank_of(&answers[at - 1]) < rank_of(&answer)) {
            answers[at] = answers[at - 1];
            at--;
        }
        answers[at] = answer;
    }
    return n_kept;
}

static void conclude(const ow_explain_options *options, const owi_answer *first,
                     ow_outcome *outcome)
{
    const ow_counterfactual *best = outcome->n_answers > 0 ? outcome->answers[0] : NULL;
    const bool valid = best != NULL && best->valid;
    outcome->kind = OW_OUTCOME_NOT_FOUND;
    outcome->reason = OW_REASON_NOT_FLIPPED;
    if (valid && (best->dense || !options->density_required)) {
        outcome->kind = OW_OUTCOME_FOUND;
        outcome->reason = OW_REASON_NONE;
    }
    if (valid && !best->dense) outcome->reason = OW_REASON_DENSITY_UNREACHABLE;
    if (!valid && first->reason != OW_REASON_NONE) outcome->reason = first->reason;
    outcome->impossible = outcome->kind == OW_OUTCOME_NOT_FOUND && first->is_whole;
}

static ow_status describe_rows(const owi_verdict *v, const given *g)
{
    const owi_problem *problem = &v->session->problem;
    const size_t C = problem->n_classes, k = problem->options->n_answers;
    double *proba = owi_explanation_alloc(v->explanation, g->n * C, sizeof *proba);
    const ow_counterfactual **listed =
        owi_explanation_alloc(v->explanation, v->queries->n_rows * k, sizeof *listed);
    if (proba == NULL || listed == NULL) return OW_ERR_MEMORY;
    size_t i = 0;
    for (size_t row = 0; row < v->queries->n_rows; row++) {
        ow_counterfactual *answers = v->judged + row * k;
        size_t n = 0;
        for (; i < g->n && g->answer[i] / k == row; i++)
            OWI_TRY(describe_answer(v, g, i, proba + i * C, &answers[n++]));
        v->outcomes[row]->n_answers = order_answers(problem->n_columns, n, answers);
        for (size_t a = 0; a < k; a++) listed[row * k + a] = &answers[a];
        v->outcomes[row]->answers = listed + row * k;
        conclude(problem->options, &v->answers[row * k], v->outcomes[row]);
    }
    return OW_OK;
}

ow_status owi_verdict_of_block(const owi_verdict *v)
{
    const owi_problem *problem = &v->session->problem;
    given g = {0};
    ow_status status = make_given(v, &g);
    if (status == OW_OK) repair_answers(v, &g);
    if (status == OW_OK)
        status = owi_decision_of_values(&g.after, problem, OWI_ALL, g.n, g.values);
    if (status == OW_OK) {
        settle_targets(v, &g);
        status = classify_before(v, &g);
    }
    if (status == OW_OK)
        status = owi_density_thresholds(problem->call, problem->reference,
                                        v->queries->n_rows, v->queries->values, g.targets,
                                        problem->options->density_quantile, g.thresholds);
    if (status == OW_OK) status = describe_rows(v, &g);
    owi_decision_clear(&g.after);
    owi_workspace_free(g.workspace);
    return status;
}
