/* SPDX-License-Identifier: MIT */
/* The loop around a learner: passes over the rows, validation, the best state kept. */
#include "circuit/learn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/context.h"
#include "base/error.h"

ow_learn_options ow_learn_defaults(void)
{
    return (ow_learn_options){.learner = OW_LEARN_EM,
                              .passes = 30,
                              .pseudo_count = 1e-8,
                              .least_variance = 1e-3,
                              .rate = 1e-2,
                              .patience = 3};
}

/* The best parameters seen on the validation rows. */
typedef struct {
    float *block;
    double value;
    size_t pass;
} best_state;

static size_t block_size(const ow_circuit *circuit)
{
    return (circuit->n_leaf + circuit->n_weights) * sizeof(float);
}

static void restore(ow_circuit *circuit, const best_state *best)
{
    memcpy(circuit->block, best->block, block_size(circuit));
    owi_circuit_prepare(circuit);
}

/* What validation measures: the objective of learning, averaged over rows. */
static double objective(const ow_learn_options *options, const ow_score *score)
{
    const double s = options->discriminative;
    return (1.0 - s) * (score->log_density - score->log_loss) - s * score->log_loss;
}

static ow_status check_options(const ow_learn_options *options)
{
    OWI_REQUIRE(options->passes >= 1);
    OWI_REQUIRE(options->pseudo_count >= 0.0 && options->prior_rows >= 0.0);
    OWI_REQUIRE(options->least_variance > 0.0);
    OWI_REQUIRE(options->discriminative >= 0.0 && options->discriminative <= 1.0);
    if (options->learner == OW_LEARN_EM && options->discriminative > 0.0)
        return owi_fail(OW_ERR_ARGUMENT, "EM has no discriminative share; Adam has");
    return OW_OK;
}

/* One line of progress after each pass, with what is known of it. */
static ow_status report(const ow_circuit *circuit, const ow_learn_options *options,
                        size_t pass, const ow_score *score, bool validated, double began)
{
    char stage[160];
    if (validated)
        snprintf(stage, sizeof stage, "learning (held out: log S %.2f, accuracy %.3f)",
                 score->log_density, score->accuracy);
    else
        snprintf(stage, sizeof stage, "learning (log S given class %.2f)",
                 score->log_density_class);
    owi_log(circuit->ctx, OW_LOG_DEBUG, "pass %zu: %s", pass + 1, stage);
    return owi_report_progress(circuit->ctx, stage, pass + 1, options->passes, began);
}

static ow_status validate(ow_evaluator *evaluator, const ow_learn_options *options,
                          const ow_row_source *validation, ow_circuit *circuit, size_t pass,
                          best_state *best, ow_score *score)
{
    OWI_TRY(ow_circuit_score(evaluator, validation, score));
    const double value = objective(options, score);
    if (!(value > best->value)) return OW_OK;
    best->value = value;
    best->pass = pass;
    memcpy(best->block, circuit->block, block_size(circuit));
    return OW_OK;
}

static ow_status run_passes(ow_circuit *circuit, const ow_learn_options *options,
                            owi_learner *learner, const ow_row_source *source,
                            const ow_row_source *validation, ow_evaluator *evaluator,
                            best_state *best, ow_score *score)
{
    const double began = owi_clock_seconds();
    double before = -INFINITY;

    for (size_t pass = 0; pass < options->passes; pass++) {
        ow_score trained = {0};
        OWI_TRY(owi_learner_pass(learner, source, &trained));
        if (isnan(trained.log_density_class))
            return owi_fail(OW_ERR_NUMERIC, "pass %zu: the likelihood is not a number",
                            pass + 1);
        *score = trained;
        if (validation != NULL)
            OWI_TRY(validate(evaluator, options, validation, circuit, pass, best, score));
        OWI_TRY(report(circuit, options, pass, score, validation != NULL, began));
        if (validation != NULL && pass - best->pass >= options->patience) break;
        const double gain = trained.log_density_class - before;
        if (options->batch == 0 && options->learner == OW_LEARN_EM &&
            gain < 1e-6 * fabs(before) && gain >= 0.0)
            break;
        before = trained.log_density_class;
    }
    return OW_OK;
}

ow_status owi_circuit_learn_towards(ow_circuit *circuit, const ow_learn_options *options,
                                    const ow_row_source *source,
                                    const ow_row_source *validation,
                                    const ow_circuit *towards, double towards_rows,
                                    ow_score *score)
{
    owi_learner learner = {0};
    ow_evaluator *evaluator = NULL;
    best_state best = {.value = -INFINITY};
    ow_score last = {0};

    OWI_TRY(check_options(options));
    ow_status status = owi_learner_init(&learner, circuit, options, towards, towards_rows);
    if (status == OW_OK) status = ow_evaluator_new(circuit, options->backend, &evaluator);
    if (status == OW_OK && validation != NULL) {
        best.block = owi_alloc(circuit->ctx, block_size(circuit));
        if (best.block == NULL) status = OW_ERR_MEMORY;
    }
    if (status == OW_OK)
        status = run_passes(circuit, options, &learner, source, validation, evaluator,
                            &best, &last);
    if (best.value > -INFINITY && (status == OW_OK || status == OW_ERR_CANCELLED)) {
        restore(circuit, &best);
        if (status == OW_OK) status = ow_circuit_score(evaluator, validation, &last);
    }
    if (score != NULL) *score = last;
    owi_free(circuit->ctx, best.block);
    ow_evaluator_free(evaluator);
    owi_learner_clear(&learner);
    return status;
}

ow_status ow_circuit_learn(ow_circuit *circuit, const ow_learn_options *options,
                           const ow_row_source *source, const ow_row_source *validation,
                           ow_score *score)
{
    OWI_REQUIRE(circuit != NULL && options != NULL && source != NULL);
    return owi_circuit_learn_towards(circuit, options, source, validation, NULL, 0.0,
                                     score);
}
