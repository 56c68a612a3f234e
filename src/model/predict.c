/* SPDX-License-Identifier: MIT */
/* Class, probabilities, density and percentile of rows. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/largest.h"
#include "base/options.h"
#include "circuit/pass/evaluator.h"
#include "classifier/classifier.h"
#include "model/cutoffs.h"
#include "model/percentile.h"

enum { block_rows = 512 };

struct ow_predictor {
    const ow_model *model;
    ow_evaluator *evaluator;
    ow_classifier *classifier; /* that decides; NULL: the circuit does               */
    float *soft;               /* block_rows x soft width, for that                   */
    float *rows;               /* block_rows x circuit columns                      */
    double *log_class;         /* block_rows x classes                              */
    double *posterior;         /* likewise                                          */
    owi_gap_percentiles *gaps; /* NULL before the first row with gaps          */
};

ow_status ow_predictor_new(const ow_model *model, const char *backend, ow_predictor **out)
{
    OWI_REQUIRE(model != NULL && out != NULL);
    *out = NULL;
    ow_context *ctx = model->ctx;
    const size_t C = ow_schema_n_classes(model->schema), width = model->plan.width;
    ow_predictor *predictor = owi_alloc_zeroed(ctx, sizeof *predictor);
    if (predictor == NULL) return OW_ERR_MEMORY;
    predictor->model = model;
    predictor->rows = owi_alloc_array(ctx, block_rows * width, sizeof(float));
    predictor->log_class = owi_alloc_array(ctx, block_rows * C, sizeof(double));
    predictor->posterior = owi_alloc_array(ctx, block_rows * C, sizeof(double));
    ow_status status = ow_evaluator_new(model->circuit, backend, &predictor->evaluator);
    if (predictor->rows == NULL || predictor->log_class == NULL ||
        predictor->posterior == NULL)
        status = OW_ERR_MEMORY;
    if (status == OW_OK && (model->network != NULL || model->foreign != NULL)) {
        predictor->soft =
            owi_alloc_array(ctx, block_rows * model->plan.soft_width, sizeof(float));
        status = predictor->soft != NULL
                     ? ow_model_classifier_new(model, backend, &predictor->classifier)
                     : OW_ERR_MEMORY;
    }
    if (status == OW_OK)
        *out = predictor;
    else
        ow_predictor_free(predictor);
    return status;
}

void ow_predictor_free(ow_predictor *predictor)
{
    if (predictor == NULL) return;
    ow_context *ctx = predictor->model->ctx;
    owi_gap_percentiles_free(predictor->gaps);
    ow_evaluator_free(predictor->evaluator);
    ow_classifier_free(predictor->classifier);
    owi_free(ctx, predictor->soft);
    owi_free(ctx, predictor->rows);
    owi_free(ctx, predictor->log_class);
    owi_free(ctx, predictor->posterior);
    owi_free(ctx, predictor);
}

/* Of n rows, values and encoded: log S(x given c), log S(x), and the deciding classifier's
 * probabilities. */
static ow_status predict_block(const owi_call *call, ow_predictor *predictor, size_t n,
                               const double *values, double *log_density)
{
    const ow_circuit *circuit = predictor->model->circuit;
    double *posterior = predictor->posterior;
    OWI_TRY(
        owi_evaluate(call, predictor->evaluator, n, predictor->rows, predictor->log_class));
    ow_circuit_posterior(circuit, n, predictor->log_class, log_density, posterior);
    if (predictor->classifier == NULL) return OW_OK;
    if (owi_classifier_reads_values(predictor->classifier)) {
        OWI_TRY(owi_classify_values(call, predictor->classifier, n, values, posterior));
    } else {
        ow_circuit_soften(circuit, n, predictor->rows, predictor->soft);
        OWI_TRY(owi_classify(call, predictor->classifier, n, predictor->soft, posterior));
    }
    for (size_t i = 0; i < n * circuit->spec.n_classes; i++)
        posterior[i] = exp(posterior[i]);
    return OW_OK;
}

/* What is wanted of the n rows of the block, to the caller's arrays from row `first` on. */
static ow_status give_block(const owi_call *call, ow_predictor *predictor, size_t n,
                            const double *log_density, const ow_predictions *wanted,
                            size_t first)
{
    const ow_model *model = predictor->model;
    const size_t C = ow_schema_n_classes(model->schema), width = model->plan.width;
    for (size_t i = 0; i < n; i++) {
        const size_t best =
            (size_t)owi_model_decide_proba(model, predictor->posterior + i * C);
        if (wanted->classes != NULL) wanted->classes[first + i] = (int32_t)best;
        if (wanted->percentile == NULL) continue;
        OWI_TRY(owi_row_percentile(call, model, predictor->evaluator, &predictor->gaps,
                                   predictor->rows + i * width, best,
                                   predictor->log_class[i * C + best],
                                   &wanted->percentile[first + i]));
    }
    if (wanted->log_density != NULL)
        memcpy(wanted->log_density + first, log_density, n * sizeof *log_density);
    if (wanted->log_class != NULL)
        memcpy(wanted->log_class + first * C, predictor->log_class,
               n * C * sizeof *wanted->log_class);
    if (wanted->proba != NULL)
        memcpy(wanted->proba + first * C, predictor->posterior,
               n * C * sizeof *wanted->proba);
    return OW_OK;
}

ow_status ow_predictor_predict(ow_predictor *predictor, size_t n_rows, const double *values,
                               const ow_call *call, const ow_predictions *wanted)
{
    OWI_REQUIRE(predictor != NULL && wanted != NULL);
    OWI_REQUIRE(n_rows == 0 || values != NULL);
    const ow_model *model = predictor->model;
    const size_t n_columns = model->plan.n_columns;
    ow_predictions arrays = {0};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_predictions, wanted, &arrays));

    owi_call own;
    OWI_TRY(owi_call_begin(&own, model->ctx, call));
    for (size_t first = 0; first < n_rows; first += block_rows) {
        const size_t n = owi_smaller(n_rows - first, block_rows);
        double log_density[block_rows];
        const double *block = values + first * n_columns;
        owi_plan_encode(&model->plan, n, block, predictor->rows);
        OWI_TRY(predict_block(&own, predictor, n, block, log_density));
        OWI_TRY(give_block(&own, predictor, n, log_density, &arrays, first));
    }
    return OW_OK;
}
