/* SPDX-License-Identifier: MIT */
/* The inside of ow_trees, which the readers fill. */
#ifndef OWI_TREES_PRIVATE_H
#define OWI_TREES_PRIVATE_H

#include "base/call.h"
#include "otherwise/trees.h"
#include "trees/conditions.h"
#include "trees/forest.h"

/* From scores to what the package predicts. */
typedef enum {
    owi_link_identity,
    owi_link_logistic,   /* 1 / (1 + exp(-sigmoid s))        */
    owi_link_softmax,    /* over the groups                  */
    owi_link_one_vs_all, /* logistic for each group, alone   */
    owi_link_exp,        /* counts, gamma, Tweedie           */
    owi_link_square,     /* LightGBM's reg_sqrt: s |s|       */
    owi_link_log1p_exp   /* cross_entropy_lambda             */
} owi_link;

/* A feature as the file describes it; names are NULL where it does not. */
typedef struct {
    char *name;
    bool is_category;
    char **levels; /* by code */
    size_t n_levels;
} owi_tree_feature;

struct ow_trees {
    ow_context *ctx;
    owi_forest forest;
    owi_tree_feature *features;
    size_t n_features, feature_capacity;
    char *package; /* "XGBoost 3.2.0", "LightGBM v4" */
    char *objective;
    ow_trees_kind kind;
    owi_link link;
    double sigmoid;
    double divisor; /* of the sums; 1 but for averages */
    double *base;   /* n_groups: where sums start      */
    owi_conditions conditions;
};

/* Each fills trees from the whole file, for the caller to free if it fails. */
ow_status owi_xgboost_read(ow_trees *trees, const char *bytes, size_t size, bool is_binary,
                           const char *name);
ow_status owi_lightgbm_read(ow_trees *trees, const char *bytes, size_t size,
                            const char *name);

/* ow_trees_predict, as part of a call. */
ow_status owi_trees_predict(const owi_call *call, const ow_trees *trees, size_t n_rows,
                            const double *rows, double *prediction);

/* What the package predicts from one score, where each group is predicted by itself. */
double owi_trees_transform(const ow_trees *trees, double score);

/* Makes room for the descriptions of n features, not fewer than there are. */
ow_status owi_trees_set_features(ow_trees *trees, size_t n);
/* Makes room for n levels, all NULL; there must be none yet. */
ow_status owi_trees_set_levels(ow_trees *trees, size_t feature, size_t n);
void owi_trees_drop_levels(ow_trees *trees, size_t feature);

#endif
