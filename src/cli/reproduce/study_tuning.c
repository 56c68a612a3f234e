/* SPDX-License-Identifier: MIT */
/* The appendix's cross-validation, on the training rows of the first seed: sizes of the
 * circuit, then what the methods are set to. Methods are asked a fifth of the training rows
 * that their circuit has not learned from; no test row is looked at. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluating/metric_index.h"
#include "reproduce/sheet.h"
#include "reproduce/study.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

static const char marked[] = "yes";

/* ---- Structure ---- */

enum { most_sizes = OW_TUNE_TRIALS + 1, other_sums = 2 };

typedef struct {
    size_t repetitions, inputs, sums;
    double rows, accuracy, log_loss, log_density;
} tried_size;

static const char size_format[] = "{s:I, s:I, s:I, s:f, s:f, s:f, s:f}";

static size_t load_sizes(const char *path, tried_size *sizes)
{
    json_t *list = json_load_file(path, 0, NULL), *item;
    size_t i, n = 0;
    json_array_foreach(list, i, item)
    {
        json_int_t repetitions, inputs, sums;
        tried_size *s = &sizes[n];
        if (n == most_sizes ||
            json_unpack(item, size_format, "repetitions", &repetitions, "inputs", &inputs,
                        "sums", &sums, "rows", &s->rows, "accuracy", &s->accuracy,
                        "log_loss", &s->log_loss, "log_density", &s->log_density) != 0)
            break;
        s->repetitions = (size_t)repetitions;
        s->inputs = (size_t)inputs;
        s->sums = (size_t)sums;
        n++;
    }
    json_decref(list);
    return n;
}

static ow_status save_sizes(const reproduction *r, const char *name, size_t n,
                            const tried_size *sizes)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const tried_size *s = &sizes[i];
        json_array_append_new(
            list, json_pack(size_format, "repetitions", (json_int_t)s->repetitions,
                            "inputs", (json_int_t)s->inputs, "sums", (json_int_t)s->sums,
                            "rows", s->rows, "accuracy", s->accuracy, "log_loss",
                            s->log_loss, "log_density", s->log_density));
    }
    char *text = memory_checked(json_dumps(list, JSON_INDENT(1)));
    json_decref(list);
    const ow_status status = reproduce_save(r, name, text, strlen(text));
    free(text);
    return status;
}

/* The sizes that ow_model_tune tries under these options, behind the n that there are. */
static ow_status try_sizes(reproduction *r, const study_seed *s, ow_train_options options,
                           tried_size *sizes, size_t *n)
{
    ow_tune_trial trials[OW_TUNE_TRIALS];
    size_t n_trials = 0, best;
    const size_t sums = (size_t)options.sums;
    options.is_test = s->held_out;
    options.n_is_test = ow_table_n_rows(s->rows->table);
    options.backend = r->backend;
    if (r->quick) options.passes = 2;
    const ow_status status = ow_model_tune(s->rows->reader, s->rows->schema, &options,
                                           &r->how, trials, &n_trials, &best, NULL);
    for (size_t i = 0; i < n_trials && status == OW_OK; i++)
        sizes[(*n)++] = (tried_size){.repetitions = trials[i].repetitions,
                                     .inputs = trials[i].inputs,
                                     .sums = sums,
                                     .rows = (double)trials[i].score.n_rows,
                                     .accuracy = trials[i].score.accuracy,
                                     .log_loss = trials[i].score.log_loss,
                                     .log_density = trials[i].score.log_density};
    return status;
}

/* All nine of the appendix with S = 10, and the paper's own once more with S = 2. */
static ow_status tune_structure(reproduction *r, const study_plan *plan,
                                const study_rows *rows, tried_size *sizes, size_t *n)
{
    study_seed s;
    ow_train_options all = plan->training, other = plan->training;
    char *name = study_work_name(r, plan, "tuned-structure", 0, "json");
    char *path = reproduce_path(r, "%s", name);
    ow_status status = study_seed_open(r, plan, rows, 0, &s);
    *n = load_sizes(path, sizes);
    if (status == OW_OK && *n == 0) {
        message(OW_LOG_INFO, "tuning: sizes of the circuit");
        all.repetitions = all.inputs = OW_AUTO;
        other.sums = other_sums;
        status = try_sizes(r, &s, all, sizes, n);
        if (status == OW_OK) status = try_sizes(r, &s, other, sizes, n);
        if (status == OW_OK) status = save_sizes(r, name, *n, sizes);
    }
    study_seed_close(&s);
    free(path);
    free(name);
    return status;
}

static bool is_papers(const tried_size *size, const study_plan *plan)
{
    return (int64_t)size->repetitions == plan->training.repetitions &&
           (int64_t)size->inputs == plan->training.inputs;
}

