/* SPDX-License-Identifier: MIT */
/* Every method on the same rows, one after the other, with one seed after the other. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/options.h"
#include "evaluate/answers.h"
#include "evaluate/evaluation.h"
#include "evaluate/known_rows.h"
#include "evaluate/real_rows.h"
#include "evaluate/stability.h"
#include "explain/core/explainer_private.h"
#include "model/model_private.h"

/* What the runs of an experiment share. */
typedef struct {
    const ow_experiment *asked;
    owi_call call; /* with the seed that is at work                               */
    ow_context *ctx;
    ow_explain_options options; /* of every method                                */
    size_t n_columns;
    ow_classifier *own_classifier; /* NULL: a foreign one was given               */
    ow_classifier *classifier;
    owi_known_rows known;
    owi_neighbours *neighbours; /* NULL: no known rows                            */
    owi_judge *judge;           /* of this seed; NULL: none                       */
    /* Of this seed: of the methods, then of the answers that were given. */
    ow_explainer **explainers;
    size_t n_entrants;
    ow_evaluation *evaluation;
} experiment;

static const ow_experiment defaults = {.size = sizeof(ow_experiment),
                                       .n_seeds = 1,
                                       .noise = 0.01};

void ow_experiment_init(ow_experiment *asked, size_t size)
{
    owi_options_give(&defaults, sizeof defaults, asked, size);
}

/* ---- Once ---- */

static ow_status prepare(experiment *x)
{
    const ow_experiment *asked = x->asked;
    x->classifier = asked->classifier;
    if (x->classifier == NULL) {
        OWI_TRY(ow_model_classifier_new(asked->model, asked->backend, &x->own_classifier));
        x->classifier = x->own_classifier;
    }
    if (asked->n_known == 0) return OW_OK;
    OWI_TRY(owi_known_rows_init(&x->known, asked, &x->call, x->classifier));
    OWI_TRY(owi_neighbours_new(x->ctx, asked->model, x->known.n_rows, x->known.values,
                               x->known.predicted, &x->neighbours));
    x->evaluation->info.n_neighbour_rows = owi_neighbours_n_rows(x->neighbours);
    return OW_OK;
}

static ow_status learn_judge(experiment *x, size_t seed)
{
    const ow_experiment *asked = x->asked;
    ow_evaluation_info *info = &x->evaluation->info;
    const double began = owi_clock_seconds();
    owi_judge_free(x->judge);
    x->judge = NULL;
    if (x->known.n_rows == 0) return OW_OK;
    const owi_call call = owi_call_with_seed(&x->call, x->call.seed + 1);
    OWI_TRY(owi_judge_new(&call, asked->model, asked->backend, x->known.n_rows,
                          x->known.values, x->known.classes, &x->judge));
    const double before = info->judge_seconds * (double)seed;
    info->judge_seconds = (before + owi_clock_seconds() - began) / (double)(seed + 1);
    info->n_judge_rows = x->judge != NULL ? x->known.n_rows : 0;
    return OW_OK;
}

/* ---- Methods ---- */

/* The answers of entrant number `entrant`; NULL: it is a method. */
static const ow_given_answers *given_answers(const experiment *x, size_t entrant)
{
    const size_t n_methods = x->asked->n_methods;
    return entrant < n_methods ? NULL : &x->asked->given[entrant - n_methods];
}

/* An explainer with the contestant's settings. */
static ow_status enter_method(const experiment *x, const ow_explain_model *parts,
                              const ow_contestant *contestant, ow_explainer **explainer)
{
    OWI_TRY(ow_explainer_new(parts, contestant->method, explainer));
    if (contestant->preset != NULL)
        OWI_TRY(ow_explainer_preset(*explainer, contestant->preset));
    for (size_t k = 0; k < contestant->n_settings; k++)
        OWI_TRY(ow_explainer_set(*explainer, contestant->settings[k].name,
                                 contestant->settings[k].value));
    if (ow_explainer_method(*explainer)->needs_background && x->known.n_rows == 0)
        return owi_fail(OW_ERR_ARGUMENT,
                        "%s needs background rows: rows that its answers may come from",
                        contestant->method);
    return OW_OK;
}

