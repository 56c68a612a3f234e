/* SPDX-License-Identifier: MIT */
#include "options/train_settings.h"

#include "terminal/message.h"

static option_spec specs[param_options_most + 1];

option_group train_options = {.title = "What is learned, and how", .options = specs};

void train_settings_start(void)
{
    const size_t n =
        param_options_make(ow_train_option_get, offsetof(train_settings, texts), specs);
    specs[n] = (option_spec){
        .name = "tune",
        .help = "try nine sizes of circuit by cross-validation and train with the best; "
                "--repetitions or --inputs, if given, stay",
        .kind = OPTION_FLAG,
        .at = offsetof(train_settings, tune)};
    train_options.n_options = n + 1;
}

bool train_settings_convert(const train_settings *settings, ow_train_options *options)
{
    ow_status status = OW_OK;
    ow_train_options_init(options, sizeof *options);
    for (size_t i = 0; ow_train_option_get(i) != NULL && status == OW_OK; i++)
        if (settings->texts.of[i].n > 0)
            status = ow_train_options_set(options, ow_train_option_get(i)->name,
                                          settings->texts.of[i].items[0]);
    if (status == OW_OK) status = ow_train_options_check(options);
    if (status != OW_OK) param_options_complain();
    return status == OW_OK;
}

void train_settings_note_unused(const ow_train_options *options, const ow_model *model)
{
    const size_t depth = ow_circuit_get_spec(ow_model_circuit(model))->depth;
    if (options->sums != OW_AUTO && depth < 2)
        message(OW_LOG_WARN,
                "--sums has no effect at depth %zu: there are no inner sums before depth 2",
                depth);
    if (options->repetitions != OW_AUTO && depth == 0)
        message(OW_LOG_WARN, "--repetitions has no effect at depth 0: nothing is halved");
}
