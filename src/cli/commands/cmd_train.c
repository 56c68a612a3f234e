/* SPDX-License-Identifier: MIT */
/* otherwise train: from a table with a label to a model file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "models/corrections.h"
#include "models/data_input.h"
#include "models/foreign_settings.h"
#include "models/model_output.h"
#include "models/original_decisions.h"
#include "models/team_settings.h"
#include "options/compute_settings.h"
#include "options/infer_settings.h"
#include "options/read_settings.h"
#include "options/train_settings.h"
#include "otherwise/json.h"
#include "otherwise/model.h"
#include "output/output.h"
#include "summaries/model_summary.h"
#include "summaries/quality_summary.h"
#include "summaries/schema_summary.h"
#include "summaries/training_warnings.h"
#include "summaries/tune_report.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"

typedef struct {
    const char *output, *schema;
    bool json, verbose;
    corrections_settings corrections;
    foreign_settings foreign;
    train_settings train;
    infer_settings infer;
    read_settings read;
    compute_settings compute;
    team_settings team;
} settings;

/* ---- The schema ---- */

/* One that was written before: options that would infer another one are a contradiction. */
static int load_schema(const invocation *call, const char *wanted, ow_schema **schema)
{
    const settings *set = call->settings;
    const char *given = infer_settings_given(&set->infer);
    if (given != NULL) {
        message(OW_LOG_ERROR, "--%s has no place beside --schema: change %s instead", given,
                set->schema);
        return EXIT_USAGE;
    }
    const ow_status status = ow_schema_load(call->ctx, set->schema, &call->how, schema);
    if (status != OW_OK) return command_failed(status, false);
    const char *label = ow_schema_label(*schema);
    if (wanted == NULL || (label != NULL && strcmp(label, wanted) == 0)) return EXIT_DONE;
    message(OW_LOG_ERROR, "--label is %s, but the label in %s is %s", wanted, set->schema,
            label != NULL ? label : "missing");
    return EXIT_USAGE;
}

static int get_schema(const invocation *call, ow_reader *reader, ow_infer_options infer,
                      const char *name, ow_schema **schema)
{
    const settings *set = call->settings;
    if (set->schema != NULL) return load_schema(call, infer.label, schema);
    return infer_settings_schema(&set->infer, infer, "train", reader, name,
                                 set->read.labels,
                                 set->foreign.path != NULL || set->foreign.command != NULL,
                                 &call->how, schema);
}

/* ---- The report ---- */

/* What came of it all. */
typedef struct {
    size_t n_trials, best; /* of tuning; 0: none */
    ow_tune_trial trials[OW_TUNE_TRIALS];
    ow_model *model;
} outcome;

static int print_report(const settings *set, const char *name, const outcome *came,
                        bool interrupted)
{
    const ow_model *model = came->model;
    if (set->json) {
        const ow_training_about about = {.size = sizeof about,
                                         .model = model,
                                         .name = set->output,
                                         .trials = came->trials,
                                         .n_trials = came->n_trials,
                                         .interrupted = interrupted};
        char *text = NULL;
        size_t size = 0;
        const ow_status status = ow_training_json(&about, &text, &size);
        return command_give(status, text, size);
    }
    schema_summary_print_head(stdout, name, ow_model_schema(model));
    if (came->n_trials > 0) tune_report_print(came->trials, came->n_trials, came->best);
    model_summary_decider(stdout, model);
    quality_summary_print(stdout, model);
    model_summary_confusion(stdout, model);
    if (!set->verbose) return EXIT_DONE;
    model_summary_scores(stdout, model);
    output_print(stdout, "\n");
    model_summary_circuit(stdout, model);
    model_summary_stored(stdout, model);
    return EXIT_DONE;
}