static ow_status enter(experiment *x, size_t entrant)
{
    const ow_experiment *asked = x->asked;
    ow_explainer **explainer = &x->explainers[entrant];
    const ow_explain_model parts = {.size = sizeof(ow_explain_model),
                                    .model = asked->model,
                                    .classifier = asked->classifier,
                                    .backend = asked->backend};
    const ow_given_answers *given = given_answers(x, entrant);
    OWI_TRY(given != NULL
                ? owi_explainer_of_given(&parts, given->values, given->answered, explainer)
                : enter_method(x, &parts, &asked->methods[entrant], explainer));
    if (x->known.n_rows == 0) return OW_OK;
    return ow_explainer_set_background(*explainer, x->known.n_rows, x->known.values);
}

/* Name and parameters, for the record. */
static ow_status note_entrant(experiment *x, size_t method)
{
    const ow_given_answers *given = given_answers(x, method);
    const ow_method *about = ow_explainer_method(x->explainers[method]);
    owi_entrant *entrant = &x->evaluation->entrants[method];
    const char *title = given != NULL ? given->name : about->name;
    const char *preset = given != NULL ? NULL : x->asked->methods[method].preset;
    entrant->name = preset != NULL ? owi_format_text(x->ctx, "%s:%s", title, preset)
                                   : owi_format_text(x->ctx, "%s", title);
    entrant->settings = owi_alloc_array(x->ctx, about->n_params, sizeof *entrant->settings);
    if (entrant->name == NULL || entrant->settings == NULL) return OW_ERR_MEMORY;
    for (size_t k = 0; k < about->n_params; k++) {
        const char *name = ow_method_param(about, k)->name;
        const char *value;
        OWI_TRY(ow_explainer_get(x->explainers[method], name, &value));
        char *copy = owi_copy_text(x->ctx, value, strlen(value));
        if (copy == NULL) return OW_ERR_MEMORY;
        entrant->settings[entrant->n_settings++] = (ow_setting){name, copy};
    }
    return OW_OK;
}

/* Explainers draw what is random with the seed of the call that prepares them: every seed
 * has its own. */
static ow_status enter_all(experiment *x, size_t seed)
{
    for (size_t m = 0; m < x->n_entrants; m++) {
        ow_explainer_free(x->explainers[m]);
        x->explainers[m] = NULL;
        OWI_TRY(enter(x, m));
        if (seed == 0) OWI_TRY(note_entrant(x, m));
    }
    return OW_OK;
}

/* ---- Figures ---- */

/* Nobody here knows what answers made elsewhere have cost. */
static void forget_work(size_t n_rows, owi_run *run)
{
    static const owi_metric_index work[] = {OWI_GRADIENT_PASSES, OWI_FORWARD_PASSES,
                                            OWI_TIME_MEAN};
    for (size_t i = 0; i < n_rows; i++)
        for (size_t k = 0; k < sizeof work / sizeof *work; k++)
            *owi_figure_at(run->figures, i, work[k]) = NAN;
    run->whole[OWI_PREPARATION_SECONDS] = run->whole[OWI_BATCH_SECONDS] = NAN;
}

