/* SPDX-License-Identifier: MIT */
/* otherwise import: a circuit that somebody wrote down as JSON becomes a model. */
#include <stdlib.h>

#include "commands/command.h"
#include "models/model_output.h"
#include "otherwise/model.h"
#include "output/output.h"
#include "terminal/exit_codes.h"
#include "terminal/message.h"

typedef struct {
    const char *output;
} settings;

static int run(const invocation *call)
{
    const settings *set = call->settings;
    const char *path = call->operands[0];
    ow_model *model = NULL;

    int code = model_output_check("import", set->output);
    if (code != EXIT_DONE) return code;
    if (!output_spares(set->output, path)) return EXIT_USAGE;
    const ow_status status = ow_model_import(call->ctx, path, &call->how, &model);
    code = status == OW_OK ? model_output_write(model, set->output)
                           : command_failed(status, false);
    ow_model_free(model);
    return code;
}

static const option_spec options[] = {
    {.name = "output",
     .letter = 'o',
     .word = "MODEL",
     .help = "the model file to write",
     .kind = OPTION_TEXT,
     .in_usage = true,
     .at = offsetof(settings, output)},
};
static const option_group group = {"Options", options, sizeof options / sizeof *options};
static const option_use uses[] = {{&group, 0}};

static const operand_spec operands[] = {
    {"CIRCUIT", "a circuit written as JSON (doc/format.md); - is standard input"},
};

static const char *const examples[] = {
    "otherwise import circuit.json -o circuit.ow",
    NULL,
};

const command_spec cmd_import = {
    .name = "import",
    .summary = "make a model of a circuit that is written as JSON",
    .about =
        "Reads a circuit that another program has written as JSON, with Gaussian leaves "
        "and "
        "any scopes, weights and variances, and writes it as a model that predict, sample "
        "and "
        "inspect can use. Its columns are x0, x1, ... as they are, its classes 0, 1, ... "
        "It "
        "has no training rows, so percentiles compare with rows drawn from the circuit.",
    .operands = operands,
    .n_operands = 1,
    .n_required = 1,
    .uses = uses,
    .n_uses = 1,
    .examples = examples,
    .settings_size = sizeof(settings),
    .run = run,
};
