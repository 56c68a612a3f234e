/* SPDX-License-Identifier: MIT */
/* otherwise letters: one page for each row that is refused. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "letters/letter_write.h"
#include "models/model_rows.h"
#include "models/row_names.h"
#include "options/constraint_settings.h"
#include "options/evidence.h"
#include "options/row_numbers.h"
#include "otherwise/file.h"
#include "output/make_folder.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

typedef struct {
    text_list rows;
    const char *id, *target, *texts, *output, *template, *date;
    uint64_t most;
    int language, format;
    constraint_settings constraints;
    read_settings read;
    compute_settings compute;
    foreign_run_settings foreign;
} settings;

static const char *const form_names[] = {"html", "text", NULL};

/* All that letters are written with. */
typedef struct {
    const invocation *call;
    const ow_model *model;
    const ow_schema *schema;
    ow_predictor *predictor;
    ow_explainer *explainer;
    ow_constraints *rules;
    ow_explain_options options;
    reason_groups groups;
    json_t *texts;
    char *template;
    letter_style style;
    size_t n_letters, n_rows,
        *n_protected; /* letters with this locked column as a reason */
} writer;

/* ---- A row ---- */

static void count_protected(writer *w, const reasons_about *about)
{
    size_t *groups = memory_new(w->style.most, sizeof *groups);
    const size_t n = letter_reasons(about, w->style.most, groups);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < w->groups.n_columns; j++)
            if (w->groups.of[j] == groups[i])
                w->n_protected[j] += ow_schema_column(w->schema, j)->immutable;
    free(groups);
}

static int save_letter(writer *w, const reasons_about *about, const ow_outcome *outcome)
{
    const settings *set = w->call->settings;
    char *letter = letter_write(&w->style, about, outcome);
    if (letter == NULL) return EXIT_USAGE;
    char *path = text_add(NULL, "%s/letter-%06zu.%s", set->output, about->number,
                          w->style.html ? "html" : "txt");
    const ow_status status = ow_file_write(w->call->ctx, path, letter, strlen(letter));
    free(letter);
    free(path);
    if (status != OW_OK) return command_failed(status, true);
    count_protected(w, about);
    w->n_letters++;
    return EXIT_DONE;
}

static int write_row(writer *w, const double *row, size_t number, const char *id)
{
    ow_explanation *explanation = NULL;
    reasons found = {0};
    int code = EXIT_DONE;
    w->n_rows++;
    w->options.first_row = number - 1;
    ow_status status = ow_explainer_explain(w->explainer, w->rules, &w->options, 1, row,
                                            &w->call->how, &explanation);
    const ow_outcome *outcome =
        status == OW_OK ? ow_explanation_outcome(explanation, 0) : NULL;
    if (outcome != NULL && outcome->kind != OW_OUTCOME_ALREADY_TARGET) {
        status = reasons_find(w->model, w->predictor, &w->groups, row, w->options.target,
                              number, &w->call->how, &found);
        const reasons_about about = {.schema = w->schema,
                                     .groups = &w->groups,
                                     .reasons = &found,
                                     .row = row,
                                     .number = number,
                                     .id = id,
                                     .predicted = outcome->predicted,
                                     .target = w->options.target,
                                     .texts = w->texts};
        if (status == OW_OK) code = save_letter(w, &about, outcome);
    }
    reasons_clear(&found);
    ow_explanation_free(explanation);
    if (interrupt_signal() != 0) return interrupt_end();
    return status == OW_OK ? code : command_failed(status, false);
}

/* ---- All rows ---- */

