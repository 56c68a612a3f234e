/* SPDX-License-Identifier: MIT */
/* Tree models of other packages: reads the model files of XGBoost and LightGBM and
 * evaluates them, without these packages.
 *
 *     const double row[3] = {42.0, 1.0, NAN};
 *     double proba[2];
 *     ow_trees *trees = NULL;
 *     ow_status st = ow_trees_load(ctx, "model.json", NULL, &trees);
 *     if (st == OW_OK) st = ow_trees_predict(trees, 1, row, NULL, proba);
 *     ow_trees_free(trees);
 *
 * Files: those written by save_model of XGBoost 1.x to 3.x, as JSON or UBJSON (boosters
 * gbtree and dart), and by save_model of LightGBM 3.x and 4.x; each may be compressed with
 * gzip.  If a model was trained with early stopping, predictions use the iterations up to
 * the best one, as predict_proba of the package's classifier does.  The booster gblinear,
 * leaves that are vectors (multi_output_tree) and leaves that are linear models
 * (linear_tree) are not supported.
 *
 * A row has ow_trees_n_features doubles in original units: a number as it is, a category as
 * its code (0, 1, 2, ...), NaN for a missing value.  Predictions are the same as the
 * package's, bit for bit on the models of tests/golden/trees; for that, values are rounded
 * to float32 where XGBoost does so.
 *
 * Threads: a loaded model is read-only and may be shared between threads. */
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
    OW_TREES_SCORE = 0,     /* a number: regression, ranking, custom objectives  */
    OW_TREES_BINARY = 1,    /* two classes, with one score, that of the second   */
    OW_TREES_MULTICLASS = 2 /* several classes, with a score for each            */
} ow_trees_kind;

/* Loads a model file; "-" is standard input.  Fails with OW_ERR_FORMAT if the file is
 * damaged or is not a model of these packages, and with OW_ERR_UNSUPPORTED if it is one
 * that is not supported. */
OW_API OW_MUST_CHECK ow_status ow_trees_load(ow_context *ctx, const char *path,
                                             const ow_call *call, ow_trees **out);
/* The same for a file that is in memory.  The bytes are only read during the call; name is
 * used as the file's name in messages. */
OW_API OW_MUST_CHECK ow_status ow_trees_load_memory(ow_context *ctx, const void *bytes,
                                                    size_t size, const char *name,
                                                    ow_trees **out);
/* Does nothing for NULL. */
OW_API void ow_trees_free(ow_trees *trees);

OW_API ow_trees_kind ow_trees_get_kind(const ow_trees *trees);
/* Package and version as the file gives them: "XGBoost 3.2.0", "LightGBM v4".  This and all
 * texts below are owned by the model. */
OW_API const char *ow_trees_package(const ow_trees *trees);
/* The objective, by the package's name for it: "binary:logistic". */
OW_API const char *ow_trees_objective(const ow_trees *trees);
/* The number of trees that predictions use. */
OW_API size_t ow_trees_n_trees(const ow_trees *trees);
/* The number of classes: 2 for OW_TREES_BINARY.  For OW_TREES_SCORE, how many numbers are
 * predicted for a row, usually 1. */
OW_API size_t ow_trees_n_classes(const ow_trees *trees);
/* The number of scores of a row: 1 for OW_TREES_BINARY, else that of the classes. */
OW_API size_t ow_trees_n_scores(const ow_trees *trees);

/* The number of features.  Features are numbered from 0, in the order of a row. */
OW_API size_t ow_trees_n_features(const ow_trees *trees);
/* The name of a feature; NULL if the file has no names. */
OW_API const char *ow_trees_feature_name(const ow_trees *trees, size_t feature);
OW_API bool ow_trees_feature_is_category(const ow_trees *trees, size_t feature);
/* The names of a feature's categories, for codes 0 to n_levels - 1.  n_levels is 0 if the
 * file does not have them; files of XGBoost 3.1 and later do, and those of LightGBM models
 * that were trained on pandas tables.  A category that is a number is written as a number.
 * XGBoost splits names with characters beyond ASCII in the wrong places, so a feature with
 * such a name has no names at all. */
OW_API size_t ow_trees_n_levels(const ow_trees *trees, size_t feature);
OW_API const char *ow_trees_level(const ow_trees *trees, size_t feature, size_t code);

/* Predicts n_rows rows (n_rows x n_features): prediction is n_rows x n_classes.  Of a
 * classifier it holds probabilities (those of LightGBM's multiclassova do not sum to 1). */
OW_API OW_MUST_CHECK ow_status ow_trees_predict(const ow_trees *trees, size_t n_rows,
                                                const double *rows, const ow_call *call,
                                                double *prediction);

/* Computes the scores of rows, the sums of the leaves' values before they are made
 * probabilities: scores is n_rows x n_scores. */
OW_API OW_MUST_CHECK ow_status ow_trees_score(const ow_trees *trees, size_t n_rows,
                                              const double *rows, const ow_call *call,
                                              double *scores);

/* The thresholds of a feature that is a number: all t for which some tree tests x < t, in
 * ascending order.  The prediction is constant for t_k <= x < t_(k+1).  For a category: the
 * codes that some tree treats differently from the others; to all other codes the trees
 * answer alike.  *n gets their number.  Owned by the model; NULL if there are none. */
OW_API const double *ow_trees_thresholds(const ow_trees *trees, size_t feature, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
