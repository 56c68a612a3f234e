/* SPDX-License-Identifier: MIT */
/* otherwise audit: who is refused, who has a way, and at what effort, group by group. */
#include "auditing/audit_report.h"
#include "models/data_input.h"
#include "models/model_rows.h"
#include "options/constraint_settings.h"
#include "options/evidence.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/message.h"

typedef struct {
    text_list by;
    const char *target, *output;
    uint64_t smallest, limit;
    int format;
    constraint_settings constraints;
    read_settings read;
    compute_settings compute;
    foreign_run_settings foreign;
} settings;

typedef enum { FORM_TEXT, FORM_JSON, FORM_CSV, FORM_HTML } audit_form;
static const char *const form_names[] = {"text", "json", "csv", "html", NULL};

static int print_report(const invocation *call, const audit_report *report)
{
    const settings *set = call->settings;
    int code = output_begin_file(call->ctx, set->output);
    if (code != EXIT_DONE) return code;
    switch ((audit_form)set->format) {
    case FORM_TEXT:
        audit_report_print(report);
        break;
    case FORM_JSON:
        audit_report_json(report);
        break;
    case FORM_CSV:
        audit_report_csv(report);
        break;
    case FORM_HTML:
        code = audit_report_page(call->ctx, report);
        break;
    }
    return output_end_file(code, code == EXIT_DONE);
}

/* With the rows read. */
static int audit_rows(const invocation *call, const audit_question *question,
                      const audit_table *table)
{
    const settings *set = call->settings;
    audit_answers answers;
    audit_groups groups = {0};
    const asked asked_for = {.ctx = call->ctx,
                             .rows = call->operands[1],
                             .n_rows = table->n_rows,
                             .model_path = call->operands[0],
                             .model = question->model,
                             .options = question->options,
                             .constraints = question->rules};
    audit_report report = {.table = table,
                           .question = &asked_for,
                           .groups = &groups,
                           .answers = &answers,
                           .file = call->operands[1],
                           .target = set->target,
                           .smallest = (size_t)set->smallest};
    int code = audit_answers_find(question, table, &call->how, &answers);
    if (code == EXIT_DONE) {
        const ow_status status =
            audit_actions_find(question, table, &answers, &call->how, audit_most_actions,
                               report.actions, &report.n_actions, &report.n_looked);
        if (interrupt_signal() != 0)
            code = interrupt_end();
        else if (status != OW_OK)
            code = command_failed(status, false);
    }
    if (code == EXIT_DONE) {
        audit_groups_make(table, report.smallest, &groups);
        audit_report_make(&report);
        code = print_report(call, &report);
        audit_report_clear(&report);
        audit_groups_clear(&groups, table->n_by);
    }
    audit_answers_clear(&answers);
    return code;
}

/* With the model and the table open. */
static int audit(const invocation *call, const ow_model *model, ow_reader *reader)
{
    const settings *set = call->settings;
    const ow_schema *schema = ow_model_schema(model);
    const ow_explain_model what = {.size = sizeof what,
                                   .model = model,
                                   .backend = set->compute.backend};
    ow_explain_options options;
    ow_constraints *rules = NULL;
    ow_explainer *explainer = NULL;
    audit_table table = {0};
    ow_explain_options_init(&options, sizeof options);
    if (set->target == NULL || set->by.n == 0) {
        message(OW_LOG_ERROR, set->target == NULL
                                  ? "audit needs --target CLASS, the favourable decision"
                                  : "audit needs --by COLUMN, which groups to compare");
        return EXIT_USAGE;
    }
    if (!evidence_find_class(schema, "--target", set->target, &options.target))
        return EXIT_USAGE;
    int code =
        constraint_settings_make(&set->constraints, schema, call->ctx, &rules, &options);
    if (code != EXIT_DONE) return code;
    ow_reader_keep_texts(reader);
    ow_status status = ow_reader_bind(reader, schema, false);
    if (status == OW_OK)
        status = ow_explainer_new(&what, ow_method_get(0)->name, &explainer);
    code = status == OW_OK ? audit_table_read(reader, schema, &set->by, (size_t)set->limit,
                                              &call->how, &table)
                           : command_failed(status, false);
    const audit_question question = {model, explainer, rules, &options,
                                     set->compute.backend};
    if (code == EXIT_DONE) code = audit_rows(call, &question, &table);
    audit_table_clear(&table);
    ow_explainer_free(explainer);
    ow_constraints_free(rules);
    return code;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    const model_rows_settings opened = {.read = &set->read,
                                        .compute = &set->compute,
                                        .foreign = &set->foreign,
                                        .also_read = set->constraints.preferences,
                                        .written = set->output};
    return model_rows_open(call, &opened, audit);
}

static const option_spec options[] = {
    {.name = "by",
     .word = "A,B",
     .help = "columns of the table whose groups are compared, each alone and all together; "
             "the model need not know them; numbers by quartiles, or as in "
             "age=25|40|60",
     .kind = OPTION_LIST,
     .in_usage = true,
     .at = offsetof(settings, by)},
    {.name = "target",
     .word = "CLASS",
     .help = "the favourable decision; rows with another one count as refused",
     .kind = OPTION_TEXT,
     .in_usage = true,
     .at = offsetof(settings, target)},
    {.name = "smallest",
     .word = "N",
     .help = "groups of fewer rows are not shown; 20 by default",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = 1000000,
     .at = offsetof(settings, smallest)},
    {.name = "limit",
     .word = "N",
     .help = "look at the first N rows only",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = 1000000000,
     .at = offsetof(settings, limit)},
    {.name = "format",
     .word = "FORM",
     .help = "text, json, csv: a line for each group, or html: a page",
     .kind = OPTION_CHOICE,
     .choices = form_names,
     .at = offsetof(settings, format)},
    {.name = "output",
     .letter = 'o',
     .word = "FILE",
     .help = "write to FILE instead of printing",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, output)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0},
                                  {&constraint_options, offsetof(settings, constraints)},
                                  {&foreign_run_options, offsetof(settings, foreign)},
                                  {&read_options, offsetof(settings, read)},
                                  {&compute_options, offsetof(settings, compute)}};

static const operand_spec operands[] = {
    {"MODEL", "a model that train has written"},
    {"TABLE", "the rows, a CSV or NPY file, gzipped or not; - is standard input"},
};

static const char *const examples[] = {
    "otherwise audit credit.ow applicants.csv --by age=25|40|60 --target good",
    "otherwise audit adult.ow adult.csv --by sex,race --target '>50K' --format csv",
    "otherwise audit credit.ow applicants.csv --by age --target good --format html -o "
    "audit.html",
    NULL,
};

const command_spec cmd_audit = {
    .name = "audit",
    .summary = "compare groups: who is refused, who has a way, at what effort",
    .about =
        "Counts for each group of rows how many are not decided as the target, how many of "
        "these have an answer (a way to the target), and how many columns it changes, with "
        "95 % intervals (Wilson). A group whose share or effort differs from that of all "
        "other rows is marked: exact tests of Fisher for shares, a rank-sum test for "
        "efforts, adjusted by Holm such that all marks together are wrong one time in "
        "twenty.\n\n"
        "Also: how many are refused only because of a locked column, which is to say that "
        "another value of it alone would be enough; the columns that answers change; and "
        "the few changes that together serve most, chosen one after the other.",
    .operands = operands,
    .n_operands = 2,
    .n_required = 2,
    .uses = uses,
    .n_uses = sizeof uses / sizeof *uses,
    .examples = examples,
    .settings_size = sizeof(settings),
    .defaults = &(const settings){.smallest = 20},
    .run = run,
};