static int write_rows(writer *w, ow_reader *reader, const char *id, const size_t *wanted,
                      size_t n_wanted)
{
    double *row = memory_new(w->groups.n_columns, sizeof *row);
    size_t n = 1, at = 0;
    int code = EXIT_DONE;
    for (size_t number = 1; code == EXIT_DONE; number++) {
        if (wanted != NULL && at == n_wanted) break;
        const ow_status status = ow_reader_next(reader, 1, &w->call->how, row, NULL, &n);
        if (status != OW_OK) code = command_failed(status, false);
        if (status != OW_OK || n == 0) break;
        if (wanted != NULL && wanted[at] != number) continue;
        while (wanted != NULL && at < n_wanted && wanted[at] == number) at++;
        code = write_row(w, row, number, id != NULL ? ow_reader_id(reader, 0) : NULL);
    }
    free(row);
    if (code != EXIT_DONE) return code;
    const settings *set = w->call->settings;
    output_print(stdout, "%s: %zu letter%s for %zu row%s\n", set->output, w->n_letters,
                 w->n_letters == 1 ? "" : "s", w->n_rows, w->n_rows == 1 ? "" : "s");
    output_flush();
    for (size_t j = 0; j < w->groups.n_columns; j++)
        if (w->n_protected[j] > 0)
            message(OW_LOG_WARN,
                    "%zu letter%s give%s the locked column %s as a reason: ask yourself "
                    "whether it may be one",
                    w->n_protected[j], w->n_protected[j] == 1 ? "" : "s",
                    w->n_protected[j] == 1 ? "s" : "",
                    ow_schema_column(w->schema, j)->name);
    return EXIT_DONE;
}

static int read_files(const settings *set, writer *w)
{
    json_error_t problem;
    if (set->texts != NULL) {
        w->texts = json_load_file(set->texts, JSON_REJECT_DUPLICATES, &problem);
        if (w->texts == NULL || !json_is_object(w->texts)) {
            message(OW_LOG_ERROR, "--reasons %s: %s", set->texts,
                    w->texts != NULL ? "expected an object with a text for each column"
                                     : problem.text);
            return EXIT_DATA;
        }
    }
    if (set->template == NULL) return EXIT_DONE;
    FILE *file = fopen(set->template, "rb");
    size_t size = 0, room = 4096;
    w->template = memory_new(room + 1, 1);
    for (size_t n;
         file != NULL && (n = fread(w->template + size, 1, room - size, file)) > 0;) {
        size += n;
        if (size == room)
            w->template = memory_checked(realloc(w->template, (room *= 2) + 1));
    }
    w->template[size] = '\0';
    const bool good = file != NULL && ferror(file) == 0;
    if (file != NULL) fclose(file);
    if (!good) message(OW_LOG_ERROR, "--template: cannot read %s", set->template);
    w->style.template = w->template;
    return good ? EXIT_DONE : EXIT_DATA;
}

/* What is wrong with the question, before anything is written. */
static bool check_question(const settings *set, writer *w)
{
    if (set->target == NULL || set->output == NULL) {
        message(OW_LOG_ERROR, set->target == NULL
                                  ? "letters needs --target CLASS, the favourable decision"
                                  : "letters needs --output FOLDER");
        return false;
    }
    return evidence_find_class(w->schema, "--target", set->target, &w->options.target);
}

static int make_writer(const invocation *call, const ow_model *model, writer *w)
{
    const settings *set = call->settings;
    const ow_explain_model what = {.size = sizeof what,
                                   .model = model,
                                   .backend = set->compute.backend};
    if (!check_question(set, w)) return EXIT_USAGE;
    int code = read_files(set, w);
    if (code == EXIT_DONE)
        code = constraint_settings_make(&set->constraints, w->schema, call->ctx, &w->rules,
                                        &w->options);
    if (code != EXIT_DONE) return code;
    ow_status status = ow_explainer_new(&what, ow_method_get(0)->name, &w->explainer);
    if (status == OW_OK)
        status = ow_predictor_new(model, set->compute.backend, &w->predictor);
    if (status != OW_OK) return command_failed(status, false);
    return make_folder(set->output) ? EXIT_DONE : EXIT_RESOURCES;
}

