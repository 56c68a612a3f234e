/* SPDX-License-Identifier: MIT */
/* What a classifier is inside: a table of three functions and what they work on.  Adding a
 * kind: a file classifier_<name>.c that ends with a constructor. */
#ifndef OWI_CLASSIFIER_H
#define OWI_CLASSIFIER_H

#include "base/call.h"
#include "circuit/pass/evaluator.h"
#include "otherwise/classifier.h"

/* As the public functions of that name; n_rows is at least 1 and no pointer is NULL but
 * log_proba of differentiate. */
typedef struct {
    ow_status (*classify)(const owi_call *call, ow_classifier *classifier,
                          owi_row_request asked, double *log_proba);
    ow_status (*differentiate)(const owi_call *call, ow_classifier *classifier,
                               owi_row_request asked, const double *factor,
                               double *log_proba, float *gradient);
    void (*release)(ow_classifier *classifier); /* self and what it owns */
    /* log_proba of n rows in original units (n x columns of the schema), for one that reads
     * those; NULL: it reads soft rows. */
    ow_status (*classify_values)(const owi_call *call, ow_classifier *classifier, size_t n,
                                 const double *values, double *log_proba);
} owi_classifier_kind;

struct ow_classifier {
    const owi_classifier_kind *kind;
    ow_context *ctx;
    size_t n_classes, width;
    void *self;
};

/* Takes self over, also when it fails. */
ow_status owi_classifier_new(const ow_classifier *like, ow_classifier **out);

/* Rows as a method asks for them (evaluator.h); in_tiles and base
 * matter to circuits alone. */
ow_status owi_classify_rows(const owi_call *call, ow_classifier *classifier,
                            owi_row_request asked, double *log_proba);
ow_status owi_classifier_slope(const owi_call *call, ow_classifier *classifier,
                               owi_row_request asked, const double *factor,
                               double *log_proba, float *gradient);

/* The public functions of these names, as part of a call. */
ow_status owi_classify(const owi_call *call, ow_classifier *classifier, size_t n_rows,
                       const float *rows, double *log_proba);
ow_status owi_classifier_differentiate(const owi_call *call, ow_classifier *classifier,
                                       size_t n_rows, const float *rows,
                                       const double *factor, double *log_proba,
                                       float *gradient);

/* Whether it reads rows in original units; then so do these, n x columns. */
bool owi_classifier_reads_values(const ow_classifier *classifier);
ow_status owi_classify_values(const owi_call *call, ow_classifier *classifier, size_t n,
                              const double *values, double *log_proba);

/* P(c given x) or its logarithm, of n rows of values. */
typedef ow_status (*owi_values_fn)(const owi_call *call, void *user, size_t n_rows,
                                   const double *values, double *log_proba);

/* How a function on values becomes a classifier: `harden` makes values from soft rows,
 * which methods that follow gradients still ask about. */
typedef struct {
    size_t n_columns;
    /* one of ours, or else a caller's */
    owi_values_fn predict;
    bool (*log_proba)(void *user, size_t n_rows, const double *values, double *log_proba);
    void (*harden)(const void *of, size_t n_rows, const float *soft, double *values);
    const void *of;
    void (*release)(void *user); /* NULL: the user's own */
} owi_value_form;
/* callbacks.log_proba is not looked at.  Takes user over where it can be released, also
 * when it fails. */
ow_status owi_classifier_from_values(ow_context *ctx, const ow_callbacks *callbacks,
                                     const owi_value_form *form, ow_classifier **out);

/* What `predict` works on, for a classifier made of it; NULL: it is another one. */
void *owi_classifier_user_of(const ow_classifier *classifier, owi_values_fn predict);

/* The circuit that it is; NULL: something else. */
const ow_circuit *owi_classifier_circuit(const ow_classifier *classifier);
/* What runs that circuit, for rows that are asked for again and again (evaluator.h); NULL:
 * it is something else. */
ow_evaluator *owi_classifier_evaluator(ow_classifier *classifier);
/* log S(x given c) to log P(c given x), in place, n_rows x classes; the prior where x is
 * impossible. */
void owi_circuit_to_log_proba(const ow_circuit *circuit, size_t n_rows, double *log_class);

#endif
