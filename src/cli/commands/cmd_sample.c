/* SPDX-License-Identifier: MIT */
/* otherwise sample: rows that the model could have been trained on, perhaps given a part of
 * them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "explaining/row_values.h"
#include "options/compute_settings.h"
#include "options/evidence.h"
#include "otherwise/model.h"
#include "output/csv_output.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/message.h"

typedef struct {
    uint64_t count;
    text_list given;
    const char *class_name;
    compute_settings compute;
} settings;

enum { block_rows = 1024, no_class = -1 };

/* What is given, and a block of rows drawn from it. */
typedef struct {
    const ow_model *model;
    const ow_schema *schema;
    size_t n_columns, width;
    double *known; /* one row, NaN where nothing is given   */
    int32_t class_index;
    float *encoded; /* block_rows x circuit columns          */
    double *values; /* block_rows x columns                  */
    int32_t classes[block_rows];
} drawing;

/* A given value may be one that the model cannot hold: a fraction of whole numbers, or a
 * number of a column of which it knows a few values only.  Takes the nearest that it can
 * hold, and says so.  False after a complaint. */
static bool round_known(drawing *d)
{
    ow_model_encode(d->model, 1, d->known, d->encoded);
    ow_model_decode(d->model, 1, d->encoded, d->values);
    for (size_t j = 0; j < d->n_columns; j++) {
        char given[32], taken[32];
        const char *name = ow_schema_column(d->schema, j)->name;
        if (isnan(d->known[j])) continue;
        snprintf(given, sizeof given, "%.6g", d->known[j]);
        snprintf(taken, sizeof taken, "%.6g", d->values[j]);
        if (!isfinite(d->values[j])) {
            message(OW_LOG_ERROR, "--given: column \"%s\": %s is too large", name, given);
            return false;
        }
        if (strcmp(given, taken) != 0)
            message(OW_LOG_WARN, "--given: column \"%s\": %s is taken for %s", name, given,
                    taken);
        d->known[j] = d->values[j];
    }
    return true;
}

static ow_status draw(drawing *d, ow_evaluator *evaluator, size_t n, const ow_call *how)
{
    for (size_t i = 0; i < n; i++) {
        ow_model_encode(d->model, 1, d->known, d->encoded + i * d->width);
        d->classes[i] = d->class_index;
    }
    const ow_status status = ow_evaluator_sample(evaluator, n, how, d->encoded, d->classes);
    if (status == OW_OK) ow_model_decode(d->model, n, d->encoded, d->values);
    return status;
}

/* ---- Output ---- */

static void print_titles(const drawing *d)
{
    for (size_t j = 0; j < d->n_columns; j++)
        csv_output_field(ow_schema_column(d->schema, j)->name, j == 0);
    csv_output_field(ow_schema_label(d->schema), false);
    csv_output_end_line();
}

static void print_row(const drawing *d, size_t i)
{
    for (size_t j = 0; j < d->n_columns; j++) {
        char *text = row_value_text(d->schema, j, d->values[i * d->n_columns + j]);
        csv_output_field(text, j == 0);
        free(text);
    }
    csv_output_field(ow_schema_class_name(d->schema, (size_t)d->classes[i]), false);
    csv_output_end_line();
}

/* ---- The command ---- */

static int complain_impossible(const drawing *d)
{
    const char *name = d->class_index == no_class
                           ? "any class"
                           : ow_schema_class_name(d->schema, (size_t)d->class_index);
    message(OW_LOG_ERROR, "what is given is impossible for %s: its density is 0", name);
    return EXIT_USAGE;
}

/* Every block has a seed of its own, so that the first rows are the same however many are
 * asked for. */
static int print_rows(const invocation *call, drawing *d, ow_evaluator *evaluator)
{
    const settings *set = call->settings;
    ow_call how = call->how;
    if (set->count == 0) print_titles(d);
    for (uint64_t left = set->count; left > 0 && !output_failed();) {
        const size_t n = left < block_rows ? (size_t)left : block_rows;
        const ow_status status = draw(d, evaluator, n, &how);
        if (status == OW_ERR_NUMERIC) return complain_impossible(d);
        if (status != OW_OK) return command_failed(status, false);
        if (interrupt_signal() != 0) return interrupt_end();
        if (left == set->count) print_titles(d);
        for (size_t i = 0; i < n; i++) print_row(d, i);
        left -= n;
        how.seed += 0x9E3779B97F4A7C15u;
    }
    return EXIT_DONE;
}

