/* SPDX-License-Identifier: MIT */
/* otherwise explain: what would have to be different for the model to decide otherwise, for
 * a stream of rows. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "explaining/explain_run.h"
#include "models/data_input.h"
#include "models/each_part.h"
#include "models/foreign_run.h"
#include "models/row_names.h"
#include "models/row_parts.h"
#include "options/compute_settings.h"
#include "options/constraint_settings.h"
#include "options/decimal.h"
#include "options/method_settings.h"
#include "options/question_settings.h"
#include "options/read_settings.h"
#include "options/row_numbers.h"
#include "otherwise/page.h"
#include "output/output.h"
#include "serve/preferences.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/message.h"

typedef struct {
    question_settings question;
    const char *id, *output, *png, *surer;
    text_list rows, map;
    int format, only;
    bool strict;
    method_settings method;
    constraint_settings constraints;
    read_settings read;
    compute_settings compute;
    foreign_run_settings foreign;
} settings;

/* With everything open. */
static int run_rows(const settings *set, explain_run *run)
{
    bool complete = false;
    int code = output_begin_file(run->job.ctx, set->output);
    if (code != EXIT_DONE) return code;
    code = explain_run_rows(run, &complete);
    code = output_end_file(code, complete);
    if (run->strips != NULL && complete) {
        const int png = image_strips_save(run->strips, run->job.ctx);
        if (png != EXIT_DONE) code = png;
    }
    return code;
}

/* --map names two columns, or asks for the principal axes; only pages have maps. */
static int check_map(const settings *set, const ow_model *model)
{
    if (set->map.n == 0) return EXIT_DONE;
    if (strcmp(explain_format_names[set->format], "html") != 0) {
        message(OW_LOG_ERROR, "--map is for --format html");
        return EXIT_USAGE;
    }
    if (set->map.n == 1 && strcmp(set->map.items[0], "principal") == 0) return EXIT_DONE;
    if (set->map.n != 2) {
        message(OW_LOG_ERROR, "--map: expected two columns or principal, got %zu name%s",
                set->map.n, set->map.n == 1 ? "" : "s");
        return EXIT_USAGE;
    }
    const char *const columns[2] = {set->map.items[0], set->map.items[1]};
    return command_check_option("--map", ow_page_map_check(model, columns));
}

/* Second answers: for tables, in the forms that print them, unless a probability was asked
 * for that the first ones have to reach. */
