/* SPDX-License-Identifier: MIT */
/* A comparison of methods as JSON: what was asked, what the metrics are, and every figure.
 * */
#include <math.h>

#include "base/error.h"
#include "base/options.h"
#include "explain/core/explainer_private.h"
#include "model/model_private.h"
#include "otherwise/json.h"
#include "json/json_parts.h"

static const char schema_version[] = "1.0";

static const char *base_name(ow_metric_base base)
{
    static const char *const names[] = {[OW_BASE_QUERIES] = "queries",
                                        [OW_BASE_VALID] = "valid-answers",
                                        [OW_BASE_ANSWERS] = "answers",
                                        [OW_BASE_METHOD] = "method"};
    return names[base];
}

static void put_target(owi_json *json, const ow_experiment *experiment)
{
    const ow_schema *schema = ow_model_schema(experiment->model);
    const ow_explain_options *options = experiment->options;
    if (options->targets != NULL)
        owi_put_null(json, "target");
    else if (options->target == OW_ANY_OTHER_CLASS)
        owi_put_text(json, "target", "other");
    else
        owi_put_class(json, "target", schema, options->target);
}

static void put_meta(owi_json *json, const ow_evaluation_about *about)
{
    const ow_experiment *experiment = about->experiment;
    owi_json_key(json, "meta");
    owi_json_open_object(json, false);
    owi_put_text(json, "tool", "otherwise");
    owi_put_text(json, "version", ow_version());
    owi_put_text(json, "model", about->model);
    owi_put_text(json, "rows", about->rows);
    put_target(json, experiment);
    owi_put_constraints(json, "constraints", experiment->constraints, experiment->options);
    owi_put_seed(json, "seed", about->call);
    owi_put_count(json, "seeds", experiment->n_seeds);
    owi_put_count(json, "threads", ow_call_threads(about->call));
    owi_put_bool(json, "interrupted", about->interrupted);
    owi_json_close_object(json);
}

static void put_numbers(owi_json *json, const ow_evaluation_info *info)
{
    const double training = info->training_seconds > 0.0 ? info->training_seconds : NAN;
    owi_json_key(json, "n");
    owi_json_open_object(json, false);
    owi_put_count(json, "rows", info->n_rows);
    owi_put_count(json, "queries", info->n_rows - info->n_already_target);
    owi_put_count(json, "judge_rows", info->n_judge_rows);
    owi_put_count(json, "neighbour_rows", info->n_neighbour_rows);
    owi_json_close_object(json);
    owi_json_key(json, "seconds");
    owi_json_open_object(json, false);
    owi_put_number(json, "judge", info->judge_seconds);
    owi_put_number(json, "training", training);
    owi_json_close_object(json);
}

static void put_metrics(owi_json *json)
{
    owi_json_key(json, "metrics");
    owi_json_open_array(json, false);
    for (size_t i = 0; ow_metric_get(i) != NULL; i++) {
        const ow_metric *metric = ow_metric_get(i);
        owi_json_open_object(json, false);
        owi_put_text(json, "name", metric->name);
        owi_put_text(json, "better", metric->direction == OW_BETTER_MORE ? "more" : "less");
        owi_put_text(json, "over", base_name(metric->base));
        owi_put_text(json, "summary", metric->summary);
        owi_json_close_object(json);
    }
    owi_json_close_array(json);
}

static void put_figures(owi_json *json, const ow_evaluation *evaluation, size_t method)
{
    owi_json_key(json, "metrics");
    owi_json_open_object(json, false);
    for (size_t i = 0; ow_metric_get(i) != NULL; i++) {
        const ow_figure figure = ow_evaluation_figure(evaluation, method, i);
        owi_json_key(json, ow_metric_get(i)->name);
        owi_json_open_object(json, false);
        owi_put_number(json, "mean", figure.mean);
        owi_put_number(json, "deviation", figure.deviation);
        owi_put_number(json, "common_mean", figure.common_mean);
        owi_put_number(json, "common_deviation", figure.common_deviation);
        owi_json_close_object(json);
    }
    owi_json_close_object(json);
}

static void put_method(owi_json *json, const ow_evaluation *evaluation, size_t method)
{
    const ow_standing standing = *ow_evaluation_standing(evaluation, method);
    owi_json_open_object(json, false);
    owi_put_text(json, "name", standing.name);
    owi_json_key(json, "params");
    owi_json_open_object(json, false);
    for (size_t k = 0; k < standing.n_settings; k++)
        owi_put_text(json, standing.settings[k].name, standing.settings[k].value);
    owi_json_close_object(json);
    owi_put_count(json, "seeds", standing.n_seeds);
    owi_put_number(json, "answered", standing.n_answered);
    owi_put_number(json, "valid", standing.n_valid);
    owi_put_number(json, "common", standing.n_common);
    put_figures(json, evaluation, method);
    owi_json_close_object(json);
}

/* The yardstick: what real rows of the target class have. */
static void put_real_rows(owi_json *json, const ow_evaluation *evaluation)
{
    owi_json_key(json, "real_rows");
    owi_json_open_object(json, false);
    for (size_t i = 0; ow_metric_get(i) != NULL; i++) {
        const ow_figure figure = ow_evaluation_real_rows(evaluation, i);
        if (isnan(figure.mean)) continue;
        owi_json_key(json, ow_metric_get(i)->name);
        owi_json_open_object(json, false);
        owi_put_number(json, "mean", figure.mean);
        owi_put_number(json, "deviation", figure.deviation);
        owi_json_close_object(json);
    }
    owi_json_close_object(json);
}

ow_status ow_evaluation_json(const ow_evaluation_about *given,
                             const ow_evaluation *evaluation, char **text, size_t *size)
{
    owi_json json;
    ow_evaluation_about about = {0};
    ow_experiment experiment;
    ow_explain_options options = owi_explain_defaults();
    ow_call call = {0};
    OWI_REQUIRE(text != NULL);
    *text = NULL;
    OWI_REQUIRE(evaluation != NULL && given != NULL);
    ow_experiment_init(&experiment, sizeof experiment);
    OWI_TRY(OWI_OPTIONS_TAKE(ow_evaluation_about, given, &about));
    OWI_TRY(OWI_OPTIONS_TAKE(ow_experiment, about.experiment, &experiment));
    OWI_TRY(OWI_OPTIONS_TAKE(ow_explain_options, experiment.options, &options));
    OWI_TRY(OWI_OPTIONS_TAKE(ow_call, about.call, &call));
    OWI_REQUIRE(experiment.model != NULL);
    about.call = &call;
    experiment.options = &options;
    about.experiment = &experiment;
    const ow_evaluation_info info = *ow_evaluation_get_info(evaluation);
    owi_json_begin(&json, experiment.model->ctx);
    owi_json_open_object(&json, false);
    owi_put_text(&json, "schema_version", schema_version);
    put_meta(&json, &about);
    put_numbers(&json, &info);
    put_metrics(&json);
    owi_json_key(&json, "methods");
    owi_json_open_array(&json, false);
    for (size_t m = 0; m < info.n_methods; m++) put_method(&json, evaluation, m);
    owi_json_close_array(&json);
    put_real_rows(&json, evaluation);
    owi_json_close_object(&json);
    return owi_json_end(&json, text, size);
}
