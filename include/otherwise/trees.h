/* SPDX-License-Identifier: MIT */
/* Tree models of other packages: XGBoost and LightGBM files, read and evaluated without the
 * packages.
 *
 *     const double row[3] = {42.0, 1.0, NAN};
 *     double proba[2];
 *     ow_trees *trees = NULL;
 *     ow_status st = ow_trees_load(ctx, "model.json", NULL, &trees);
 *     if (st == OW_OK) st = ow_trees_predict(trees, 1, row, NULL, proba);
 *     ow_trees_free(trees);
 *
 * Files: what save_model of XGBoost 1.x to 3.x writes, JSON or UBJSON (gbtree and dart),
 * and what save_model of LightGBM 3.x and 4.x writes; gzipped or not.  A model that was
 * trained with early stopping predicts with the iterations up to the best one, as
 * predict_proba of the package's classifier does.  Not supported, and refused by a
 * sentence: gblinear, vector leaves (multi_output_tree), linear leaves (linear_tree).
 *
 * A row is ow_trees_n_features doubles in original units: a number as it is, a category as
 * its code (0, 1, 2, ...), NaN where the value is missing.  Predictions are those of the
 * package: rows of XGBoost are rounded to float32 where it does so.
 *
 * Threads: a loaded model is not changed by anything but ow_trees_free, so that any number
 * of threads may share it. */
#ifndef OTHERWISE_TREES_H
#define OTHERWISE_TREES_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/call.h"
#include "otherwise/context.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_trees ow_trees;

/* What a model predicts. */
typedef enum {
    OW_TREES_SCORE = 0,     /* a number (regression, ranking, custom objectives) */
    OW_TREES_BINARY = 1,    /* two classes; the score is that of the second      */
    OW_TREES_MULTICLASS = 2 /* a score for each class                            */
} ow_trees_kind;

/* "-" is standard input.  OW_ERR_FORMAT: the file is damaged, or no such model;
 * OW_ERR_UNSUPPORTED: it is one that is not supported. */
OW_API OW_MUST_CHECK ow_status ow_trees_load(ow_context *ctx, const char *path,
                                             const ow_call *call, ow_trees **out);
/* The same from memory, which is only read during the call; name stands for it in
 * sentences. */
OW_API OW_MUST_CHECK ow_status ow_trees_load_memory(ow_context *ctx, const void *bytes,
                                                    size_t size, const char *name,
                                                    ow_trees **out);
/* Does nothing for NULL. */
OW_API void ow_trees_free(ow_trees *trees);

OW_API ow_trees_kind ow_trees_get_kind(const ow_trees *trees);
/* Package and version as the file has them: "XGBoost 3.2.0", "LightGBM v4".  Lent, like all
 * texts here, until the model is freed. */
OW_API const char *ow_trees_package(const ow_trees *trees);
/* The objective by the package's name, e.g. "binary:logistic". */
OW_API const char *ow_trees_objective(const ow_trees *trees);
/* Trees that predictions use. */
OW_API size_t ow_trees_n_trees(const ow_trees *trees);
/* 2 for OW_TREES_BINARY.  For OW_TREES_SCORE the numbers that are predicted, mostly 1. */
OW_API size_t ow_trees_n_classes(const ow_trees *trees);
/* Scores of a row: 1 for OW_TREES_BINARY, else as ow_trees_n_classes. */
OW_API size_t ow_trees_n_scores(const ow_trees *trees);

/* Features, in the order in which the model expects them. */
OW_API size_t ow_trees_n_features(const ow_trees *trees);
/* NULL where the file has no names. */
OW_API const char *ow_trees_feature_name(const ow_trees *trees, size_t feature);
OW_API bool ow_trees_feature_is_category(const ow_trees *trees, size_t feature);
/* The categories of a feature by name, as far as the file has them (XGBoost 3.1 and later,
 * LightGBM trained on pandas tables): code 0 to n - 1; n is 0 where it does not.  A
 * category that is a number is written as one.  XGBoost's files cut names beyond ASCII in
 * the wrong places: a feature with such a name has none. */
OW_API size_t ow_trees_n_levels(const ow_trees *trees, size_t feature);
OW_API const char *ow_trees_level(const ow_trees *trees, size_t feature, size_t code);

/* What the package predicts: n_rows x n_classes, probabilities for the two kinds of
 * classifier (those of LightGBM's multiclassova do not sum to 1). */
OW_API OW_MUST_CHECK ow_status ow_trees_predict(const ow_trees *trees, size_t n_rows,
                                                const double *rows, const ow_call *call,
                                                double *prediction);

/* The sums of the leaves, before they become probabilities: n_rows x n_scores. */
OW_API OW_MUST_CHECK ow_status ow_trees_score(const ow_trees *trees, size_t n_rows,
                                              const double *rows, const ow_call *call,
                                              double *scores);

/* The tipping points of a numeric feature: in increasing order all numbers t such that a
 * tree tests x < t.  Predictions do not depend on where x lies between two of them, and t
 * itself lies in the upper interval.  For a category the codes that trees tell apart; all
 * other codes are alike.  *n is how many; lent, NULL where there are none. */
OW_API const double *ow_trees_thresholds(const ow_trees *trees, size_t feature, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
