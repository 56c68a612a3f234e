/* SPDX-License-Identifier: MIT */
/* The options that say what circuit is learned, and how. */
#ifndef CLI_TRAIN_SETTINGS_H
#define CLI_TRAIN_SETTINGS_H

#include "options/args.h"
#include "otherwise/model.h"

typedef struct {
    int leaf, structure, prior, learner, classifier;
    bool split_groups, tune;
    const char *variance;
    uint64_t depth, repetitions, sums, inputs, epochs, batch;
    double discriminative, test_share;
    text_list hidden;
} train_settings;

/* What the settings are before any option is read. */
#define TRAIN_NOT_GIVEN UINT64_MAX
#define TRAIN_DEFAULTS                                                                     \
    {                                                                                      \
        .prior = -1, .depth = TRAIN_NOT_GIVEN, .repetitions = TRAIN_NOT_GIVEN,             \
        .sums = TRAIN_NOT_GIVEN, .inputs = TRAIN_NOT_GIVEN, .epochs = TRAIN_NOT_GIVEN,     \
        .batch = TRAIN_NOT_GIVEN, .discriminative = -1.0, .test_share = 0.2                \
    }

extern const option_group train_options;

/* That the options go together.  False after a complaint. */
bool train_settings_check(const train_settings *settings);
/* What the options say, in the library's form; hidden is room for the sizes of layers,
 * which that borrows. */
void train_settings_convert(const train_settings *settings, size_t hidden[OW_MOST_HIDDEN],
                            ow_train_options *converted);
/* Says which of the options had no effect on the circuit that came out. */
void train_settings_note_unused(const train_settings *settings, const ow_model *model);

#endif
