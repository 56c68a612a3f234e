/* SPDX-License-Identifier: MIT */
/* The loop around a learner: passes over the rows, validation, the best state kept. */
#include "circuit/learn/learn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/options.h"
#include "circuit/rows/fold_source.h"

ow_learn_options owi_learn_defaults(void)
{
    return (ow_learn_options){.size = sizeof(ow_learn_options),
                              .learner = OW_LEARN_EM,
                              .passes = 30,
                              .pseudo_count = 1e-8,
                              .least_variance = 1e-3,
                              .rate = 1e-2,
                              .patience = 3};
}

void ow_learn_options_init(ow_learn_options *options, size_t size)
{
    const ow_learn_options defaults = owi_learn_defaults();
    owi_options_give(&defaults, sizeof defaults, options, size);
}

/* The best parameters seen on the validation rows. */
typedef struct {
    float *block;
    double value;
    size_t n_since; /* passes after it */
} best_state;

static size_t block_size(const ow_circuit *circuit)
{
    return (circuit->n_leaf + circuit->n_weights) * sizeof(float);
}

static void restore(const owi_call *call, ow_circuit *circuit, const best_state *best)
{
    memcpy(circuit->block, best->block, block_size(circuit));
    owi_circuit_prepare(call, circuit);
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

/* What people are shown while they wait: after each pass, but measured no more often than
 * every second, so that it costs next to nothing. */
typedef struct {
    const owi_call *call;
    ow_evaluator *evaluator;
    const ow_row_source *source;
    double measured, accuracy; /* of the first rows; NaN: not known */
} glimpse;

static ow_status measure_accuracy(const ow_circuit *circuit, glimpse *seen)
{
    enum { glimpse_rows = 1024 };
    owi_head head = {.from = seen->source, .most = glimpse_rows};
    const ow_row_source rows = owi_head_source(&head);
    const double now = owi_clock_seconds();
    ow_score score;
    if (circuit->spec.n_classes < 2 || now - seen->measured < 1.0) return OW_OK;
    /* When, is this process's own affair. */
    const owi_call alone = owi_call_alone(seen->call);
    OWI_TRY(owi_circuit_score(&alone, seen->evaluator, &rows, &score));
    seen->measured = owi_clock_seconds();
    seen->accuracy = score.accuracy;
    return OW_OK;
}

/* One line of progress after each pass, with what is known of it. */
static ow_status report(const ow_circuit *circuit, const ow_learn_options *options,
                        size_t pass, const ow_score *score, bool validated, glimpse *seen)
{
    char stage[160];
    if (!validated) OWI_TRY(measure_accuracy(circuit, seen));
    if (validated)
        snprintf(stage, sizeof stage, "learning (held out: log S %.2f, accuracy %.3f)",
                 score->log_density, score->accuracy);
    else if (isnan(seen->accuracy))
        snprintf(stage, sizeof stage, "learning (log S %.2f)", score->log_density_class);
    else
        snprintf(stage, sizeof stage, "learning (log S given class %.2f, accuracy %.3f)",
                 score->log_density_class, seen->accuracy);
    owi_log(circuit->ctx, OW_LOG_DEBUG, "pass %zu: %s", pass + 1, stage);
    return owi_call_progress(seen->call, stage, pass + 1, options->passes);
}

static ow_status validate(const owi_call *call, ow_evaluator *evaluator,
                          const ow_learn_options *options, const ow_row_source *validation,
                          ow_circuit *circuit, best_state *best, ow_score *score)
{
    OWI_TRY(owi_circuit_score(call, evaluator, validation, score));
    const double value = objective(options, score);
    best->n_since++;
    if (!(value > best->value)) return OW_OK;
    best->value = value;
    best->n_since = 0;
    memcpy(best->block, circuit->block, block_size(circuit));
    return OW_OK;
}

static ow_status run_passes(ow_circuit *circuit, const ow_learn_options *options,
                            owi_learner *learner, const ow_row_source *source,
                            const ow_row_source *validation, ow_evaluator *evaluator,
                            best_state *best, ow_score *score)
{
    const owi_call *call = learner->call;
    glimpse seen = {call, evaluator, source, owi_clock_seconds(), NAN};
    double before = -INFINITY;

    OWI_TRY(owi_call_progress(call, "learning", 0, options->passes));
    /* The state before any pass counts too: tuning may lead away from it. */
    if (validation != NULL)
        OWI_TRY(validate(call, evaluator, options, validation, circuit, best, score));
    for (size_t pass = 0; pass < options->passes; pass++) {
        ow_score trained = {0};
        OWI_TRY(owi_learner_pass(learner, source, &trained));
        if (isnan(trained.log_density_class))
            return owi_fail(OW_ERR_NUMERIC, "pass %zu: the likelihood is not a number",
                            pass + 1);
        *score = trained;
        if (validation != NULL)
            OWI_TRY(validate(call, evaluator, options, validation, circuit, best, score));
        OWI_TRY(report(circuit, options, pass, score, validation != NULL, &seen));
        if (validation != NULL && best->n_since > 0 && best->n_since >= options->patience)
            break;
        const double gain = trained.log_density_class - before;
        if (options->batch == 0 && options->learner == OW_LEARN_EM &&
            gain < 1e-6 * fabs(before) && gain >= 0.0)
            break;
        before = trained.log_density_class;
    }
    return OW_OK;
}

ow_status owi_circuit_learn_towards(const owi_call *call, ow_circuit *circuit,
                                    const ow_learn_options *options,
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
    ow_status status =
        owi_learner_init(&learner, call, circuit, options, towards, towards_rows);
    if (status == OW_OK) status = ow_evaluator_new(circuit, options->backend, &evaluator);
    if (status == OW_OK && validation != NULL) {
        best.block = owi_alloc(circuit->ctx, block_size(circuit));
        if (best.block == NULL) status = OW_ERR_MEMORY;
    }
    if (status == OW_OK)
        status = run_passes(circuit, options, &learner, source, validation, evaluator,
                            &best, &last);
    if (best.value > -INFINITY && (status == OW_OK || status == OW_ERR_CANCELLED)) {
        restore(call, circuit, &best);
        if (status == OW_OK) status = owi_circuit_score(call, evaluator, validation, &last);
    }
    if (score != NULL) *score = last;
    owi_free(circuit->ctx, best.block);
    ow_evaluator_free(evaluator);
    owi_learner_clear(&learner);
    return status;
}

ow_status owi_circuit_learn(const owi_call *call, ow_circuit *circuit,
                            const ow_learn_options *options, const ow_row_source *source,
                            const ow_row_source *validation, ow_score *score)
{
    return owi_circuit_learn_towards(call, circuit, options, source, validation, NULL, 0.0,
                                     score);
}

ow_status ow_circuit_learn(ow_circuit *circuit, const ow_learn_options *options,
                           const ow_row_source *source, const ow_row_source *validation,
                           const ow_call *call, ow_score *score)
{
    owi_call running;
    ow_learn_options own = owi_learn_defaults();
    OWI_REQUIRE(circuit != NULL && source != NULL);
    OWI_TRY(OWI_OPTIONS_TAKE(ow_learn_options, options, &own));
    OWI_TRY(owi_call_begin(&running, circuit->ctx, call));
    return owi_circuit_learn(&running, circuit, &own, source, validation, score);
}
