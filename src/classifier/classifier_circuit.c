/* SPDX-License-Identifier: MIT */
/* A circuit as a classifier: log P(c given x) = log S(x given c) + log P(c) - log S(x).
 *
 * With F = sum_c f[c], the gradient of sum_c f[c] log P(c given x) is that of sum_c f[c]
 * log S(x given c) - F log S(x). */
#include <math.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "circuit/pass/evaluator.h"
#include "classifier/classifier.h"

enum { block_rows = 256 };

typedef struct {
    const ow_circuit *circuit;
    ow_evaluator *evaluator;
    double *factor;    /* (block_rows, classes): where F differs from row to row */
    double *log_class; /* likewise                                               */
} circuit_classifier;

void owi_circuit_to_log_proba(const ow_circuit *circuit, size_t n_rows, double *log_class)
{
    const size_t C = circuit->spec.n_classes;
    const double *log_prior = ow_circuit_log_prior(circuit);
    for (size_t i = 0; i < n_rows; i++, log_class += C) {
        double log_density;
        ow_circuit_posterior(circuit, 1, log_class, &log_density, NULL);
        const bool impossible = log_density == -INFINITY;
        for (size_t c = 0; c < C; c++)
            log_class[c] = log_prior[c] + (impossible ? 0.0 : log_class[c] - log_density);
    }
}

static ow_status classify(const owi_call *call, ow_classifier *classifier,
                          owi_row_request asked, double *log_proba)
{
    circuit_classifier *self = classifier->self;
    asked.soft = self->circuit->has_levels;
    OWI_TRY(owi_evaluate_rows(call, self->evaluator, asked, log_proba));
    owi_circuit_to_log_proba(self->circuit, asked.n_rows, log_proba);
    return OW_OK;
}

static double sum_of(const double *factor, size_t n)
{
    double sum = 0.0;
    for (size_t c = 0; c < n; c++) sum += factor[c];
    return sum;
}

/* Up to block_rows rows with an F of their own each: d log S(x) is sum_c P(c given x) d log
 * S(x given c), so that it goes into the classes' factors once P(c given x) is known. */
static ow_status differentiate_mixed(const owi_call *call, ow_classifier *classifier,
                                     owi_row_request asked, const double *factor,
                                     double *log_proba, float *gradient)
{
    circuit_classifier *self = classifier->self;
    const size_t C = classifier->n_classes;
    double *proba = log_proba != NULL ? log_proba : self->log_class;

    OWI_TRY(classify(call, classifier, asked, proba));
    for (size_t i = 0; i < asked.n_rows; i++) {
        const double sum = sum_of(factor + i * C, C);
        for (size_t c = 0; c < C; c++)
            self->factor[i * C + c] = factor[i * C + c] - sum * exp(proba[i * C + c]);
    }
    const ow_mix mix = {self->factor, 0.0};
    return owi_differentiate_rows(call, self->evaluator, asked, 1, &mix, NULL, gradient);
}

static ow_status differentiate(const owi_call *call, ow_classifier *classifier,
                               owi_row_request asked, const double *factor,
                               double *log_proba, float *gradient)
{
    circuit_classifier *self = classifier->self;
    const size_t C = classifier->n_classes, width = classifier->width;
    const size_t n_rows = asked.n_rows;
    const double sum = sum_of(factor, C);
    size_t same = 1;

    asked.soft = self->circuit->has_levels;
    while (same < n_rows && sum_of(factor + same * C, C) == sum) same++;
    if (same == n_rows) {
        const ow_mix mix = {factor, -sum};
        OWI_TRY(owi_differentiate_rows(call, self->evaluator, asked, 1, &mix, log_proba,
                                       gradient));
        if (log_proba != NULL) owi_circuit_to_log_proba(self->circuit, n_rows, log_proba);
        return OW_OK;
    }
    asked.base = NULL; /* is of all rows */
    for (size_t first = 0; first < n_rows; first += block_rows) {
        owi_row_request part = asked;
        part.n_rows = owi_smaller(block_rows, n_rows - first);
        part.rows += first * width;
        OWI_TRY(differentiate_mixed(call, classifier, part, factor + first * C,
                                    log_proba != NULL ? log_proba + first * C : NULL,
                                    gradient + first * width));
    }
    return OW_OK;
}

static void release(ow_classifier *classifier)
{
    circuit_classifier *self = classifier->self;
    ow_evaluator_free(self->evaluator);
    owi_free(classifier->ctx, self->factor);
    owi_free(classifier->ctx, self->log_class);
    owi_free(classifier->ctx, self);
}

static const owi_classifier_kind kind = {.classify = classify,
                                         .differentiate = differentiate,
                                         .release = release};

const ow_circuit *owi_classifier_circuit(const ow_classifier *classifier)
{
    const circuit_classifier *self = classifier->self;
    return classifier->kind == &kind ? self->circuit : NULL;
}

ow_evaluator *owi_classifier_evaluator(ow_classifier *classifier)
{
    circuit_classifier *self = classifier->self;
    return classifier->kind == &kind ? self->evaluator : NULL;
}

ow_status ow_classifier_from_circuit(const ow_circuit *circuit, const char *backend,
                                     ow_classifier **out)
{
    OWI_REQUIRE(circuit != NULL && out != NULL);
    *out = NULL;
    ow_classifier own = {.kind = &kind,
                         .ctx = circuit->ctx,
                         .n_classes = circuit->spec.n_classes,
                         .width = ow_circuit_soft_width(circuit)};
    circuit_classifier *self = own.self = owi_alloc_zeroed(own.ctx, sizeof *self);
    if (self == NULL) return OW_ERR_MEMORY;
    self->circuit = circuit;
    self->factor = owi_alloc_array(own.ctx, block_rows * own.n_classes, sizeof(double));
    self->log_class = owi_alloc_array(own.ctx, block_rows * own.n_classes, sizeof(double));
    ow_status status = ow_evaluator_new(circuit, backend, &self->evaluator);
    if (self->factor == NULL || self->log_class == NULL) status = OW_ERR_MEMORY;
    if (status == OW_OK) return owi_classifier_new(&own, out);
    release(&own);
    return status;
}