static int letters(const invocation *call, const ow_model *model, ow_reader *reader)
{
    const settings *set = call->settings;
    size_t *wanted = NULL, n_wanted = 0;
    char today[32];
    const time_t now = time(NULL);
    struct tm parts;
    strftime(today, sizeof today, "%Y-%m-%d", localtime_r(&now, &parts));
    writer w = {.call = call,
                .model = model,
                .schema = ow_model_schema(model),
                .style = {.words = letter_wording_get((letter_language)set->language),
                          .date = set->date != NULL ? set->date : today,
                          .html = set->format == 0,
                          .most = (size_t)set->most}};
    ow_explain_options_init(&w.options, sizeof w.options);
    reason_groups_make(w.schema, &w.groups);
    w.n_protected = memory_new(w.groups.n_columns + 1, sizeof *w.n_protected);
    int code = row_numbers_read(&set->rows, &wanted, &n_wanted) ? EXIT_DONE : EXIT_USAGE;
    if (code == EXIT_DONE) code = make_writer(call, model, &w);
    if (code == EXIT_DONE) {
        const ow_status status = ow_reader_bind(reader, w.schema, false);
        if (status != OW_OK) code = command_failed(status, false);
    }
    if (code == EXIT_DONE)
        code = row_names_find(&set->rows, reader, w.schema, &call->how, &wanted, &n_wanted);
    const char *id = set->id != NULL ? set->id : row_names_column(w.schema, reader);
    if (code == EXIT_DONE && id != NULL)
        code = command_check_option("--id", ow_reader_set_id(reader, id));
    if (code == EXIT_DONE) code = write_rows(&w, reader, id, wanted, n_wanted);
    reason_groups_clear(&w.groups);
    ow_predictor_free(w.predictor);
    ow_explainer_free(w.explainer);
    ow_constraints_free(w.rules);
    json_decref(w.texts);
    free(w.template);
    free(w.n_protected);
    free(wanted);
    return code;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    const model_rows_settings opened = {.read = &set->read,
                                        .compute = &set->compute,
                                        .foreign = &set->foreign};
    return model_rows_open(call, &opened, letters);
}

static const option_spec options[] = {
    {.name = "target",
     .word = "CLASS",
     .help = "the favourable decision; rows with another one get a letter",
     .kind = OPTION_TEXT,
     .in_usage = true,
     .at = offsetof(settings, target)},
    {.name = "output",
     .letter = 'o',
     .word = "FOLDER",
     .help = "where the letters go: letter-000017.html and so on",
     .kind = OPTION_TEXT,
     .in_usage = true,
     .at = offsetof(settings, output)},
    {.name = "row",
     .word = "N",
     .help = "this row only, numbered from 1, or named by a column as in id=C017; may be "
             "repeated, or a list: 3,17,20-29",
     .kind = OPTION_LIST,
     .at = offsetof(settings, rows)},
    {.name = "id",
     .word = "COLUMN",
     .help = "the column that names the rows; by default the identifier that training "
             "found",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, id)},
    {.name = "language",
     .word = "LANG",
     .help = "en or de",
     .kind = OPTION_CHOICE,
     .choices = letter_language_names,
     .at = offsetof(settings, language)},
    {.name = "format",
     .word = "FORM",
     .help = "html, which prints well, or text",
     .kind = OPTION_CHOICE,
     .choices = form_names,
     .at = offsetof(settings, format)},
    {.name = "template",
     .word = "FILE",
     .help = "your own letter, with places such as {{name}}, {{reasons}} and {{advice}}",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, template)},
    {.name = "reasons",
     .word = "FILE",
     .help = "your wording of reasons: a JSON object with a text for each column",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, texts)},
    {.name = "most",
     .word = "N",
     .help = "how many principal reasons to give; 4 by default",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = 1000,
     .at = offsetof(settings, most)},
    {.name = "date",
     .word = "TEXT",
     .help = "the letter's date; today by default",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, date)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0},
                                  {&constraint_options, offsetof(settings, constraints)},
                                  {&foreign_run_options, offsetof(settings, foreign)},
                                  {&read_options, offsetof(settings, read)},
                                  {&compute_options, offsetof(settings, compute)}};

static const operand_spec operands[] = {
    {"MODEL", "a model that train has written"},
    {"ROWS", "a CSV or NPY file, gzipped or not; - is standard input"},
};

static const char *const examples[] = {
    "otherwise letters credit.ow applicants.csv --target good -o letters",
    "otherwise letters credit.ow applicants.csv --row 17 --target good --language de "
    "--reasons codes.json -o letters",
    NULL,
};

const command_spec cmd_letters = {
    .name = "letters",
    .summary = "write a letter for each row that is refused: reasons and advice",
    .about =
        "Writes one page for each row that the model does not decide as the target: the "
        "decision, up to four principal reasons for it (\"otherwise reasons\"), and what "
        "would have changed it (\"otherwise explain\").\n\n"
        "The advice changes no locked column. A reason may be one: then a warning says so, "
        "since the sender has to know whether it may be a reason.",
    .operands = operands,
    .n_operands = 2,
    .n_required = 2,
    .uses = uses,
    .n_uses = sizeof uses / sizeof *uses,
    .examples = examples,
    .settings_size = sizeof(settings),
    .defaults = &(const settings){.most = 4},
    .run = run,
};