static ow_status measure(const experiment *x, size_t method, const owi_answers *answers,
                         owi_run *run)
{
    const bool is_given = given_answers(x, method) != NULL;
    const owi_stability how = {.explainer = x->explainers[method],
                               .constraints = x->asked->constraints,
                               .options = &x->options,
                               .time_limit = x->asked->time_limit,
                               .noise = x->asked->noise,
                               .seed = x->call.seed};
    owi_diversity_figures(answers, run->figures);
    OWI_TRY(owi_outcome_figures(answers, run->figures));
    OWI_TRY(owi_raw_figures(answers, run->figures));
    if (!x->asked->skip_redundancy) OWI_TRY(owi_redundancy_figures(answers, run->figures));
    OWI_TRY(owi_collapse(answers, &run->whole[OWI_COLLAPSE]));
    OWI_TRY(owi_outside_figures(answers, x->neighbours, x->judge, run->figures));
    if (is_given) forget_work(answers->n_rows, run);
    if (how.noise > 0.0 && !is_given)
        OWI_TRY(owi_stability_figures(answers, &how, run->figures));
    return owi_summarize_times(x->ctx, answers->n_rows, run);
}

/* Rows of the target class are the same for every method: the first that is complete shows
 * them. */
static ow_status measure_real(const experiment *x, const owi_answers *answers, size_t seed)
{
    owi_run *real = &x->evaluation->real[seed];
    if (real->complete) return OW_OK;
    OWI_TRY(owi_real_row_figures(answers, x->neighbours, x->judge, real->figures));
    real->complete = true;
    return OW_OK;
}

/* ---- Runs ---- */

static void note_rows(const owi_answers *answers, owi_run *run)
{
    for (size_t i = 0; i < answers->n_rows; i++) {
        const ow_outcome *outcome = &answers->outcomes[i];
        run->rows[i] = (owi_row_state){.kind = outcome->kind,
                                       .reason = outcome->reason,
                                       .predicted = outcome->predicted,
                                       .target = outcome->target,
                                       .valid = owi_valid_answer(answers, i) != NULL,
                                       .answered = owi_any_answer(answers, i) != NULL};
    }
}

static ow_status run_method(experiment *x, size_t seed, size_t method)
{
    const ow_experiment *asked = x->asked;
    ow_explainer *explainer = x->explainers[method];
    owi_run *run = owi_evaluation_run(x->evaluation, seed, method);
    ow_explanation *explanation = NULL;
    ow_outcome *outcomes = owi_alloc_array(x->ctx, asked->n_queries, sizeof *outcomes);
    const owi_answers answers = {.call = &x->call,
                                 .ctx = x->ctx,
                                 .model = asked->model,
                                 .classifier = x->classifier,
                                 .n_rows = asked->n_queries,
                                 .n_columns = x->n_columns,
                                 .queries = asked->queries,
                                 .outcomes = outcomes};
    if (outcomes == NULL) return OW_ERR_MEMORY;
    const double began = owi_clock_seconds();
    const owi_call call = owi_call_with_limit(&x->call, asked->time_limit);
    ow_status status = owi_explain(&call, explainer, asked->constraints, &x->options,
                                   asked->n_queries, asked->queries, &explanation);
    const double seconds = owi_clock_seconds() - began;
    if (status == OW_OK) {
        for (size_t i = 0; i < asked->n_queries; i++)
            outcomes[i] = *ow_explanation_outcome(explanation, i);
        run->whole[OWI_PREPARATION_SECONDS] = ow_explainer_preparation_seconds(explainer);
        run->whole[OWI_BATCH_SECONDS] =
            fmax(0.0, seconds - run->whole[OWI_PREPARATION_SECONDS]);
        note_rows(&answers, run);
        status = measure(x, method, &answers, run);
        run->complete = status == OW_OK;
        if (status == OW_OK) status = measure_real(x, &answers, seed);
    }
    ow_explanation_free(explanation);
    owi_free(x->ctx, outcomes);
    return status;
}

static ow_status run_all(experiment *x, const owi_call *call)
{
    x->call = owi_call_with_seed(call, call->seed);
    ow_status status = prepare(x);
    for (size_t s = 0; s < x->asked->n_seeds && status == OW_OK; s++) {
        x->call.seed = call->seed + s;
        status = enter_all(x, s);
        if (status == OW_OK) status = learn_judge(x, s);
        for (size_t m = 0; m < x->n_entrants && status == OW_OK; m++)
            status = run_method(x, s, m);
    }
    return status;
}

