/* SPDX-License-Identifier: MIT */
/* otherwise inspect: what is in a model file, and the structure of its circuit as a
 * picture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "otherwise/json.h"
#include "otherwise/report.h"
#include "output/output.h"
#include "summaries/model_summary.h"
#include "summaries/quality_summary.h"
#include "summaries/schema_summary.h"
#include "terminal/display_text.h"
#include "terminal/exit_codes.h"
#include "terminal/message.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"
#include "terminal/text_table.h"

typedef struct {
    bool json, verbose;
    const char *svg;
} settings;

/* The density below which so many percent of a class's training rows lie. */
static const int percents[] = {1, 25, 50, 75, 99};
enum { n_percents = sizeof percents / sizeof *percents };

/* ---- For people ---- */

static void print_classes(const ow_model *model)
{
    static const table_column columns[] = {
        {.title = "class", .least_width = 12}, {.title = "prior", .is_number = true},
        {.title = "1 %", .is_number = true},   {.title = "25 %", .is_number = true},
        {.title = "50 %", .is_number = true},  {.title = "75 %", .is_number = true},
        {.title = "99 %", .is_number = true}};
    const ow_schema *schema = ow_model_schema(model);
    const double *log_prior = ow_circuit_log_prior(ow_model_circuit(model));
    text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t c = 0; c < ow_schema_n_classes(schema); c++) {
        text_table_add(table, ow_schema_class_name(schema, c));
        text_table_take(table, text_add(NULL, "%.3f", exp(log_prior[c])));
        for (size_t i = 0; i < n_percents; i++) {
            const double density = ow_model_density_at(model, c, percents[i]);
            text_table_take(table, isnan(density) ? text_add(NULL, "-")
                                                  : text_add(NULL, "%.2f", density));
        }
    }
    output_print(stdout, "\n");
    display_paragraph(stdout,
                      text_add(NULL, "Percentiles of log S(x given class), over %s:",
                               ow_model_report(model)->train.n_rows > 0
                                   ? "real rows of each class"
                                   : "rows drawn from each class"));
    text_table_print(stdout, table, terminal_width(stdout));
    text_table_free(table);
}

static void print_columns(const ow_model *model, bool verbose)
{
    static const table_column columns[] = {{.title = "column", .least_width = 12},
                                           {.title = "type"},
                                           {.title = "leaf"},
                                           {.title = "values", .least_width = 16}};
    const ow_schema *schema = ow_model_schema(model);
    if (ow_schema_layout(schema).kind != OW_LAYOUT_TABLE) return;
    text_table *table = text_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        text_table_add(table, ow_schema_column(schema, j)->name);
        text_table_add(table, ow_column_type_name(ow_schema_column(schema, j)->type));
        text_table_add(table,
                       verbose ? ow_column_leaf_name(ow_model_column_leaf(model, j)) : "");
        schema_summary_add_values(table, schema, j);
    }
    output_print(stdout, "\n");
    text_table_print(stdout, table, terminal_width(stdout));
    text_table_free(table);
}

static void print_for_people(const char *name, const ow_model *model, bool verbose)
{
    /* Of an imported model there is nothing else to tell. */
    if (ow_model_report(model)->train.n_rows == 0) verbose = true;
    schema_summary_print_head(stdout, name, ow_model_schema(model));
    model_summary_decider(stdout, model);
    if (verbose) model_summary_circuit(stdout, model);
    model_summary_training(stdout, model, verbose);
    quality_summary_print(stdout, model);
    model_summary_confusion(stdout, model);
    if (verbose) model_summary_scores(stdout, model);
    if (verbose) print_classes(model);
    print_columns(model, verbose);
}

/* ---- The command ---- */

static int draw(const ow_model *model, const char *path)
{
    char *svg = NULL;
    if (!output_is_dash(path)) {
        const ow_status status = ow_report_structure_save(model, path);
        return status == OW_OK ? EXIT_DONE : command_failed(status, true);
    }
    const ow_status status = ow_report_structure(model, &svg);
    if (status != OW_OK) return command_failed(status, true);
    output_print(stdout, "%s", svg);
    ow_bytes_free(svg);
    return EXIT_DONE;
}

static int inspect(const invocation *call, const ow_model *model)
{
    const settings *set = call->settings;
    const char *path = call->operands[0];
    if (set->svg != NULL) {
        const int code = draw(model, set->svg);
        if (code != EXIT_DONE || output_is_dash(set->svg)) return code;
    }
    if (set->json) {
        char *text = NULL;
        size_t size = 0;
        const ow_status status = ow_model_json(model, true, &text, &size);
        return command_give(status, text, size);
    }
    print_for_people(output_is_dash(path) ? "standard input" : path, model, set->verbose);
    return EXIT_DONE;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    ow_model *model = NULL;
    if (!output_spares(set->svg, call->operands[0])) return EXIT_USAGE;
    const ow_status status =
        ow_model_load(call->ctx, call->operands[0], &call->how, &model);
    const int code = status == OW_OK ? inspect(call, model) : command_failed(status, false);
    ow_model_free(model);
    return code;
}

static const option_spec options[] = {
    {.name = "json",
     .help = "print it as JSON",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, json)},
    {.name = "verbose",
     .letter = 'v',
     .help = "also print the circuit's sizes and leaves, how it was learned, and how dense "
             "rows are: log S(x)",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, verbose)},
    {.name = "svg",
     .word = "FILE",
     .help = "draw the structure of the circuit to FILE as SVG; - prints it instead of the "
             "rest",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, svg)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0}};

static const operand_spec operands[] = {
    {"MODEL", "a model that train or import has written; - is standard input"},
};

static const char *const examples[] = {
    "otherwise inspect credit.ow --svg credit.svg",
    NULL,
};

const command_spec cmd_inspect = {
    .name = "inspect",
    .summary = "tell what is in a model file, and draw its structure",
    .about =
        "Prints what a model is: the rows that it was learned from, how well it does on "
        "rows that it has not seen, and its columns. With -v also the circuit's sizes, how "
        "it was learned, the classes with their prior and typical densities, and the "
        "leaves "
        "of the columns. "
        "With --svg the structure is also drawn: the mixture of the classes, their roots, "
        "partitions, inner sums and leaf regions with the columns that they hold; or its "
        "trees, with the columns as nodes.",
    .operands = operands,
    .n_operands = 1,
    .n_required = 1,
    .uses = uses,
    .n_uses = 1,
    .examples = examples,
    .settings_size = sizeof(settings),
    .run = run,
};
