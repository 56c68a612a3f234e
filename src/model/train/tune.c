/* SPDX-License-Identifier: MIT */
/* Which size of circuit suits the rows: every size of a small grid is learned from a part
 * of the training rows and measured on the rest.  Small tables are cross-validated with
 * five folds, large ones lose one part in seven, as in learn_pooled.c.  The sizes are the
 * paper's for Gaussian leaves and images (R 19, 29, 40; I 20, 25, 33), and half, once and
 * twice the default for people's tables.
 *
 * The best size has the largest
 *
 *     (1 - s) mean log S(x) - mean log-loss
 *
 * on the rows held out: with the share s of learning, this is the objective of learning
 * itself, (1 - s) log S(x, y) + s log P(y given x).  For tables s is 0.9 where it is not
 * given: their log S is 20 to 40 times the log-loss and would drown it.  Images weigh both
 * alike. */
#include <math.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/options.h"
#include "circuit/learn/learn.h"
#include "circuit/rows/fold_source.h"
#include "data/rows/reader.h"
#include "model/train/train_circuit.h"
#include "model/train/train_options.h"
#include "model/train/training.h"

enum { few_rows = 5000, n_folds = 5, most_online_passes = 6 };
static const double large_share = 0.15, table_share = 0.9;

static bool is_peoples_table(const ow_train_options *options, const ow_schema *schema)
{
    return options->leaves == OW_LEAVES_AUTO &&
           ow_schema_layout(schema).kind == OW_LAYOUT_TABLE;
}

/* Three sizes of a dimension, or the one that is given; returns how many. */
static size_t list_sizes(int64_t given, bool table, size_t automatic,
                         const size_t papers[3], size_t sizes[3])
{
    sizes[0] = (size_t)given;
    if (given >= 0) return 1;
    for (size_t i = 0; i < 3; i++) sizes[i] = table ? (automatic << i) / 2 : papers[i];
    return 3;
}

static size_t list_trials(const owi_training *t, ow_tune_trial *trials)
{
    static const size_t papers_repetitions[3] = {19, 29, 40},
                        papers_inputs[3] = {20, 25, 33};
    const ow_train_options *options = t->options;
    const bool table = is_peoples_table(options, t->model->schema);
    const owi_train_rules rules =
        owi_train_rules_for(options, t->model->schema, t->rows.n_train, 0);
    size_t repetitions[3], inputs[3], n = 0;
    const size_t n_repetitions =
        rules.circuit.depth == 0
            ? list_sizes(1, table, 1, papers_repetitions, repetitions)
            : list_sizes(options->repetitions, table, rules.circuit.repetitions,
                         papers_repetitions, repetitions);
    const size_t n_inputs =
        list_sizes(options->inputs, table, rules.circuit.inputs, papers_inputs, inputs);
    for (size_t r = 0; r < n_repetitions; r++)
        for (size_t i = 0; i < n_inputs; i++)
            trials[n++] =
                (ow_tune_trial){.repetitions = repetitions[r], .inputs = inputs[i]};
    return n;
}

/* Adds the scores of one size on one fold, times its rows.  A depth that had to be cut is
 * cut in the rules, too: one warning is enough. */
static ow_status try_fold(owi_training *t, const owi_call *call, owi_train_rules *rules,
                          owi_fold fold, ow_score *sum)
{
    ow_circuit *circuit = NULL;
    ow_evaluator *evaluator = NULL;
    ow_score score;
    /* What is usually chosen: choosing anew for every size and fold would be a search
     * within the search. */
    ow_pooling pooling = {.towards_rows = t->options->towards_rows >= 0.0
                                              ? t->options->towards_rows
                                              : ceil(2.0 * sqrt((double)t->rows.n_train)),
                          .ridge = t->options->discriminative == 0.0 ? 0.0 : 4.0,
                          .pooled_passes = rules->pooled_passes};
    owi_fold others = fold;
    others.others = true;
    const ow_row_source learned = owi_fold_source(&others);
    const ow_row_source held_out = owi_fold_source(&fold);

    ow_status status = owi_training_circuit_new(t, call, rules, &learned, &circuit);
    if (status == OW_OK) rules->circuit.depth = ow_circuit_get_spec(circuit)->depth;
    if (status == OW_OK)
        status = owi_training_learn(t, call, rules, &learned, circuit, &pooling);
    if (status == OW_OK)
        status = ow_evaluator_new(circuit, t->options->backend, &evaluator);
    if (status == OW_OK) status = owi_circuit_score(call, evaluator, &held_out, &score);
    if (status == OW_OK) {
        const double n = (double)score.n_rows;
        sum->n_rows += score.n_rows;
        sum->log_density += n * score.log_density;
        sum->log_density_class += n * score.log_density_class;
        sum->log_loss += n * score.log_loss;
        sum->accuracy += n * score.accuracy;
    }
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    return status;
}

