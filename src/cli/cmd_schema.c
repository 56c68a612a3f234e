/* SPDX-License-Identifier: MIT */
/* otherwise schema: what the columns of a table mean, as people and as programs read it. */
#include <stdlib.h>

#include "command.h"
#include "exit_codes.h"
#include "message.h"
#include "otherwise/data.h"
#include "otherwise/schema.h"
#include "output.h"
#include "read_settings.h"
#include "schema_summary.h"
#include "text_build.h"

typedef struct {
    const char *label, *output;
    text_list drop, ordinal, categorical, immutable;
    int scaling, levels;
    bool json;
    read_settings read;
} settings;

enum { not_given = -1 };

/* Nobody remembers the names of all columns, so they are told. */
static int complain_no_label(const ow_reader *reader, const char *name)
{
    enum { most_names = 40 };
    const size_t n = ow_reader_n_columns(reader);
    if (ow_reader_layout(reader).kind != OW_LAYOUT_TABLE) {
        message(OW_LOG_ERROR, "%s holds no classes: give them with --labels FILE", name);
        return EXIT_USAGE;
    }
    char *names = NULL;
    for (size_t j = 0; j < n && j < most_names; j++)
        names = text_add_item(names, j > 0 ? ", " : "", ow_reader_column_name(reader, j));
    if (n > most_names) names = text_add(names, " and %zu more", n - most_names);
    message(OW_LOG_ERROR,
            "schema needs --label COLUMN, the column that holds the class; %s has %s", name,
            names != NULL ? names : "none");
    free(names);
    return EXIT_USAGE;
}

static ow_status infer(ow_reader *reader, const settings *set, ow_schema **schema)
{
    const ow_infer_options options = {
        .label = set->label != NULL ? set->label : "label",
        .level_order = (ow_level_order)set->levels,
        .scaling = set->scaling == not_given ? OW_SCALE_NONE : (ow_scaling)set->scaling,
        .scaling_given = set->scaling != not_given,
        .drop = (const char *const *)set->drop.items,
        .n_drop = set->drop.n,
        .ordinal = (const char *const *)set->ordinal.items,
        .n_ordinal = set->ordinal.n,
        .categorical = (const char *const *)set->categorical.items,
        .n_categorical = set->categorical.n,
        .immutable = (const char *const *)set->immutable.items,
        .n_immutable = set->immutable.n,
    };
    return ow_schema_infer(reader, &options, schema);
}

static int print_json(ow_context *ctx, const ow_schema *schema)
{
    char *text = NULL;
    const ow_status status = ow_schema_format(schema, &text);
    if (status != OW_OK) return command_failed(status, false);
    output_print(stdout, "%s", text);
    ow_text_free(ctx, text);
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
        code = print_json(call->ctx, schema);
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

static int run(const invocation *call)
{
    const settings *set = call->settings;
    const char *path = call->operands[0],
               *name = output_is_dash(path) ? "standard input" : path;
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_read_options options;
    int code = EXIT_USAGE;

    if (!read_settings_convert(&set->read, &options)) return EXIT_USAGE;
    if (!output_spares(set->output, path) || !output_spares(set->output, set->read.labels))
        return EXIT_USAGE;
    ow_status status = ow_reader_open(call->ctx, path, &options, &reader);
    if (status == OW_OK && set->label == NULL && options.labels == NULL) {
        code = complain_no_label(reader, name);
        goto done;
    }
    if (status == OW_OK) status = infer(reader, set, &schema);
    if (status != OW_OK) {
        code = command_failed(status, false);
        goto done;
    }
    code = give(call, name, schema);

done:
    ow_schema_free(schema);
    ow_reader_free(reader);
    return code;
}

/* In the order of ow_scaling and ow_level_order. */
static const char *const scalings[] = {"none", "minmax", "standard", "log1p", NULL};
static const char *const level_orders[] = {"sorted", "appearance", NULL};

static const option_spec options[] = {
    {.name = "label",
     .word = "COLUMN",
     .help = "the column that holds the class (with --labels, label by default)",
     .kind = OPTION_TEXT,
     .in_usage = true,
     .at = offsetof(settings, label)},
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
    {.name = "drop",
     .word = "A,B",
     .help = "columns to leave out",
     .kind = OPTION_LIST,
     .at = offsetof(settings, drop)},
    {.name = "categorical",
     .word = "A,B",
     .help = "columns whose numbers are codes and not amounts",
     .kind = OPTION_LIST,
     .at = offsetof(settings, categorical)},
    {.name = "ordinal",
     .word = "COL[=A|B|C]",
     .help =
         "column whose levels have an order: the one given, else that of the numbers or "
         "the alphabet; may be repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(settings, ordinal)},
    {.name = "immutable",
     .word = "A,B",
     .help = "columns that a counterfactual must never change",
     .kind = OPTION_LIST,
     .at = offsetof(settings, immutable)},
    {.name = "scaling",
     .word = "HOW",
     .help = "how numbers are scaled; standard by default, minmax for images and maps",
     .kind = OPTION_CHOICE,
     .choices = scalings,
     .at = offsetof(settings, scaling)},
    {.name = "levels",
     .word = "ORDER",
     .help = "the order of levels and classes; sorted by default",
     .kind = OPTION_CHOICE,
     .choices = level_orders,
     .at = offsetof(settings, levels)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0}, {&read_options, offsetof(settings, read)}};

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
    .settings_size = sizeof(settings),
    .defaults = &(const settings){.scaling = not_given},
    .run = run,
};
