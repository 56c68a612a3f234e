/* SPDX-License-Identifier: MIT */
#include "model/train/train_rules.h"

#include "circuit/learn/learn.h"

/* Where a table is small, large, and too large for full passes; and how many rows are
 * enough, all passes together, however many there are. */
enum {
    few_rows = 500,
    small_rows = 2000,
    tuned_rows = 5000,
    large_rows = 20000,
    huge_rows = 200000
};
static const double enough_rows = 6e6;

static size_t or_auto(int64_t given, size_t automatic)
{
    return given >= 0 ? (size_t)given : automatic;
}

/* Of `most` passes over a huge table as many as there is something to learn from, but
 * two. */
static size_t passes_over(size_t n_train, size_t most)
{
    const size_t n = (size_t)(enough_rows / (double)n_train);
    return n_train <= huge_rows || n >= most ? most : n > 2 ? n : 2;
}

/* States of the hidden variables of trees.  16 describe numbers better than 8 do, from a
 * few hundred rows on; but all pairs of changes of n columns cost n^2 K^3.  What 16 states
 * gain in a small and wide table is not worth a slow answer. */
static size_t states_for(size_t n_train, size_t n_columns)
{
    enum { few = 8, many = 16 };
    static const double most_work = 1e6;
    const double n = (double)n_columns;
    const bool slow = n * n * many * many * many > most_work;
    return n_train < few_rows || (n_train < small_rows && slow) ? few : many;
}

static ow_circuit_spec circuit_for(const ow_train_options *options, bool table,
                                   size_t n_train, size_t n_columns)
{
    const bool people = table && options->leaves == OW_LEAVES_AUTO;
    ow_circuit_spec size = {
        .size = sizeof(ow_circuit_spec),
        .structure = options->structure,
        .depth = or_auto(options->depth, 1),
        .sums = or_auto(options->sums, 10),
        .variance = options->variance >= 0.0 ? options->variance
                    : people                 ? 0.0
                                             : 1.0,
    };
    /* The paper's MNIST capacity for images; a small circuit for tables, which over-fit. */
    size.repetitions = or_auto(options->repetitions, people ? 8 : 19);
    size.inputs = or_auto(options->inputs, people ? (n_train > large_rows ? 16 : 8) : 20);
    if (options->regions == OW_REGIONS_TREE) {
        /* A second tree gains less than twice the states of one. */
        size.depth = 0;
        size.repetitions = or_auto(options->repetitions, 1);
        size.inputs = or_auto(options->inputs, states_for(n_train, n_columns));
    }
    return size;
}

static ow_learn_options learn_for(const ow_train_options *options, bool table,
                                  size_t n_train)
{
    const bool people = table && options->leaves == OW_LEAVES_AUTO;
    ow_learn_options learn = owi_learn_defaults();
    learn.learner = options->learner;
    learn.backend = options->backend;
    const bool online = people ? n_train > huge_rows : n_train >= 4096;
    learn.batch = or_auto(options->batch, !online ? 0 : people ? 8192 : 2048);
    /* A small table is learned by heart before EM has converged. */
    learn.passes = or_auto(options->passes, people ? (online ? passes_over(n_train, 6)
                                                      : n_train < tuned_rows ? 12
                                                                             : 30)
                                                   : (online ? 12 : 30));
    learn.prior_rows = people ? (n_train < small_rows ? 16.0 : 4.0) : 0.0;
    learn.least_variance = people ? 0.01 : 1e-3;
    learn.pseudo_count = 1e-8;
    learn.discriminative =
        options->learner == OW_LEARN_ADAM && options->discriminative > 0.0
            ? options->discriminative
            : 0.0;
    return learn;
}

owi_train_rules owi_train_rules_for(const ow_train_options *options,
                                    const ow_schema *schema, size_t n_train, uint64_t seed)
{
    const bool table = ow_schema_layout(schema).kind == OW_LAYOUT_TABLE;
    const bool people = table && options->leaves == OW_LEAVES_AUTO;
    owi_train_rules rules = {
        .circuit = circuit_for(options, table, n_train, ow_schema_n_columns(schema)),
        .trees = options->regions == OW_REGIONS_TREE,
        .split_groups = options->split_groups,
        .learn = learn_for(options, table, n_train),
        .empirical_prior =
            options->prior == OW_PRIOR_EMPIRICAL ||
            (options->prior == OW_PRIOR_AUTO && options->leaves != OW_LEAVES_GAUSSIAN),
    };
    if (options->depth < 0 && ow_schema_n_columns(schema) < 2) rules.circuit.depth = 0;
    rules.circuit.seed = seed;
    /* A state of a tree has seen its children in each of theirs for so many rows in all. */
    static const double even_rows = 3.0;
    if (rules.trees) rules.learn.pseudo_count = even_rows / (double)rules.circuit.inputs;
    /* With these, a tree of all classes is not learned by heart; those of classes are. */
    if (rules.trees && options->passes < 0 && n_train < tuned_rows)
        rules.pooled_passes = 30;
    rules.pooled = people && options->structure == OW_STRUCTURE_PER_CLASS &&
                   options->learner == OW_LEARN_EM;
    rules.circuit.same_regions = rules.pooled;

    /* A short discriminative tuning after EM: asked for, or a table with rows enough to
     * stop it in time. */
    const double share = options->discriminative;
    const bool tune = options->learner == OW_LEARN_EM &&
                      (share > 0.0 || (share < 0.0 && people && n_train >= tuned_rows));
    if (tune) {
        rules.tune = rules.learn;
        rules.tune.learner = OW_LEARN_ADAM;
        rules.tune.discriminative = share > 0.0 ? share : 0.9;
        rules.tune.batch = 512;
        rules.tune.passes = passes_over(n_train, 12);
        rules.tune.patience = 2;
        rules.tune.rate = 3e-3;
        rules.held_out = 0.1;
    }
    if (options->learner == OW_LEARN_ADAM) rules.held_out = 0.1;
    return rules;
}
