/* SPDX-License-Identifier: MIT */
/* The options that say what circuit is learned, and how: those of the library's table. */
#ifndef CLI_TRAIN_SETTINGS_H
#define CLI_TRAIN_SETTINGS_H

#include "options/param_options.h"
#include "otherwise/model.h"

typedef struct {
    param_texts texts;
    bool tune;
} train_settings;

/* Filled in by train_settings_start, before anything else looks at it. */
extern option_group train_options;
void train_settings_start(void);

/* What the options say, in the library's form.  False after a complaint. */
bool train_settings_convert(const train_settings *settings, ow_train_options *options);
/* Says which of the options had no effect on the circuit that came out. */
void train_settings_note_unused(const ow_train_options *options, const ow_model *model);

#endif
