/* SPDX-License-Identifier: MIT */
/* Who decides: the classifier whose decisions are explained.  A circuit, a neural network,
 * or your own through callbacks.
 *
 *     const float row[4] = {0.2f, -1.3f, 0.0f, 1.0f};
 *     double log_proba[2];
 *     ow_classifier *classifier = NULL;
 *     ow_status st = ow_model_classifier_new(model, NULL, &classifier);
 *     if (st == OW_OK) st = ow_classify(classifier, 1, row, NULL, log_proba);
 *     ow_classifier_free(classifier);
 *
 * A classifier sees soft rows (circuit.h): floats, categories as the shares of their levels
 * (1 for the level that it is), numbers as the model scales them, NaN where a value is
 * missing.  Threads: one thread for each classifier. */
#ifndef OTHERWISE_CLASSIFIER_H
#define OTHERWISE_CLASSIFIER_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/call.h"
#include "otherwise/circuit.h"
#include "otherwise/context.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_classifier ow_classifier;

/* The circuit itself, P(c given x); borrowed.  backend as for ow_evaluator_new. */
OW_API OW_MUST_CHECK ow_status ow_classifier_from_circuit(const ow_circuit *circuit,
                                                          const char *backend,
                                                          ow_classifier **out);

/* Somebody else's.  A callback returns false when it fails, which ends the call with
 * OW_ERR_NUMERIC, as does NaN. */
typedef struct {
    size_t size; /* sizeof(ow_callbacks) */
    void *user;
    size_t n_classes, width;
    /* log P(c given x), n_rows x n_classes.  is_proba: it gives P(c given x) instead. */
    bool (*log_proba)(void *user, size_t n_rows, const float *rows, double *log_proba);
    bool is_proba;
    /* The gradient of sum_c factor[i][c] log P(c given x_i) with respect to x_i, n_rows x
     * width; factor is n_rows x n_classes. NULL: central differences of log_proba, all of a
     * row's in one call. */
    bool (*gradient)(void *user, size_t n_rows, const float *rows, const double *factor,
                     float *gradient);
} ow_callbacks;
OW_API OW_MUST_CHECK ow_status ow_classifier_from_callbacks(ow_context *ctx,
                                                            const ow_callbacks *callbacks,
                                                            ow_classifier **out);

/* Does nothing for NULL. */
OW_API void ow_classifier_free(ow_classifier *classifier);

OW_API size_t ow_classifier_n_classes(const ow_classifier *classifier);
OW_API size_t ow_classifier_width(const ow_classifier *classifier);

/* log P(c given x), n_rows x n_classes. */
OW_API OW_MUST_CHECK ow_status ow_classify(ow_classifier *classifier, size_t n_rows,
                                           const float *rows, const ow_call *call,
                                           double *log_proba);

/* The gradient of sum_c factor[i][c] log P(c given x_i), n_rows x width; 0 where a value is
 * missing.  log_proba, of the rows as they are, may be NULL. */
OW_API OW_MUST_CHECK ow_status ow_classifier_differentiate(
    ow_classifier *classifier, size_t n_rows, const float *rows, const double *factor,
    const ow_call *call, double *log_proba, float *gradient);

#ifdef __cplusplus
}
#endif
#endif
