/* SPDX-License-Identifier: MIT */
#include "model/train/choose_structure.h"

#include "base/context.h"
#include "base/error.h"
#include "circuit/learn/learn.h"
#include "model/train/train_circuit.h"

/* What a nat of log S(x) is worth in nats of log-loss: as where sizes are tuned (tune.c).
 * Trees must not lose more than so much of either. */
static const double density_worth = 0.1, most_loss = 0.02, most_density = 0.0;

typedef struct {
    ow_region_choice regions;
    ow_score score;
    ow_circuit *circuit; /* as it was tried last */
} candidate;

static bool sizes_are_given(const ow_train_options *options)
{
    return options->depth >= 0 || options->sums >= 0 || options->repetitions >= 0 ||
           options->inputs >= 0;
}

static ow_status try_one(owi_training *t, const owi_call *call, ow_pooling pooling,
                         candidate *c)
{
    ow_train_options options = *t->options;
    options.regions = c->regions;
    const owi_train_rules rules =
        owi_train_rules_for(&options, t->model->schema, t->rows.n_train, t->call->seed);
    owi_fold learned = owi_training_held_out(t, call, &rules, &t->train);
    learned.others = true;
    const ow_row_source rows = owi_fold_source(&learned);
    pooling.pooled_passes = rules.pooled_passes;
    OWI_TRY(owi_training_circuit_new(t, call, &rules, &t->train, &c->circuit));
    if (rules.empirical_prior) OWI_TRY(owi_training_set_prior(t, c->circuit));
    return owi_circuit_try_pooled(call, c->circuit, &rules.learn, &rows, &pooling,
                                  &c->score);
}

/* The second one is better. */
static bool is_better(const ow_score *first, const ow_score *second)
{
    const double density = second->log_density - first->log_density;
    const double loss = second->log_loss - first->log_loss;
    return density > most_density && loss < most_loss && density_worth * density > loss;
}

ow_status owi_training_choose_structure(owi_training *t, const owi_call *call,
                                        ow_train_options *options,
                                        const ow_pooling *pooling)
{
    if (options->regions != OW_REGIONS_AUTO) return OW_OK;
    options->regions = OW_REGIONS_RANDOM;
    const owi_train_rules rules =
        owi_train_rules_for(options, t->model->schema, t->rows.n_train, t->call->seed);
    if (!rules.pooled || sizes_are_given(options) || t->model->plan.width < 2) return OW_OK;
    candidate random = {.regions = OW_REGIONS_RANDOM};
    candidate tree = {.regions = OW_REGIONS_TREE};
    const owi_call first = owi_call_part(call, 0, 1, 2);
    const owi_call second = owi_call_part(call, 1, 1, 2);
    ow_status status = try_one(t, &first, *pooling, &random);
    if (status == OW_OK) status = try_one(t, &second, *pooling, &tree);
    ow_circuit_free(tree.circuit);
    if (status == OW_ERR_CANCELLED)
        t->model->circuit = random.circuit;
    else
        ow_circuit_free(random.circuit);
    OWI_TRY(status);
    const bool takes_tree = is_better(&random.score, &tree.score);
    const candidate *taken = takes_tree ? &tree : &random;
    const candidate *other = takes_tree ? &random : &tree;
    owi_log(t->ctx, OW_LOG_INFO,
            "structure: %s; log-loss %.3f on rows held out, and %.3f by %s",
            takes_tree ? "trees of dependences between columns" : "random halves",
            taken->score.log_loss, other->score.log_loss,
            takes_tree ? "random halves" : "trees");
    owi_log(t->ctx, OW_LOG_DEBUG,
            "on rows held out, log S is %.2f along trees and %.2f by random halves",
            tree.score.log_density, random.score.log_density);
    options->regions = takes_tree ? OW_REGIONS_TREE : OW_REGIONS_RANDOM;
    return OW_OK;
}
