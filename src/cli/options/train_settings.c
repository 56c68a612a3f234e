/* SPDX-License-Identifier: MIT */
#include "options/train_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/message.h"

enum { most_size = 1 << 20, most_depth = 31, most_units = 1 << 16 };

/* In the order of ow_leaf_choice, ow_structure, ow_learner and ow_decider; priors from
 * OW_PRIOR_UNIFORM on. */
static const char *const leaves[] = {"auto", "gaussian", NULL};
static const char *const structures[] = {"per-class", "shared", NULL};
static const char *const priors[] = {"uniform", "empirical", NULL};
static const char *const learners[] = {"em", "adam", NULL};
static const char *const classifiers[] = {"circuit", "mlp", NULL};

static const option_spec options[] = {
    {.name = "leaf",
     .word = "KIND",
     .help =
         "auto: categories as categories, numbers as they need it; gaussian: everything "
         "one-hot and Gaussian with variance 1",
     .kind = OPTION_CHOICE,
     .choices = leaves,
     .at = offsetof(train_settings, leaf)},
    {.name = "split-groups",
     .help = "with --leaf gaussian, let the levels of a category part",
     .kind = OPTION_FLAG,
     .at = offsetof(train_settings, split_groups)},
    {.name = "variance",
     .word = "learned|NUMBER",
     .help = "of Gaussian leaves; learned by default for tables, else 1",
     .kind = OPTION_TEXT,
     .at = offsetof(train_settings, variance)},
    {.name = "structure",
     .word = "KIND",
     .help = "a sub-circuit for each class, or one circuit with a root for each",
     .kind = OPTION_CHOICE,
     .choices = structures,
     .at = offsetof(train_settings, structure)},
    {.name = "prior",
     .word = "KIND",
     .help = "probabilities of the classes: all equal, or as in the training rows; "
             "empirical by default, uniform with --leaf gaussian",
     .kind = OPTION_CHOICE,
     .choices = priors,
     .at = offsetof(train_settings, prior)},
    {.name = "depth",
     .word = "D",
     .help = "how often the columns are halved; 1 by default",
     .kind = OPTION_INTEGER,
     .most = most_depth,
     .at = offsetof(train_settings, depth)},
    {.name = "repetitions",
     .word = "R",
     .help = "how many random halvings there are; from the rows by default",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = most_size,
     .at = offsetof(train_settings, repetitions)},
    {.name = "sums",
     .word = "S",
     .help = "sums of an inner region, from depth 2 on",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = most_size,
     .at = offsetof(train_settings, sums)},
    {.name = "inputs",
     .word = "I",
     .help = "distributions of a leaf region; from the rows by default",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = most_size,
     .at = offsetof(train_settings, inputs)},
    {.name = "learner",
     .word = "NAME",
     .help = "expectation maximisation, or gradient steps",
     .kind = OPTION_CHOICE,
     .choices = learners,
     .at = offsetof(train_settings, learner)},
    {.name = "epochs",
     .word = "N",
     .help = "passes over the rows, at most",
     .kind = OPTION_INTEGER,
     .least = 1,
     .most = most_size,
     .at = offsetof(train_settings, epochs)},
    {.name = "batch",
     .word = "N",
     .help = "rows for each update; 0: all of them",
     .kind = OPTION_INTEGER,
     .most = (uint64_t)1 << 32,
     .at = offsetof(train_settings, batch)},
    {.name = "discriminative",
     .word = "SHARE",
     .help = "share of log P(class given row) in what is maximised, 0 to 1",
     .kind = OPTION_NUMBER,
     .high = 1.0,
     .at = offsetof(train_settings, discriminative)},
    {.name = "classifier",
     .word = "KIND",
     .help = "who decides: the circuit, or a neural network learned beside it; the circuit "
             "is the density either way",
     .kind = OPTION_CHOICE,
     .choices = classifiers,
     .at = offsetof(train_settings, classifier)},
    {.name = "hidden",
     .word = "SIZES",
     .help = "with --classifier mlp, units of its hidden layers; 64,64 by default",
     .kind = OPTION_LIST,
     .at = offsetof(train_settings, hidden)},
    {.name = "test-share",
     .word = "SHARE",
     .help = "rows to hold out for measuring, 0.2 by default; 0 trains on all",
     .kind = OPTION_NUMBER,
     .high = 0.9,
     .at = offsetof(train_settings, test_share)},
    {.name = "tune",
     .help = "try nine sizes of circuit by cross-validation and train with the best; "
             "--repetitions or --inputs, if given, stay",
     .kind = OPTION_FLAG,
     .at = offsetof(train_settings, tune)},
};

