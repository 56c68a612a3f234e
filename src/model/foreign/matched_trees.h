/* SPDX-License-Identifier: MIT */
/* Trees of another package over the rows of a schema: which column each feature is, which
 * code each level, which class each of theirs.  Numbers reach the trees as the doubles that
 * the table has. */
#ifndef OWI_MATCHED_TREES_H
#define OWI_MATCHED_TREES_H

#include "base/call.h"
#include "otherwise/model.h"
#include "trees/forest.h"

/* One feature of the trees. */
typedef struct {
    size_t column;
    /* what each level of the column is to the trees; NULL: the value as it is */
    double *code;
} owi_matched_feature;

/* Where a model predicts a number, and the classes are "below" and "at least" a limit. */
typedef struct {
    bool is_used;
    double limit;
    double spread; /* of the predictions: log-odds are (prediction - limit) / spread      */
} owi_score_limit;

/* P(below), P(at least) of a prediction.  Log-odds that are 0 at the limit itself belong to
 * the class above it. */
void owi_score_proba(const owi_score_limit *limit, double score, double proba[2]);

typedef struct {
    ow_context *ctx;
    const ow_trees *trees;
    const owi_forest *forest; /* theirs */
    size_t n_columns, n_classes;
    owi_matched_feature *features;
    size_t *class_of; /* the schema's class of each class of the trees */
    owi_score_limit limit;
    double *rows;  /* block x features                               */
    double *proba; /* block x classes, in the trees' order           */
} owi_matched_trees;

/* The trees are borrowed; match and limit may be NULL. */
ow_status owi_matched_trees_new(ow_context *ctx, const ow_schema *schema,
                                const ow_trees *trees, const ow_trees_match *match,
                                const owi_score_limit *limit, owi_matched_trees **out);
void owi_matched_trees_free(owi_matched_trees *matched);

/* A row of the schema (n_columns) as a row of the trees (features). */
void owi_matched_trees_row(const owi_matched_trees *matched, const double *values,
                           double *row);
/* P(c given x) of rows of the schema, in its order of classes: an owi_values_fn whose user
 * is an owi_matched_trees. */
ow_status owi_matched_trees_predict(const owi_call *call, void *user, size_t n_rows,
                                    const double *values, double *proba);

/* From the sums of the leaves (groups) that a row reaches, without the base: numbers whose
 * differences are those of log P(c given x), (classes) in the schema's order.  Rounded
 * otherwise than predictions are. */
void owi_matched_trees_log_scores(const owi_matched_trees *matched, const double *sums,
                                  double *log_scores);
/* The trees that a classifier consists of; NULL: it is another one. */
const owi_matched_trees *owi_classifier_trees(const ow_classifier *classifier);

/* The sorted order of the schema's classes in which scikit-learn numbers them, as numbers
 * in ascending order if all are, else as texts: class_of[i] is the i-th. */
ow_status owi_sort_classes(ow_context *ctx, const ow_schema *schema, size_t *class_of);

#endif
