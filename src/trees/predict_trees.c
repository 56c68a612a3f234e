/* SPDX-License-Identifier: MIT */
/* From scores to predictions, in the precision of the package: XGBoost's probabilities are
 * float32, and so are ours of its models, or a probability of one half would be decided
 * otherwise. */
#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "trees/evaluate_trees.h"
#include "trees/trees_private.h"

/* Rows whose scores are kept at a time. */
enum { piece_rows = 1 << 16 };

static double logistic(const ow_trees *trees, double score)
{
    if (trees->forest.is_float) return (double)(1.0f / (1.0f + expf(-(float)score)));
    return 1.0 / (1.0 + exp(-trees->sigmoid * score));
}

static void softmax_float(size_t n, const double *scores, double *p)
{
    float most = (float)scores[0];
    double sum = 0.0;
    for (size_t c = 1; c < n; c++) most = fmaxf(most, (float)scores[c]);
    for (size_t c = 0; c < n; c++) {
        p[c] = (double)expf((float)scores[c] - most);
        sum += p[c];
    }
    for (size_t c = 0; c < n; c++) p[c] = (double)((float)p[c] / (float)sum);
}

static void softmax(size_t n, const double *scores, double *p)
{
    double most = scores[0], sum = 0.0;
    for (size_t c = 1; c < n; c++) most = fmax(most, scores[c]);
    for (size_t c = 0; c < n; c++) sum += p[c] = exp(scores[c] - most);
    for (size_t c = 0; c < n; c++) p[c] /= sum;
}

double owi_trees_transform(const ow_trees *trees, double score)
{
    switch (trees->link) {
    case owi_link_logistic:
    case owi_link_one_vs_all:
        return logistic(trees, score);
    case owi_link_exp:
        return trees->forest.is_float ? (double)expf((float)score) : exp(score);
    case owi_link_square:
        return score * fabs(score);
    case owi_link_log1p_exp:
        return log1p(exp(score));
    case owi_link_identity:
    case owi_link_softmax:
        break;
    }
    return score;
}

static void predict_row(const ow_trees *trees, const double *scores, double *prediction)
{
    const size_t n = trees->forest.n_groups;
    if (trees->kind == OW_TREES_BINARY) {
        prediction[1] = logistic(trees, scores[0]);
        prediction[0] = trees->forest.is_float ? (double)(1.0f - (float)prediction[1])
                                               : 1.0 - prediction[1];
    } else if (trees->link == owi_link_softmax) {
        if (trees->forest.is_float)
            softmax_float(n, scores, prediction);
        else
            softmax(n, scores, prediction);
    } else {
        for (size_t c = 0; c < n; c++)
            prediction[c] = owi_trees_transform(trees, scores[c]);
    }
}

static ow_status score(const owi_call *call, const ow_trees *trees, size_t n_rows,
                       const double *rows, double *scores)
{
    OWI_TRY(owi_forest_evaluate(call, &trees->forest, &trees->conditions, NULL, trees->base,
                                n_rows, rows, scores));
    for (size_t i = 0; i < n_rows * trees->forest.n_groups && trees->divisor != 1.0; i++)
        scores[i] /= trees->divisor;
    return OW_OK;
}

ow_status ow_trees_score(const ow_trees *trees, size_t n_rows, const double *rows,
                         const ow_call *call, double *scores)
{
    owi_call own;
    OWI_REQUIRE(trees != NULL);
    OWI_REQUIRE((rows != NULL && scores != NULL) || n_rows == 0);
    OWI_TRY(owi_call_begin(&own, trees->ctx, call));
    return score(&own, trees, n_rows, rows, scores);
}

ow_status owi_trees_predict(const owi_call *call, const ow_trees *trees, size_t n_rows,
                            const double *rows, double *prediction)
{
    const size_t G = trees->forest.n_groups, C = ow_trees_n_classes(trees);
    double *scores =
        owi_alloc_array(trees->ctx, owi_smaller(n_rows, piece_rows) * G, sizeof *scores);
    ow_status status = scores != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t first = 0; first < n_rows && status == OW_OK; first += piece_rows) {
        const size_t n = owi_smaller(piece_rows, n_rows - first);
        status = score(call, trees, n, rows + first * trees->n_features, scores);
        for (size_t i = 0; i < n && status == OW_OK; i++)
            predict_row(trees, scores + i * G, prediction + (first + i) * C);
    }
    owi_free(trees->ctx, scores);
    return status;
}

ow_status ow_trees_predict(const ow_trees *trees, size_t n_rows, const double *rows,
                           const ow_call *call, double *prediction)
{
    owi_call own;
    OWI_REQUIRE(trees != NULL);
    OWI_REQUIRE((rows != NULL && prediction != NULL) || n_rows == 0);
    OWI_TRY(owi_call_begin(&own, trees->ctx, call));
    return owi_trees_predict(&own, trees, n_rows, rows, prediction);
}
