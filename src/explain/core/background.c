/* SPDX-License-Identifier: MIT */
#include "explain/core/background.h"

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "classifier/classifier.h"
#include "model/model_private.h"

/* Rows that are soft at the same time. */
enum { block_rows = 4096 };

void owi_background_clear(owi_background *background, ow_context *ctx)
{
    owi_free(ctx, background->log_proba);
    owi_free(ctx, background->predicted);
    background->log_proba = NULL;
    background->predicted = NULL;
}

ow_status owi_background_decide(const owi_call *call, owi_background *background,
                                const ow_model *model, ow_classifier *classifier)
{
    ow_context *ctx = call->ctx;
    const size_t n = background->n_rows, d = model->plan.n_columns;
    const size_t C = ow_schema_n_classes(model->schema);
    ow_status status = OW_ERR_MEMORY;
    float *soft =
        owi_alloc_array(ctx, owi_smaller(n, block_rows) * ow_model_soft_width(model),
                        sizeof *soft);
    background->log_proba = owi_alloc_array(ctx, n, C * sizeof *background->log_proba);
    background->predicted = owi_alloc_array(ctx, n, sizeof *background->predicted);
    if (soft == NULL || background->log_proba == NULL || background->predicted == NULL)
        goto done;

    status = OW_OK;
    for (size_t first = 0; first < n && status == OW_OK; first += block_rows) {
        const size_t n_block = owi_smaller(n - first, block_rows);
        double *log_proba = background->log_proba + first * C;
        ow_model_soften(model, n_block, background->values + first * d, soft);
        status = owi_classify(call, classifier, n_block, soft, log_proba);
        for (size_t i = 0; i < n_block && status == OW_OK; i++)
            background->predicted[first + i] = owi_most_probable(C, log_proba + i * C, -1);
    }

done:
    owi_free(ctx, soft);
    if (status != OW_OK) owi_background_clear(background, ctx);
    return status;
}

float *owi_soft_rows(const owi_problem *problem, size_t n_rows, const double *values)
{
    float *soft = owi_alloc_array(problem->ctx, n_rows, problem->soft_width * sizeof *soft);
    if (soft != NULL) ow_model_soften(problem->model, n_rows, values, soft);
    return soft;
}
