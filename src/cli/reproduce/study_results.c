/* SPDX-License-Identifier: MIT */
/* A group of methods on the queries of one seed; what came of it is kept as JSON, so that a later run need not do it again. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "reproduce/study.h"
#include "text_build.h"

static size_t count_metrics(void)
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
                             .figures = memory_new(count_metrics(), sizeof(double))};
    return result;
}

/* ---- Kept ---- */

static bool load(const char *path, study_results *results)
{
    json_t *document = json_load_file(path, 0, NULL), *item;
    size_t i;
    json_array_foreach(document, i, item)
    {
        const char *name = json_string_value(json_object_get(item, "method"));
        study_result *result = add_result(results, name != NULL ? name : "?");
        result->n_queries = json_number_value(json_object_get(item, "queries"));
        for (size_t m = 0; ow_metric_get(m) != NULL; m++) {
            const json_t *figure =
                json_object_get(json_object_get(item, "figures"), ow_metric_get(m)->name);
            result->figures[m] = json_is_number(figure) ? json_number_value(figure) : NAN;
        }
    }
    json_decref(document);
    return results->n > 0;
}

static ow_status save(reproduction *r, const char *name, const study_results *results)
{
    json_t *document = json_array();
    for (size_t i = 0; i < results->n; i++) {
        const study_result *result = &results->results[i];
        json_t *figures = json_object();
        for (size_t m = 0; ow_metric_get(m) != NULL; m++)
            if (isfinite(result->figures[m]))
                json_object_set_new(figures, ow_metric_get(m)->name,
                                    json_real(result->figures[m]));
        json_array_append_new(document,
                              json_pack("{s:s, s:f, s:o}", "method", result->name,
                                        "queries", result->n_queries, "figures", figures));
    }
    char *text = memory_checked(json_dumps(document, JSON_INDENT(1)));
    json_decref(document);
    const ow_status status = reproduce_save(r, name, text, strlen(text));
    free(text);
    return status;
}

/* ---- Run ---- */

static void collect(const ow_evaluation *evaluation, study_results *results)
{
    const ow_evaluation_info info = ow_evaluation_get_info(evaluation);
    for (size_t i = 0; i < info.n_methods; i++) {
        study_result *result =
            add_result(results, ow_evaluation_standing(evaluation, i).name);
        result->n_queries = (double)(info.n_rows - info.n_already_target);
        for (size_t m = 0; ow_metric_get(m) != NULL; m++)
            result->figures[m] = ow_evaluation_figure(evaluation, i, m).mean;
    }
}

/* Some of the queries, the same for the same seed: each with its target. */
static size_t draw_queries(const study_seed *s, size_t most, size_t d, double *queries,
                           int32_t *targets)
{
    if (most == 0 || most > s->n_queries) most = s->n_queries;
    for (size_t i = 0; i < most; i++) {
        /* Evenly over the list, which goes pair by pair: every pair has its share. */
        const size_t at = i * s->n_queries / most;
        memcpy(queries + i * d, s->queries + at * d, d * sizeof *queries);
        targets[i] = s->targets[at];
    }
    return most;
}

static ow_status run(reproduction *r, const study_seed *s, size_t seed,
                     const study_group *group, study_results *results)
{
    const size_t d = ow_table_n_columns(s->rows->table);
    double *queries = memory_new(s->n_queries * d + 1, sizeof *queries);
    int32_t *targets = memory_new(s->n_queries + 1, sizeof *targets);
    ow_experiment experiment = ow_experiment_defaults();
    ow_evaluation *evaluation = NULL;
    experiment.model = (ow_explain_model){.model = s->model, .backend = r->backend};
    experiment.methods = group->methods;
    experiment.n_methods = group->n_methods;
    experiment.n_queries = draw_queries(s, group->most_queries, d, queries, targets);
    experiment.queries = queries;
    experiment.options.targets = targets;
    experiment.options.explain_failure = false;
    if (!group->alone) {
        experiment.n_known = s->n_known;
        experiment.known = s->known;
        experiment.known_classes = s->known_classes;
    }
    experiment.noise = 0.0;
    experiment.skip_redundancy = d > 1000; /* as many questions for every answer */
    ow_context_set_seed(r->ctx, r->seed + seed);
    const ow_status status = ow_experiment_run(&experiment, &evaluation);
    ow_context_set_seed(r->ctx, r->seed);
    if (status == OW_OK) collect(evaluation, results);
    ow_evaluation_free(evaluation);
    free(queries);
    free(targets);
    return status;
}

ow_status study_group_run(reproduction *r, const study_plan *plan, const study_seed *s,
                          size_t seed, const study_group *group, study_results *results)
{
    *results = (study_results){0};
    char *name = study_work_name(r, plan, group->name, seed, "json");
    char *path = reproduce_path(r, "%s", name);
    ow_status status = OW_OK;
    if (!load(path, results)) {
        status = run(r, s, seed, group, results);
        if (status == OW_OK) status = save(r, name, results);
    }
    free(path);
    free(name);
    return status;
}