static int read_surer(const settings *set, const ow_schema *schema,
                      const explain_format *format, ow_explain_options *options)
{
    double *proba = &options->surer_proba;
    const bool has_proba = set->constraints.proba != NULL || options->least_proba > 0.0 ||
                           options->most_proba < 1.0;
    const bool is_table = ow_schema_layout(schema).kind == OW_LAYOUT_TABLE;
    if (set->surer == NULL) {
        if (format->shows_surer && is_table && !has_proba) *proba = preferences_surer_proba;
        return EXIT_DONE;
    }
    if (strcmp(set->surer, "off") == 0) return EXIT_DONE;
    if (!decimal_read(set->surer, proba) || *proba <= 0.0 || *proba > 1.0) {
        message(OW_LOG_ERROR, "--surer: expected off or a number up to 1, got \"%s\"",
                set->surer);
        return EXIT_USAGE;
    }
    if (!format->shows_surer) {
        message(OW_LOG_ERROR, "--surer is for --format text, json and html");
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* All that the question is made of. */
typedef struct {
    ow_explain_options options;
    ow_constraints *rules;
    ow_explainer *explainer;
    ow_table *background;
    size_t *wanted, n_wanted; /* rows */
    const char *id;           /* the column that names rows; NULL: none */
    explain_run run;
} question;

static void question_clear(question *q)
{
    image_strips_free(q->run.strips);
    doubtful_changes_clear(&q->run.doubts);
    ow_explainer_free(q->explainer);
    ow_table_free(q->background);
    ow_constraints_free(q->rules);
    free(q->wanted);
}

/* Checks and makes everything, in the order in which people are told what is wrong. */
static int question_make(const invocation *call, const ow_model *model, ow_reader *reader,
                         const ow_read_options *how, question *q)
{
    const settings *set = call->settings;
    const ow_schema *schema = ow_model_schema(model);
    q->run.format = explain_format_get(set->format);
    q->run.only = set->only;
    if (!row_numbers_read(&set->rows, &q->wanted, &q->n_wanted) ||
        !question_settings_make(&set->question, schema, &q->options))
        return EXIT_USAGE;
    int code = EXIT_DONE;
    if (set->strict) code = data_input_check_strict(model, call->operands[0]);
    if (code == EXIT_DONE) code = check_map(set, model);
    if (code == EXIT_DONE)
        code = constraint_settings_make(&set->constraints, schema, call->ctx, &q->rules,
                                        &q->options);
    if (code == EXIT_DONE) code = read_surer(set, schema, q->run.format, &q->options);
    if (code == EXIT_DONE)
        code = method_settings_make(&set->method, model, set->compute.backend, how,
                                    call->ctx, &call->how, &q->explainer, &q->background);
    if (code == EXIT_DONE && set->png != NULL)
        code = image_strips_new(model, set->png, &q->run.strips);
    if (code != EXIT_DONE) return code;
    const ow_status status = ow_reader_bind(reader, schema, set->strict);
    if (status != OW_OK) return command_failed(status, false);
    code = row_names_find(&set->rows, reader, schema, &call->how, &q->wanted, &q->n_wanted);
    q->id = set->id != NULL ? set->id : row_names_column(schema, reader);
    if (code == EXIT_DONE && q->id != NULL)
        code = command_check_option("--id", ow_reader_set_id(reader, q->id));
    return code;
}

/* With the model and the rows open. */
static int explain(const invocation *call, const ow_model *model, ow_reader *reader,
                   const ow_read_options *how)
{
    const settings *set = call->settings;
    question q = {0};
    ow_explain_options_init(&q.options, sizeof q.options);
    int code = question_make(call, model, reader, how, &q);
    if (code == EXIT_DONE) {
        q.run.job = (explain_job){.ctx = call->ctx,
                                  .how = call->how,
                                  .model = model,
                                  .schema = ow_model_schema(model),
                                  .source = {.size = sizeof(ow_explain_source),
                                             .explainer = q.explainer,
                                             .constraints = q.rules,
                                             .options = &q.options,
                                             .reader = reader,
                                             .wanted = q.wanted,
                                             .n_wanted = q.n_wanted,
                                             .id_column = q.id,
                                             .carried = q.run.format->shows_carried},
                                  .model_path = call->operands[0],
                                  .rows_path = call->operands[1],
                                  .map_columns = set->map.items,
                                  .n_map_columns = set->map.n};
        q.run.job.how.time_limit = set->question.time_limit;
        doubtful_changes_begin(&q.run.doubts, ow_model_schema(model), &set->constraints);
        code = run_rows(set, &q.run);
    }
    question_clear(&q);
    return code;
}

/* That no file is read and written, nor standard input used, twice. */
static bool files_differ(const settings *set, const char *model, const char *rows)
{
    const char *const read[] = {model, rows, set->method.background, set->read.labels,
                                set->constraints.preferences};
    const char *const written[] = {set->output, set->png};
    return output_files_differ(read, sizeof read / sizeof *read, written,
                               sizeof written / sizeof *written);
}

static int run_once(const invocation *call)
{
    const settings *set = call->settings;
    const char *model_path = call->operands[0], *rows_path = call->operands[1];
    ow_read_options how;
    ow_model *model = NULL;
    ow_reader *reader = NULL;

    if (!read_settings_convert(&set->read, &how) ||
        !compute_settings_check(&set->compute) || !files_differ(set, model_path, rows_path))
        return EXIT_USAGE;
    ow_status status =
        foreign_run_load(&set->foreign, call->ctx, model_path, &call->how, &model);
    if (status == OW_OK)
        status = row_parts_open(call->ctx, rows_path, &how, &call->how, &reader);
    const int code = status == OW_OK ? explain(call, model, reader, &how)
                                     : command_failed(status, false);
    ow_reader_free(reader);
    ow_model_free(model);
    return code;
}

static int run(const invocation *call)
{
    return each_part(call, sizeof(settings), offsetof(settings, output), NULL, run_once);
}

static const option_spec options[] = {
    {.name = "row",
     .word = "N",
     .help =
         "explain this row only, numbered from 1, or named by a column as in id=C017; may "
         "be repeated, or a list: 3,17,20-29",
     .kind = OPTION_LIST,
     .at = offsetof(settings, rows)},
    {.name = "id",
     .word = "COLUMN",
     .help = "the column that names the rows, which need not be one of the model's; by "
             "default the identifier that training found",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, id)},
    {.name = "strict",
     .help = "a level that no training row had, and a number outside the training rows' "
             "range, are errors",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, strict)},
    {.name = "surer",
     .word = "P|off",
     .help = "text and json: where the target's probability is below P, look for a second "
             "answer that reaches it; 0.7 by default for tables without --prob",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, surer)},
    {.name = "format",
     .word = "FORM",
     .help = "how answers are printed; text by default",
     .kind = OPTION_CHOICE,
     .choices = explain_format_names,
     .at = offsetof(settings, format)},
    {.name = "only",
     .word = "KIND",
     .help = "print only the rows with an answer (found) or those without one (not-found); "
             "all rows are counted",
     .kind = OPTION_CHOICE,
     .choices = explain_only_names,
     .at = offsetof(settings, only)},
    {.name = "output",
     .letter = 'o',
     .word = "FILE",
     .help = "write the answers to FILE instead of printing them",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, output)},
    {.name = "map",
     .word = "A,B",
     .help = "html: the two number columns that the map of the answers shows, or "
             "principal; by default those that change most, and principal axes below",
     .kind = OPTION_LIST,
     .at = offsetof(settings, map)},
    {.name = "png",
     .word = "FILE",
     .help = "images: draw query, intermediate point, answer and difference",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, png)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0},
                                  {&question_options, offsetof(settings, question)},
                                  {&constraint_options, offsetof(settings, constraints)},
                                  {&method_options, offsetof(settings, method)},
                                  {&foreign_run_options, offsetof(settings, foreign)},
                                  {&read_options, offsetof(settings, read)},
                                  {&compute_options, offsetof(settings, compute)}};

