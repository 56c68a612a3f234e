/* SPDX-License-Identifier: MIT */
#include "json/explain_document.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text/number.h"
#include "explain/answers/explain_summary.h"
#include "explain/constraints/constraints.h"
#include "explain/core/explainer_private.h"
#include "json/json_parts.h"

static const char schema_version[] = "2.0";

typedef owi_explain_document document;

void owi_explain_document_begin(document *d, const ow_explain_about *about)
{
    const ow_model *model = about->explainer->model;
    *d = (document){.about = about, .model = model, .schema = ow_model_schema(model)};
    owi_json_begin(&d->json, about->explainer->ctx);
    owi_json_begin(&d->answers, about->explainer->ctx);
}

void owi_explain_document_clear(document *d)
{
    char *text = NULL;
    (void)owi_json_end(&d->answers, &text, NULL);
    ow_bytes_free(text);
}

/* ---- Before the rows ---- */

static void put_column(document *d, size_t j)
{
    owi_json *json = &d->json;
    const ow_column *column = ow_schema_column(d->schema, j);
    const ow_constraints *rules = d->about->constraints;
    bool immutable = column->immutable;
    ow_monotone monotone = column->monotone;
    if (rules != NULL) {
        immutable =
            rules->rules[j].immutable || (rules->only_named && !rules->rules[j].named_vary);
        monotone = rules->rules[j].monotone;
    }
    owi_json_open_object(json, true);
    owi_put_text(json, "name", column->name);
    owi_put_text(json, "type", ow_column_type_name(column->type));
    if (column->n_levels > 0) {
        owi_put_levels(json, column);
    } else {
        owi_json_key(json, "range");
        owi_json_open_array(json, true);
        owi_json_cell(json, d->schema, j, column->low);
        owi_json_cell(json, d->schema, j, column->high);
        owi_json_close_array(json);
    }
    owi_put_bool(json, "immutable", immutable);
    owi_put_text(json, "monotone", ow_monotone_name(monotone));
    owi_json_close_object(json);
}

void owi_explain_document_head(document *d)
{
    if (d->about->form == OW_FORM_DICE) {
        owi_dice_head(d);
        return;
    }
    owi_json_raw(&d->json, "{\"schema_version\": \"");
    owi_json_raw(&d->json, schema_version);
    owi_json_raw(&d->json, "\",\n \"columns\": [\n  ");
    for (size_t j = 0; j < ow_schema_n_columns(d->schema); j++) {
        if (j > 0) owi_json_raw(&d->json, ",\n  ");
        put_column(d, j);
    }
    owi_json_raw(&d->json, "],\n \"results\": [");
}

/* ---- A row ---- */

/* A row of floats; null for none. */
static void put_floats(owi_json *json, const char *key, const float *row, size_t n)
{
    owi_json_key(json, key);
    if (row == NULL) {
        owi_json_null(json);
        return;
    }
    owi_json_open_array(json, true);
    for (size_t i = 0; i < n; i++)
        owi_json_decimal(json, (double)row[i], owi_json_float_digits);
    owi_json_close_array(json);
}

/* Two missing values are the same. */
static bool differs(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) != isnan(b) : a != b;
}

static void put_known(document *d, const char *key, size_t column, const double *values)
{
    if (values == NULL || isnan(values[column])) return;
    owi_json_key(&d->json, key);
    owi_json_cell(&d->json, d->schema, column, values[column]);
}

/* answer: how far numbers have to go; NULL: not known. */
static void put_changes(document *d, const double *from, const double *to,
                        const ow_counterfactual *answer)
{
    owi_json *json = &d->json;
    owi_json_key(json, "changes");
    owi_json_open_array(json, true);
    for (size_t j = 0; j < ow_schema_n_columns(d->schema); j++) {
        if (!differs(from[j], to[j])) continue;
        owi_json_open_object(json, true);
        owi_put_text(json, "column", ow_schema_column(d->schema, j)->name);
        owi_json_key(json, "from");
        owi_json_cell(json, d->schema, j, from[j]);
        owi_json_key(json, "to");
        owi_json_cell(json, d->schema, j, to[j]);
        if (answer != NULL) {
            put_known(d, "enough", j, answer->enough);
            put_known(d, "enough_for_class", j, answer->enough_for_class);
        }
        owi_json_close_object(json);
    }
    owi_json_close_array(json);
}

static void put_path(document *d, const ow_counterfactual *answer)
{
    owi_json *json = &d->json;
    if (answer->path == NULL) {
        owi_put_null(json, "path");
        return;
    }
    owi_json_key(json, "path");
    owi_json_open_array(json, true);
    for (size_t i = 0; i < answer->n_path; i++)
        owi_json_row(json, d->schema, answer->path + i * ow_schema_n_columns(d->schema));
    owi_json_close_array(json);
}

