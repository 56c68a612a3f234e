/* SPDX-License-Identifier: MIT */
/* Two gradient steps: to the class, then to the data.
 *
 * Shao, Kersting: "Gradient-based Counterfactual Explanations using Tractable Probabilistic
 * Models", 2022.  From x of class y to the target t, with S(x given c) the circuit's class
 * densities and S(x) their mixture:
 *
 *     u  = x + e1 d/dx [log S(x given t) - log S(x given y)]        class-step e1
 *     x' = u + e2 d/du log S(u)                                     density-step e2
 *
 * Departures:
 *   - The second step follows log S, not S: at S = e^-725 (MNIST) the gradient of S itself
 *     is exactly 0 in floating point.  Both point the same way; density-gradient=raw is the
 *     formula as printed.
 *   - `auto` steps are 10 v and v, v the variance of the leaves (their mean where they
 *     differ): the paper's 10 and 1 presume v = 1, and with learned variances those
 *     overshoot by far.
 *   - Categories are soft rows: with one-hot Gaussian leaves as in the paper; with
 *     categorical ones their shares.
 *   - With a foreign classifier the first step follows log P(t given x) - log P(y given x)
 *     of that.
 *   - Columns that may not change do not move; everything else is left to repair, so that u
 *     and x' are what the formulas say. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/workspace.h"
#include "circuit/device/device_steps.h"
#include "explain/core/decision.h"
#include "explain/core/explainer_list.h"
#include "explain/two_step/row_steps.h"

typedef struct {
    double class_step, density_step; /* NaN: auto */
    int density_gradient;
} settings;

enum { follow_log, follow_raw };
static const char *const gradients[] = {"log", "raw", NULL};

static const owi_param params[] = {
    OWI_NUMBER(settings, class_step, "class-step", 0.0, 1e6, "auto",
               .summary =
                   "length of the step towards the target class; auto: 10 leaf variances",
               .has_auto = true, .paper = "10"),
    OWI_NUMBER(settings, density_step, "density-step", 0.0, 1e6, "auto",
               .summary =
                   "length of the step towards higher density; auto: one leaf variance",
               .has_auto = true, .paper = "1"),
    OWI_CHOICE(settings, density_gradient, "density-gradient", gradients, "log",
               .summary =
                   "of the logarithm of the density, or of the density itself as printed"),
};

/* ---- What is ready before the first row ---- */

typedef struct {
    owi_workspace *workspace;
    double class_step, density_step;
    float *moves;      /* soft entries: 1 where they may change, else 0       */
    double *factor;    /* block x classes: +1 at t, -1 at y                   */
    double *log_class; /* block x classes                                     */
    float *points;     /* block x soft width: x, then u                       */
    float *gradient;   /* likewise                                            */
    double *log_density;
} state;

static void release(ow_context *ctx, void *made)
{
    state *s = made;
    owi_workspace_free(s->workspace);
    owi_free(ctx, s);
}

static ow_status prepare(const owi_problem *problem, const void *given, void **out)
{
    const settings *set = given;
    ow_context *ctx = problem->ctx;
    const size_t C = problem->n_classes, width = problem->soft_width;
    const size_t n = problem->block_rows;
    state *s = owi_alloc_zeroed(ctx, sizeof *s);
    *out = NULL;
    if (s == NULL) return OW_ERR_MEMORY;
    const double v = owi_circuit_mean_variance(problem->model->circuit);
    s->class_step = isnan(set->class_step) ? 10.0 * v : set->class_step;
    s->density_step = isnan(set->density_step) ? v : set->density_step;
    const owi_piece pieces[] = {
        OWI_PIECE(s->moves, width),        OWI_PIECE(s->factor, n * C),
        OWI_PIECE(s->log_class, n * C),    OWI_PIECE(s->points, n * width),
        OWI_PIECE(s->gradient, n * width), OWI_PIECE(s->log_density, n),
    };
    if (owi_pieces_new(ctx, OWI_PIECES(pieces), &s->workspace) != OW_OK) {
        release(ctx, s);
        return OW_ERR_MEMORY;
    }
    for (size_t j = 0; j < problem->n_columns; j++) {
        const owi_soft_column soft = problem->rules->columns[j].soft;
        const bool moves = !problem->rules->columns[j].limits.frozen;
        for (size_t k = 0; k < soft.width; k++)
            s->moves[soft.first + k] = moves ? 1.0f : 0.0f;
    }
    *out = s;
    return OW_OK;
}

/* ---- The steps ---- */

