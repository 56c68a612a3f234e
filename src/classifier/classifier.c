/* SPDX-License-Identifier: MIT */
#include "classifier/classifier.h"

#include "base/error.h"
#include "base/memory/alloc.h"

ow_status owi_classifier_new(const ow_classifier *like, ow_classifier **out)
{
    ow_classifier own = *like;
    *out = owi_alloc(like->ctx, sizeof **out);
    if (*out == NULL) {
        own.kind->release(&own);
        return OW_ERR_MEMORY;
    }
    **out = own;
    return OW_OK;
}

void ow_classifier_free(ow_classifier *classifier)
{
    if (classifier == NULL) return;
    classifier->kind->release(classifier);
    owi_free(classifier->ctx, classifier);
}

size_t ow_classifier_n_classes(const ow_classifier *classifier)
{
    return classifier->n_classes;
}

size_t ow_classifier_width(const ow_classifier *classifier)
{
    return classifier->width;
}

ow_status owi_classify_rows(const owi_call *call, ow_classifier *classifier,
                            owi_row_request asked, double *log_proba)
{
    OWI_REQUIRE(asked.n_rows == 0 || (asked.rows != NULL && log_proba != NULL));
    if (asked.n_rows == 0) return OW_OK;
    return classifier->kind->classify(call, classifier, asked, log_proba);
}

ow_status owi_classifier_slope(const owi_call *call, ow_classifier *classifier,
                               owi_row_request asked, const double *factor,
                               double *log_proba, float *gradient)
{
    OWI_REQUIRE(asked.n_rows == 0 ||
                (asked.rows != NULL && factor != NULL && gradient != NULL));
    if (asked.n_rows == 0) return OW_OK;
    return classifier->kind->differentiate(call, classifier, asked, factor, log_proba,
                                           gradient);
}

ow_status owi_classify(const owi_call *call, ow_classifier *classifier, size_t n_rows,
                       const float *rows, double *log_proba)
{
    const owi_row_request asked = {.n_rows = n_rows, .rows = rows};
    return owi_classify_rows(call, classifier, asked, log_proba);
}

bool owi_classifier_reads_values(const ow_classifier *classifier)
{
    return classifier->kind->classify_values != NULL;
}

ow_status owi_classify_values(const owi_call *call, ow_classifier *classifier, size_t n,
                              const double *values, double *log_proba)
{
    if (n == 0) return OW_OK;
    return classifier->kind->classify_values(call, classifier, n, values, log_proba);
}

ow_status owi_classifier_differentiate(const owi_call *call, ow_classifier *classifier,
                                       size_t n_rows, const float *rows,
                                       const double *factor, double *log_proba,
                                       float *gradient)
{
    const owi_row_request asked = {.n_rows = n_rows, .rows = rows};
    return owi_classifier_slope(call, classifier, asked, factor, log_proba, gradient);
}

ow_status ow_classifier_classify(ow_classifier *classifier, size_t n_rows,
                                 const float *rows, const ow_call *call, double *log_proba)
{
    owi_call own;
    OWI_REQUIRE(classifier != NULL);
    OWI_TRY(owi_call_begin(&own, classifier->ctx, call));
    return owi_classify(&own, classifier, n_rows, rows, log_proba);
}

ow_status ow_classifier_differentiate(ow_classifier *classifier, size_t n_rows,
                                      const float *rows, const double *factor,
                                      const ow_call *call, double *log_proba,
                                      float *gradient)
{
    owi_call own;
    OWI_REQUIRE(classifier != NULL);
    OWI_TRY(owi_call_begin(&own, classifier->ctx, call));
    return owi_classifier_differentiate(&own, classifier, n_rows, rows, factor, log_proba,
                                        gradient);
}
