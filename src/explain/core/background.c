/* SPDX-License-Identifier: MIT */
#include "explain/core/background.h"

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "classifier/classifier.h"
#include "model/cutoffs.h"
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

ow_status owi_decide_known(const owi_call *call, const ow_model *model,
                           ow_classifier *classifier, size_t n_rows, const double *values,
                           double *log_proba, int32_t *predicted)
{
    const size_t d = model->plan.n_columns, C = ow_schema_n_classes(model->schema);
    const size_t most = owi_smaller(n_rows, block_rows);
    float *soft;
    double *of_block;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(soft, most * ow_model_soft_width(model)),
                                OWI_PIECE(of_block, most * C)};
    OWI_TRY(owi_pieces_new(call->ctx, OWI_PIECES(pieces), &scratch));
    ow_status status = OW_OK;
    for (size_t first = 0; first < n_rows && status == OW_OK; first += block_rows) {
        const size_t n = owi_smaller(n_rows - first, block_rows);
        double *mine = log_proba != NULL ? log_proba + first * C : of_block;
        status =
            owi_model_classify(call, model, classifier, n, values + first * d, soft, mine);
        for (size_t i = 0; i < n && status == OW_OK; i++)
            predicted[first + i] = owi_model_decide(model, mine + i * C, -1);
    }
    owi_workspace_free(scratch);
    return status;
}

ow_status owi_background_decide(const owi_call *call, owi_background *background,
                                const ow_model *model, ow_classifier *classifier)
{
    const size_t n = background->n_rows, C = ow_schema_n_classes(model->schema);
    ow_status status = OW_ERR_MEMORY;
    background->log_proba =
        owi_alloc_array(call->ctx, n, C * sizeof *background->log_proba);
    background->predicted = owi_alloc_array(call->ctx, n, sizeof *background->predicted);
    if (background->log_proba != NULL && background->predicted != NULL)
        status = owi_decide_known(call, model, classifier, n, background->values,
                                  background->log_proba, background->predicted);
    if (status != OW_OK) owi_background_clear(background, call->ctx);
    return status;
}

ow_status owi_soft_rows(const owi_problem *problem, size_t n_rows, const double *values,
                        float **out)
{
    const size_t width = problem->soft_width;
    *out = owi_alloc_array(problem->ctx, n_rows, width * sizeof **out);
    if (*out == NULL) return OW_ERR_MEMORY;
    for (size_t first = 0; first < n_rows; first += block_rows) {
        const ow_status status = owi_call_tick(problem->call);
        if (status != OW_OK) {
            owi_free(problem->ctx, *out);
            *out = NULL;
            return status;
        }
        ow_model_soften(problem->model, owi_smaller(n_rows - first, block_rows),
                        values + first * problem->n_columns, *out + first * width);
    }
    return OW_OK;
}
