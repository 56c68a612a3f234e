/* SPDX-License-Identifier: MIT */
/* The options of training, declared once: the table below describes and parses them, gives
 * the defaults and checks what callers fill in.  A new one is a field of ow_train_options
 * and a line here; program, manual page and completion follow. */
#include "model/train/train_options.h"

#include "base/error.h"
#include "base/options.h"
#include "base/text/param_table.h"

enum { most_size = 1 << 20, most_depth = 31, most_units = 1 << 16 };

static const char *const leaves[] = {
    [OW_LEAVES_AUTO] = "auto", [OW_LEAVES_GAUSSIAN] = "gaussian", NULL};
static const char *const structures[] = {
    [OW_STRUCTURE_PER_CLASS] = "per-class", [OW_STRUCTURE_SHARED] = "shared", NULL};
static const char *const regions[] = {[OW_REGIONS_RANDOM] = "random",
                                      [OW_REGIONS_TREE] = "tree",
                                      [OW_REGIONS_AUTO] = "auto",
                                      NULL};
static const char *const priors[] = {[OW_PRIOR_AUTO] = "auto",
                                     [OW_PRIOR_UNIFORM] = "uniform",
                                     [OW_PRIOR_EMPIRICAL] = "empirical",
                                     NULL};
static const char *const learners[] = {
    [OW_LEARN_EM] = "em", [OW_LEARN_ADAM] = "adam", NULL};
static const char *const deciders[] = {
    [OW_DECIDES_CIRCUIT] = "circuit", [OW_DECIDES_MLP] = "mlp", NULL};

typedef ow_train_options options;

static const owi_param params[] = {
    OWI_CHOICE(options, leaves, "leaf", leaves, "auto",
               .summary = "auto: categories as categories, numbers as they need it; "
                          "gaussian: everything one-hot and Gaussian with variance 1"),
    OWI_FLAG(options, split_groups, "split-groups", "no",
             .summary = "leaf=gaussian: let the levels of a category part"),
    OWI_NUMBER(options, variance, "variance", 1e-6, 1e6, "auto", .has_auto = true,
               .zero = "learned", .word = "learned|NUMBER",
               .summary = "of Gaussian leaves; learned by default for tables, else 1"),
    OWI_CHOICE(options, regions, "structure", regions, "auto",
               .summary = "how columns are joined: halved at random, along trees of the "
                          "strongest dependences between them, or auto: the better of "
                          "both on rows held out; auto by default"),
    OWI_CHOICE(options, structure, "circuit", structures, "per-class",
               .summary = "a sub-circuit for each class, or one circuit with a root for "
                          "each"),
    OWI_CHOICE(options, prior, "prior", priors, "auto",
               .summary = "probabilities of the classes: all equal, or as in the training "
                          "rows; empirical by default, uniform with leaf=gaussian"),
    OWI_INTEGER(options, depth, "depth", 0, most_depth, "auto", .has_auto = true,
                .word = "D", .summary = "how often the columns are halved; 1 by default"),
    OWI_INTEGER(options, repetitions, "repetitions", 1, most_size, "auto", .has_auto = true,
                .word = "R",
                .summary = "how many random halvings there are; from the rows by default"),
    OWI_INTEGER(options, sums, "sums", 1, most_size, "auto", .has_auto = true, .word = "S",
                .summary = "sums of an inner region, from depth 2 on"),
    OWI_INTEGER(options, inputs, "inputs", 1, most_size, "auto", .has_auto = true,
                .word = "I",
                .summary = "distributions of a leaf region; from the rows by default"),
    OWI_CHOICE(options, learner, "learner", learners, "em",
               .summary = "expectation maximisation, or gradient steps"),
    OWI_INTEGER(options, passes, "epochs", 1, most_size, "auto", .has_auto = true,
                .summary = "passes over the rows, at most"),
    OWI_INTEGER(options, batch, "batch", 0, 4294967296.0, "auto", .has_auto = true,
                .summary = "rows for each update; 0: all of them"),
    OWI_NUMBER(options, discriminative, "discriminative", 0, 1, "auto", .has_auto = true,
               .word = "SHARE",
               .summary = "share of log P(class given row) in what is maximised, 0 to 1"),
    OWI_NUMBER(options, towards_rows, "towards-rows", 0, 1e9, "auto", .has_auto = true,
               .word = "ROWS",
               .summary =
                   "rows by which the circuit of each class is drawn towards that of "
                   "all rows; chosen on rows held out by default"),
    OWI_CHOICE(options, decider, "classifier", deciders, "circuit",
               .summary = "what decides: the circuit, or a neural network learned beside "
                          "it; the circuit is the density either way"),
    OWI_PARAM(options, hidden, .name = "hidden", .kind = OW_PARAM_SIZES, .low = 1,
              .high = most_units, .word = "SIZES",
              .summary = "classifier=mlp: units of its hidden layers; 64,64 by "
                         "default"),
    OWI_NUMBER(options, test_share, "test-share", 0, 0.9, "0.2", .word = "SHARE",
               .summary = "rows to hold out for measuring, 0.2 by default; 0 trains on "
                          "all"),
};

static const owi_param_table table = {.params = params,
                                      .n_params = sizeof params / sizeof *params,
                                      .what = "training option",
                                      .auto_number = OW_AUTO};

const ow_param *ow_train_option_get(size_t index)
{
    return index < table.n_params ? &params[index].shown : NULL;
}

ow_status ow_train_options_set(ow_train_options *to, const char *name, const char *value)
{
    size_t index;
    OWI_REQUIRE(to != NULL && name != NULL && value != NULL);
    OWI_TRY(owi_param_find(&table, name, &index));
    OWI_TRY(owi_options_reach("ow_train_options", to, sizeof *to, name, params[index].at,
                              params[index].length));
    return owi_param_parse(NULL, &table, index, value, to, NULL);
}

ow_train_options owi_train_defaults(void)
{
    ow_train_options made = {.size = sizeof(ow_train_options)};
    owi_param_set_initial(&table, &made);
    return made;
}

void ow_train_options_init(ow_train_options *to, size_t size)
{
    const ow_train_options defaults = owi_train_defaults();
    owi_options_give(&defaults, sizeof defaults, to, size);
}

static ow_status check(const ow_train_options *given)
{
    OWI_TRY(owi_param_check(&table, given));
    if (given->hidden.n > 0 && given->decider != OW_DECIDES_MLP)
        return owi_fail(OW_ERR_ARGUMENT,
                        "hidden needs classifier mlp: a circuit has no such layers");
    if (given->foreign != NULL && given->decider == OW_DECIDES_MLP)
        return owi_fail(OW_ERR_ARGUMENT,
                        "classifier mlp has no place beside a model that decides");
    if (given->split_groups && given->leaves != OW_LEAVES_GAUSSIAN)
        return owi_fail(OW_ERR_ARGUMENT,
                        "split-groups needs leaf gaussian: other leaves hold a category as "
                        "a whole");
    return OW_OK;
}

ow_status owi_train_take(const ow_train_options *given, ow_train_options *own)
{
    *own = owi_train_defaults();
    OWI_TRY(OWI_OPTIONS_TAKE(ow_train_options, given, own));
    return check(own);
}

ow_status ow_train_options_check(const ow_train_options *given)
{
    ow_train_options own;
    return owi_train_take(given, &own);
}

const char *owi_learner_name(ow_learner learner)
{
    return learners[learner];
}

const char *owi_prior_name(bool empirical)
{
    return priors[empirical ? OW_PRIOR_EMPIRICAL : OW_PRIOR_UNIFORM];
}
