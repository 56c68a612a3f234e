/* SPDX-License-Identifier: MIT */
/* otherwise predict: class, probabilities, density and its percentile for a stream of
 * rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "models/data_input.h"
#include "models/each_part.h"
#include "models/foreign_run.h"
#include "models/row_names.h"
#include "models/row_parts.h"
#include "options/compute_settings.h"
#include "options/read_settings.h"
#include "otherwise/json.h"
#include "otherwise/model.h"
#include "output/csv_output.h"
#include "output/output.h"
#include "terminal/display_text.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/text_build.h"

typedef struct {
    const char *id, *output;
    bool json, strict;
    int format;
    read_settings read;
    compute_settings compute;
    foreign_run_settings foreign;
} settings;

/* The forms, by the number of their names. */
typedef enum { FORM_TEXT, FORM_JSON, FORM_CSV } prediction_form;
static const char *const form_names[] = {"text", "json", "csv", NULL};

static prediction_form form_of(const settings *set)
{
    return set->json ? FORM_JSON : (prediction_form)set->format;
}

enum { block_rows = 1024, widest_class = 40 };

/* A block of rows and what the model says about them. */
typedef struct {
    const ow_model *model;
    const ow_reader *reader; /* knows the names of the rows               */
    const char *id_column;   /* NULL: they have none                      */
    size_t n_classes, first; /* rows before this block                    */
    double *values;          /* block_rows x columns                      */
    ow_predictions said;     /* arrays of block_rows rows                 */
    char **class_names;      /* as they are printed, and how wide they are */
    size_t class_width;
} block;

static void block_init(block *b, const ow_model *model)
{
    const ow_schema *schema = ow_model_schema(model);
    const size_t C = ow_schema_n_classes(schema);
    *b = (block){.model = model, .n_classes = C, .class_width = 5}; /* "class" */
    b->values = memory_new(block_rows * ow_schema_n_columns(schema), sizeof *b->values);
    b->said =
        (ow_predictions){.size = sizeof b->said,
                         .classes = memory_new(block_rows, sizeof *b->said.classes),
                         .proba = memory_new(block_rows * C, sizeof *b->said.proba),
                         .log_density = memory_new(block_rows, sizeof *b->said.log_density),
                         .log_class = memory_new(block_rows * C, sizeof *b->said.log_class),
                         .percentile = memory_new(block_rows, sizeof *b->said.percentile)};
    b->class_names = memory_new(C, sizeof *b->class_names);
    for (size_t c = 0; c < C; c++) {
        char *clean = display_clean(ow_schema_class_name(schema, c));
        b->class_names[c] = display_shorten(clean, widest_class, "...");
        free(clean);
        const size_t width = display_width(b->class_names[c]);
        if (width > b->class_width) b->class_width = width;
    }
}

static void block_clear(block *b)
{
    for (size_t c = 0; c < b->n_classes; c++) free(b->class_names[c]);
    free(b->class_names);
    free(b->values);
    free(b->said.classes);
    free(b->said.proba);
    free(b->said.log_density);
    free(b->said.log_class);
    free(b->said.percentile);
}

/* ---- For people ---- */

/* The end of a line: a text of whatever bytes, if there is one. */
static void print_last(const char *text)
{
    char *clean = display_clean(text != NULL ? text : "");
    output_print(stdout, "%s%s\n", *clean != '\0' ? "  " : "", clean);
    free(clean);
}

static void print_titles(const block *b)
{
    output_print(stdout, "%7s  class", "row");
    display_pad(stdout, b->class_width - 5);
    output_print(stdout, "  probability  log density  percentile");
    print_last(b->id_column);
}

static int print_row(const block *b, size_t i)
{
    const size_t c = (size_t)b->said.classes[i];
    const char *name = b->class_names[c];
    const double percentile = b->said.percentile[i];
    /* A row of which nothing is known has the density 1, but for rounding: no "-0.00". */
    const double log_density =
        fabs(b->said.log_density[i]) < 0.005 ? 0.0 : b->said.log_density[i];
    output_print(stdout, "%7zu  %s", b->first + i + 1, name);
    display_pad(stdout, b->class_width - display_width(name));
    output_print(stdout, fabs(log_density) < 1e8 ? "  %11.4f  %11.2f" : "  %11.4f  %11.4g",
                 b->said.proba[i * b->n_classes + c], log_density);
    if (isnan(percentile))
        output_print(stdout, "  %10s", "-");
    else
        output_print(stdout, "  %10.1f", percentile);
    print_last(b->id_column != NULL ? ow_reader_id(b->reader, i) : NULL);
    return EXIT_DONE;
}

