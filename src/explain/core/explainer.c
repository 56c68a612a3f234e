/* SPDX-License-Identifier: MIT */
/* An explainer: a method with its parameters, the model and the classifier, and rows that
 * it may know. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/options.h"
#include "base/text/quote.h"
#include "classifier/classifier.h"
#include "explain/core/background.h"
#include "explain/core/explainer_list.h"
#include "explain/core/explainer_private.h"
#include "model/model_private.h"

static void forget_background(ow_explainer *explainer)
{
    owi_background_clear(&explainer->background, explainer->ctx);
    explainer->background = (owi_background){0};
    explainer->has_background = false;
}

/* ---- Parameters ---- */

static ow_status set_param(ow_explainer *explainer, size_t index, const char *value)
{
    const owi_param_table table = owi_explainer_params(explainer->impl);
    char *text;
    OWI_TRY(
        owi_param_parse(explainer->ctx, &table, index, value, explainer->settings, &text));
    owi_free(explainer->ctx, explainer->texts[index]);
    explainer->texts[index] = text;
    return OW_OK;
}

ow_status ow_explainer_set(ow_explainer *explainer, const char *name, const char *value)
{
    size_t index;
    OWI_REQUIRE(explainer != NULL && name != NULL && value != NULL);
    const owi_param_table table = owi_explainer_params(explainer->impl);
    OWI_TRY(owi_param_find(&table, name, &index));
    OWI_TRY(set_param(explainer, index, value));
    owi_session_forget(explainer);
    return OW_OK;
}

ow_status ow_explainer_preset(ow_explainer *explainer, const char *preset)
{
    char quoted[owi_quote_size];
    OWI_REQUIRE(explainer != NULL && preset != NULL);
    if (strcmp(preset, "paper") != 0 && strcmp(preset, "reference") != 0 &&
        strcmp(preset, "") != 0)
        return owi_fail(OW_ERR_ARGUMENT,
                        "there is no preset %s; there are \"paper\" and \"reference\"",
                        owi_quote_text(preset, quoted));
    owi_session_forget(explainer);
    explainer->has_preset = preset[0] != '\0';
    for (size_t i = 0; i < explainer->impl->shown.n_params; i++)
        OWI_TRY(
            set_param(explainer, i, owi_param_preset(&explainer->impl->params[i], preset)));
    return OW_OK;
}

ow_status ow_explainer_get(const ow_explainer *explainer, const char *name,
                           const char **value)
{
    size_t index;
    OWI_REQUIRE(explainer != NULL && name != NULL && value != NULL);
    *value = NULL;
    const owi_param_table table = owi_explainer_params(explainer->impl);
    OWI_TRY(owi_param_find(&table, name, &index));
    *value = explainer->texts[index];
    return OW_OK;
}

const ow_method *ow_explainer_method(const ow_explainer *explainer)
{
    return &explainer->impl->shown;
}

double ow_explainer_preparation_seconds(const ow_explainer *explainer)
{
    return explainer->preparation_seconds;
}

/* ---- Making one ---- */

/* The classifier sees the model's rows and knows its classes. */
static ow_status check_classifier(const ow_explainer *explainer)
{
    const size_t width = ow_model_soft_width(explainer->model);
    const size_t n_classes = ow_schema_n_classes(ow_model_schema(explainer->model));
    if (ow_classifier_width(explainer->classifier) != width)
        return owi_fail(OW_ERR_ARGUMENT,
                        "the classifier takes rows of %zu entries, the model's have %zu",
                        ow_classifier_width(explainer->classifier), width);
    if (ow_classifier_n_classes(explainer->classifier) != n_classes)
        return owi_fail(OW_ERR_ARGUMENT,
                        "the classifier tells %zu classes apart, the model has %zu",
                        ow_classifier_n_classes(explainer->classifier), n_classes);
    return OW_OK;
}

