/* SPDX-License-Identifier: MIT */
/* otherwise schema: what the columns of a table mean, as people and as programs read it. */
#include "commands/command.h"
#include "models/row_parts.h"
#include "models/team_settings.h"
#include "options/infer_settings.h"
#include "options/read_settings.h"
#include "otherwise/data.h"
#include "otherwise/schema.h"
#include "output/output.h"
#include "summaries/schema_summary.h"
#include "terminal/exit_codes.h"
#include "terminal/message.h"

typedef struct {
    const char *output;
    bool json;
    infer_settings infer;
    read_settings read;
    team_settings team;
} settings;

static int print_json(const ow_schema *schema)
{
    char *text = NULL;
    const ow_status status = ow_schema_format(schema, &text);
    if (status != OW_OK) return command_failed(status, false);
    output_print(stdout, "%s", text);
    ow_bytes_free(text);
    return EXIT_DONE;
}

/* The file first: where it cannot be written, nothing is said that looks like success. */
static int give(const invocation *call, const char *name, const ow_schema *schema)
{
    const settings *set = call->settings;
    const bool to_file = set->output != NULL && !output_is_dash(set->output);
    if (to_file) {
        const ow_status status = ow_schema_save(schema, set->output);
        if (status != OW_OK) return command_failed(status, true);
    }
    int code = EXIT_DONE;
    if (set->json || (set->output != NULL && !to_file))
        code = print_json(schema);
    else
        schema_summary_print(stdout, name, schema);
    if (to_file)
        message(
            OW_LOG_INFO,
            "wrote %s; look it over and correct what is wrong: types, the order of levels, "
            "what is immutable",
            set->output);
    return code;
}

static int run_with(const invocation *call, const comm *together)
{
    const settings *set = call->settings;
    const char *path = call->operands[0],
               *name = output_is_dash(path) ? "standard input" : path;
    const bool gives = together == NULL || together->rank == 0;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_read_options options;
    ow_infer_options infer;

    if (!read_settings_convert(&set->read, &options) ||
        !infer_settings_convert(&set->infer, &infer) ||
        !team_settings_spare_input(together, path))
        return EXIT_USAGE;
    infer.team = together != NULL ? &together->team : NULL;
    if (!output_spares(set->output, path) || !output_spares(set->output, set->read.labels))
        return EXIT_USAGE;
    const ow_status status = row_parts_open(call->ctx, path, &options, &call->how, &reader);
    int code = status == OW_OK
                   ? infer_settings_schema(&set->infer, infer, "schema", reader, name,
                                           options.labels, false, &call->how, &schema)
                   : command_failed(status, false);
    if (code == EXIT_DONE && gives) code = give(call, name, schema);

    ow_schema_free(schema);
    ow_reader_free(reader);
    return code;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    comm *together;
    if (!team_settings_begin(&set->team, &together)) return EXIT_RESOURCES;
    return team_settings_end(&set->team, together, run_with(call, together));
}

static const option_spec options[] = {
    {.name = "output",
     .letter = 'o',
     .word = "FILE",
     .help = "write the schema to FILE as JSON",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, output)},
    {.name = "json",
     .help = "print the schema as JSON instead of the table",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, json)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0},
                                  {&infer_options, offsetof(settings, infer)},
                                  {&read_options, offsetof(settings, read)},
                                  {&team_options, offsetof(settings, team)}};

static const operand_spec operands[] = {
    {"DATA", "a CSV, IDX or NPY file, gzipped or not; - is standard input"},
};

static const char *const examples[] = {
    "otherwise schema data/credit.csv --label risk -o credit.schema.json",
    "otherwise schema german.data --no-header --label x20 --immutable x12,x19",
    "otherwise schema train-images-idx3-ubyte.gz --labels train-labels-idx1-ubyte.gz",
    NULL,
};

const command_spec cmd_schema = {
    .name = "schema",
    .summary = "find out what the columns of a table are, and write it down",
    .about = "Reads every row of a table and tells what its columns are: numbers with "
             "their range, "
             "categories with their levels, how much is missing, which columns determine "
             "each other, "
             "and how many rows each class has.\n\n"
             "With --output the result is also written as JSON. That file is meant to be "
             "edited: "
             "correct a type, put levels in order, mark columns as immutable.\n\n"
             "Missing are empty fields and the words ?, NA, NaN and null.",
    .operands = operands,
    .n_operands = 1,
    .n_required = 1,
    .uses = uses,
    .n_uses = sizeof uses / sizeof *uses,
    .examples = examples,
    .is_for_several = true,
    .settings_size = sizeof(settings),
    .run = run,
};
