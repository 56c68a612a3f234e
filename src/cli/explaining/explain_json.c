/* SPDX-License-Identifier: MIT */
/* Explanations as one JSON document (doc/explanation.schema.json), written row by row:
 * features first, then a line for each row, and at the end what is known only there, the
 * summary and how it was made. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands/command.h"
#include "explaining/explain_format.h"
#include "explaining/row_values.h"
#include "options/decimal.h"
#include "terminal/exit_codes.h"
#include "terminal/json_output.h"
#include "terminal/output.h"

/* ---- Before the rows ---- */

static json_t *feature_json(const explain_job *job, size_t j)
{
    const ow_column *column = ow_schema_column(job->schema, j);
    json_t *feature = json_pack("{s:o, s:s}", "name", json_output_text(column->name),
                                "type", ow_column_type_name(column->type));
    json_t *levels = json_array();
    for (size_t k = 0; k < column->n_levels; k++)
        json_array_append_new(levels, json_output_text(column->levels[k]));
    if (column->n_levels > 0)
        json_object_set(feature, "levels", levels);
    else
        json_object_set_new(feature, "range",
                            json_pack("[o, o]", row_value_json(job->schema, j, column->low),
                                      row_value_json(job->schema, j, column->high)));
    json_decref(levels);
    json_object_set_new(feature, "immutable",
                        json_boolean(
                            constraint_settings_immutable(job->constraints, column)));
    json_object_set_new(feature, "monotone",
                        json_string(ow_monotone_name(constraint_settings_monotone(
                            job->constraints, job->schema, j))));
    return feature;
}

static void begin(explain_job *job)
{
    output_print(stdout, "{\"schema_version\": \"1.1\",\n \"features\": [\n  ");
    for (size_t j = 0; j < ow_schema_n_columns(job->schema); j++) {
        if (j > 0) output_print(stdout, ",\n  ");
        json_output_part(feature_json(job, j));
    }
    output_print(stdout, "],\n \"results\": [");
}

/* ---- A row ---- */

static json_t *class_json(const explain_job *job, int32_t class_index)
{
    return json_output_text(ow_schema_class_name(job->schema, (size_t)class_index));
}

static json_t *proba_json(const explain_job *job, const double *proba)
{
    json_t *object = json_object();
    for (size_t c = 0; c < ow_schema_n_classes(job->schema); c++)
        json_object_set_new(object, ow_schema_class_name(job->schema, c),
                            json_output_number(proba[c]));
    return object;
}

/* A row of floats; null for none. */
static json_t *floats_json(const float *row, size_t n)
{
    if (row == NULL) return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) json_array_append_new(array, json_output_float(row[i]));
    return array;
}

static json_t *changes_json(const explain_job *job, const double *from, const double *to)
{
    json_t *array = json_array();
    for (size_t j = 0; j < ow_schema_n_columns(job->schema); j++)
        if (row_value_differs(from[j], to[j]))
            json_array_append_new(
                array, json_pack("{s:o, s:o, s:o}", "feature",
                                 json_output_text(ow_schema_column(job->schema, j)->name),
                                 "from", row_value_json(job->schema, j, from[j]), "to",
                                 row_value_json(job->schema, j, to[j])));
    return array;
}

static json_t *path_json(const explain_job *job, const ow_counterfactual *answer)
{
    if (answer->path == NULL) return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < answer->n_path; i++)
        json_array_append_new(array, row_values_json(job->schema,
                                                     answer->path + i * ow_schema_n_columns(
                                                                            job->schema)));
    return array;
}

static json_t *distance_json(const ow_distance *distance)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o}", "l0", (json_int_t)distance->l0, "l1",
                     json_output_number(distance->l1), "l2",
                     json_output_number(distance->l2), "linf",
                     json_output_number(distance->linf), "gower",
                     json_output_number(distance->gower));
}

static json_t *answer_json(const explain_job *job, const double *query,
                           const ow_counterfactual *answer)
{
    const size_t width = ow_model_soft_width(job->model);
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o}", "values",
                  row_values_json(job->schema, answer->values), "encoded",
                  floats_json(answer->encoded, width), "intermediate",
                  floats_json(answer->intermediate, width), "class",
                  class_json(job, answer->predicted), "proba",
                  proba_json(job, answer->proba), "valid", answer->valid,
                  "valid_before_repair", answer->valid_before_repair, "changes",
                  changes_json(job, query, answer->values), "log_density",
                  json_output_number(answer->log_density), "log_density_target",
                  json_output_number(answer->log_density_target), "density_percentile",
                  json_output_number(answer->percentile), "distance",
                  distance_json(&answer->distance));
    json_object_set_new(object, "violations", json_integer((json_int_t)answer->violations));
    json_object_set_new(object, "path", path_json(job, answer));
    json_object_set_new(object, "evaluations",
                        json_pack("{s:I, s:I}", "gradient", (json_int_t)answer->n_gradient,
                                  "forward", (json_int_t)answer->n_forward));
    json_object_set_new(object, "time_ms", json_output_number(1e3 * answer->seconds));
    return object;
}