/* The file first: where it cannot be written, nothing is said that looks like success. */
static int give(const invocation *call, const char *name, ow_reader *reader,
                const outcome *came)
{
    const settings *set = call->settings;
    const bool interrupted = interrupt_signal() != 0;
    const int code = model_output_write(came->model, set->output);
    if (code != EXIT_DONE) return code;
    const int told = output_is_dash(set->output)
                         ? EXIT_DONE
                         : print_report(set, name, came, interrupted);
    if (told != EXIT_DONE) return told;
    if (!interrupted) {
        training_warnings_print(came->model, reader, &call->how);
        const int compared =
            original_decisions_tell(came->model, reader, set->foreign.original,
                                    set->compute.backend, &call->how);
        if (compared != EXIT_DONE) return compared;
    }
    if (interrupted) {
        message(OW_LOG_WARN, "interrupted; %s holds the best model so far", set->output);
        return 128 + interrupt_signal();
    }
    message(OW_LOG_INFO,
            "wrote %s after %.1f s; next: otherwise explain %s ROWS, otherwise inspect %s",
            set->output, ow_model_report(came->model)->seconds, set->output, set->output);
    return EXIT_DONE;
}

/* ---- The command ---- */

static int train(const invocation *call, ow_reader *reader, const ow_schema *schema,
                 ow_train_options options, const char *name)
{
    const settings *set = call->settings;
    const bool writes = options.team == NULL || options.team->rank == 0;
    outcome came = {0};
    const ow_status status =
        set->train.tune ? ow_model_tune(reader, schema, &options, &call->how, came.trials,
                                        &came.n_trials, &came.best, &came.model)
                        : ow_model_train(reader, schema, &options, &call->how, &came.model);
    if (came.model == NULL) return command_failed(status, false);
    train_settings_note_unused(&options, came.model);
    const int code = writes ? give(call, name, reader, &came) : EXIT_DONE;
    ow_model_free(came.model);
    return code;
}

/* On the rows and those that corrections add. */
static int train_corrected(const invocation *call, ow_reader *reader,
                           const ow_schema *schema, ow_train_options options,
                           const char *name)
{
    const settings *set = call->settings;
    corrected_rows rows;
    int code = corrected_rows_make(&set->corrections, call->ctx, &call->how, reader, schema,
                                   options.test_share, &rows);
    if (code == EXIT_DONE) {
        options.is_test = rows.is_test;
        options.n_is_test = rows.n_rows;
        message(OW_LOG_INFO,
                "%zu corrections add %zu rows, which the figures below count as well",
                rows.n_corrections, rows.n_added);
        code = train(call, rows.reader, schema, options, name);
    }
    corrected_rows_clear(&rows);
    return code;
}

static int run_with(const invocation *call, foreign_choice *foreign, const comm *together)
{
    const settings *set = call->settings;
    const char *path = call->operands[0],
               *name = output_is_dash(path) ? "standard input" : path;
    ow_read_options how;
    ow_train_options options;
    ow_infer_options infer;
    data_input input = {0};
    ow_schema *schema = NULL;
    const char **drop = NULL;

    if (!read_settings_convert(&set->read, &how) ||
        !compute_settings_check(&set->compute) ||
        !train_settings_convert(&set->train, &options) ||
        !infer_settings_convert(&set->infer, &infer) ||
        !foreign_settings_convert(&set->foreign, foreign, &options))
        return EXIT_USAGE;
    options.backend = set->compute.backend;
    options.team = infer.team = together != NULL ? &together->team : NULL;
    if (!team_settings_spare_input(together, path)) return EXIT_USAGE;
    int code = model_output_check("train", set->output);
    if (code != EXIT_DONE) return code;
    if (!output_spares(set->output, path) || !output_spares(set->output, how.labels) ||
        !output_spares(set->output, set->schema) ||
        !output_spares(set->output, set->corrections.path) ||
        !output_spares(set->output, set->foreign.path))
        return EXIT_USAGE;
    original_decisions_drop(set->foreign.original, &infer, &drop);
    code = data_input_open(call->ctx, &call->how, path, &how, &input);
    if (code == EXIT_DONE) code = get_schema(call, input.reader, infer, name, &schema);
    if (code == EXIT_DONE)
        code = set->corrections.path != NULL
                   ? train_corrected(call, input.reader, schema, options, name)
                   : train(call, input.reader, schema, options, name);
    ow_schema_free(schema);
    data_input_close(&input);
    free(drop);
    return code;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    foreign_choice foreign = {0};
    comm *together;
    if (!team_settings_begin(&set->team, &together)) return EXIT_RESOURCES;
    const int code = run_with(call, &foreign, together);
    foreign_settings_clear(&foreign);
    return team_settings_end(&set->team, together, code);
}

