/* SPDX-License-Identifier: MIT */
/* otherwise evaluate: several methods on the same rows under the same constraints, judged
 * by the same metrics. */
#include "commands/command.h"
#include "evaluating/evaluation_files.h"
#include "evaluating/evaluation_table.h"
#include "evaluating/given_files.h"
#include "models/data_input.h"
#include "models/each_part.h"
#include "models/foreign_run.h"
#include "options/compute_settings.h"
#include "options/constraint_settings.h"
#include "options/contestants.h"
#include "options/question_settings.h"
#include "options/read_settings.h"
#include "otherwise/evaluate.h"
#include "otherwise/json.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/message.h"

typedef struct {
    text_list methods, answers, set;
    question_settings question;
    const char *preset, *background, *background_labels, *output;
    uint64_t n_seeds, limit;
    double noise;
    bool json;
    constraint_settings constraints;
    read_settings read;
    compute_settings compute;
    foreign_run_settings foreign;
} settings;

/* Everything that a comparison needs, read and checked. */
typedef struct {
    ow_model *model;
    ow_table *queries, *known; /* known: NULL, no background                      */
    ow_constraints *rules;
    contestants methods;
    given_files given;
    ow_experiment experiment;
    ow_explain_options options; /* of every method */
} job;

static void job_clear(job *j)
{
    contestants_clear(&j->methods);
    given_files_clear(&j->given);
    ow_constraints_free(j->rules);
    ow_table_free(j->queries);
    ow_table_free(j->known);
    ow_model_free(j->model);
}

/* ---- Reading ---- */

/* option is NULL for the rows to explain. */
static int read_rows(const invocation *call, const char *option, const char *path,
                     const ow_read_options *how, const ow_schema *schema, ow_table **out)
{
    const int code =
        data_input_read_table(call->ctx, &call->how, option, path, how, schema, out);
    if (code != EXIT_DONE || ow_table_n_rows(*out) > 0) return code;
    message(OW_LOG_ERROR, "%s has no rows", path);
    return EXIT_DATA;
}

static int read_all(const invocation *call, const ow_schema *schema, job *j)
{
    const settings *set = call->settings;
    ow_read_options how;
    if (!read_settings_convert(&set->read, &how)) return EXIT_USAGE;
    int code = read_rows(call, NULL, call->operands[1], &how, schema, &j->queries);
    if (code == EXIT_DONE)
        code = given_files_read(call->ctx, &call->how, &set->answers, &how, schema,
                                ow_table_n_rows(j->queries), &j->given);
    if (code != EXIT_DONE || set->background == NULL) return code;
    how.labels = set->background_labels; /* the others are of the rows to explain */
    return read_rows(call, "--background", set->background, &how, schema, &j->known);
}

static void set_experiment(const settings *set, job *j)
{
    ow_experiment *e = &j->experiment;
    const size_t n = ow_table_n_rows(j->queries);
    e->model = j->model;
    e->backend = set->compute.backend;
    e->methods = j->methods.methods;
    e->n_methods = j->methods.n;
    e->given = j->given.answers;
    e->n_given = j->given.n;
    e->constraints = j->rules;
    e->n_queries = set->limit > 0 && set->limit < n ? (size_t)set->limit : n;
    e->queries = ow_table_row(j->queries, 0);
    if (j->known != NULL) {
        e->n_known = ow_table_n_rows(j->known);
        e->known = ow_table_row(j->known, 0);
        e->known_classes = ow_table_classes(j->known);
    }
    e->n_seeds = (size_t)set->n_seeds;
    e->noise = set->noise;
    e->time_limit = set->question.time_limit;
}