/* The cells of a line, which the table takes over, and the same for the file. */
static char *add_line(sheet *table, char *csv, size_t n, char **cells, bool bold)
{
    for (size_t k = 0; k < n; k++) {
        csv =
            text_add(csv, "%s%s", cells[k] != NULL ? cells[k] : "", k + 1 < n ? "," : "\n");
        sheet_add_bold(table, cells[k], bold);
    }
    return csv;
}

static ow_status show_structure(reproduction *r, const study_plan *plan, size_t n,
                                const tried_size *sizes)
{
    static const ow_page_column columns[] = {{"R", true},        {"I", true},
                                             {"S", true},        {"rows", true},
                                             {"accuracy", true}, {"log-loss", true},
                                             {"log S", true},    {"the paper's", false}};
    enum { n_columns = sizeof columns / sizeof *columns };
    sheet table = {.n_columns = n_columns};
    char *csv = text_add(NULL, "R,I,S,rows,accuracy,log_loss,log_density,papers\n");
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (sizes[i].log_density - sizes[i].log_loss >
            sizes[best].log_density - sizes[best].log_loss)
            best = i;
    for (size_t i = 0; i < n; i++) {
        char *cells[n_columns] = {text_add(NULL, "%zu", sizes[i].repetitions),
                                  text_add(NULL, "%zu", sizes[i].inputs),
                                  text_add(NULL, "%zu", sizes[i].sums),
                                  text_add(NULL, "%.0f", sizes[i].rows),
                                  text_add(NULL, "%.4f", sizes[i].accuracy),
                                  text_add(NULL, "%.4f", sizes[i].log_loss),
                                  text_add(NULL, "%.3f", sizes[i].log_density),
                                  is_papers(&sizes[i], plan) ? text_add(NULL, "%s", marked)
                                                             : NULL};
        csv = add_line(&table, csv, n_columns, cells, i == best);
    }
    sheet_show(
        &table, r->page, columns,
        "Sizes of the circuit on training rows that were held out in turn: R "
        "repetitions, I inputs of a region. The best by log S less log-loss is bold. "
        "S, the sums of an inner region, has no effect: with one halving there is no "
        "inner region, and the last line is the paper's again to the last digit");
    const ow_status status = reproduce_save(r, "tuning-structure.csv", csv, strlen(csv));
    free(csv);
    return status;
}

/* ---- Methods ---- */

enum { most_settings = 4, few_queries = 64, many_queries = 500, quick_queries = 8 };

typedef struct {
    const char *method, *preset;
    const char *names[3];
    const char *values[3];
    bool papers; /* what the reported results use; Wachter's depends on the data   */
} trial;

static const trial trials[] = {
    {"two-step", NULL, {"class-step", "density-step"}, {"1", "1"}, false},
    {"two-step", NULL, {"class-step", "density-step"}, {"10", "1"}, true},
    {"wachter", "paper", {"rate"}, {"0.5"}, false},
    {"wachter", "paper", {"rate"}, {"0.05"}, false},
    {"cem", "paper", {"rate", "c", "gamma"}, {"0.5", "10", "0.1"}, false},
    {"cem", "paper", {"rate", "c", "gamma"}, {"0.5", "10", "1"}, false},
    {"cem", "paper", {"rate", "c", "gamma"}, {"0.5", "100", "0.1"}, true},
    {"cem", "paper", {"rate", "c", "gamma"}, {"0.5", "100", "1"}, false},
    {"cem", "paper", {"rate", "c", "gamma"}, {"0.05", "10", "0.1"}, false},
    {"cem", "paper", {"rate", "c", "gamma"}, {"0.05", "10", "1"}, false},
    {"cem", "paper", {"rate", "c", "gamma"}, {"0.05", "100", "0.1"}, false},
    {"cem", "paper", {"rate", "c", "gamma"}, {"0.05", "100", "1"}, false},
};
enum { n_trials = sizeof trials / sizeof *trials };

static ow_status run_trial(reproduction *r, const study_plan *plan, study_seed *s,
                           size_t index, study_results *results)
{
    const trial *t = &trials[index];
    const bool slow = t->preset != NULL, is_cem = strcmp(t->method, "cem") == 0;
    const char *steps = r->quick ? "200" : is_cem ? plan->cem_steps[0] : NULL;
    ow_setting settings[most_settings];
    ow_contestant method = {.method = t->method, .preset = t->preset, .settings = settings};
    for (size_t i = 0; i < 3 && t->names[i] != NULL; i++)
        settings[method.n_settings++] = (ow_setting){t->names[i], t->values[i]};
    if (slow && steps != NULL) settings[method.n_settings++] = (ow_setting){"steps", steps};
    char *name = text_add(NULL, "tuned-%s-%zu", t->method, index);
    const study_group group = {.name = name,
                               .methods = &method,
                               .n_methods = 1,
                               .most_queries = r->quick ? quick_queries
                                               : slow   ? few_queries
                                                        : many_queries};
    const ow_status status = study_group_run(r, plan, s, &group, results);
    free(name);
    return status;
}