static const option_spec options[] = {
    {.name = "output",
     .letter = 'o',
     .word = "MODEL",
     .help = "the model file to write",
     .kind = OPTION_TEXT,
     .in_usage = true,
     .at = offsetof(settings, output)},
    {.name = "schema",
     .word = "FILE",
     .help =
         "what the columns are, as otherwise schema has written it; inferred by default",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, schema)},
    {.name = "corrections",
     .word = "FILE",
     .help = "changes that should not change the decision, as the page of otherwise serve "
             "saves them: JSON, doc/serve.md",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, corrections.path)},
    {.name = "correction-weight",
     .word = "N",
     .help = "training rows near a correction that it is carried over to; 50 by default",
     .kind = OPTION_INTEGER,
     .least = 0,
     .most = 100000,
     .at = offsetof(settings, corrections.weight)},
    {.name = "json",
     .help = "print the report as JSON",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, json)},
    {.name = "verbose",
     .letter = 'v',
     .help = "also print the circuit's sizes, and how dense rows are: mean log S(x)",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, verbose)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&infer_options, offsetof(settings, infer)},
                                  {&group, 0},
                                  {&foreign_options, offsetof(settings, foreign)},
                                  {&train_options, offsetof(settings, train)},
                                  {&read_options, offsetof(settings, read)},
                                  {&compute_options, offsetof(settings, compute)},
                                  {&team_options, offsetof(settings, team)}};

static const operand_spec operands[] = {
    {"DATA",
     "a CSV, IDX or NPY file, gzipped or not; several as 'part-*.csv'; - is standard "
     "input"},
};

static const char *const examples[] = {
    "otherwise train data/credit.csv --label risk -o credit.ow",
    "otherwise train adult.data --no-header --label x14 --drop x2 -o adult.ow",
    "otherwise train train-images-idx3-ubyte.gz --labels train-labels-idx1-ubyte.gz "
    "--classes 1,3,4,7,8 -o digits.ow",
    "otherwise train applicants.csv --label risk --model booster.json --embed -o own.ow",
    NULL,
};

const command_spec cmd_train = {
    .name = "train",
    .summary = "learn a model from a table, images or feature maps with a label",
    .about =
        "Learns a probabilistic circuit from the rows: a classifier and an exact density "
        "in "
        "one, which all other commands work with. Without options its size and the way it "
        "is "
        "learned follow from the number of rows and columns, so that a small table is not "
        "learned by heart. With --classifier mlp a neural network is learned beside it and "
        "decides; the circuit stays the density. With --model a model of XGBoost or "
        "LightGBM, or one in ONNX format, decides, and the circuit is the density; without "
        "--label its decisions "
        "are then the classes.\n\n"
        "A fifth of the rows (--test-share) is held out and only used to measure how well "
        "the model does on rows that it has not seen: accuracy, AUC, log-loss, "
        "calibration. "
        "In tables of fewer than 5000 rows the others are measured, too, each by a circuit "
        "that was learned without it. Rows without a label are left out; values may be "
        "missing.\n\n"
        "The same rows, options and seed give the same file, byte for byte, on any number "
        "of "
        "threads. Ctrl-C ends training early: the best model so far is written, and the "
        "exit "
        "code is 130.",
    .operands = operands,
    .n_operands = 1,
    .n_required = 1,
    .uses = uses,
    .n_uses = sizeof uses / sizeof *uses,
    .examples = examples,
    .is_for_several = true,
    .settings_size = sizeof(settings),
    .defaults = &(const settings){.corrections = {.weight = 50}},
    .run = run,
};
