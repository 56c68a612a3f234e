/* SPDX-License-Identifier: MIT */
/* Rows, edited or not: what the model says of them, and what would have to be different. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/terminal/memory.h"
#include "cli/terminal/text_build.h"
#include "otherwise/json.h"
#include "serve/api.h"
#include "serve/json_values.h"
#include "serve/preferences.h"
#include "serve/reasons_json.h"

/* A request's document. */
typedef struct {
    json_t *document;
    const json_t *preferences; /* NULL: none */
    double *values;            /* the row with its edits */
    size_t number;             /* of the row that was edited; 1 without one */
    bool has_row, is_edited;
} question;

static void question_clear(question *q)
{
    json_decref(q->document);
    free(q->values);
}

static http_reply refuse(int status, char *sentence)
{
    http_reply reply = http_reply_error(status, sentence, sentence);
    reply.why = status == 400 ? "bad JSON" : "wrong question";
    free(sentence);
    return reply;
}

/* The row that is named, or one of which nothing is known; then its edits. */
static bool read_row(const api *a, question *q, char **error)
{
    const json_t *row = json_object_get(q->document, "row");
    const json_t *values = json_object_get(q->document, "values");
    const size_t n = a->rows->n_columns;
    q->values = memory_new(n, sizeof *q->values);
    q->number = 1;
    for (size_t j = 0; j < n; j++) q->values[j] = NAN;
    if (row != NULL) {
        const json_int_t number = json_integer_value(row);
        if (!json_is_integer(row) || number < 1 || (size_t)number > a->rows->n_rows) {
            *error =
                text_add(NULL, "row: expected a number from 1 to %zu", a->rows->n_rows);
            return false;
        }
        q->number = (size_t)number;
        q->has_row = true;
        memcpy(q->values, a->rows->values + (q->number - 1) * n, n * sizeof *q->values);
    }
    q->is_edited = values != NULL;
    return values == NULL || json_values_read(a->schema, values, q->values, error);
}

static bool knows_keys(const json_t *document, char **error)
{
    static const char *const known[] = {"row", "values", "preferences"};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)document, key, value)
    {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found |= strcmp(key, known[i]) == 0;
        if (found) continue;
        *error = text_add(NULL, "\"%s\": expected row, values or preferences", key);
        return false;
    }
    return true;
}

/* False with the refusal. */
static bool question_read(const api *a, const work_item *item, question *q,
                          http_reply *reply)
{
    json_error_t problem;
    char *error = NULL;
    *q = (question){0};
    q->document =
        json_loadb(item->body, item->request.body_size, JSON_REJECT_DUPLICATES, &problem);
    if (q->document == NULL || !json_is_object(q->document)) {
        *reply = refuse(400, q->document == NULL
                                 ? text_add(NULL, "line %d, column %d: %s", problem.line,
                                            problem.column, problem.text)
                                 : text_add(NULL, "expected an object"));
        return false;
    }
    q->preferences = json_object_get(q->document, "preferences");
    if (knows_keys(q->document, &error) && read_row(a, q, &error)) return true;
    *reply = refuse(422, error);
    return false;
}

/* A call that ends when the client leaves. */
static ow_call call_for(const api *a, const work_item *item)
{
    ow_call call = a->how;
    call.cancel = item->cancel;
    return call;
}

static http_reply refuse_status(ow_status status)
{
    if (status == OW_ERR_CANCELLED) return http_reply_error(503, NULL, "cancelled");
    return refuse(status == OW_ERR_ARGUMENT ? 422 : 500,
                  text_add(NULL, "%s", ow_error_message()));
}

/* A copy of a text of the library, since replies are freed by free(). */
static http_reply give_text(ow_status status, char *text, size_t size)
{
    if (status != OW_OK) return refuse_status(status);
    char *copy = malloc(size > 0 ? size : 1);
    if (copy != NULL) memcpy(copy, text, size);
    ow_bytes_free(text);
    return http_reply_json(200, copy, size);
}

static const char *id_of(const api *a, const question *q)
{
    return q->has_row && a->rows->ids != NULL ? a->rows->ids[q->number - 1] : NULL;
}

/* ---- Predicting ---- */

http_reply api_predict(api_worker *worker, const work_item *item)
{
    const api *a = worker->api;
    const size_t C = a->rows->n_classes;
    http_reply reply;
    question q;
    if (!question_read(a, item, &q, &reply)) {
        question_clear(&q);
        return reply;
    }
    int32_t class_index = 0;
    double log_density = 0.0, percentile = 0.0,
           *figures = memory_new(2 * C, sizeof(double));
    const ow_predictions said = {.size = sizeof said,
                                 .classes = &class_index,
                                 .proba = figures,
                                 .log_density = &log_density,
                                 .log_class = figures + C,
                                 .percentile = &percentile};
    const ow_call call = call_for(a, item);
    char *text = NULL;
    size_t size = 0;
    ow_status status = ow_predictor_predict(worker->predictor, 1, q.values, &call, &said);
    if (status == OW_OK)
        status =
            ow_prediction_json(a->model, q.number, id_of(a, &q), &said, 0, &text, &size);
    reply = give_text(status, text, size);
    free(figures);
    question_clear(&q);
    return reply;
}

/* ---- Why ---- */

