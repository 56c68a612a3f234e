/* SPDX-License-Identifier: MIT */
/* otherwise demo: the whole way from a table to a report, on data that are part of the
 * program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/demo.h"
#include "evaluating/metric_index.h"
#include "explaining/explain_run.h"
#include "otherwise/otherwise.h"
#include "output/make_folder.h"
#include "output/output.h"
#include "serve/preferences.h"
#include "terminal/display_text.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"
#include "terminal/text_table.h"

/* data/credit.csv and data/credit.schema.json (cmake/embed.cmake). */
extern const unsigned char owi_embedded_credit_csv[], owi_embedded_credit_schema[];
extern const size_t owi_embedded_credit_csv_size, owi_embedded_credit_schema_size;

typedef struct {
    const char *output;
} settings;

enum {
    n_shown = 3,       /* applicants that are explained in words           */
    most_compared = 60 /* that the methods are compared on                 */
};
static const double test_share = 0.2;
const char *const demo_methods[demo_n_methods] = {"guided", "two-step", "nearest",
                                                  "wachter"};

static void say(const char *format, ...) CLI_PRINTF(1, 2);
static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = text_add_arguments(NULL, format, arguments);
    va_end(arguments);
    display_paragraph(stdout, text);
    output_print(stdout, "\n");
    output_flush();
}

/* ---- Learning ---- */

static ow_status read_rows(demo *d)
{
    ow_status status =
        ow_reader_open_memory(d->ctx, owi_embedded_credit_csv, owi_embedded_credit_csv_size,
                              "credit.csv", NULL, &d->reader);
    if (status == OW_OK)
        status = ow_schema_parse(d->ctx, (const char *)owi_embedded_credit_schema,
                                 owi_embedded_credit_schema_size, "credit.schema.json",
                                 &d->schema);
    if (status == OW_OK) status = ow_reader_bind(d->reader, d->schema, false);
    if (status == OW_OK) status = ow_table_read(d->reader, d->how, &d->table);
    if (status != OW_OK) return status;
    const size_t n = ow_table_n_rows(d->table);
    d->n_columns = ow_schema_n_columns(d->schema);
    d->is_test = memory_new(n, sizeof *d->is_test);
    return ow_split_by_share(d->ctx, n, ow_table_classes(d->table), test_share, d->how,
                             d->is_test);
}

static ow_status learn(demo *d)
{
    ow_train_options options;
    ow_train_options_init(&options, sizeof options);
    options.is_test = d->is_test;
    options.n_is_test = ow_table_n_rows(d->table);
    const ow_status status =
        ow_model_train(d->reader, d->schema, &options, d->how, &d->model);
    if (status != OW_OK) return status;
    const ow_train_report report = *ow_model_report(d->model);
    say("A circuit has learned from %zu of them in %.1f seconds. Of applicants whom it had "
        "not learned from it judges %.1f %% right (%.1f to %.1f %% with 95 %% confidence; "
        "AUC %.2f); always saying \"good\" would be right for %.1f %%.",
        report.train.n_rows, report.seconds, 100.0 * report.unseen->accuracy,
        100.0 * report.unseen->accuracy_low, 100.0 * report.unseen->accuracy_high,
        report.unseen->auc, 100.0 * report.unseen->majority);
    return OW_OK;
}

/* The held-out rows that the model refuses, and the training rows. */
static ow_status find_refused(demo *d)
{
    const size_t n = ow_table_n_rows(d->table);
    int32_t bad;
    ow_predictor *predictor = NULL;
    d->refused = memory_new(n, sizeof *d->refused);
    d->queries = memory_new(n * d->n_columns, sizeof *d->queries);
    d->known = memory_new(n * d->n_columns, sizeof *d->known);
    d->known_classes = memory_new(n, sizeof *d->known_classes);
    ow_status status = ow_schema_find_class(ow_model_schema(d->model), "bad", &bad);
    if (status == OW_OK)
        status = ow_schema_find_class(ow_model_schema(d->model), "good", &d->good);
    if (status == OW_OK) status = ow_predictor_new(d->model, NULL, &predictor);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        const double *row = ow_table_row(d->table, i);
        int32_t predicted;
        const ow_predictions wanted = {.size = sizeof wanted, .classes = &predicted};
        if (!d->is_test[i]) {
            memcpy(d->known + d->n_known * d->n_columns, row, d->n_columns * sizeof *row);
            d->known_classes[d->n_known++] = ow_table_classes(d->table)[i];
            continue;
        }
        status = ow_predictor_predict(predictor, 1, row, d->how, &wanted);
        if (status != OW_OK || predicted != bad) continue;
        memcpy(d->queries + d->n_refused * d->n_columns, row, d->n_columns * sizeof *row);
        d->refused[d->n_refused++] = i + 1;
    }
    ow_predictor_free(predictor);
    return status;
}