/* The gradient towards the class: from the pass that decided the queries, or made here. */
static ow_status slope_to_class(const owi_problem *problem, const owi_queries *queries,
                                const state *s, const float **slope)
{
    const size_t n = queries->n_rows, C = problem->n_classes;
    *slope = queries->slope;
    if (*slope != NULL) return OW_OK;
    memset(s->factor, 0, n * C * sizeof *s->factor);
    for (size_t i = 0; i < n; i++) {
        s->factor[i * C + (size_t)queries->target[i]] = 1.0;
        s->factor[i * C + (size_t)queries->origin[i]] = -1.0;
    }
    *slope = s->gradient;
    return owi_decision_slope(problem, n, queries->soft, s->factor, false, s->gradient);
}

/* u, to the answers; *points is where the rows that the next gradient is asked for are, one
 * behind the other: the answers' own, or copies where those are apart or not all finite. */
static ow_status step_to_class(const owi_problem *problem, const owi_queries *queries,
                               const state *s, owi_answer *answers, const float **points)
{
    const size_t n = queries->n_rows, width = problem->soft_width;
    const size_t k = problem->options->n_answers;
    const float *slope;
    bool is_lent = k == 1;
    OWI_TRY(slope_to_class(problem, queries, s, &slope));
    for (size_t i = 0; i < n; i++) {
        float *u = answers[i * k].intermediate;
        is_lent &= owi_take_step(width, s->moves, s->class_step, queries->soft + i * width,
                                 slope + i * width, u) &&
                   u == answers[0].intermediate + i * width;
    }
    *points = is_lent ? answers[0].intermediate : s->points;
    for (size_t i = 0; i < n && !is_lent; i++)
        owi_stay_finite(width, queries->soft + i * width, answers[i * k].intermediate,
                        s->points + i * width);
    return OW_OK;
}

static ow_status step_to_density(const owi_problem *problem, const settings *set,
                                 const state *s, size_t n, const float *points,
                                 owi_answer *answers)
{
    const size_t width = problem->soft_width;
    const size_t k = problem->options->n_answers;
    const bool raw = set->density_gradient == follow_raw;
    const ow_mix mix = {.density_factor = 1.0};
    OWI_TRY(owi_differentiate_soft(problem->call, problem->evaluator, n, points, 1, &mix,
                                   s->log_class, s->gradient));
    ow_circuit_posterior(problem->model->circuit, n, s->log_class, s->log_density, NULL);
    for (size_t i = 0; i < n; i++) {
        /* dS = S d log S */
        const double step = s->density_step * (raw ? exp(s->log_density[i]) : 1.0);
        (void)owi_take_step(width, s->moves, step, points + i * width,
                            s->gradient + i * width, answers[i * k].soft);
    }
    return OW_OK;
}

/* Both steps on a device, where the rows have one and nothing forbids it. */
static ow_status steps_there(const owi_problem *problem, const settings *set,
                             const owi_queries *queries, const state *s,
                             owi_answer *answers, bool *done)
{
    owi_device_pass *device = problem->evaluator->device;
    const owi_two_steps steps = {.n_rows = queries->n_rows,
                                 .rows = queries->soft,
                                 .origin = queries->origin,
                                 .target = queries->target,
                                 .moves = s->moves,
                                 .class_step = s->class_step,
                                 .density_step = s->density_step,
                                 .between = answers[0].intermediate,
                                 .after = answers[0].soft};
    *done = false;
    if (device == NULL || !problem->is_circuit || problem->options->n_answers > 1 ||
        set->density_gradient == follow_raw)
        return OW_OK;
    return owi_device_take_steps(problem->call, device, &steps, done);
}

static ow_status explain_block(const owi_problem *problem, const void *given, void *made,
                               const owi_queries *queries, owi_answer *answers)
{
    const state *s = made;
    const float *points;
    bool done;
    OWI_TRY(steps_there(problem, given, queries, s, answers, &done));
    if (!done) {
        OWI_TRY(step_to_class(problem, queries, s, answers, &points));
        OWI_TRY(step_to_density(problem, given, s, queries->n_rows, points, answers));
    }
    for (size_t i = 0; i < queries->n_rows; i++) {
        owi_answer *answer = &answers[i * problem->options->n_answers];
        answer->given = answer->has_intermediate = true;
        answer->n_gradient = 2;
        answer->n_forward = 1;
    }
    return OW_OK;
}

const owi_explainer_impl owi_explainer_two_step = {
    .shown =
        {
            .name = "two-step",
            .summary = "two gradient steps: to the class, then to the data",
            .needs_gradient = true,
            .n_params = sizeof params / sizeof *params,
        },
    .settings_size = sizeof(settings),
    .params = params,
    .prepare = prepare,
    .release = release,
    .wants_slope = true,
    .explain_block = explain_block,
};
