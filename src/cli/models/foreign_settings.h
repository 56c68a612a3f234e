/* SPDX-License-Identifier: MIT */
/* The options of train that say what decides: a model of another package, cut-offs. */
#ifndef CLI_FOREIGN_SETTINGS_H
#define CLI_FOREIGN_SETTINGS_H

#include "options/args.h"
#include "otherwise/model.h"

typedef struct {
    const char *path, *command, *limit, *onnxruntime, *original;
    double seconds; /* 0: the default */
    text_list classes, cutoffs;
    bool embed;
} foreign_settings;

extern const option_group foreign_options;

enum { foreign_most_cutoffs = 64 };

/* What options points to afterwards. */
typedef struct {
    ow_foreign foreign;
    ow_cutoff cutoffs[foreign_most_cutoffs];
    char *names[foreign_most_cutoffs];
    char *onnxruntime;
} foreign_choice;

/* Into *choice, which is freed by foreign_settings_clear, and into options.  False after a
 * complaint. */
bool foreign_settings_convert(const foreign_settings *settings, foreign_choice *choice,
                              ow_train_options *options);
void foreign_settings_clear(foreign_choice *choice);

#endif