/* ---- For tables ---- */

static bool is_column(const void *of, const char *title)
{
    const ow_reader *reader = of;
    for (size_t j = 0; j < ow_reader_n_columns(reader); j++)
        if (strcmp(ow_reader_column_name(reader, j), title) == 0) return true;
    return false;
}

/* All columns of the file as they came, and what the model says behind them. */
static void print_csv_titles(const block *b)
{
    for (size_t j = 0; j < ow_reader_n_columns(b->reader); j++)
        csv_output_field(ow_reader_column_name(b->reader, j), j == 0);
    csv_output_own_title("predicted", false, is_column, b->reader);
    csv_output_own_title("probability", false, is_column, b->reader);
    csv_output_own_title("density_percentile", false, is_column, b->reader);
    csv_output_end_line();
}

static int print_csv_row(const block *b, size_t i)
{
    const size_t c = (size_t)b->said.classes[i];
    char *proba = text_add(NULL, "%.6g", b->said.proba[i * b->n_classes + c]);
    char *percentile = text_add(NULL, "%.1f", b->said.percentile[i]);
    for (size_t j = 0; j < ow_reader_n_columns(b->reader); j++)
        csv_output_field(ow_reader_text(b->reader, i, j), j == 0);
    csv_output_field(ow_schema_class_name(ow_model_schema(b->model), c), false);
    csv_output_field(proba, false);
    csv_output_field(isnan(b->said.percentile[i]) ? "" : percentile, false);
    csv_output_end_line();
    free(proba);
    free(percentile);
    return EXIT_DONE;
}

/* ---- For programs ---- */

static int print_object(const block *b, size_t i)
{
    const char *id = b->id_column != NULL ? ow_reader_id(b->reader, i) : NULL;
    char *text = NULL;
    size_t size = 0;
    const ow_status status =
        ow_prediction_json(b->model, b->first + i + 1, id, &b->said, i, &text, &size);
    const int code = command_give(status, text, size);
    output_print(stdout, "\n");
    return code;
}

/* ---- The command ---- */

static int predict_rows(const invocation *call, ow_reader *reader, ow_predictor *predictor,
                        block *b)
{
    const settings *set = call->settings;
    for (size_t n; !output_failed(); b->first += n) {
        ow_status status =
            ow_reader_next(reader, block_rows, &call->how, b->values, NULL, &n);
        if (status == OW_OK && n > 0)
            status = ow_predictor_predict(predictor, n, b->values, &call->how, &b->said);
        if (interrupt_signal() != 0) {
            output_flush();
            return interrupt_end_after(b->first);
        }
        if (status != OW_OK) return command_failed(status, false);
        if (n == 0) break;
        const prediction_form form = form_of(set);
        if (b->first == 0 && form == FORM_TEXT) print_titles(b);
        if (b->first == 0 && form == FORM_CSV) print_csv_titles(b);
        for (size_t i = 0; i < n; i++) {
            const int code = form == FORM_JSON  ? print_object(b, i)
                             : form == FORM_CSV ? print_csv_row(b, i)
                                                : print_row(b, i);
            if (code != EXIT_DONE) return code;
        }
    }
    return EXIT_DONE;
}

static int predict(const invocation *call, const ow_model *model, ow_reader *reader)
{
    const settings *set = call->settings;
    const ow_schema *schema = ow_model_schema(model);
    ow_predictor *predictor = NULL;
    block b;
    int code = EXIT_DONE;
    if (set->strict) code = data_input_check_strict(model, call->operands[0]);
    const char *id = set->id != NULL ? set->id : row_names_column(schema, reader);
    if (code == EXIT_DONE && id != NULL)
        code = command_check_option("--id", ow_reader_set_id(reader, id));
    if (form_of(set) == FORM_CSV) ow_reader_keep_texts(reader);
    if (code != EXIT_DONE) return code;
    ow_status status = ow_reader_bind(reader, schema, set->strict);
    if (status == OW_OK) status = ow_predictor_new(model, set->compute.backend, &predictor);
    if (status != OW_OK) return command_failed(status, false);
    block_init(&b, model);
    b.reader = reader;
    b.id_column = id;
    code = output_begin_file(call->ctx, set->output);
    if (code == EXIT_DONE) {
        code = predict_rows(call, reader, predictor, &b);
        code = output_end_file(code, code == EXIT_DONE || interrupt_signal() != 0);
    }
    block_clear(&b);
    ow_predictor_free(predictor);
    return code;
}

