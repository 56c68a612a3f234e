/* SPDX-License-Identifier: MIT */
/* The classifier whose decisions are explained: a circuit, the neural network of a
 * model, or your own classifier through callbacks.
 *
 *     const float row[4] = {0.2f, -1.3f, 0.0f, 1.0f};
 *     double log_proba[2];
 *     ow_classifier *classifier = NULL;
 *     ow_status st = ow_model_classifier_new(model, NULL, &classifier);
 *     if (st == OW_OK) st = ow_classifier_classify(classifier, 1, row, NULL, log_proba);
 *     ow_classifier_free(classifier);
 *
 * A classifier reads soft rows (circuit.h): floats, in which a category has one entry
 * for each level (1 for the row's level, 0 for the others), a number is scaled as in the
 * model, and NaN is a missing value.  Threads: only one thread at a time may use a
 * classifier. */
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

/* A classifier that uses the circuit's own P(c given x).  The circuit is borrowed and must
 * outlive the classifier.  backend as for ow_evaluator_new. */
OW_API OW_MUST_CHECK ow_status ow_classifier_from_circuit(const ow_circuit *circuit,
                                                          const char *backend,
                                                          ow_classifier **out);

/* Your own classifier.  A callback returns false if it fails.  The library's call then
 * fails with OW_ERR_NUMERIC, as it does if a callback gives NaN. */
typedef struct {
    size_t size;             /* sizeof(ow_callbacks) */
    void *user;              /* passed to the callbacks */
    size_t n_classes, width; /* width: entries of a soft row */
    /* Writes log P(c given x), or if is_proba is true P(c given x): n_rows x n_classes.
     * rows is n_rows x width. */
    bool (*log_proba)(void *user, size_t n_rows, const float *rows, double *log_proba);
    bool is_proba;
    /* Writes the gradient of sum_c factor[i][c] log P(c given x_i) with respect to row
     * x_i: gradient is n_rows x width, factor n_rows x n_classes.  NULL: the library
     * uses central differences, with one call of log_proba for all differences of a row. */
    bool (*gradient)(void *user, size_t n_rows, const float *rows, const double *factor,
                     float *gradient);
} ow_callbacks;
/* Copies the struct; `user` must outlive the classifier. */
OW_API OW_MUST_CHECK ow_status ow_classifier_from_callbacks(ow_context *ctx,
                                                            const ow_callbacks *callbacks,
                                                            ow_classifier **out);

/* Does nothing for NULL. */
OW_API void ow_classifier_free(ow_classifier *classifier);

OW_API size_t ow_classifier_n_classes(const ow_classifier *classifier);
/* The number of entries of a soft row. */
OW_API size_t ow_classifier_width(const ow_classifier *classifier);

/* Computes log P(c given x) (log_proba, n_rows x n_classes) for soft rows (n_rows x
 * width). */
OW_API OW_MUST_CHECK ow_status ow_classifier_classify(ow_classifier *classifier,
                                                      size_t n_rows, const float *rows,
                                                      const ow_call *call,
                                                      double *log_proba);

/* Computes the gradient of sum_c factor[i][c] log P(c given x_i) with respect to row x_i:
 * gradient is n_rows x width, factor n_rows x n_classes.  It is 0 where a value is missing.
 * log_proba, the result of ow_classifier_classify for the same rows, may be NULL. */
OW_API OW_MUST_CHECK ow_status ow_classifier_differentiate(
    ow_classifier *classifier, size_t n_rows, const float *rows, const double *factor,
    const ow_call *call, double *log_proba, float *gradient);

#ifdef __cplusplus
}
#endif
#endif