/* ---- Explaining ---- */

ow_explain_options demo_options(const demo *d)
{
    ow_explain_options options;
    ow_explain_options_init(&options, sizeof options);
    options.target = d->good;
    return options;
}

/* What an applicant and a bank can talk about; the past, the person and the home stay. */
static const char *const open_columns[] = {"duration", "amount",        "checking_status",
                                           "savings",  "other_debtors", "other_plans"};
enum { n_open = sizeof open_columns / sizeof *open_columns };

/* Nor would an adviser say: have an account in the red, or savings that nobody knows of, or
 * ask for more money. */
static ow_status make_constraints(demo *d)
{
    static const struct {
        const char *column, *level;
    } sensible[] = {{"checking_status", "0 to 200"}, {"checking_status", "over 200"},
                    {"savings", "below 100"},        {"savings", "100 to 500"},
                    {"savings", "500 to 1000"},      {"savings", "over 1000"}};
    ow_status status =
        ow_constraints_new(d->ctx, ow_model_schema(d->model), &d->constraints);
    for (size_t i = 0; i < n_open && status == OW_OK; i++)
        status = ow_constraints_vary(d->constraints, open_columns[i]);
    for (size_t i = 0; i < sizeof sensible / sizeof *sensible && status == OW_OK; i++)
        status =
            ow_constraints_allow(d->constraints, sensible[i].column, sensible[i].level);
    if (status == OW_OK)
        status = ow_constraints_monotone(d->constraints, "amount", OW_MONOTONE_DOWN);
    return status;
}

char *demo_rules(void)
{
    char *text = text_add(NULL, "An answer may change ");
    for (size_t i = 0; i < n_open; i++)
        text = text_add(text, "%s%s",
                        i == 0            ? ""
                        : i + 1 == n_open ? " and "
                                          : ", ",
                        open_columns[i]);
    return text_add(
        text,
        ", and nothing else: what is past, the person and the home stay as they "
        "are. Durations are in months, amounts in marks. No answer asks for an account "
        "in the red, or for a larger amount.");
}

/* As `otherwise explain` does. */
static int explain_some(demo *d)
{
    const ow_explain_model what = {.size = sizeof what, .model = d->model};
    ow_explain_options options = demo_options(d);
    options.surer_proba = preferences_surer_proba;
    explain_run run = {.format = explain_format_get(0),
                       .job = {.ctx = d->ctx,
                               .how = *d->how,
                               .model = d->model,
                               .schema = ow_model_schema(d->model),
                               .source = {.size = sizeof(ow_explain_source),
                                          .constraints = d->constraints,
                                          .options = &options,
                                          .reader = d->reader,
                                          .wanted = d->refused}}};
    ow_explain_source *source = &run.job.source;
    bool complete;
    int code;
    source->n_wanted = d->n_refused < n_shown ? d->n_refused : n_shown;
    ow_status status = ow_explainer_new(&what, "guided", &source->explainer);
    if (status == OW_OK)
        status = ow_reader_bind(d->reader, ow_model_schema(d->model), false);
    if (status == OW_OK) status = ow_reader_rewind(d->reader);
    if (status == OW_OK) {
        char *rules = demo_rules();
        say("Of %zu applicants who were held out, the model would refuse %zu. What would "
            "have to be different for the first %zu? %s p is the probability that the "
            "model "
            "gives.",
            ow_table_n_rows(d->table) - d->n_known, d->n_refused, source->n_wanted, rules);
        free(rules);
        code = explain_run_rows(&run, &complete);
    } else {
        code = command_failed(status, false);
    }
    ow_explainer_free(source->explainer);
    return code == EXIT_SOME_ROWS ? EXIT_DONE : code;
}

/* ---- Comparing ---- */

static ow_status compare(demo *d)
{
    ow_contestant methods[demo_n_methods];
    ow_experiment experiment;
    ow_experiment_init(&experiment, sizeof experiment);
    for (size_t i = 0; i < demo_n_methods; i++)
        methods[i] = (ow_contestant){.method = demo_methods[i]};
    experiment.model = d->model;
    experiment.methods = methods;
    experiment.n_methods = demo_n_methods;
    experiment.constraints = d->constraints;
    const ow_explain_options options = demo_options(d);
    experiment.options = &options;
    experiment.n_queries = d->n_refused < most_compared ? d->n_refused : most_compared;
    experiment.queries = d->queries;
    experiment.n_known = d->n_known;
    experiment.known = d->known;
    experiment.known_classes = d->known_classes;
    return ow_experiment_run(&experiment, d->how, &d->evaluation);
}

