/* SPDX-License-Identifier: MIT */
#include "models/foreign_settings.h"

#include "terminal/message.h"

static const option_spec specs[] = {
    {.name = "model",
     .word = "FILE",
     .help = "a model of XGBoost (.json, .ubj) or LightGBM (text) that decides, as "
             "save_model writes it",
     .kind = OPTION_TEXT,
     .at = offsetof(foreign_settings, path)},
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
    {.name = "embed",
     .help = "keep that file in the model; otherwise its path and SHA-256 are remembered",
     .kind = OPTION_FLAG,
     .at = offsetof(foreign_settings, embed)},
};

const option_group foreign_options = {"A model of your own", specs,
                                      sizeof specs / sizeof *specs};

bool foreign_settings_convert(const foreign_settings *settings, ow_foreign *foreign,
                              ow_train_options *options)
{
    const char *given = settings->classes.n > 0   ? "model-classes"
                        : settings->limit != NULL ? "target"
                        : settings->embed         ? "embed"
                                                  : NULL;
    *foreign = (ow_foreign){.size = sizeof *foreign,
                            .path = settings->path,
                            .limit = settings->limit,
                            .embed = settings->embed};
    if (settings->classes.n > 0) {
        foreign->classes = (const char *const *)settings->classes.items;
        foreign->n_classes = settings->classes.n;
    }
    if (settings->path != NULL) options->foreign = foreign;
    if (settings->path != NULL || given == NULL) return true;
    message(OW_LOG_ERROR, "--%s says something of a model: give it with --model FILE",
            given);
    return false;
}