/* Reads and checks everything. */
static int job_make(const invocation *call, job *j)
{
    const settings *set = call->settings;
    *j = (job){0};
    ow_experiment_init(&j->experiment, sizeof j->experiment);
    ow_explain_options_init(&j->options, sizeof j->options);
    j->experiment.options = &j->options;
    if (set->methods.n + set->answers.n == 0) {
        message(OW_LOG_ERROR,
                "evaluate needs --methods A,B, the methods to compare, or --answers FILE");
        return EXIT_USAGE;
    }
    if (call->is_part && set->answers.n > 0) {
        message(OW_LOG_ERROR, "--answers FILE answers one file of rows: not with -o %s",
                set->output);
        return EXIT_USAGE;
    }
    if (!contestants_make(&set->methods, set->preset, &set->set, set->background != NULL,
                          &j->methods) ||
        !compute_settings_check(&set->compute))
        return EXIT_USAGE;
    const char *const read[] = {call->operands[0], call->operands[1], set->background,
                                set->read.labels, set->background_labels};
    int code = evaluation_files_check(set->output, read, sizeof read / sizeof *read);
    if (code != EXIT_DONE) return code;
    const ow_status status = foreign_run_load(&set->foreign, call->ctx, call->operands[0],
                                              &call->how, &j->model);
    if (status != OW_OK) return command_failed(status, false);
    const ow_schema *schema = ow_model_schema(j->model);
    if (!question_settings_make(&set->question, schema, &j->options)) return EXIT_USAGE;
    code = constraint_settings_make(&set->constraints, schema, call->ctx, &j->rules,
                                    &j->options);
    if (code == EXIT_DONE) code = read_all(call, schema, j);
    if (code == EXIT_DONE) set_experiment(set, j);
    return code;
}

/* ---- Results ---- */

/* The document that summary.json holds. */
static int make_summary(const invocation *call, const job *j,
                        const ow_evaluation *evaluation, char **text, size_t *size)
{
    const ow_evaluation_about about = {.size = sizeof about,
                                       .experiment = &j->experiment,
                                       .model = call->operands[0],
                                       .rows = call->operands[1],
                                       .call = &call->how,
                                       .interrupted = interrupt_signal() != 0};
    const ow_status status = ow_evaluation_json(&about, evaluation, text, size);
    return status == OW_OK ? EXIT_DONE : command_failed(status, false);
}

/* Whether some query was solved by no method at all. */
static bool has_unsolved(const ow_evaluation *evaluation)
{
    const ow_evaluation_info info = *ow_evaluation_get_info(evaluation);
    for (size_t i = 0; i < info.n_rows; i++) {
        bool solved = false;
        for (size_t s = 0; s < info.n_seeds && !solved; s++)
            for (size_t m = 0; m < info.n_methods && !solved; m++) {
                const ow_row_result row = ow_evaluation_row(evaluation, s, m, i);
                solved =
                    row.complete && (row.valid || row.kind == OW_OUTCOME_ALREADY_TARGET);
            }
        if (!solved) return true;
    }
    return false;
}

static void print_result(const settings *set, const ow_evaluation *evaluation,
                         const char *target, const char *summary, size_t size)
{
    if (set->json)
        output_write(stdout, summary, size);
    else
        evaluation_table_print(stdout, evaluation, target);
}

static int give(const invocation *call, const job *j, const ow_evaluation *evaluation)
{
    const settings *set = call->settings;
    const char *target = j->options.target >= 0 ? set->question.target : NULL;
    char *summary = NULL;
    size_t size = 0;
    int code = make_summary(call, j, evaluation, &summary, &size);
    if (code == EXIT_DONE && set->output != NULL)
        code = evaluation_files_write(
            call->ctx, call->how.seed, set->output, evaluation, j->model, target,
            &(asked){.ctx = call->ctx,
                     .rows = call->operands[1],
                     .n_rows = ow_evaluation_get_info(evaluation)->n_rows,
                     .model_path = call->operands[0],
                     .model = j->model,
                     .options = &j->options,
                     .constraints = j->rules},
            summary, size);
    if (code == EXIT_DONE && !call->is_part)
        print_result(set, evaluation, target, summary, size);
    ow_bytes_free(summary);
    if (code != EXIT_DONE) return code;
    if (set->output != NULL)
        message(OW_LOG_INFO, "wrote index.html, summary.json and rows.csv to %s",
                set->output);
    if (interrupt_signal() != 0) return interrupt_end();
    return has_unsolved(evaluation) ? EXIT_SOME_ROWS : EXIT_DONE;
}

/* ---- The command ---- */

static int run_once(const invocation *call)
{
    job j;
    ow_evaluation *evaluation = NULL;
    int code = job_make(call, &j);
    if (code == EXIT_DONE) {
        const ow_status status = ow_experiment_run(&j.experiment, &call->how, &evaluation);
        code =
            evaluation != NULL ? give(call, &j, evaluation) : command_failed(status, false);
    }
    ow_evaluation_free(evaluation);
    job_clear(&j);
    return code;
}

static int run(const invocation *call)
{
    return each_part(call, sizeof(settings), offsetof(settings, output),
                     evaluation_files_last, run_once);
}

