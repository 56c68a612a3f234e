/* SPDX-License-Identifier: MIT */
#include "model/train/unseen_densities.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/pass/evaluator.h"
#include "circuit/rows/fold_source.h"
#include "circuit/rows/repeated_rows.h"
#include "model/train/class_figures.h"
#include "model/train/train_circuit.h"

/* Fewer rows want smaller folds: what a circuit loses with a fifth of 200 rows is more than
 * the correction makes up for (Mode: 19 % of unseen rows below q25). */
static size_t count_folds(size_t n_rows)
{
    enum { few_rows = 1000, few_rows_folds = 10, folds = 5 };
    return n_rows < few_rows ? few_rows_folds : folds;
}

static bool circuit_decides(const ow_model *model)
{
    return model->network == NULL && model->foreign == NULL;
}

/* A circuit learned without one fold, and the densities of the fold. */
static ow_status collect_fold(owi_training *t, const owi_call *call,
                              const owi_train_rules *rules, ow_pooling pooling,
                              owi_fold fold, double toward, ow_evaluator *evaluator,
                              owi_margin_drift *drift, owi_density_pools *unseen)
{
    ow_circuit *circuit = NULL;
    ow_evaluator *without = NULL;
    owi_fold others = fold;
    others.others = true;
    const ow_row_source learned = owi_fold_source(&others);
    const ow_row_source held_out = owi_fold_source(&fold);
    ow_status status = owi_training_circuit_new(t, call, rules, &learned, &circuit);
    if (status == OW_OK)
        status = owi_training_learn(t, call, rules, &learned, circuit, &pooling);
    if (status == OW_OK) status = ow_evaluator_new(circuit, t->options->backend, &without);
    const owi_density_source how = {evaluator, without, toward, drift,
                                    circuit_decides(t->model) ? &t->tally : NULL};
    if (status == OW_OK) status = owi_density_pools_collect(unseen, call, how, &held_out);
    ow_evaluator_free(without);
    ow_circuit_free(circuit);
    return status;
}

static ow_status cross_fit(owi_training *t, const owi_call *call,
                           const owi_train_rules *rules, const ow_pooling *pooling,
                           ow_evaluator *evaluator, owi_margin_drift *drift,
                           owi_density_pools *unseen)
{
    owi_train_rules own = *rules;
    own.learn.prior_rows = pooling->prior_rows;
    own.circuit.depth = ow_circuit_get_spec(t->model->circuit)->depth;
    const size_t n_folds = count_folds(t->rows.n_train);
    bool repeats;
    OWI_TRY(owi_rows_repeat(call, &t->train, t->model->plan.width,
                            ow_schema_n_classes(t->model->schema), &repeats));
    const double K = (double)n_folds, toward = 1.0 / (2.0 * K - 1.0);
    for (size_t f = 0; f < n_folds; f++) {
        const owi_call part = owi_call_part(call, f, 1, n_folds);
        own.circuit.seed = rules->circuit.seed + 1 + f; /* regions of its own */
        const owi_fold fold = {.from = &t->train,
                               .n_columns = t->model->plan.width,
                               .seed = t->call->seed ^ 0xf01d,
                               .rare = t->rare,
                               .by_content = repeats,
                               .low = (double)f / K,
                               .high = (double)(f + 1) / K};
        OWI_TRY(
            collect_fold(t, &part, &own, *pooling, fold, toward, evaluator, drift, unseen));
    }
    return OW_OK;
}

/* What a decision must be beyond the boundary by to be the same after another training: a
 * constant, for answers are where the model errs in favour of the class, and the root mean
 * square by which the log-odds of unseen rows moved when a circuit with other regions was
 * learned without them.  doc/method.md has how both were chosen. */
static double margin_of(const owi_margin_drift *drift)
{
    static const double least = 1.5, drifts = 1.5, most = 4.0;
    if (!(drift->weight > 0.0)) return 0.0;
    return fmin(least + drifts * sqrt(drift->sum / drift->weight), most);
}

/* The densities of unseen rows, as far as there are any, and of all others. */
static ow_status collect(owi_training *t, const owi_call *call,
                         const owi_train_rules *rules, const ow_pooling *pooling,
                         owi_margin_drift *drift, owi_density_pools *seen,
                         owi_density_pools *unseen)
{
    ow_evaluator *evaluator = NULL;
    OWI_TRY(ow_evaluator_new(t->model->circuit, t->options->backend, &evaluator));
    const owi_density_source how = {.evaluator = evaluator};
    owi_fold held_out = owi_training_held_out(t, t->call, rules, &t->train);
    owi_fold learned = held_out;
    learned.others = true;
    const ow_row_source unseen_rows = owi_fold_source(&held_out);
    const ow_row_source seen_rows = owi_fold_source(&learned);
    ow_status status = OW_OK;
    if (drift != NULL)
        status = cross_fit(t, call, rules, pooling, evaluator, drift, unseen);
    else if (rules->held_out > 0.0)
        status = owi_density_pools_collect(unseen, call, how, &unseen_rows);
    if (status == OW_OK) status = owi_density_pools_collect(seen, call, how, &seen_rows);
    ow_evaluator_free(evaluator);
    return status;
}

ow_status owi_model_set_unseen(owi_training *t, const owi_call *call,
                               const owi_train_rules *rules, const ow_pooling *pooling,
                               size_t *n_folds)
{
    const size_t C = ow_schema_n_classes(t->model->schema);
    const bool crossed = t->rows.n_train < owi_cross_fitted_rows;
    owi_density_pools seen = {0}, unseen = {0};
    owi_margin_drift *drift = owi_alloc_array(t->ctx, C, sizeof *drift);
    ow_status status = drift != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK) status = owi_density_pools_init(&seen, t->ctx, C, call->seed);
    if (status == OW_OK) status = owi_density_pools_init(&unseen, t->ctx, C, call->seed);
    if (status == OW_OK)
        status = collect(t, call, rules, pooling, crossed ? drift : NULL, &seen, &unseen);
    for (size_t c = 0; c < C && status == OW_OK; c++)
        t->model->classes[c].robust_margin = margin_of(&drift[c]);
    if (status == OW_OK)
        status = owi_model_take_densities(t->model, &seen, &unseen, crossed);
    if (status == OW_OK)
        status =
            owi_model_draw_samples(call, t->model, SIZE_MAX, true, t->options->backend);
    owi_density_pools_clear(&seen);
    owi_density_pools_clear(&unseen);
    owi_free(t->ctx, drift);
    *n_folds = crossed && circuit_decides(t->model) ? count_folds(t->rows.n_train) : 0;
    return status;
}
