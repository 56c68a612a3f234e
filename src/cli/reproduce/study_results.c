/* SPDX-License-Identifier: MIT */
/* A group of methods on the queries of one seed; what came of it is kept as JSON, so that a
 * later run need not do it again. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/study.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

size_t study_n_metrics(void)
{
    size_t n = 0;
    while (ow_metric_get(n) != NULL) n++;
    return n;
}

void study_results_clear(study_results *results)
{
    for (size_t i = 0; i < results->n; i++) {
        free(results->results[i].name);
        free(results->results[i].figures);
    }
    free(results->results);
    *results = (study_results){0};
}

static study_result *add_result(study_results *results, const char *name)
{
    results->results = memory_grow(results->results, results->n, sizeof *results->results);
    study_result *result = &results->results[results->n++];
    *result = (study_result){.name = text_add(NULL, "%s", name),
                             .figures = memory_new(study_n_metrics(), sizeof(double))};
    return result;
}

/* ---- Kept ---- */

static double number_of(const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

static bool load(const char *path, study_results *results)
{
    json_t *document = json_load_file(path, 0, NULL), *item;
    const json_t *model = json_object_get(document, "model");
    size_t i;
    results->model =
        (ow_score){.n_rows = (size_t)json_integer_value(json_object_get(model, "rows")),
                   .accuracy = number_of(model, "accuracy"),
                   .log_density = number_of(model, "log_density")};
    json_array_foreach(json_object_get(document, "results"), i, item)
    {
        const char *name = json_string_value(json_object_get(item, "method"));
        study_result *result = add_result(results, name != NULL ? name : "?");
        result->n_queries = number_of(item, "queries");
        for (size_t m = 0; ow_metric_get(m) != NULL; m++)
            result->figures[m] =
                number_of(json_object_get(item, "figures"), ow_metric_get(m)->name);
    }
    json_decref(document);
    return results->n > 0;
}

static json_t *figures_json(const study_result *result)
{
    json_t *figures = json_object();
    for (size_t m = 0; ow_metric_get(m) != NULL; m++)
        if (isfinite(result->figures[m]))
            json_object_set_new(figures, ow_metric_get(m)->name,
                                json_real(result->figures[m]));
    return figures;
}

static ow_status save(reproduction *r, const char *name, const study_results *results)
{
    json_t *list = json_array();
    for (size_t i = 0; i < results->n; i++) {
        const study_result *result = &results->results[i];
        json_array_append_new(list, json_pack("{s:s, s:f, s:o}", "method", result->name,
                                              "queries", result->n_queries, "figures",
                                              figures_json(result)));
    }
    json_t *document =
        json_pack("{s:{s:I, s:f, s:f}, s:o}", "model", "rows",
                  (json_int_t)results->model.n_rows, "accuracy", results->model.accuracy,
                  "log_density", results->model.log_density, "results", list);
    char *text = memory_checked(json_dumps(document, JSON_INDENT(1)));
    json_decref(document);
    const ow_status status = reproduce_save(r, name, text, strlen(text));
    free(text);
    return status;
}

/* ---- Run ---- */

static void collect(const ow_evaluation *evaluation, study_results *results)
{
    const ow_evaluation_info info = *ow_evaluation_get_info(evaluation);
    for (size_t i = 0; i < info.n_methods; i++) {
        study_result *result =
            add_result(results, ow_evaluation_standing(evaluation, i)->name);
        result->n_queries = (double)(info.n_rows - info.n_already_target);
        for (size_t m = 0; ow_metric_get(m) != NULL; m++)
            result->figures[m] = ow_evaluation_figure(evaluation, i, m).mean;
    }
}

/* Some of the queries, the same for the same seed: each with its target. */
static size_t draw_queries(const study_seed *s, size_t most, size_t d, double *queries,
                           int32_t *targets)
{
    if (most > s->n_queries) most = s->n_queries;
    for (size_t i = 0; i < most; i++) {
        /* Evenly over the list, which goes pair by pair: every pair has its share. */
        const size_t at = i * s->n_queries / most;
        memcpy(queries + i * d, s->queries + at * d, d * sizeof *queries);
        targets[i] = s->targets[at];
    }
    return most;
}

static ow_status run(reproduction *r, const study_seed *s, const study_group *group,
                     study_results *results)
{
    const size_t d = ow_table_n_columns(s->rows->table);
    double *queries = memory_new(s->n_queries * d + 1, sizeof *queries);
    int32_t *targets = memory_new(s->n_queries + 1, sizeof *targets);
    ow_explain_options options;
    ow_experiment experiment;
    ow_experiment_init(&experiment, sizeof experiment);
    ow_evaluation *evaluation = NULL;
    experiment.model = s->model;
    experiment.backend = r->backend;
    experiment.methods = group->methods;
    experiment.n_methods = group->n_methods;
    experiment.n_queries = draw_queries(s, group->most_queries, d, queries, targets);
    experiment.queries = queries;
    ow_explain_options_init(&options, sizeof options);
    options.targets = targets;
    experiment.options = &options;
    if (!group->alone) {
        experiment.n_known = s->n_known;
        experiment.known = s->known;
        experiment.known_classes = s->known_classes;
    }
    experiment.noise = 0.0;
    /* It asks the circuit once for every changed column of every answer: hundreds for a
     * picture. */
    experiment.skip_redundancy = ow_schema_layout(s->rows->schema).kind != OW_LAYOUT_TABLE;
    ow_call how = r->how;
    how.seed += s->seed;
    const ow_status status = ow_experiment_run(&experiment, &how, &evaluation);
    if (status == OW_OK) collect(evaluation, results);
    ow_evaluation_free(evaluation);
    free(queries);
    free(targets);
    return status;
}

ow_status study_group_run(reproduction *r, const study_plan *plan, study_seed *s,
                          const study_group *group, study_results *results)
{
    *results = (study_results){0};
    char *name = study_work_name(r, plan, group->name, s->seed, "json");
    char *path = reproduce_path(r, "%s", name);
    ow_status status = OW_OK;
    if (!load(path, results)) {
        status = study_seed_need_model(r, plan, s);
        if (status == OW_OK) {
            results->model = ow_model_report(s->model)->test;
            status = run(r, s, group, results);
        }
        if (status == OW_OK) status = save(r, name, results);
    }
    free(path);
    free(name);
    return status;
}
