/* SPDX-License-Identifier: MIT */
/* A model as JSON: classes, circuit, network, how it was trained and how good it is; with
 * every column and the densities of its training rows, if wanted. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/options.h"
#include "model/model_private.h"
#include "otherwise/json.h"
#include "json/json_parts.h"

static void put_classes(owi_json *json, const ow_model *model)
{
    const double *log_prior = ow_circuit_log_prior(model->circuit);
    owi_json_key(json, "classes");
    owi_json_open_array(json, false);
    for (size_t c = 0; c < ow_schema_n_classes(model->schema); c++) {
        owi_json_open_object(json, false);
        owi_put_class(json, "name", model->schema, (int32_t)c);
        owi_put_number(json, "prior", exp(log_prior[c]));
        if (model->cutoffs != NULL) owi_put_number(json, "cutoff", model->cutoffs[c]);
        owi_json_close_object(json);
    }
    owi_json_close_array(json);
}

static void put_circuit(owi_json *json, const ow_circuit *circuit)
{
    const ow_circuit_spec *spec = ow_circuit_get_spec(circuit);
    owi_json_key(json, "circuit");
    owi_json_open_object(json, false);
    owi_put_text(json, "structure",
                 spec->structure == OW_STRUCTURE_SHARED ? "shared" : "per-class");
    owi_put_text(json, "regions", spec->parents != NULL ? "tree" : "random");
    owi_put_count(json, "depth", spec->depth);
    owi_put_count(json, "repetitions", spec->repetitions);
    owi_put_count(json, "sums", spec->sums);
    owi_put_count(json, "inputs", spec->inputs);
    owi_put_count(json, "columns", spec->n_columns);
    if (spec->variance > 0.0)
        owi_put_number(json, "variance", spec->variance);
    else
        owi_put_text(json, "variance", "learned");
    owi_put_count(json, "leaf_parameters", ow_circuit_n_leaf_parameters(circuit));
    owi_put_count(json, "weights", ow_circuit_n_weights(circuit));
    owi_json_close_object(json);
}

/* null: the circuit decides. */
static void put_network(owi_json *json, const ow_model *model)
{
    ow_network_size size;
    owi_json_key(json, "network");
    if (!ow_model_network(model, &size)) {
        owi_json_null(json);
        return;
    }
    owi_json_open_object(json, false);
    owi_json_key(json, "hidden");
    owi_json_open_array(json, false);
    for (size_t l = 0; l < size.n_hidden; l++)
        owi_json_integer(json, (int64_t)size.hidden[l]);
    owi_json_close_array(json);
    owi_put_count(json, "parameters", size.n_parameters);
    owi_json_close_object(json);
}

/* Only where there is one. */
static void put_foreign(owi_json *json, const ow_model *model)
{
    ow_foreign_info info;
    if (!ow_model_foreign(model, &info)) return;
    owi_json_key(json, "foreign");
    owi_json_open_object(json, false);
    owi_put_text(json, "package", info.package);
    owi_put_text(json, "path", info.path);
    owi_put_text(json, "sha256", info.sha256);
    owi_put_count(json, "trees", info.n_trees);
    owi_put_bool(json, "embedded", info.embedded);
    owi_put_number(json, "agreement", model->report.agreement);
    owi_json_close_object(json);
}

/* ---- How it was trained ---- */

static void copy_value(owi_json *json, json_t *value);

static void copy_items(owi_json *json, json_t *value)
{
    const char *key;
    json_t *item;
    size_t i;
    if (json_is_array(value)) {
        owi_json_open_array(json, false);
        json_array_foreach(value, i, item) copy_value(json, item);
        owi_json_close_array(json);
        return;
    }
    owi_json_open_object(json, false);
    json_object_foreach(value, key, item)
    {
        owi_json_key(json, key);
        copy_value(json, item);
    }
    owi_json_close_object(json);
}

/* The writer fails beyond the depth that it has room for, which ends the recursion. */
static void copy_value(owi_json *json, json_t *value)
{
    if (json->status != OW_OK) return;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        copy_items(json, value);
        return;
    case JSON_STRING:
        owi_json_text(json, json_string_value(value));
        return;
    case JSON_INTEGER:
        owi_json_integer(json, json_integer_value(value));
        return;
    case JSON_REAL:
        owi_json_decimal(json, json_real_value(value), owi_json_digits);
        return;
    case JSON_TRUE:
    case JSON_FALSE:
        owi_json_bool(json, json_is_true(value));
        return;
    case JSON_NULL:
        owi_json_null(json);
    }
}

/* The text that the model's file carries, set like the rest. */
static void put_training(owi_json *json, const ow_model *model)
{
    json_t *training = json_loads(ow_model_training(model), JSON_DECODE_ANY, NULL);
    owi_json_key(json, "training");
    if (training != NULL)
        copy_value(json, training);
    else if (json->status == OW_OK)
        json->status = owi_fail(OW_ERR_MEMORY, "out of memory");
    json_decref(training);
}

/* Figures of rows that were not learned from (ow_quality); null without such rows. */
static void put_quality(owi_json *json, const ow_model *model)
{
    const ow_quality *unseen = &model->quality;
    owi_json_key(json, "unseen");
    if (unseen->n_rows == 0) {
        owi_json_null(json);
        return;
    }
    owi_json_open_object(json, false);
    owi_put_count(json, "rows", unseen->n_rows);
    owi_put_count(json, "folds", unseen->n_folds);
    owi_put_number(json, "accuracy", unseen->accuracy);
    owi_put_range(json, "accuracy_interval", unseen->accuracy_low, unseen->accuracy_high);
    owi_put_text(json, "majority_class",
                 ow_schema_class_name(model->schema, (size_t)unseen->majority_class));
    owi_put_number(json, "majority_share", unseen->majority);
    owi_put_number(json, "auc", unseen->auc);
    owi_put_number(json, "gini", 2.0 * unseen->auc - 1.0);
    owi_put_number(json, "log_loss", unseen->log_loss);
    owi_put_number(json, "calibration_error",
                   ow_calibration_error(model->report.calibration));
    owi_json_close_object(json);
}

