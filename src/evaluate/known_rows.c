/* SPDX-License-Identifier: MIT */
#include "evaluate/known_rows.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "evaluate/decide.h"

static int32_t label_of(const ow_experiment *asked, size_t row)
{
    return asked->known_classes != NULL ? asked->known_classes[row] : OW_NO_CLASS;
}

static ow_status take_labelled(owi_known_rows *known, const ow_experiment *asked)
{
    const size_t d = known->n_columns;
    size_t n = 0;
    for (size_t i = 0; i < asked->n_known; i++) n += label_of(asked, i) >= 0;
    if (n == 0 || n == asked->n_known) return OW_OK;
    known->labelled = owi_alloc_array(known->ctx, n * d, sizeof *known->labelled);
    if (known->labelled == NULL) return OW_ERR_MEMORY;
    known->values = known->labelled;
    known->n_rows = 0;
    for (size_t i = 0; i < asked->n_known; i++)
        if (label_of(asked, i) >= 0)
            memcpy(known->labelled + known->n_rows++ * d, asked->known + i * d,
                   d * sizeof *known->labelled);
    return OW_OK;
}

/* What the classifier says of each. */
static ow_status predict(const owi_call *call, owi_known_rows *known, const ow_model *model,
                         ow_classifier *classifier)
{
    owi_decider decider;
    ow_status status =
        owi_decider_begin(&decider, call, model, classifier, known->predicted);
    for (size_t i = 0; i < known->n_rows && status == OW_OK; i++)
        status = owi_decide_values(&decider, known->values + i * known->n_columns, i);
    return owi_decider_end(&decider, status);
}

ow_status owi_known_rows_init(owi_known_rows *known, const ow_experiment *asked,
                              const owi_call *call, ow_classifier *classifier)
{
    ow_context *ctx = call->ctx;
    const ow_model *model = asked->model;
    size_t n_labelled = 0;
    *known = (owi_known_rows){.ctx = ctx,
                              .n_rows = asked->n_known,
                              .n_columns = ow_schema_n_columns(ow_model_schema(model)),
                              .values = asked->known};
    OWI_TRY(take_labelled(known, asked));
    known->predicted = owi_alloc_array(ctx, known->n_rows, sizeof *known->predicted);
    known->classes = owi_alloc_array(ctx, known->n_rows, sizeof *known->classes);
    if (known->predicted == NULL || known->classes == NULL) return OW_ERR_MEMORY;
    OWI_TRY(predict(call, known, model, classifier));
    memcpy(known->classes, known->predicted, known->n_rows * sizeof *known->classes);
    for (size_t i = 0; i < asked->n_known; i++)
        if (label_of(asked, i) >= 0) known->classes[n_labelled++] = label_of(asked, i);
    return OW_OK;
}

void owi_known_rows_clear(owi_known_rows *known)
{
    if (known->ctx == NULL) return;
    owi_free(known->ctx, known->labelled);
    owi_free(known->ctx, known->predicted);
    owi_free(known->ctx, known->classes);
}