static void put_distance(owi_json *json, const ow_distance *distance)
{
    owi_json_key(json, "distance");
    owi_json_open_object(json, true);
    owi_put_count(json, "l0", distance->l0);
    owi_put_number(json, "l1", distance->l1);
    owi_put_number(json, "l2", distance->l2);
    owi_put_number(json, "linf", distance->linf);
    owi_put_number(json, "gower", distance->gower);
    owi_json_close_object(json);
}

static void put_answer(document *d, const double *query, const ow_counterfactual *answer)
{
    owi_json *json = &d->json;
    const size_t width = ow_model_soft_width(d->model);
    owi_json_open_object(json, true);
    owi_put_row(json, "values", d->schema, answer->values);
    put_floats(json, "encoded", answer->soft, width);
    put_floats(json, "intermediate", answer->intermediate, width);
    owi_put_class(json, "class", d->schema, answer->predicted);
    owi_put_by_class(json, "proba", d->schema, answer->proba);
    owi_put_bool(json, "valid", answer->valid);
    owi_put_bool(json, "valid_before_repair", answer->valid_before_repair);
    owi_put_text(json, "least", ow_least_name(answer->least));
    put_changes(d, query, answer->values, answer);
    owi_put_number(json, "log_density", answer->log_density);
    owi_put_number(json, "log_density_target", answer->log_density_target);
    owi_put_number(json, "density_percentile", answer->percentile);
    put_distance(json, &answer->distance);
    owi_put_count(json, "violations", answer->violations);
    put_path(d, answer);
    if (d->about->options->prefer == OW_PREFER_ROBUST)
        owi_put_bool(json, "robust", !answer->not_robust);
    if (d->about->options->steps) owi_put_bool(json, "path_dense", answer->path_dense);
    owi_json_key(json, "evaluations");
    owi_json_open_object(json, true);
    owi_put_count(json, "gradient", (size_t)answer->n_gradient);
    owi_put_count(json, "forward", (size_t)answer->n_forward);
    owi_json_close_object(json);
    owi_put_number(json, "time_ms", 1e3 * answer->seconds);
    owi_json_close_object(json);
}

/* The second answer, if there was reason to look for one. */
static void put_surer(document *d, const double *query, const ow_outcome *surer)
{
    owi_json *json = &d->json;
    owi_json_key(json, "surer");
    if (surer == NULL) {
        owi_json_null(json);
        return;
    }
    owi_json_open_object(json, true);
    owi_put_text(json, "status", ow_outcome_kind_name(surer->kind));
    owi_put_text(json, "reason", ow_reason_name(surer->reason));
    owi_json_key(json, "counterfactual");
    if (surer->n_answers > 0)
        put_answer(d, query, surer->answers[0]);
    else
        owi_json_null(json);
    owi_json_close_object(json);
}

/* What the call was stopped before it had looked for it to the end; nothing otherwise. */
static void put_unfinished(owi_json *json, const ow_outcome *outcome)
{
    if (!outcome->blocking_unfinished && !outcome->surer_unfinished) return;
    owi_json_key(json, "unfinished");
    owi_json_open_array(json, true);
    if (outcome->blocking_unfinished) owi_json_text(json, "blocking");
    if (outcome->surer_unfinished) owi_json_text(json, "surer");
    owi_json_close_array(json);
}

static void put_query(document *d, const double *query, const ow_outcome *outcome)
{
    owi_json *json = &d->json;
    owi_json_key(json, "query");
    owi_json_open_object(json, true);
    owi_put_row(json, "values", d->schema, query);
    owi_put_class(json, "class", d->schema, outcome->predicted);
    owi_put_by_class(json, "proba", d->schema, outcome->proba);
    owi_put_number(json, "log_density", outcome->log_density);
    owi_put_number(json, "density_percentile", outcome->percentile);
    owi_put_bool(json, "unlike_seen", outcome->unlike_seen);
    owi_json_close_object(json);
}

/* The columns that take no part in the model. */
static void put_carried(document *d, const char *const *carried)
{
    const size_t n = ow_schema_n_carried(d->schema);
    if (carried == NULL || n == 0) return;
    owi_json_key(&d->json, "carried");
    owi_json_open_object(&d->json, true);
    for (size_t k = 0; k < n; k++)
        if (carried[k] != NULL)
            owi_put_text(&d->json, ow_schema_carried(d->schema, k), carried[k]);
    owi_json_close_object(&d->json);
}