static bool anything_complete(const ow_evaluation *evaluation)
{
    const size_t n = evaluation->info.n_seeds * evaluation->info.n_methods;
    for (size_t r = 0; r < n; r++)
        if (evaluation->runs[r].complete) return true;
    return false;
}

static void clear(experiment *x)
{
    for (size_t m = 0; x->explainers != NULL && m < x->n_entrants; m++)
        ow_explainer_free(x->explainers[m]);
    owi_free(x->ctx, x->explainers);
    owi_judge_free(x->judge);
    owi_neighbours_free(x->neighbours);
    owi_known_rows_clear(&x->known);
    ow_classifier_free(x->own_classifier);
}

/* That the answers can be rows of the model's. */
static ow_status check_given(const ow_experiment *asked)
{
    const ow_schema *schema = ow_model_schema(asked->model);
    const size_t d = ow_schema_n_columns(schema);
    for (size_t g = 0; g < asked->n_given; g++) {
        const ow_given_answers *given = &asked->given[g];
        OWI_REQUIRE(given->name != NULL && given->values != NULL);
        for (size_t i = 0; i < asked->n_queries; i++)
            if (given->answered == NULL || given->answered[i])
                OWI_TRY(owi_check_values(schema, "the answer to row", i, 1,
                                         given->values + i * d));
    }
    return OW_OK;
}

ow_status ow_experiment_run(const ow_experiment *given, const ow_call *call,
                            ow_evaluation **out)
{
    OWI_REQUIRE(given != NULL && out != NULL);
    *out = NULL;
    ow_experiment own = defaults;
    ow_explain_options options = owi_explain_defaults();
    OWI_TRY(OWI_OPTIONS_TAKE(ow_experiment, given, &own));
    OWI_TRY(OWI_OPTIONS_TAKE(ow_explain_options, own.options, &options));
    options.explain_failure = false; /* no metric asks for it */
    const ow_experiment *asked = &own;
    OWI_REQUIRE(asked->model != NULL);
    OWI_REQUIRE(asked->n_methods + asked->n_given > 0 && asked->n_seeds > 0);
    OWI_REQUIRE(asked->n_methods == 0 || asked->methods != NULL);
    OWI_REQUIRE(asked->n_given == 0 || asked->given != NULL);
    OWI_REQUIRE(asked->queries != NULL && asked->n_queries > 0);
    OWI_REQUIRE(asked->n_known == 0 || asked->known != NULL);
    OWI_REQUIRE(asked->time_limit >= 0.0);
    OWI_REQUIRE(asked->noise >= 0.0 && asked->noise <= 1.0);
    const ow_model *model = asked->model;
    ow_context *ctx = model->ctx;
    owi_call running;
    OWI_TRY(owi_call_begin(&running, ctx, call));
    experiment x = {.asked = asked,
                    .options = options,
                    .ctx = ctx,
                    .n_columns = ow_schema_n_columns(ow_model_schema(model)),
                    .n_entrants = asked->n_methods + asked->n_given};
    OWI_TRY(check_given(asked));
    OWI_TRY(owi_evaluation_new(ctx, x.n_entrants, asked->n_seeds, asked->n_queries,
                               &x.evaluation));
    x.evaluation->info.training_seconds = ow_model_report(model)->seconds;
    x.explainers = owi_alloc_array(ctx, x.n_entrants, sizeof *x.explainers);
    ow_status status = x.explainers != NULL ? run_all(&x, &running) : OW_ERR_MEMORY;
    clear(&x);

    const bool kept =
        status == OW_OK || (status == OW_ERR_CANCELLED && anything_complete(x.evaluation));
    const ow_status summarized = kept ? owi_summarize(x.evaluation) : OW_OK;
    if (summarized != OW_OK) status = summarized;
    if (kept && summarized == OW_OK)
        *out = x.evaluation;
    else
        ow_evaluation_free(x.evaluation);
    return status;
}