static ow_status set_up(ow_explainer *explainer, const ow_explain_model *parts)
{
    ow_context *ctx = explainer->ctx;
    const owi_explainer_impl *impl = explainer->impl;
    explainer->settings = owi_alloc_zeroed(ctx, impl->settings_size);
    explainer->texts = owi_alloc_array(ctx, impl->shown.n_params, sizeof *explainer->texts);
    if (explainer->settings == NULL || explainer->texts == NULL) return OW_ERR_MEMORY;
    if (parts->backend != NULL) {
        explainer->backend = owi_copy_text(ctx, parts->backend, strlen(parts->backend));
        if (explainer->backend == NULL) return OW_ERR_MEMORY;
    }
    OWI_TRY(ow_evaluator_new(explainer->model->circuit, explainer->backend,
                             &explainer->evaluator));
    explainer->classifier = parts->classifier;
    if (parts->classifier == NULL) {
        OWI_TRY(ow_model_classifier_new(explainer->model, explainer->backend,
                                        &explainer->classifier));
        explainer->owns_classifier = true;
    }
    explainer->is_circuit =
        owi_classifier_circuit(explainer->classifier) == explainer->model->circuit;
    OWI_TRY(check_classifier(explainer));
    return ow_explainer_preset(explainer, "");
}

ow_status owi_explainer_make(const ow_explain_model *model, const owi_explainer_impl *impl,
                             ow_explainer **out)
{
    *out = NULL;
    ow_explain_model parts = {.size = sizeof(ow_explain_model)};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_explain_model, model, &parts));
    OWI_REQUIRE(parts.model != NULL);
    ow_context *ctx = parts.model->ctx;
    ow_explainer *explainer = owi_alloc_zeroed(ctx, sizeof *explainer);
    if (explainer == NULL) return OW_ERR_MEMORY;
    explainer->ctx = ctx;
    explainer->model = parts.model;
    explainer->impl = impl;
    const ow_status status = set_up(explainer, &parts);
    if (status == OW_OK)
        *out = explainer;
    else
        ow_explainer_free(explainer);
    return status;
}

ow_status ow_explainer_new(const ow_explain_model *model, const char *method,
                           ow_explainer **out)
{
    size_t index;
    OWI_REQUIRE(out != NULL);
    *out = NULL;
    OWI_REQUIRE(model != NULL && method != NULL);
    OWI_TRY(owi_explainer_find(method, &index));
    return owi_explainer_make(model, owi_explainer_impl_get(index), out);
}

void ow_explainer_free(ow_explainer *explainer)
{
    if (explainer == NULL) return;
    ow_context *ctx = explainer->ctx;
    owi_session_forget(explainer);
    forget_background(explainer);
    for (size_t i = 0; explainer->texts != NULL && i < explainer->impl->shown.n_params; i++)
        owi_free(ctx, explainer->texts[i]);
    owi_free(ctx, explainer->texts);
    owi_free(ctx, explainer->settings);
    owi_free(ctx, explainer->backend);
    if (explainer->owns_classifier) ow_classifier_free(explainer->classifier);
    owi_gap_percentiles_free(explainer->gaps);
    owi_free(ctx, explainer->spread);
    ow_evaluator_free(explainer->evaluator);
    owi_free(ctx, explainer);
}

/* ---- Background ---- */

ow_status ow_explainer_set_background(ow_explainer *explainer, size_t n_rows,
                                      const double *values)
{
    OWI_REQUIRE(explainer != NULL);
    OWI_REQUIRE(n_rows == 0 || values != NULL);
    OWI_TRY(owi_check_values(ow_model_schema(explainer->model), "background row", 0, n_rows,
                             values));
    owi_session_forget(explainer);
    forget_background(explainer);
    explainer->background.n_rows = n_rows;
    explainer->background.values = values;
    explainer->has_background = n_rows > 0;
    return OW_OK;
}

ow_status owi_explainer_ready_background(ow_explainer *explainer)
{
    owi_background *background = &explainer->background;
    if (!explainer->has_background || background->predicted != NULL) return OW_OK;
    return owi_background_decide(explainer->call, background, explainer->model,
                                 explainer->classifier);
}

/* ---- Percentiles ---- */

ow_status owi_explainer_percentile(ow_explainer *explainer, const float *row, size_t c,
                                   double log_class, double *percentile)
{
    return owi_row_percentile(explainer->call, explainer->model, explainer->evaluator,
                              &explainer->gaps, row, c, log_class, percentile);
}