static int run_once(const invocation *call)
{
    const settings *set = call->settings;
    const char *model_path = call->operands[0], *rows_path = call->operands[1];
    ow_read_options how;
    ow_model *model = NULL;
    ow_reader *reader = NULL;

    const char *const read[] = {model_path, rows_path, set->read.labels};

    if (!read_settings_convert(&set->read, &how) ||
        !compute_settings_check(&set->compute) ||
        !output_files_differ(read, sizeof read / sizeof *read, &set->output, 1))
        return EXIT_USAGE;
    ow_status status =
        foreign_run_load(&set->foreign, call->ctx, model_path, &call->how, &model);
    if (status == OW_OK)
        status = row_parts_open(call->ctx, rows_path, &how, &call->how, &reader);
    const int code =
        status == OW_OK ? predict(call, model, reader) : command_failed(status, false);
    ow_reader_free(reader);
    ow_model_free(model);
    return code;
}

static int run(const invocation *call)
{
    return each_part(call, sizeof(settings), offsetof(settings, output), NULL, run_once);
}

static const option_spec options[] = {
    {.name = "id",
     .word = "COLUMN",
     .help = "the column that names the rows, which need not be one of the model's; by "
             "default the identifier that training found",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, id)},
    {.name = "format",
     .word = "FORM",
     .help =
         "text, json (one object a line), or csv: all columns of the file as they came, "
         "and class, probability and percentile behind them",
     .kind = OPTION_CHOICE,
     .choices = form_names,
     .at = offsetof(settings, format)},
    {.name = "json",
     .help = "print one JSON object a line, with the figures of every class",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, json)},
    {.name = "output",
     .letter = 'o',
     .word = "FILE",
     .help = "write the rows to FILE instead of printing them",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, output)},
    {.name = "strict",
     .help = "a level that no training row had, and a number outside the training rows' "
             "range, are errors",
     .kind = OPTION_FLAG,
     .at = offsetof(settings, strict)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0},
                                  {&foreign_run_options, offsetof(settings, foreign)},
                                  {&read_options, offsetof(settings, read)},
                                  {&compute_options, offsetof(settings, compute)}};

static const operand_spec operands[] = {
    {"MODEL", "a model that train or import has written"},
    {"ROWS", "a CSV, IDX or NPY file, gzipped or not; - is standard input"},
};

static const char *const examples[] = {
    "otherwise predict credit.ow applicants.csv",
    "otherwise predict credit.ow applicants.csv --json | jq .density_percentile",
    "otherwise predict digits.ow t10k-images-idx3-ubyte.gz",
    NULL,
};

const command_spec cmd_predict = {
    .name = "predict",
    .summary = "tell the class of rows, its probability, and how typical they are",
    .about =
        "Prints for each row the most probable class, its probability, the logarithm of "
        "the "
        "density of the row, log S(x), and its percentile: how many percent of the "
        "rows of that class are less dense than this one, judged by rows that the model "
        "was not learned from. 50 is an ordinary row; below 1, "
        "the model has seen hardly anything like it, and its opinion is worth little.\n\n"
        "Columns are found by name, in any order; the label column may be there and is "
        "ignored. Values may be missing: what is not known is summed out, exactly, and the "
        "percentile then compares with rows drawn from the model, over the columns that "
        "are "
        "there. A level that no training row had counts as missing, with a warning.\n\n"
        "Rows are read as a stream: a file may be larger than memory. Ctrl-C keeps the "
        "rows that are complete.",
    .operands = operands,
    .n_operands = 2,
    .n_required = 2,
    .uses = uses,
    .n_uses = sizeof uses / sizeof *uses,
    .examples = examples,
    .is_for_several = true,
    .settings_size = sizeof(settings),
    .run = run,
};