static void finish(ow_tune_trial *trial, double share)
{
    const double n = (double)owi_larger(trial->score.n_rows, 1);
    trial->score.log_density /= n;
    trial->score.log_density_class /= n;
    trial->score.log_loss /= n;
    trial->score.accuracy /= n;
    trial->value = (1.0 - share) * trial->score.log_density - trial->score.log_loss;
}

static ow_status try_sizes(owi_training *t, ow_tune_trial *trials, size_t n_trials,
                           int64_t *depth)
{
    const ow_train_options *given = t->options;
    const bool few = t->rows.n_train < few_rows;
    const bool table = is_peoples_table(given, t->model->schema);
    const size_t folds = few ? n_folds : 1;
    const double held_out = few ? 1.0 / n_folds : large_share;
    const double share = given->discriminative >= 0.0 ? given->discriminative
                         : table                      ? table_share
                                                      : 0.0;
    uint64_t before = 0;
    for (size_t i = 0; i < n_trials; i++) {
        ow_train_options options = *given;
        options.depth = *depth;
        options.repetitions = (int64_t)trials[i].repetitions;
        options.inputs = (int64_t)trials[i].inputs;
        owi_train_rules rules =
            owi_train_rules_for(&options, t->model->schema,
                                (size_t)((1.0 - held_out) * (double)t->rows.n_train),
                                t->call->seed);
        if (rules.learn.batch > 0)
            rules.learn.passes = owi_smaller(rules.learn.passes, most_online_passes);
        for (size_t f = 0; f < folds; f++, before++) {
            const owi_call part = owi_call_part(t->call, before, 1, n_trials * folds);
            const owi_fold fold = {.from = &t->train,
                                   .n_columns = t->model->plan.width,
                                   .seed = t->call->seed ^ 0x7a11,
                                   .rare = t->rare,
                                   .low = held_out * (double)f,
                                   .high = held_out * (double)(f + 1)};
            OWI_TRY(try_fold(t, &part, &rules, fold, &trials[i].score));
        }
        *depth = (int64_t)rules.circuit.depth;
        finish(&trials[i], share);
    }
    return OW_OK;
}

/* Tries all sizes and puts the best into the options. */
static ow_status tune(owi_training *t, ow_train_options *options, ow_tune_trial *trials,
                      size_t *n_trials, size_t *best)
{
    int64_t depth = options->depth;
    *n_trials = list_trials(t, trials);
    OWI_TRY(try_sizes(t, trials, *n_trials, &depth));
    for (size_t i = 1; i < *n_trials; i++)
        if (trials[i].value > trials[*best].value) *best = i;
    options->depth = depth;
    options->repetitions = (int64_t)trials[*best].repetitions;
    options->inputs = (int64_t)trials[*best].inputs;
    return OW_OK;
}

ow_status ow_model_tune(ow_reader *reader, const ow_schema *schema,
                        ow_train_options *options, const ow_call *call,
                        ow_tune_trial trials[OW_TUNE_TRIALS], size_t *n_trials,
                        size_t *best, ow_model **out)
{
    OWI_REQUIRE(reader != NULL && schema != NULL && options != NULL);
    OWI_REQUIRE(trials != NULL && n_trials != NULL && best != NULL);
    if (out != NULL) *out = NULL;
    ow_train_options own;
    OWI_TRY(owi_train_take(options, &own));
    /* The last of those that are written. */
    OWI_TRY(owi_options_reach("ow_train_options", options, sizeof *options, "inputs",
                              offsetof(ow_train_options, inputs), sizeof options->inputs));
    owi_call running;
    owi_training t;
    *n_trials = *best = 0;
    OWI_TRY(owi_call_begin(&running, owi_reader_context(reader), call));
    OWI_TRY(owi_call_join(&running, own.team));
    ow_status status = owi_training_begin(&t, &running, reader, schema, &own);
    if (status == OW_OK) status = tune(&t, &own, trials, n_trials, best);
    if (status == OW_OK) {
        options->depth = own.depth;
        options->repetitions = own.repetitions;
        options->inputs = own.inputs;
    }
    if (status == OW_OK && out != NULL) status = owi_training_run(&t, out);
    return owi_training_conclude(&t, schema, status, out);
}
