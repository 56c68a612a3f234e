/* SPDX-License-Identifier: MIT */
#include "options/method_settings.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "models/data_input.h"
#include "terminal/exit_codes.h"
#include "terminal/memory.h"
#include "terminal/message.h"

static const option_spec options[] = {
    {.name = "method",
     .word = "NAME",
     .help =
         "how answers are looked for; guided by default; \"otherwise methods\" lists them",
     .kind = OPTION_TEXT,
     .at = offsetof(method_settings, method)},
    {.name = "preset",
     .word = "NAME",
     .help = "all parameters of the method as in the paper, or as in the reference "
             "implementation",
     .kind = OPTION_TEXT,
     .at = offsetof(method_settings, preset)},
    {.name = "set",
     .word = "NAME=VALUE",
     .help = "a parameter of the method; may be repeated",
     .kind = OPTION_REPEATED,
     .at = offsetof(method_settings, params)},
    {.name = "background",
     .word = "ROWS",
     .help = "a file of known rows: those that nearest and face may end at, and those that "
             "answers are compared with",
     .kind = OPTION_TEXT,
     .at = offsetof(method_settings, background)},
};

const option_group method_options = {
    .title = "How answers are looked for",
    .options = options,
    .n_options = sizeof options / sizeof *options,
};

static int set_param(ow_explainer *explainer, const char *text)
{
    const char *value = strchr(text, '=');
    if (value == NULL) {
        message(OW_LOG_ERROR, "--set: expected NAME=VALUE, got \"%s\"", text);
        return EXIT_USAGE;
    }
    char *name = memory_copy(text, (size_t)(value - text));
    const int code =
        command_check_option("--set", ow_explainer_set(explainer, name, value + 1));
    free(name);
    return code;
}

int method_settings_make(const method_settings *settings, const ow_model *model,
                         const char *backend, const ow_read_options *how, ow_context *ctx,
                         const ow_call *call, ow_explainer **explainer,
                         ow_table **background)
{
    const char *name = settings->method != NULL ? settings->method : ow_method_get(0)->name;
    const ow_explain_model what = {.size = sizeof(ow_explain_model),
                                   .model = model,
                                   .backend = backend};
    *explainer = NULL;
    *background = NULL;
    int code = command_check_option("--method", ow_explainer_new(&what, name, explainer));
    if (code == EXIT_DONE && settings->preset != NULL)
        code = command_check_option("--preset",
                                    ow_explainer_preset(*explainer, settings->preset));
    for (size_t i = 0; i < settings->params.n && code == EXIT_DONE; i++)
        code = set_param(*explainer, settings->params.items[i]);
    if (code != EXIT_DONE) return code;
    if (settings->background == NULL) {
        if (!ow_explainer_method(*explainer)->needs_background) return EXIT_DONE;
        message(OW_LOG_ERROR,
                "method %s needs --background ROWS, the known rows that it "
                "looks for answers among",
                name);
        return EXIT_USAGE;
    }
    ow_read_options own = *how;
    own.labels = NULL; /* those are the other file's */
    code = data_input_read_table(ctx, call, "--background", settings->background, &own,
                                 ow_model_schema(model), background);
    if (code != EXIT_DONE) return code;
    const size_t n = ow_table_n_rows(*background);
    return command_check_option(
        "--background",
        ow_explainer_set_background(*explainer, n,
                                    n > 0 ? ow_table_row(*background, 0) : NULL));
}