/* By the name of the class that rows have, then by that which they are taken for; null
 * without rows. */
static void put_confusion(owi_json *json, const ow_model *model)
{
    const ow_schema *schema = model->schema;
    const size_t C = ow_schema_n_classes(schema);
    owi_json_key(json, "confusion");
    if (model->quality.n_rows == 0) {
        owi_json_null(json);
        return;
    }
    owi_json_open_object(json, false);
    for (size_t y = 0; y < C; y++) {
        owi_json_key(json, ow_schema_class_name(schema, y));
        owi_json_open_object(json, false);
        for (size_t c = 0; c < C; c++)
            owi_put_count(json, ow_schema_class_name(schema, c),
                          model->confusion[y * C + c]);
        owi_json_close_object(json);
    }
    owi_json_close_object(json);
}

/* ---- All of it ---- */

static void put_columns(owi_json *json, const ow_model *model)
{
    owi_json_key(json, "columns");
    owi_json_open_array(json, false);
    for (size_t j = 0; j < ow_schema_n_columns(model->schema); j++) {
        const ow_column *column = ow_schema_column(model->schema, j);
        const ow_column_figures figures = ow_model_figures(model, j);
        owi_json_open_object(json, false);
        owi_put_text(json, "name", column->name);
        owi_put_text(json, "type", ow_column_type_name(column->type));
        owi_put_text(json, "leaf", ow_column_leaf_name(ow_model_column_leaf(model, j)));
        if (column->n_levels > 0)
            owi_put_levels(json, column);
        else
            owi_put_range(json, "range", figures.low, figures.high);
        owi_json_close_object(json);
    }
    owi_json_close_array(json);
}

/* The densities below which so many percent of a class's training rows lie. */
static void put_percentiles(owi_json *json, const ow_model *model)
{
    static const int percents[] = {1, 25, 50, 75, 99};
    owi_json_key(json, "log_density_percentiles");
    owi_json_open_object(json, false);
    for (size_t c = 0; c < ow_schema_n_classes(model->schema); c++) {
        owi_json_key(json, ow_schema_class_name(model->schema, c));
        owi_json_open_object(json, false);
        for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
            char key[8];
            snprintf(key, sizeof key, "%d", percents[i]);
            owi_put_number(json, key, ow_model_density_at(model, c, percents[i]));
        }
        owi_json_close_object(json);
    }
    owi_json_close_object(json);
}

static void put_model(owi_json *json, const ow_model *model, bool whole)
{
    owi_put_text(json, "label", ow_schema_label(model->schema));
    owi_put_count(json, "rows", ow_schema_n_rows(model->schema));
    if (whole)
        put_columns(json, model);
    else
        owi_put_count(json, "columns", ow_schema_n_columns(model->schema));
    put_classes(json, model);
    put_circuit(json, model->circuit);
    put_network(json, model);
    put_foreign(json, model);
    put_training(json, model);
    put_quality(json, model);
    put_confusion(json, model);
    if (whole) put_percentiles(json, model);
}

ow_status ow_model_json(const ow_model *model, bool whole, char **text, size_t *size)
{
    owi_json json;
    OWI_REQUIRE(text != NULL);
    *text = NULL;
    OWI_REQUIRE(model != NULL);
    owi_json_begin(&json, model->ctx);
    owi_json_open_object(&json, false);
    put_model(&json, model, whole);
    owi_json_close_object(&json);
    return owi_json_end(&json, text, size);
}

static void put_trials(owi_json *json, const ow_training_about *about)
{
    owi_json_key(json, "tuning");
    if (about->trials == NULL || about->n_trials == 0) {
        owi_json_null(json);
        return;
    }
    owi_json_open_array(json, false);
    for (size_t i = 0; i < about->n_trials; i++) {
        const ow_tune_trial *trial = &about->trials[i];
        owi_json_open_object(json, false);
        owi_put_count(json, "repetitions", trial->repetitions);
        owi_put_count(json, "inputs", trial->inputs);
        owi_put_number(json, "log_density", trial->score.log_density);
        owi_put_number(json, "log_loss", trial->score.log_loss);
        owi_put_number(json, "accuracy", trial->score.accuracy);
        owi_put_number(json, "value", trial->value);
        owi_json_close_object(json);
    }
    owi_json_close_array(json);
}

ow_status ow_training_json(const ow_training_about *about, char **text, size_t *size)
{
    owi_json json;
    ow_training_about own = {0};
    OWI_REQUIRE(text != NULL);
    *text = NULL;
    OWI_REQUIRE(about != NULL);
    OWI_TRY(OWI_OPTIONS_TAKE(ow_training_about, about, &own));
    OWI_REQUIRE(own.model != NULL);
    owi_json_begin(&json, own.model->ctx);
    owi_json_open_object(&json, false);
    put_model(&json, own.model, false);
    put_trials(&json, &own);
    owi_put_text(&json, "model", own.name);
    owi_put_number(&json, "seconds", ow_model_report(own.model)->seconds);
    owi_put_bool(&json, "interrupted", own.interrupted);
    owi_json_close_object(&json);
    return owi_json_end(&json, text, size);
}
