/* SPDX-License-Identifier: MIT */
/* otherwise reasons: what each column of a row contributes to what the model says of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/model_rows.h"
#include "models/row_names.h"
#include "options/evidence.h"
#include "options/row_numbers.h"
#include "output/output.h"
#include "serve/reasons_json.h"
#include "terminal/display_text.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "terminal/text_build.h"

typedef struct {
    text_list rows;
    const char *id, *target, *texts, *output;
    uint64_t most;
    bool json;
    read_settings read;
    compute_settings compute;
    foreign_run_settings foreign;
} settings;

/* All that rows are told with. */
typedef struct {
    const ow_model *model;
    const ow_schema *schema;
    ow_predictor *predictor;
    reason_groups groups;
    int32_t target; /* OW_NO_CLASS: the class that the model says */
    json_t *texts;
    size_t most;
    bool json;
} teller;

/* ---- For people ---- */

/* "duration 48, amount 5951", or the user's text. */
static char *name_group(const reasons_about *about, size_t group)
{
    const char *text = reasons_text(about, group);
    char *name = text != NULL ? text_add(NULL, "%s: ", text) : NULL;
    const char *between = "";
    for (size_t j = 0; j < about->groups->n_columns; j++) {
        char value[256];
        if (about->groups->of[j] != group) continue;
        ow_schema_print_value(about->schema, j, about->row[j], value, sizeof value);
        name = text_add(name, "%s%s %s", between, ow_schema_column(about->schema, j)->name,
                        *value != '\0' ? value : "missing");
        between = ", ";
    }
    char *clean = display_clean(name);
    free(name);
    return clean;
}

/* The largest ones, in the direction of what the model says. */
static void print_reasons(const teller *t, const reasons_about *about)
{
    const bool against = about->predicted != about->target;
    size_t *order = memory_new(about->groups->n + 1, sizeof *order);
    reasons_order(about->groups, about->reasons, order);
    output_print(stdout, "  reasons %s %s:\n", against ? "against" : "for",
                 ow_schema_class_name(about->schema, (size_t)about->target));
    for (size_t i = 0; i < about->groups->n && i < t->most; i++) {
        const size_t group = order[against ? i : about->groups->n - 1 - i];
        const double value = about->reasons->value[group];
        if (against ? value >= 0.0 : value <= 0.0) break;
        char *name = name_group(about, group);
        output_print(stdout, "    %+6.2f  %s\n", value, name);
        free(name);
    }
    free(order);
}

static void print_row(const teller *t, const reasons_about *about, double proba)
{
    double largest = 0.0;
    for (size_t k = 0; k < about->groups->n; k++)
        largest = fmax(largest, about->reasons->error[k]);
    char *id = about->id != NULL ? display_clean(about->id) : NULL;
    output_print(stdout, "Row %zu%s%s: %s, %.1f %%\n", about->number,
                 id != NULL ? ", " : "", id != NULL ? id : "",
                 ow_schema_class_name(about->schema, (size_t)about->predicted),
                 100.0 * proba);
    print_reasons(t, about);
    output_print(stdout, "  log-odds of %s %+.2f, of any row %+.2f",
                 ow_schema_class_name(about->schema, (size_t)about->target),
                 about->reasons->all, about->reasons->none);
    if (!about->reasons->exact)
        output_print(stdout, "; values to within %.2f (standard error)", largest);
    output_print(stdout, "\n");
    free(id);
}

/* ---- The command ---- */

static ow_status tell_row(const teller *t, const double *row, size_t number, const char *id,
                          const ow_call *call)
{
    const size_t C = ow_schema_n_classes(t->schema);
    double *proba = memory_new(C, sizeof *proba);
    int32_t predicted = 0;
    reasons found = {0};
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = &predicted,
                                   .proba = proba};
    ow_status status = ow_predictor_predict(t->predictor, 1, row, call, &wanted);
    const int32_t target = t->target == OW_NO_CLASS ? predicted : t->target;
    if (status == OW_OK)
        status = reasons_find(t->model, t->predictor, &t->groups, row, target, number, call,
                              &found);
    const reasons_about about = {.schema = t->schema,
                                 .groups = &t->groups,
                                 .reasons = &found,
                                 .row = row,
                                 .number = number,
                                 .id = id,
                                 .predicted = predicted,
                                 .target = target,
                                 .texts = t->texts};
    if (status == OW_OK && t->json) {
        json_t *document = memory_checked(reasons_json(&about));
        char *text = memory_checked(json_dumps(document, JSON_COMPACT));
        output_print(stdout, "%s\n", text);
        free(text);
        json_decref(document);
    } else if (status == OW_OK) {
        print_row(t, &about, proba[predicted]);
    }
    reasons_clear(&found);
    free(proba);
    return status;
}

