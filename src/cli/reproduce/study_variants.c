/* SPDX-License-Identifier: MIT */
/* The same study with another model: a network that decides, and circuits of other
 * structure for the ablation of two-step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluating/metric_index.h"
#include "reproduce/sheet.h"
#include "reproduce/study.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

/* ---- A network decides ---- */

ow_status study_network_run(reproduction *r, const study_plan *plan, const study_rows *rows,
                            size_t seed, const study_group *group, study_results *results)
{
    study_plan network = *plan;
    study_seed s;
    network.variant = "network";
    network.training.decider = OW_DECIDES_MLP;
    *results = (study_results){0};
    ow_status status = study_seed_open(r, &network, rows, seed, &s);
    if (status == OW_OK) status = study_group_run(r, &network, &s, group, results);
    for (size_t i = 0; i < results->n; i++)
        results->results[i].name = text_add(results->results[i].name, " (network)");
    if (status == OW_OK) study_seed_drop_model(r, &network, &s);
    study_seed_close(&s);
    return status;
}

/* ---- Ablation ---- */

static const char *const class_steps[] = {"1", "3", "10"};
static const char *const gradients[] = {"log", "raw"};
enum { n_steps = 3, n_gradients = 2, n_settings = n_steps * n_gradients, n_shown = 8 };

typedef struct {
    const char *variant, *structure, *groups; /* groups NULL: there are none */
    ow_structure kind;
    bool split;
} ablated_model;

static const ablated_model of_tables[] = {
    {NULL, "per-class", "split", OW_STRUCTURE_PER_CLASS, true},
    {"whole", "per-class", "whole", OW_STRUCTURE_PER_CLASS, false},
    {"shared", "shared", "split", OW_STRUCTURE_SHARED, true},
    {"shared-whole", "shared", "whole", OW_STRUCTURE_SHARED, false},
};
static const ablated_model of_images[] = {
    {NULL, "per-class", NULL, OW_STRUCTURE_PER_CLASS, false},
    {"shared", "shared", NULL, OW_STRUCTURE_SHARED, false},
};

/* Every class-step with either gradient, one after the other. */
static ow_status run_settings(reproduction *r, const study_plan *plan,
                              const study_rows *rows, study_results *results)
{
    ow_setting settings[n_settings][3];
    ow_contestant methods[n_settings];
    study_seed s;
    for (size_t i = 0; i < n_settings; i++) {
        settings[i][0] = (ow_setting){"class-step", class_steps[i / n_gradients]};
        settings[i][1] = (ow_setting){"density-step", "1"};
        settings[i][2] = (ow_setting){"density-gradient", gradients[i % n_gradients]};
        methods[i] =
            (ow_contestant){.method = "two-step", .settings = settings[i], .n_settings = 3};
    }
    const study_group group = {.name = "ablation",
                               .methods = methods,
                               .n_methods = n_settings,
                               .most_queries = r->quick ? 200 : 2000,
                               .alone = true};
    ow_status status = study_seed_open(r, plan, rows, 0, &s);
    if (status == OW_OK) status = study_group_run(r, plan, &s, &group, results);
    /* The pictures need the study's own model again. */
    if (status == OW_OK && plan->variant != NULL) study_seed_drop_model(r, plan, &s);
    study_seed_close(&s);
    return status;
}

/* Six lines: the cells of the table, and the same for the file. */
static char *add_lines(sheet *table, char *csv, const ablated_model *model,
                       const study_results *results)
{
    const size_t success = metric_index("validity_target_raw");
    const size_t density = metric_index("log_density_raw");
    for (size_t i = 0; i < results->n && i < n_settings; i++) {
        const study_result *result = &results->results[i];
        char *cells[n_shown] = {text_add(NULL, "%s", model->structure),
                                text_add(NULL, "%s",
                                         model->groups != NULL ? model->groups : ""),
                                text_add(NULL, "%s", class_steps[i / n_gradients]),
                                text_add(NULL, "%s", gradients[i % n_gradients]),
                                text_add(NULL, "%.3f", results->model.accuracy),
                                text_add(NULL, "%.0f", result->n_queries),
                                text_add(NULL, "%.3f", result->figures[success]),
                                isnan(result->figures[density])
                                    ? NULL
                                    : text_add(NULL, "%.2f", result->figures[density])};
        for (size_t k = 0; k < n_shown; k++) {
            csv = text_add(csv, "%s%s", cells[k] != NULL ? cells[k] : "",
                           k + 1 < n_shown ? "," : "\n");
            sheet_add(table, cells[k]);
        }
    }
    return csv;
}

ow_status study_ablation_show(reproduction *r, const study_plan *plan,
                              const study_rows *rows)
{
    static const ow_page_column columns[n_shown] = {
        {"structure", false}, {"groups", false},  {"class-step", false},
        {"gradient", false},  {"accuracy", true}, {"queries", true},
        {"success", true},    {"log S(x')", true}};
    const bool grouped = ow_schema_layout(rows->schema).kind == OW_LAYOUT_TABLE;
    const ablated_model *models = grouped ? of_tables : of_images;
    const size_t n_models = grouped ? sizeof of_tables / sizeof *of_tables
                                    : sizeof of_images / sizeof *of_images;
    sheet table = {.n_columns = n_shown};
    char *csv =
        text_add(NULL, "structure,groups,class_step,gradient,accuracy,queries,success,"
                       "log_density\n");
    ow_status status = OW_OK;
    for (size_t i = 0; i < n_models && status == OW_OK; i++) {
        study_plan other = *plan;
        study_results results = {0};
        other.variant = models[i].variant;
        other.training.structure = models[i].kind;
        other.training.split_groups = models[i].split;
        message(OW_LOG_INFO, "ablation, model %zu of %zu", i + 1, n_models);
        status = run_settings(r, &other, rows, &results);
        if (status == OW_OK) csv = add_lines(&table, csv, &models[i], &results);
        study_results_clear(&results);
    }
    if (status == OW_OK) status = reproduce_save(r, "ablation.csv", csv, strlen(csv));
    ow_page_section(r->page, "Two-step, part by part");
    sheet_show(
        &table, r->page, columns,
        "One model for all classes or one each, a category's levels free to part or "
        "kept together, the length of the first step, and the second one along the "
        "gradient of log S or of S itself; as the method made its answers, first seed");
    free(csv);
    return status;
}
