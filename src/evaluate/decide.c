/* SPDX-License-Identifier: MIT */
#include "evaluate/decide.h"

#include <string.h>

#include "base/error.h"
#include "base/numeric/largest.h"
#include "classifier/classifier.h"
#include "model/cutoffs.h"

enum { block_rows = 512 };

ow_status owi_decider_begin(owi_decider *decider, const owi_call *call,
                            const ow_model *model, ow_classifier *classifier,
                            int32_t *decided)
{
    const ow_schema *schema = ow_model_schema(model);
    owi_decider *d = decider;
    *d = (owi_decider){.call = call,
                       .model = model,
                       .classifier = classifier,
                       .n_columns = ow_schema_n_columns(schema),
                       .n_classes = ow_schema_n_classes(schema),
                       .width = ow_model_soft_width(model),
                       .decided = decided};
    const size_t n_values = owi_classifier_reads_values(classifier) ? d->n_columns : 0;
    d->reads_values = n_values > 0;
    const owi_piece pieces[] = {OWI_PIECE(d->soft, block_rows * d->width),
                                OWI_PIECE(d->values, block_rows * n_values),
                                OWI_PIECE(d->log_proba, block_rows * d->n_classes),
                                OWI_PIECE(d->ticket, block_rows)};
    return owi_pieces_new(call->ctx, OWI_PIECES(pieces), &d->workspace);
}

/* Decides about all that wait. */
static ow_status decide(owi_decider *d)
{
    const size_t n = d->n_held, C = d->n_classes;
    d->n_held = 0;
    if (n == 0) return OW_OK;
    if (d->reads_values)
        OWI_TRY(owi_classify_values(d->call, d->classifier, n, d->values, d->log_proba));
    else
        OWI_TRY(owi_classify(d->call, d->classifier, n, d->soft, d->log_proba));
    for (size_t i = 0; i < n; i++)
        d->decided[d->ticket[i]] = owi_model_decide(d->model, d->log_proba + i * C, -1);
    return OW_OK;
}

static ow_status hold(owi_decider *d, size_t ticket)
{
    d->ticket[d->n_held++] = ticket;
    return d->n_held == block_rows ? decide(d) : OW_OK;
}

ow_status owi_decide_values(owi_decider *decider, const double *values, size_t ticket)
{
    if (decider->reads_values)
        memcpy(decider->values + decider->n_held * decider->n_columns, values,
               decider->n_columns * sizeof *values);
    else
        ow_model_soften(decider->model, 1, values,
                        decider->soft + decider->n_held * decider->width);
    return hold(decider, ticket);
}

ow_status owi_decide_soft(owi_decider *decider, const float *soft, size_t ticket)
{
    if (decider->reads_values)
        ow_model_harden(decider->model, 1, soft,
                        decider->values + decider->n_held * decider->n_columns);
    else
        memcpy(decider->soft + decider->n_held * decider->width, soft,
               decider->width * sizeof *soft);
    return hold(decider, ticket);
}

ow_status owi_decider_end(owi_decider *decider, ow_status so_far)
{
    const ow_status status = so_far == OW_OK ? decide(decider) : so_far;
    owi_workspace_free(decider->workspace);
    return status;
}