static const option_spec options[] = {
    {.name = "methods",
     .letter = 'm',
     .word = "A,B",
     .help = "the methods to compare, or all; METHOD:PRESET for one of the presets paper "
             "and reference",
     .kind = OPTION_LIST,
     .in_usage = true,
     .at = offsetof(settings, methods)},
    {.name = "answers",
     .word = "NAME=FILE",
     .help = "answers of another tool, judged as they are: a line for each of ROWS, or for "
             "those that a column \"row\" numbers, as explain --format csv writes it; may "
             "be repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(settings, answers)},
    {.name = "background",
     .word = "ROWS",
     .help = "rows that the model was trained on: for face and nearest, and for the "
             "metrics that look at real rows",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, background)},
    {.name = "background-labels",
     .word = "FILE",
     .help = "IDX, NPY: the classes of the background rows; what the model says by default",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, background_labels)},
    {.name = "output",
     .letter = 'o',
     .word = "DIR",
     .help = "a folder for index.html, a page, summary.json, and rows.csv, with a line for "
             "each method and row; with %d in its name, one for each file of ROWS, and no "
             "table",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, output)},
    {.name = "preset",
     .word = "NAME",
     .help = "the preset of all methods that name none themselves: paper or reference",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, preset)},
    {.name = "set",
     .word = "NAME=VALUE",
     .help = "a parameter of every method that has it, or METHOD.NAME=VALUE of one; may be "
             "repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(settings, set)},
    {.name = "limit",
     .word = "N",
     .help = "only the first N rows",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = UINT32_MAX,
     .at = offsetof(settings, limit)},
    {.name = "seeds",
     .word = "N",
     .help = "run N times, with --seed and the numbers after it: means and deviations",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = 1000,
     .at = offsetof(settings, n_seeds)},
    {.name = "noise",
     .word = "SHARE",
     .help = "noise of the stability metric, in parts of a column's range; 0: not measured",
     .kind = OPTION_NUMBER,
     .low = 0.0,
     .high = 1.0,
     .at = offsetof(settings, noise)},
    {.name = "json",
     .help = "print what summary.json holds instead of the table",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, json)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0},
                                  {&question_options, offsetof(settings, question)},
                                  {&constraint_options, offsetof(settings, constraints)},
                                  {&foreign_run_options, offsetof(settings, foreign)},
                                  {&read_options, offsetof(settings, read)},
                                  {&compute_options, offsetof(settings, compute)}};

static const operand_spec operands[] = {
    {"MODEL", "a model that train or import has written"},
    {"ROWS", "the rows to explain: a CSV, IDX or NPY file, gzipped or not; - is standard "
             "input"},
};

static const char *const examples[] = {
    "otherwise evaluate credit.ow test.csv --target good --methods guided,two-step",
    "otherwise evaluate credit.ow test.csv --target good --background train.csv "
    "--methods guided,wachter:paper,face --immutable age -o results",
    "otherwise evaluate credit.ow test.csv --target good --methods guided "
    "--answers dice=theirs.csv",
    NULL,
};

const command_spec cmd_evaluate = {
    .name = "evaluate",
    .summary = "compare methods on the same rows, by every metric",
    .about =
        "Lets each method explain the same rows of the same model under the same "
        "constraints, and judges all answers alike: are they valid, near, as dense as real "
        "rows, free of broken constraints, whole in their categories, stable, fast? "
        "Metrics "
        "are lines, methods are columns, and an arrow says which way is better.\n\n"
        "Rows that are of the target class already are counted apart. Every other row "
        "counts: a missing answer is a failure wherever it can be one, and where methods "
        "have solved different rows a second table has the means over those that all of "
        "them solved.\n\n"
        "With --background, rows that the model was trained on, a second circuit is "
        "learned from them that no method has seen and judges the answers too; ynn and lof "
        "compare the answers with their nearest real rows.\n\n"
        "Answers that other tools have made are judged alike with --answers: nothing of "
        "them is repaired, and what they break counts as broken.\n\n"
        "The exit code is 1 if there are rows that no method found an answer for. Ctrl-C "
        "ends the comparison: methods that are complete are printed and written.",
    .operands = operands,
    .n_operands = 2,
    .n_required = 2,
    .uses = uses,
    .n_uses = sizeof uses / sizeof *uses,
    .examples = examples,
    .is_for_several = true,
    .settings_size = sizeof(settings),
    .defaults =
        &(const settings){.question = QUESTION_DEFAULTS, .n_seeds = 1, .noise = 0.01},
    .run = run,
};