const option_group train_options = {
    .title = "What is learned, and how",
    .options = options,
    .n_options = sizeof options / sizeof *options,
};

/* OW_AUTO, 0 for "learned", or the number; NaN if it is none of them. */
static double variance_of(const char *text)
{
    if (text == NULL) return OW_AUTO;
    if (strcmp(text, "learned") == 0) return 0.0;
    char *end;
    const bool decimal = *text != '\0' && text[strspn(text, "+-.0123456789eE")] == '\0';
    const double number = strtod(text, &end);
    return decimal && *end == '\0' && number >= 1e-6 && number <= 1e6 ? number : NAN;
}

/* Units of a layer, from 1 to most_units; 0 if it is no such number. */
static size_t units_of(const char *text)
{
    char *end;
    const bool digits = *text != '\0' && text[strspn(text, "0123456789")] == '\0';
    const unsigned long number = strtoul(text, &end, 10);
    return digits && number <= most_units ? (size_t)number : 0;
}

static bool check_hidden(const train_settings *settings)
{
    const text_list *hidden = &settings->hidden;
    if (hidden->n > 0 && settings->classifier != OW_DECIDES_MLP) {
        message(OW_LOG_ERROR,
                "--hidden needs --classifier mlp: a circuit has no such layers");
        return false;
    }
    if (hidden->n > OW_MOST_HIDDEN) {
        message(OW_LOG_ERROR, "--hidden: expected up to %d layers, got %zu", OW_MOST_HIDDEN,
                hidden->n);
        return false;
    }
    for (size_t l = 0; l < hidden->n; l++)
        if (units_of(hidden->items[l]) == 0) {
            message(
                OW_LOG_ERROR,
                "--hidden: expected whole numbers from 1 to %d, as in 64,64, got \"%s\"",
                most_units, hidden->items[l]);
            return false;
        }
    return true;
}

bool train_settings_check(const train_settings *settings)
{
    if (!check_hidden(settings)) return false;
    if (isnan(variance_of(settings->variance))) {
        message(OW_LOG_ERROR,
                "--variance: expected learned or a number from 1e-06 to 1e+06, got \"%s\"",
                settings->variance);
        return false;
    }
    if (settings->split_groups && settings->leaf != OW_LEAVES_GAUSSIAN) {
        message(OW_LOG_ERROR, "--split-groups needs --leaf gaussian: other leaves hold a "
                              "category as a whole");
        return false;
    }
    return true;
}

static int64_t or_auto(uint64_t given)
{
    return given == TRAIN_NOT_GIVEN ? OW_AUTO : (int64_t)given;
}

void train_settings_convert(const train_settings *settings, size_t hidden[OW_MOST_HIDDEN],
                            ow_train_options *converted)
{
    *converted = ow_train_defaults();
    for (size_t l = 0; l < settings->hidden.n; l++)
        hidden[l] = units_of(settings->hidden.items[l]);
    converted->decider = (ow_decider)settings->classifier;
    converted->n_hidden = settings->hidden.n;
    converted->hidden = hidden;
    converted->leaves = (ow_leaf_choice)settings->leaf;
    converted->split_groups = settings->split_groups;
    converted->variance = variance_of(settings->variance);
    converted->structure = (ow_structure)settings->structure;
    converted->prior = (ow_prior_choice)(settings->prior + OW_PRIOR_UNIFORM);
    converted->depth = or_auto(settings->depth);
    converted->repetitions = or_auto(settings->repetitions);
    converted->sums = or_auto(settings->sums);
    converted->inputs = or_auto(settings->inputs);
    converted->learner = (ow_learner)settings->learner;
    converted->passes = or_auto(settings->epochs);
    converted->batch = or_auto(settings->batch);
    converted->discriminative =
        settings->discriminative < 0.0 ? OW_AUTO : settings->discriminative;
    converted->test_share = settings->test_share;
}

void train_settings_note_unused(const train_settings *settings, const ow_model *model)
{
    const size_t depth = ow_circuit_get_spec(ow_model_circuit(model))->depth;
    if (settings->sums != TRAIN_NOT_GIVEN && depth < 2)
        message(OW_LOG_WARN,
                "--sums has no effect at depth %zu: there are no inner sums before depth 2",
                depth);
    if (settings->repetitions != TRAIN_NOT_GIVEN && depth == 0)
        message(OW_LOG_WARN, "--repetitions has no effect at depth 0: nothing is halved");
}
