/* SPDX-License-Identifier: MIT */
#include "models/foreign_settings.h"

#include <stdlib.h>
#include <string.h>

#include "models/onnxruntime_path.h"
#include "options/decimal.h"
#include "terminal/memory.h"
#include "terminal/message.h"

static const option_spec specs[] = {
    {.name = "model",
     .word = "FILE",
     .help = "a model of XGBoost (.json, .ubj) or LightGBM (text) that decides, as "
             "save_model writes it, or one in ONNX format",
     .kind = OPTION_TEXT,
     .at = offsetof(foreign_settings, path)},
    {.name = "model-command",
     .word = "CMD",
     .help = "a program that decides: it is started once and answers rows on a pipe "
             "(doc/own_models.md)",
     .kind = OPTION_TEXT,
     .at = offsetof(foreign_settings, command)},
    {.name = "model-timeout",
     .word = "SECONDS",
     .help = "how long that program may be silent while it owes answers; 60 by default",
     .kind = OPTION_NUMBER,
     .low = 0.001,
     .high = 1e6,
     .at = offsetof(foreign_settings, seconds)},
    {.name = "onnxruntime",
     .word = "PATH",
     .help = "of a model in ONNX format: the library of onnxruntime, or its folder; by "
             "default the system's, or that of an installed Python package",
     .kind = OPTION_TEXT,
     .at = offsetof(foreign_settings, onnxruntime)},
    {.name = "model-classes",
     .word = "A,B",
     .help = "names of its classes, in its order; sorted by default, as scikit-learn "
             "numbers them",
     .kind = OPTION_LIST,
     .at = offsetof(foreign_settings, classes)},
    {.name = "target",
     .word = "NAME>=NUMBER",
     .help = "of a model that predicts a number: where its two classes part, as in "
             "'score>=620'",
     .kind = OPTION_TEXT,
     .at = offsetof(foreign_settings, limit)},
    {.name = "original",
     .word = "COLUMN",
     .help = "a column with the decisions of the model that the file was exported from: "
             "says how many rows the file decides otherwise; nothing is learned from it",
     .kind = OPTION_TEXT,
     .at = offsetof(foreign_settings, original)},
    {.name = "embed",
     .help = "keep that file in the model; otherwise its path and SHA-256 are remembered",
     .kind = OPTION_FLAG,
     .at = offsetof(foreign_settings, embed)},
    {.name = "cutoff",
     .word = "CLASS=P",
     .help = "decide for the class from this probability on, whatever decides: "
             "--cutoff good=0.8; of more than two classes each needs one",
     .kind = OPTION_LIST,
     .at = offsetof(foreign_settings, cutoffs)},
};

const option_group foreign_options = {"What decides", specs, sizeof specs / sizeof *specs};

/* "good=0.8"; the class may have signs of equality in its name. */
static bool read_cutoff(const char *text, foreign_choice *choice, size_t i)
{
    const char *sign = strrchr(text, '=');
    double proba;
    if (sign == NULL || sign == text || !decimal_read(sign + 1, &proba)) {
        message(OW_LOG_ERROR, "--cutoff takes CLASS=PROBABILITY, as in good=0.8; got %s",
                text);
        return false;
    }
    choice->names[i] = memory_copy(text, (size_t)(sign - text));
    choice->cutoffs[i] = (ow_cutoff){choice->names[i], proba};
    return true;
}

static bool read_cutoffs(const foreign_settings *settings, foreign_choice *choice,
                         ow_train_options *options)
{
    options->cutoffs = choice->cutoffs;
    options->n_cutoffs = settings->cutoffs.n;
    if (settings->cutoffs.n > foreign_most_cutoffs) {
        message(OW_LOG_ERROR, "--cutoff: more than %d classes", foreign_most_cutoffs);
        return false;
    }
    for (size_t i = 0; i < settings->cutoffs.n; i++)
        if (!read_cutoff(settings->cutoffs.items[i], choice, i)) return false;
    return true;
}

void foreign_settings_clear(foreign_choice *choice)
{
    for (size_t i = 0; i < foreign_most_cutoffs; i++) free(choice->names[i]);
    free(choice->onnxruntime);
}

bool foreign_settings_convert(const foreign_settings *settings, foreign_choice *choice,
                              ow_train_options *options)
{
    ow_foreign *foreign = &choice->foreign;
    *choice = (foreign_choice){.onnxruntime = onnxruntime_path(settings->onnxruntime)};
    if (!read_cutoffs(settings, choice, options)) return false;
    const char *given = settings->classes.n > 0   ? "model-classes"
                        : settings->limit != NULL ? "target"
                        : settings->embed         ? "embed"
                        : settings->original      ? "original"
                                                  : NULL;
    *foreign = (ow_foreign){.size = sizeof *foreign,
                            .path = settings->path,
                            .command = settings->command,
                            .seconds = settings->seconds,
                            .onnxruntime = choice->onnxruntime,
                            .limit = settings->limit,
                            .embed = settings->embed};
    if (settings->classes.n > 0) {
        foreign->classes = (const char *const *)settings->classes.items;
        foreign->n_classes = settings->classes.n;
    }
    if (settings->path != NULL && settings->command != NULL) {
        message(OW_LOG_ERROR, "--model and --model-command: one of them decides, not both");
        return false;
    }
    const bool is_given = settings->path != NULL || settings->command != NULL;
    if (is_given) options->foreign = foreign;
    if (is_given || given == NULL) return true;
    message(OW_LOG_ERROR,
            "--%s says something of a model: give it with --model FILE or --model-command "
            "CMD",
            given);
    return false;
}
