/* SPDX-License-Identifier: MIT */
#include "model/cutoffs.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/largest.h"
#include "base/text/quote.h"
#include "model/model_private.h"

/* A class that is given a cut-off has it at that probability itself: relative rounding. */
static const double at_itself = 1e-12;

static ow_status read_cutoff(ow_model *model, const ow_cutoff *cutoff)
{
    char quoted[owi_quote_size];
    int32_t c;
    OWI_TRY(ow_schema_find_class(model->schema, cutoff->class_name, &c));
    if (!(cutoff->proba > 0.0 && cutoff->proba < 1.0))
        return owi_fail(OW_ERR_ARGUMENT,
                        "the cut-off of %s is %g, expected between 0 and 1",
                        owi_quote_text(cutoff->class_name, quoted), cutoff->proba);
    if (!isnan(model->cutoffs[c]))
        return owi_fail(OW_ERR_ARGUMENT, "%s has two cut-offs",
                        owi_quote_text(cutoff->class_name, quoted));
    model->cutoffs[c] = cutoff->proba;
    model->log_cutoffs[c] = log(cutoff->proba) - at_itself;
    return OW_OK;
}

ow_status owi_model_set_cutoffs(ow_model *model, size_t n, const ow_cutoff *cutoffs)
{
    char quoted[owi_quote_size];
    const size_t C = ow_schema_n_classes(model->schema);
    if (n == 0) return OW_OK;
    model->cutoffs = owi_alloc_array(model->ctx, C, sizeof *model->cutoffs);
    model->log_cutoffs = owi_alloc_array(model->ctx, C, sizeof *model->log_cutoffs);
    if (model->cutoffs == NULL || model->log_cutoffs == NULL) return OW_ERR_MEMORY;
    for (size_t c = 0; c < C; c++) model->cutoffs[c] = NAN;
    for (size_t i = 0; i < n; i++) OWI_TRY(read_cutoff(model, &cutoffs[i]));
    if (C == 2 && n == 1) {
        const size_t other = isnan(model->cutoffs[0]) ? 0u : 1u;
        model->cutoffs[other] = 1.0 - model->cutoffs[1 - other];
        model->log_cutoffs[other] = log1p(-model->cutoffs[1 - other]);
    }
    for (size_t c = 0; c < C; c++)
        if (isnan(model->cutoffs[c]))
            return owi_fail(OW_ERR_ARGUMENT,
                            "with %zu classes each needs a cut-off, and %s has none", C,
                            owi_quote_text(ow_schema_class_name(model->schema, c), quoted));
    return OW_OK;
}

int32_t owi_model_decide(const ow_model *model, const double *log_proba, int32_t but)
{
    const size_t C = ow_schema_n_classes(model->schema);
    if (model->log_cutoffs == NULL) return owi_most_probable(C, log_proba, but);
    int32_t best = -1;
    double most = -INFINITY;
    for (size_t c = 0; c < C; c++) {
        const double score = log_proba[c] - model->log_cutoffs[c];
        if ((int32_t)c == but || (best >= 0 && !(score > most))) continue;
        best = (int32_t)c;
        most = score;
    }
    return best;
}

int32_t owi_model_decide_proba(const ow_model *model, const double *proba)
{
    const size_t C = ow_schema_n_classes(model->schema);
    if (model->log_cutoffs == NULL) return owi_most_probable(C, proba, -1);
    int32_t best = 0;
    for (size_t c = 1; c < C; c++)
        if (log(proba[c]) - model->log_cutoffs[c] >
            log(proba[best]) - model->log_cutoffs[best])
            best = (int32_t)c;
    return best;
}

double ow_model_cutoff(const ow_model *model, size_t class_index)
{
    return model->cutoffs != NULL ? model->cutoffs[class_index] : NAN;
}