static json_t *name_or_null(const char *name)
{
    return name != NULL ? json_output_text(name) : json_null();
}

/* The second answer, if there was reason to look for one. */
static json_t *surer_json(const explain_job *job, const explained_row *row)
{
    const ow_outcome *surer = row->outcome->surer;
    if (surer == NULL) return json_null();
    return json_pack("{s:s, s:o, s:o}", "status", ow_outcome_kind_name(surer->kind),
                     "reason", name_or_null(ow_reason_name(surer->reason)),
                     "counterfactual",
                     surer->n_answers > 0 ? answer_json(job, row->query, &surer->answers[0])
                                          : json_null());
}

static void print_row(explain_job *job, const explained_row *row)
{
    const ow_outcome *outcome = row->outcome;
    json_t *result = json_pack("{s:I}", "row", (json_int_t)row->number);
    if (row->id != NULL) json_object_set_new(result, "id", json_output_text(row->id));
    json_object_set_new(result, "query",
                        json_pack("{s:o, s:o, s:o, s:o, s:o}", "values",
                                  row_values_json(job->schema, row->query), "class",
                                  class_json(job, outcome->predicted), "proba",
                                  proba_json(job, outcome->proba), "log_density",
                                  json_output_number(outcome->log_density),
                                  "density_percentile",
                                  json_output_number(outcome->percentile)));
    json_object_set_new(result, "target", class_json(job, outcome->target));
    json_object_set_new(result, "status", json_string(ow_outcome_kind_name(outcome->kind)));
    json_object_set_new(result, "reason", name_or_null(ow_reason_name(outcome->reason)));
    json_object_set_new(result, "blocking", name_or_null(outcome->blocking));
    json_t *answers = json_array();
    for (size_t k = 0; k < outcome->n_answers; k++)
        json_array_append_new(answers, answer_json(job, row->query, &outcome->answers[k]));
    json_object_set_new(result, "counterfactuals", answers);
    json_object_set_new(result, "surer", surer_json(job, row));
    output_print(stdout, job->tally.n_rows == 1 ? "\n  " : ",\n  ");
    json_output_part(result);
}

/* ---- Behind the rows ---- */

/* A parameter in the type that it has: a number, a truth, or a text such as "auto". */
static json_t *param_json(const ow_param *param, const char *value)
{
    double number;
    if (param->kind == OW_PARAM_FLAG) return json_boolean(strcmp(value, "yes") == 0);
    if (param->kind == OW_PARAM_CHOICE || !decimal_read(value, &number))
        return json_output_text(value);
    if (param->kind == OW_PARAM_INTEGER) return json_integer((json_int_t)number);
    return json_output_number(number);
}

static json_t *params_json(const explain_job *job)
{
    const ow_method *method = ow_explainer_method(job->explainer);
    json_t *object = json_object();
    for (size_t i = 0; i < method->n_params; i++) {
        const ow_param *param = ow_method_param(method, i);
        const char *value;
        if (ow_explainer_get(job->explainer, param->name, &value) == OW_OK)
            json_object_set_new(object, param->name, param_json(param, value));
    }
    return object;
}

/* Seeds above what JSON readers take for an integer are given as text. */
static json_t *seed_json(uint64_t seed)
{
    char text[32];
    if (seed <= INT64_MAX) return json_integer((json_int_t)seed);
    snprintf(text, sizeof text, "%" PRIu64, seed);
    return json_string(text);
}

static json_t *meta_json(const explain_job *job, const char *sha256)
{
    json_t *meta =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:o}", "tool", "otherwise",
                  "version", ow_version(), "model_sha256", sha256, "method",
                  ow_explainer_method(job->explainer)->name, "params", params_json(job),
                  "constraints",
                  constraint_settings_json(job->constraints, job->schema, job->options),
                  "surer_proba", json_output_number(job->options->surer_proba), "seed",
                  seed_json(job->how->seed), "threads",
                  (json_int_t)ow_call_threads(job->how), "time_ms",
                  json_output_number(1e3 * (explain_seconds() - job->start_seconds)));
    if (job->cut_short) json_object_set_new(meta, "incomplete", json_true());
    return meta;
}

static int end(explain_job *job)
{
    char sha256[OW_SHA256_SIZE];
    const ow_status status = ow_model_sha256(job->model, sha256);
    if (status != OW_OK) return command_failed(status, false);
    output_print(stdout, "],\n \"summary\": ");
    json_output_part(explain_tally_json(&job->tally));
    output_print(stdout, ",\n \"meta\": ");
    json_output_part(meta_json(job, sha256));
    output_print(stdout, "}\n");
    return EXIT_DONE;
}

const explain_format explain_format_json = {
    .name = "json", .shows_surer = true, .begin = begin, .row = print_row, .end = end};