static int tell_rows(const invocation *call, const teller *t, ow_reader *reader,
                     const char *id, const size_t *wanted, size_t n_wanted)
{
    double *row = memory_new(ow_schema_n_columns(t->schema), sizeof *row);
    ow_status status = OW_OK;
    size_t n = 1, at = 0;
    for (size_t number = 1; status == OW_OK && !output_failed(); number++) {
        if (wanted != NULL && at == n_wanted) break;
        status = ow_reader_next(reader, 1, &call->how, row, NULL, &n);
        if (status != OW_OK || n == 0) break;
        if (wanted != NULL && wanted[at] != number) continue;
        while (wanted != NULL && at < n_wanted && wanted[at] == number) at++;
        status = tell_row(t, row, number, id != NULL ? ow_reader_id(reader, 0) : NULL,
                          &call->how);
    }
    free(row);
    if (interrupt_signal() != 0) return interrupt_end();
    if (status != OW_OK) return command_failed(status, false);
    if (wanted != NULL && at < n_wanted) {
        message(OW_LOG_ERROR, "--row %zu: there are fewer rows", wanted[at]);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* The user's texts by column. */
static int read_texts(const char *path, json_t **texts)
{
    json_error_t problem;
    if (path == NULL) return EXIT_DONE;
    *texts = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (*texts != NULL && json_is_object(*texts)) return EXIT_DONE;
    message(OW_LOG_ERROR, "--reasons %s: %s", path,
            *texts != NULL ? "expected an object with a text for each column"
                           : problem.text);
    return EXIT_DATA;
}

static int tell(const invocation *call, const ow_model *model, ow_reader *reader)
{
    const settings *set = call->settings;
    teller t = {.model = model,
                .schema = ow_model_schema(model),
                .target = OW_NO_CLASS,
                .most = (size_t)set->most,
                .json = set->json};
    size_t *wanted = NULL, n_wanted = 0;
    if ((set->target != NULL &&
         !evidence_find_class(t.schema, "--target", set->target, &t.target)) ||
        !row_numbers_read(&set->rows, &wanted, &n_wanted))
        return EXIT_USAGE;
    int code = read_texts(set->texts, &t.texts);
    const ow_status status = ow_reader_bind(reader, t.schema, false);
    if (code == EXIT_DONE && status != OW_OK) code = command_failed(status, false);
    if (code == EXIT_DONE)
        code = row_names_find(&set->rows, reader, t.schema, &call->how, &wanted, &n_wanted);
    const char *id = set->id != NULL ? set->id : row_names_column(t.schema, reader);
    if (code == EXIT_DONE && id != NULL)
        code = command_check_option("--id", ow_reader_set_id(reader, id));
    if (code == EXIT_DONE) {
        const ow_status made = ow_predictor_new(model, set->compute.backend, &t.predictor);
        if (made != OW_OK) code = command_failed(made, false);
    }
    if (code == EXIT_DONE) code = output_begin_file(call->ctx, set->output);
    if (code == EXIT_DONE) {
        reason_groups_make(t.schema, &t.groups);
        code = tell_rows(call, &t, reader, id, wanted, n_wanted);
        code = output_end_file(code, code == EXIT_DONE);
        reason_groups_clear(&t.groups);
    }
    ow_predictor_free(t.predictor);
    json_decref(t.texts);
    free(wanted);
    return code;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    const model_rows_settings opened = {.read = &set->read,
                                        .compute = &set->compute,
                                        .foreign = &set->foreign,
                                        .also_read = set->texts,
                                        .written = set->output};
    return model_rows_open(call, &opened, tell);
}

static const option_spec options[] = {
    {.name = "target",
     .word = "CLASS",
     .help = "reasons for and against this class; by default for the one that the model "
             "says",
     .kind = OPTION_TEXT,
     .in_usage = true,
     .at = offsetof(settings, target)},
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
    {.name = "most",
     .word = "N",
     .help = "how many reasons to print; 4 by default; JSON has all of them",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = 1000000,
     .at = offsetof(settings, most)},
    {.name = "reasons",
     .word = "FILE",
     .help = "your wording: a JSON object with a text for each column",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, texts)},
    {.name = "json",
     .help = "print one JSON object a line, with what every column contributes",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, json)},
    {.name = "output",
     .letter = 'o',
     .word = "FILE",
     .help = "write to FILE instead of printing",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, output)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0},
                                  {&foreign_run_options, offsetof(settings, foreign)},
                                  {&read_options, offsetof(settings, read)},
                                  {&compute_options, offsetof(settings, compute)}};

static const operand_spec operands[] = {
    {"MODEL", "a model that train has written"},
    {"ROWS", "a CSV or NPY file, gzipped or not; - is standard input"},
};

static const char *const examples[] = {
    "otherwise reasons credit.ow applicants.csv --row 17 --target good",
    NULL,
};

const command_spec cmd_reasons = {
    .name = "reasons",
    .summary = "tell why the model says what it says: what each column contributes",
    .about =
        "Prints the columns that contribute most to what the model says of a row. "
        "Contributions are Shapley values of the log-odds of a class, over columns, those "
        "that belong together as one; columns that are not looked at are summed out by "
        "the circuit, exactly. They sum to the row's log-odds less those of any row. Up "
        "to 12 columns every subset is evaluated; above that 128 pairs of orders are "
        "drawn, and the standard error is told.\n\n"
        "A reason is not yet advice: what would change the decision is another question, "
        "which \"otherwise explain\" answers. Reasons may be locked columns; answers do "
        "not change these.",
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
