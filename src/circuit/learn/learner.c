/* SPDX-License-Identifier: MIT */
#include "circuit/learn/learn.h"

#include <math.h>
#include <string.h>

#include "backend/cuda/device_open.h"
#include "base/error.h"
#include "base/memory/alloc.h"

/* Rows held at a time when a batch is all of them. */
enum { block_rows = 8192 };
/* Adam's batch where none is given: it makes no sense of all rows at a time. */
enum { adam_rows = 512 };

/* Full cells: a Gaussian narrower than the step of a whole-number column means nothing, and
 * the variance of a uniform cell of width w is w^2 / 12. */
static double least_variance_of(const ow_leaf *leaf, double least)
{
    const double width = leaf->log_cell != 0.0 ? exp(leaf->log_cell) : 0.0;
    return fmax(least, width * width / 12.0);
}

ow_status owi_learner_init(owi_learner *learner, const owi_call *call, ow_circuit *circuit,
                           const ow_learn_options *options, const ow_circuit *towards,
                           double towards_rows)
{
    ow_context *ctx = circuit->ctx;
    const owi_backend *backend = NULL;
    const owi_device_api *device = NULL;

    *learner = (owi_learner){.call = call, .circuit = circuit, .options = options};
    OWI_TRY(owi_backend_choose(options->backend, &backend));
    OWI_TRY(owi_device_open(ctx, options->backend, &device));
    if (circuit->class_rows == NULL)
        return owi_fail(OW_ERR_ARGUMENT,
                        "the circuit has not seen data yet: start it first");
    OWI_TRY(owi_statistics_init(&learner->sums, call, circuit, backend,
                                options->discriminative));
    const bool adam = options->learner == OW_LEARN_ADAM;
    const size_t most = options->batch > 0 ? options->batch : adam ? adam_rows : block_rows;
    ow_status status = owi_row_block_init(&learner->block, call, circuit, most);
    if (status == OW_OK && device != NULL)
        status = owi_statistics_use_device(&learner->sums, device);
    learner->least_variance =
        owi_alloc_array(ctx, circuit->spec.n_columns, sizeof *learner->least_variance);
    learner->running =
        owi_alloc_aligned(ctx, learner->sums.layout.n, sizeof *learner->running);
    if (adam)
        learner->second = owi_alloc_array(ctx, learner->sums.layout.n, sizeof(double));
    if (learner->least_variance == NULL || learner->running == NULL ||
        (adam && learner->second == NULL))
        status = OW_ERR_MEMORY;
    if (status != OW_OK) {
        owi_learner_clear(learner);
        return status;
    }
    memset(learner->running, 0, learner->sums.layout.gappy * sizeof *learner->running);
    for (size_t j = 0; j < circuit->spec.n_columns; j++)
        learner->least_variance[j] =
            least_variance_of(&circuit->leaves[j], options->least_variance);
    learner->prior = (owi_prior){.pseudo_count = options->pseudo_count,
                                 .prior_rows = options->prior_rows,
                                 .towards_rows = towards != NULL ? towards_rows : 0.0,
                                 .towards = towards_rows > 0.0 ? towards : NULL,
                                 .least_variance = learner->least_variance};
    status = owi_prior_prepare(&learner->prior, circuit);
    if (status != OW_OK) owi_learner_clear(learner);
    return status;
}

void owi_learner_clear(owi_learner *learner)
{
    if (learner->circuit == NULL) return;
    ow_context *ctx = learner->circuit->ctx;
    owi_free_aligned(ctx, learner->running);
    owi_free(ctx, learner->second);
    owi_free(ctx, learner->least_variance);
    owi_prior_clear(&learner->prior, ctx);
    if (learner->block.circuit != NULL) owi_row_block_clear(&learner->block);
    if (learner->sums.circuit != NULL) owi_statistics_clear(&learner->sums);
    *learner = (owi_learner){0};
}

/* Adds one block's rows to the sums, and after a whole batch updates the parameters. */
static ow_status use_block(owi_learner *learner, ow_score *score, bool update)
{
    owi_row_block *block = &learner->block;
    const ow_status status =
        owi_statistics_add(&learner->sums, block->n_rows, block->rows, block->classes);
    if (status == OW_ERR_NUMERIC) (void)owi_row_block_check(block);
    OWI_TRY(status);
    owi_row_block_empty(block);
    if (!update) return OW_OK;
    owi_statistics_finish(&learner->sums);
    for (size_t c = 0; c < learner->circuit->spec.n_classes; c++) {
        score->n_rows += (size_t)learner->sums.class_rows[c];
        score->log_density_class += learner->sums.class_log[c];
    }
    if (learner->options->learner == OW_LEARN_ADAM)
        owi_adam_update(learner);
    else
        OWI_TRY(owi_em_update(learner));
    owi_statistics_reset(&learner->sums);
    return OW_OK;
}

ow_status owi_learner_pass(owi_learner *learner, const ow_row_source *source,
                           ow_score *score)
{
    owi_row_block *block = &learner->block;
    const bool online =
        learner->options->batch > 0 || learner->options->learner == OW_LEARN_ADAM;
    bool pending = false;

    *score = (ow_score){0};
    owi_statistics_reset(&learner->sums);
    OWI_TRY(owi_row_block_rewind(block, source));
    for (;;) {
        size_t n;
        OWI_TRY(owi_row_block_fill(block, source, &n));
        if (n > 0 && block->n_rows < block->most_rows) continue;
        if (block->n_rows == 0) break;
        /* A last batch of a few rows would weigh as much as a full one: it is left out. */
        const bool full = block->n_rows == block->most_rows;
        if (!online || full || score->n_rows == 0)
            OWI_TRY(use_block(learner, score, online));
        pending = !online;
        if (!full) break;
    }
    if (pending) OWI_TRY(use_block(learner, score, true));
    if (score->n_rows == 0)
        return owi_fail(OW_ERR_ARGUMENT, "there are no rows to learn from");
    score->log_density_class /= (double)score->n_rows;
    return OW_OK;
}