static void print_comparison(const demo *d)
{
    static const struct {
        const char *metric, *words;
    } lines[] = {{"validity_target", "valid answers"},
                 {"l0", "columns that change"},
                 {"gower", "distance from the row"},
                 {"density_percentile", "more typical than, in %"},
                 {"judge_plausible@25", "plausible to a second circuit"},
                 {"collapse", "answers differ as rows do"}};
    table_column columns[demo_n_methods + 1] = {{.title = "", .least_width = 20}};
    for (size_t m = 0; m < demo_n_methods; m++)
        columns[m + 1] = (table_column){.title = demo_methods[m], .is_number = true};
    text_table *table = text_table_new(columns, demo_n_methods + 1);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const size_t metric = metric_index(lines[i].metric);
        text_table_add(table, lines[i].words);
        for (size_t m = 0; m < demo_n_methods; m++) {
            const double figure = ow_evaluation_figure(d->evaluation, m, metric).mean;
            text_table_take(table, isnan(figure)
                                       ? text_add(NULL, "-")
                                       : text_add(NULL, "%.*f",
                                                  ow_metric_get(metric)->decimals, figure));
        }
    }
    text_table_print(stdout, table, terminal_width(stdout));
    text_table_free(table);
    output_print(stdout, "\n");
}

/* ---- The whole ---- */

static void introduce(void)
{
    say("1000 people asked a German bank for credit; 300 were bad risks. 20 columns tell "
        "what "
        "the bank knew of them.");
}

static void say_how_to_go_on(const char *report)
{
    output_print(stdout, "The report: %s\n\n", report);
    output_print(
        stdout,
        "With a table of your own:\n"
        "  otherwise train rows.csv --label COLUMN -o model.ow\n"
        "  otherwise explain model.ow rows.csv --row 17 --target CLASS --immutable a,b\n"
        "  otherwise help explain\n");
}

static int run_demo(demo *d)
{
    if (!make_folder(d->folder)) return EXIT_RESOURCES;
    introduce();
    ow_status status = read_rows(d);
    if (status == OW_OK) status = learn(d);
    if (status == OW_OK) status = find_refused(d);
    if (status == OW_OK) status = make_constraints(d);
    if (status != OW_OK) return command_failed(status, false);

    int code = explain_some(d);
    if (code != EXIT_DONE) return code;
    output_print(stdout, "\n");
    say("How do methods compare, on all of them?");
    status = compare(d);
    if (status != OW_OK) return command_failed(status, false);
    print_comparison(d);

    char *report = text_add(NULL, "%s/index.html", d->folder);
    status = demo_write_report(d, report);
    if (status == OW_OK)
        say_how_to_go_on(report);
    else
        code = command_failed(status, true);
    free(report);
    return code;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    demo d = {.ctx = call->ctx,
              .folder = set->output != NULL ? set->output : "report",
              .how = &call->how};
    /* What is told is told here, to people who do not know circuits: no notes. */
    ow_context_set_log(call->ctx, message_log, NULL, OW_LOG_WARN);
    int code = run_demo(&d);
    if (interrupt_signal() != 0 && code == EXIT_DONE) code = interrupt_end();
    ow_evaluation_free(d.evaluation);
    ow_constraints_free(d.constraints);
    ow_model_free(d.model);
    ow_table_free(d.table);
    ow_reader_free(d.reader);
    ow_schema_free(d.schema);
    free(d.is_test);
    free(d.refused);
    free(d.queries);
    free(d.known);
    free(d.known_classes);
    return code;
}

static const option_spec options[] = {
    {.name = "output",
     .letter = 'o',
     .word = "DIR",
     .help = "the folder that the report goes to; report by default",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, output)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0}};

static const char *const examples[] = {"otherwise demo", NULL};

const command_spec cmd_demo = {
    .name = "demo",
    .summary = "see it at work on 1000 credit applicants that come with it",
    .about =
        "Goes the whole way on data that are part of the program: finds out what the "
        "columns of a table are, learns a model, says how good it is, explains refused "
        "applicants under rules that no answer breaks, compares the methods, and writes a "
        "report, index.html, that needs no other file.",
    .uses = uses,
    .n_uses = 1,
    .examples = examples,
    .settings_size = sizeof(settings),
    .run = run,
};