static http_reply tell_reasons(api_worker *worker, const work_item *item, const question *q)
{
    const api *a = worker->api;
    const ow_call call = call_for(a, item);
    const json_t *name = json_object_get(q->preferences, "target");
    int32_t predicted = 0, target = OW_NO_CLASS;
    reasons found = {0};
    const ow_predictions said = {.size = sizeof said, .classes = &predicted};
    if (json_is_string(name) &&
        ow_schema_find_class(a->schema, json_string_value(name), &target) != OW_OK)
        return refuse(422, text_add(NULL, "target: %s", ow_error_message()));
    ow_status status = ow_predictor_predict(worker->predictor, 1, q->values, &call, &said);
    if (status != OW_OK) return refuse_status(status);
    if (target == OW_NO_CLASS) target = predicted;
    status = reasons_find(a->model, worker->predictor, &a->groups, q->values, target,
                          q->number, &call, &found);
    const reasons_about about = {.schema = a->schema,
                                 .groups = &a->groups,
                                 .reasons = &found,
                                 .row = q->values,
                                 .number = q->number,
                                 .id = id_of(a, q),
                                 .predicted = predicted,
                                 .target = target};
    json_t *document = status == OW_OK ? reasons_json(&about) : NULL;
    char *text = document != NULL ? json_dumps(document, JSON_COMPACT) : NULL;
    json_decref(document);
    reasons_clear(&found);
    if (status != OW_OK) return refuse_status(status);
    return http_reply_json(200, text, text != NULL ? strlen(text) : 0);
}

http_reply api_reasons(api_worker *worker, const work_item *item)
{
    http_reply reply;
    question q;
    if (question_read(worker->api, item, &q, &reply))
        reply = tell_reasons(worker, item, &q);
    question_clear(&q);
    return reply;
}

/* ---- Explaining ---- */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A piece that the writer lends, and all pieces so far. */
typedef struct {
    const char *piece;
    size_t n;
    char *text;
    size_t size;
} pieces;

/* Appends the piece that a call with this status has lent. */
static ow_status append(pieces *p, ow_status status)
{
    if (status != OW_OK) return status;
    char *longer = realloc(p->text, p->size + p->n + 1);
    if (longer == NULL) return OW_ERR_MEMORY;
    memcpy(longer + p->size, p->piece, p->n);
    p->text = longer;
    p->size += p->n;
    return OW_OK;
}

/* The document that `otherwise explain --format json` prints of this row. */
static ow_status write_document(const api *a, const question *q,
                                const ow_explain_about *about, const ow_outcome *outcome,
                                double seconds, pieces *p)
{
    const row_store *rows = a->rows;
    char *const *carried =
        q->has_row ? rows->carried + (q->number - 1) * rows->n_carried : NULL;
    ow_explain_writer *writer = NULL;
    ow_status status = ow_explain_writer_new(about, &writer);
    if (status != OW_OK) return status;
    status = ow_explain_writer_begin(writer, &p->piece, &p->n);
    status = append(p, status);
    if (status == OW_OK) {
        status = ow_explain_writer_row(writer, q->number, id_of(a, q),
                                       (const char *const *)carried, q->values, outcome,
                                       &p->piece, &p->n);
        status = append(p, status);
    }
    if (status == OW_OK) {
        status = ow_explain_writer_end(writer, seconds, false, &p->piece, &p->n);
        status = append(p, status);
    }
    ow_explain_writer_free(writer);
    return status;
}

static http_reply explain_row(api_worker *worker, const work_item *item, const question *q,
                              const ow_constraints *rules, ow_explain_options *options)
{
    const api *a = worker->api;
    const ow_call call = call_for(a, item);
    const double begun = seconds_now();
    ow_explanation *explanation = NULL;
    pieces p = {0};
    if (options->least_proba <= 0.0 && options->most_proba >= 1.0)
        options->surer_proba = preferences_surer_proba;
    options->first_row = q->number - 1;
    ow_status status = ow_explainer_explain(worker->explainer, rules, options, 1, q->values,
                                            &call, &explanation);
    const ow_explain_about about = {.size = sizeof about,
                                    .explainer = worker->explainer,
                                    .constraints = rules,
                                    .options = options,
                                    .call = &call};
    if (status == OW_OK)
        status = write_document(a, q, &about, ow_explanation_outcome(explanation, 0),
                                seconds_now() - begun, &p);
    ow_explanation_free(explanation);
    if (status == OW_OK) return http_reply_json(200, p.text, p.size);
    free(p.text);
    return refuse_status(status);
}

http_reply api_explain(api_worker *worker, const work_item *item)
{
    const api *a = worker->api;
    http_reply reply;
    question q;
    if (!question_read(a, item, &q, &reply)) {
        question_clear(&q);
        return reply;
    }
    char *error = NULL;
    ow_constraints *rules = NULL;
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    const ow_status status =
        ow_constraints_new(ow_model_context(a->model), a->schema, &rules);
    if (status != OW_OK)
        reply = refuse_status(status);
    else if (q.preferences != NULL &&
             !preferences_apply(q.preferences, a->schema, rules, &options, &error))
        reply = refuse(422, error);
    else
        reply = explain_row(worker, item, &q, rules, &options);
    ow_constraints_free(rules);
    question_clear(&q);
    return reply;
}