static const operand_spec operands[] = {
    {"MODEL", "a model that train or import has written"},
    {"ROWS", "a CSV, IDX or NPY file, gzipped or not; - is standard input"},
};

static const char *const examples[] = {
    "otherwise explain credit.ow applicants.csv --row 17 --target good",
    "otherwise explain credit.ow applicants.csv --target good --immutable age "
    "--range amount=:5000 --max-changes 2 --prob 0.7:1",
    "otherwise explain credit.ow applicants.csv --target good --format json -o "
    "answers.json",
    "otherwise explain digits.ow t10k-images-idx3-ubyte.gz --row 1,2,3 --target 8 --png "
    "strip.png",
    NULL,
};

const command_spec cmd_explain = {
    .name = "explain",
    .summary = "tell what would have to be different for another decision",
    .about =
        "Looks for each row for the smallest change after which the model says the target "
        "class, such that the changed row is as typical as real rows of that class are. "
        "What may not change does not; see the options below and the schema of the "
        "model.\n\n"
        "A row for which nothing is found is told with the reason, and the exit code is "
        "then 1. A row that is of the target class already needs no answer.\n\n"
        "Forms: text, sentences for people; table, the query as line 0 and its answers "
        "below "
        "it, unchanged cells as -; json, one document with every figure "
        "(doc/explanation.schema.json); csv, a line for each answer; html, a page for the "
        "browser; dice, the JSON of the DiCE package.\n\n"
        "Rows are read as a stream: a file may be larger than memory. Ctrl-C keeps the "
        "rows "
        "that are complete.",
    .operands = operands,
    .n_operands = 2,
    .n_required = 2,
    .uses = uses,
    .n_uses = sizeof uses / sizeof *uses,
    .examples = examples,
    .is_for_several = true,
    .settings_size = sizeof(settings),
    .defaults = &(const settings){.question = QUESTION_DEFAULTS},
    .run = run,
};