void owi_explain_document_row(document *d, size_t number, const char *id,
                              const char *const *carried, const double *query,
                              const ow_outcome *outcome)
{
    owi_json *json = &d->json;
    owi_explain_summary_add(&d->summary, outcome);
    if (d->about->form == OW_FORM_DICE) {
        owi_dice_row(d, query, outcome);
        return;
    }
    owi_json_raw(json, d->summary.n_rows == 1 ? "\n  " : ",\n  ");
    owi_json_open_object(json, true);
    owi_put_count(json, "row", number);
    if (id != NULL) owi_put_text(json, "id", id);
    put_carried(d, carried);
    put_query(d, query, outcome);
    owi_put_class(json, "target", d->schema, outcome->target);
    owi_put_text(json, "status", ow_outcome_kind_name(outcome->kind));
    owi_put_text(json, "reason", ow_reason_name(outcome->reason));
    owi_put_text(json, "blocking", outcome->blocking);
    if (outcome->kind == OW_OUTCOME_NOT_FOUND)
        owi_put_bool(json, "impossible", outcome->impossible);
    owi_json_key(json, "counterfactuals");
    owi_json_open_array(json, true);
    for (size_t k = 0; k < outcome->n_answers; k++)
        put_answer(d, query, outcome->answers[k]);
    owi_json_close_array(json);
    put_surer(d, query, outcome->surer);
    put_unfinished(json, outcome);
    owi_json_close_object(json);
}

/* ---- Behind the rows ---- */

/* sum / n; null for 0 / 0. */
static void put_mean(owi_json *json, const char *key, double sum, size_t n)
{
    owi_put_number(json, key, sum / (double)n);
}

static void put_summary(document *d)
{
    owi_json *json = &d->json;
    const ow_explain_summary *s = &d->summary;
    const size_t n = s->n_rows - s->n_already, valid = s->n_target;
    owi_json_open_object(json, true);
    owi_put_count(json, "rows", s->n_rows);
    owi_put_count(json, "found", s->n_found);
    owi_put_count(json, "not_found", s->n_not_found);
    owi_put_count(json, "already_target", s->n_already);
    put_mean(json, "validity_target", (double)s->n_target, n);
    put_mean(json, "validity_any", (double)s->n_other, n);
    put_mean(json, "validity_target_raw", (double)s->n_target_raw, n);
    put_mean(json, "coverage", (double)s->n_answered, n);
    owi_json_key(json, "mean");
    owi_json_open_object(json, true);
    put_mean(json, "l0", s->l0, valid);
    put_mean(json, "l1", s->l1, valid);
    put_mean(json, "l2", s->l2, valid);
    put_mean(json, "linf", s->linf, valid);
    put_mean(json, "gower", s->gower, valid);
    put_mean(json, "log_density", s->log_density, valid);
    put_mean(json, "log_density_target", s->log_density_target, valid);
    put_mean(json, "density_percentile", s->percentile, s->n_percentile);
    owi_json_close_object(json);
    owi_json_close_object(json);
}

/* A parameter in the type that it has: a number, a truth, or a text such as "auto". */
static void put_param(owi_json *json, const ow_param *param, const char *value)
{
    double number;
    owi_json_key(json, param->name);
    if (param->kind == OW_PARAM_FLAG)
        owi_json_bool(json, strcmp(value, "yes") == 0);
    else if (param->kind == OW_PARAM_CHOICE ||
             !owi_parse_number(value, strlen(value), &number, NULL))
        owi_json_text(json, value);
    else if (param->kind == OW_PARAM_INTEGER)
        owi_json_integer(json, (int64_t)number);
    else
        owi_json_decimal(json, number, owi_json_digits);
}

static void put_meta(document *d, double seconds, bool incomplete, const char *sha256)
{
    owi_json *json = &d->json;
    const ow_explain_about *about = d->about;
    const ow_method *method = ow_explainer_method(about->explainer);
    owi_json_open_object(json, true);
    owi_put_text(json, "tool", "otherwise");
    owi_put_text(json, "version", ow_version());
    owi_put_text(json, "model_sha256", sha256);
    owi_put_text(json, "method", method->name);
    owi_json_key(json, "params");
    owi_json_open_object(json, true);
    for (size_t i = 0; i < method->n_params; i++) {
        const ow_param *param = ow_method_param(method, i);
        const char *value;
        if (ow_explainer_get(about->explainer, param->name, &value) == OW_OK)
            put_param(json, param, value);
    }
    owi_json_close_object(json);
    owi_put_constraints(json, "constraints", about->constraints, about->options);
    owi_put_text(json, "prefer", ow_prefer_name(about->options->prefer));
    owi_put_number(json, "surer_proba", about->options->surer_proba);
    owi_put_seed(json, "seed", about->call);
    owi_put_count(json, "threads", ow_call_threads(about->call));
    owi_put_number(json, "time_ms", 1e3 * seconds);
    if (incomplete) owi_put_bool(json, "incomplete", true);
    owi_json_close_object(json);
}

ow_status owi_explain_document_end(document *d, double seconds, bool incomplete)
{
    if (d->about->form == OW_FORM_DICE) return owi_dice_end(d);
    char sha256[OW_SHA256_SIZE];
    OWI_TRY(ow_model_sha256(d->model, sha256));
    owi_json_raw(&d->json, "],\n \"summary\": ");
    put_summary(d);
    owi_json_raw(&d->json, ",\n \"meta\": ");
    put_meta(d, seconds, incomplete, sha256);
    owi_json_raw(&d->json, "}\n");
    return OW_OK;
}