static bool is_papers_trial(const trial *t, const study_rows *rows)
{
    const bool is_image = ow_schema_layout(rows->schema).kind == OW_LAYOUT_IMAGE;
    if (strcmp(t->method, "wachter") != 0) return t->papers;
    return strcmp(t->values[0], is_image ? "0.5" : "0.05") == 0;
}

/* Success by the paper's rule, then density; the figures of all trials are (success, log
 * S). */
static bool is_best(const double (*figures)[2], size_t index)
{
    for (size_t i = 0; i < n_trials; i++) {
        if (strcmp(trials[i].method, trials[index].method) != 0) continue;
        if (figures[i][0] > figures[index][0] ||
            (figures[i][0] == figures[index][0] && figures[i][1] > figures[index][1]))
            return false;
    }
    return true;
}

static char *settings_text(const trial *t)
{
    char *text = NULL;
    for (size_t i = 0; i < 3 && t->names[i] != NULL; i++)
        text = text_add(text, "%s%s %s", i > 0 ? "; " : "", t->names[i], t->values[i]);
    return text;
}

static ow_status show_methods(reproduction *r, const study_rows *rows,
                              const study_results *results)
{
    static const ow_page_column columns[] = {{"method", false},   {"settings", false},
                                             {"queries", true},   {"success", true},
                                             {"log S(x')", true}, {"L2", true},
                                             {"seconds", true},   {"the paper's", false}};
    enum { n_columns = sizeof columns / sizeof *columns };
    const size_t target = metric_index("validity_target_raw"),
                 any = metric_index("validity_any_raw"),
                 density = metric_index("log_density_raw"), l2 = metric_index("l2"),
                 seconds = metric_index("batch_seconds");
    double figures[n_trials][2];
    sheet table = {.n_columns = n_columns};
    char *csv = text_add(NULL, "method,settings,queries,success,log_density,l2,"
                               "seconds,papers\n");
    for (size_t i = 0; i < n_trials; i++) {
        const double *f = results[i].results[0].figures;
        figures[i][0] = f[strcmp(trials[i].method, "cem") == 0 ? any : target];
        figures[i][1] = f[density];
    }
    for (size_t i = 0; i < n_trials; i++) {
        const study_result *result = &results[i].results[0];
        const double *f = result->figures;
        char *cells[n_columns] = {
            text_add(NULL, "%s", trials[i].method),
            settings_text(&trials[i]),
            text_add(NULL, "%.0f", result->n_queries),
            text_add(NULL, "%.3f", figures[i][0]),
            isnan(figures[i][1]) ? NULL : text_add(NULL, "%.2f", figures[i][1]),
            isnan(f[l2]) ? NULL : text_add(NULL, "%.2f", f[l2]),
            text_add(NULL, "%.2f", f[seconds]),
            is_papers_trial(&trials[i], rows) ? text_add(NULL, "%s", marked) : NULL};
        csv = add_line(&table, csv, n_columns, cells,
                       is_best((const double(*)[2])figures, i));
    }
    sheet_show(&table, r->page, columns,
               "What the methods are set to, on training rows that the circuit has not "
               "learned from; CEM succeeds with any other class. For each method the best, "
               "by success and then by density, is bold");
    const ow_status status = reproduce_save(r, "tuning-methods.csv", csv, strlen(csv));
    free(csv);
    return status;
}

static ow_status tune_methods(reproduction *r, const study_plan *plan,
                              const study_rows *rows)
{
    study_results results[n_trials] = {{.n = 0}};
    study_plan tuned = *plan;
    study_seed s;
    tuned.tuning = true;
    tuned.variant = "tuning";
    ow_status status = study_seed_open(r, &tuned, rows, 0, &s);
    for (size_t i = 0; i < n_trials && status == OW_OK; i++) {
        message(OW_LOG_INFO, "tuning: setting %zu of %d", i + 1, (int)n_trials);
        status = run_trial(r, &tuned, &s, i, &results[i]);
    }
    if (status == OW_OK) study_seed_drop_model(r, &tuned, &s);
    if (status == OW_OK) status = show_methods(r, rows, results);
    for (size_t i = 0; i < n_trials; i++) study_results_clear(&results[i]);
    study_seed_close(&s);
    return status;
}

ow_status study_tuning_show(reproduction *r, const study_plan *plan, const study_rows *rows)
{
    tried_size sizes[2 * OW_TUNE_TRIALS];
    size_t n = 0;
    ow_status status = tune_structure(r, plan, rows, sizes, &n);
    ow_page_section(r->page, "Cross-validation");
    if (status == OW_OK) status = show_structure(r, plan, n, sizes);
    if (status == OW_OK) status = tune_methods(r, plan, rows);
    return status;
}