/* What the options say is known.  False after a complaint. */
static bool read_known(const settings *set, drawing *d)
{
    int32_t other = no_class;
    d->class_index = no_class;
    if (set->class_name != NULL &&
        !evidence_find_class(d->schema, "--class", set->class_name, &d->class_index))
        return false;
    if (!evidence_read(d->schema, &set->given, d->known, &other)) return false;
    if (other != no_class && d->class_index != no_class && other != d->class_index) {
        message(OW_LOG_ERROR, "--class and --given ask for different classes");
        return false;
    }
    if (other != no_class) d->class_index = other;
    return true;
}

static int sample(const invocation *call, const ow_model *model)
{
    const settings *set = call->settings;
    const ow_schema *schema = ow_model_schema(model);
    drawing *d = memory_new(1, sizeof *d);
    ow_evaluator *evaluator = NULL;
    int code = EXIT_USAGE;

    d->model = model;
    d->schema = schema;
    d->n_columns = ow_schema_n_columns(schema);
    d->width = ow_circuit_get_spec(ow_model_circuit(model))->n_columns;
    d->known = memory_new(d->n_columns, sizeof *d->known);
    d->encoded = memory_new(block_rows * d->width, sizeof *d->encoded);
    d->values = memory_new(block_rows * d->n_columns, sizeof *d->values);
    if (!read_known(set, d) || !round_known(d)) goto done;
    const ow_status status =
        ow_evaluator_new(ow_model_circuit(model), set->compute.backend, &evaluator);
    code = status == OW_OK ? print_rows(call, d, evaluator) : command_failed(status, false);

done:
    ow_evaluator_free(evaluator);
    free(d->known);
    free(d->encoded);
    free(d->values);
    free(d);
    return code;
}

static int run(const invocation *call)
{
    const settings *set = call->settings;
    ow_model *model = NULL;
    if (!compute_settings_check(&set->compute)) return EXIT_USAGE;
    const ow_status status =
        ow_model_load(call->ctx, call->operands[0], &call->how, &model);
    const int code = status == OW_OK ? sample(call, model) : command_failed(status, false);
    ow_model_free(model);
    return code;
}

static const option_spec options[] = {
    {.name = "count",
     .letter = 'n',
     .word = "N",
     .help = "how many rows to draw; 1 by default",
     .kind = OPTION_INTEGER,
     .most = UINT64_MAX,
     .at = offsetof(settings, count)},
    {.name = "given",
     .word = "COLUMN=VALUE",
     .help = "draw rows that have this value, as often as the model would; may be repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(settings, given)},
    {.name = "class",
     .word = "CLASS",
     .help = "draw rows of this class; by default each as often as the model expects it",
     .kind = OPTION_TEXT,
     .at = offsetof(settings, class_name)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0},
                                  {&compute_options, offsetof(settings, compute)}};

static const operand_spec operands[] = {
    {"MODEL", "a model that train or import has written"},
};

static const char *const examples[] = {
    "otherwise sample credit.ow -n 10",
    "otherwise sample credit.ow -n 1000 --class bad --given age=23 --seed 7 > young.csv",
    NULL,
};

const command_spec cmd_sample = {
    .name = "sample",
    .summary = "draw rows from a model, perhaps with a part of them given",
    .about =
        "Draws rows from the model's own distribution and prints them as CSV, in the units "
        "and names of the training rows, with the class in the label's column. What is "
        "given stays as it is, and the rest is drawn from the exact conditional "
        "distribution.\n\n"
        "The same seed gives the same rows; asking for more adds rows behind them.",
    .operands = operands,
    .n_operands = 1,
    .n_required = 1,
    .uses = uses,
    .n_uses = sizeof uses / sizeof *uses,
    .examples = examples,
    .settings_size = sizeof(settings),
    .defaults = &(const settings){.count = 1},
    .run = run,
};
