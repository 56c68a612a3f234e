/* SPDX-License-Identifier: MIT */
/* What rows tell of a foreign model. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "model/foreign/asked_rows.h"
#include "model/foreign/foreign.h"

/* ---- The spread of a number ---- */

/* What the model predicts for rows: n numbers. */
static ow_status predict_scores(const owi_call *call, const owi_foreign *foreign,
                                const ow_schema *schema, size_t n, const double *values,
                                double *scores)
{
    owi_asked_rows *asked = NULL;
    owi_matched_trees *matched = NULL;
    double *row = NULL;
    ow_status status;
    if (foreign->kind != OWI_FOREIGN_TREES) {
        OWI_TRY(owi_asked_rows_new(foreign, schema, &asked));
        status = owi_asked_rows_scores(call, asked, n, values, scores);
        owi_asked_rows_free(asked);
        return status;
    }
    OWI_TRY(owi_foreign_match_trees(foreign, schema, &matched));
    row = owi_alloc_array(foreign->ctx, ow_trees_n_features(foreign->trees), sizeof *row);
    status = row != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        owi_matched_trees_row(matched, values + i * matched->n_columns, row);
        status = ow_trees_predict(foreign->trees, 1, row, NULL, &scores[i]);
    }
    owi_free(foreign->ctx, row);
    owi_matched_trees_free(matched);
    return status;
}

static ow_status set_spread(const owi_call *call, owi_foreign *foreign,
                            const ow_schema *schema, size_t n, const double *values)
{
    double sum = 0.0, squares = 0.0;
    double *scores = owi_alloc_array(foreign->ctx, n, sizeof *scores);
    if (scores == NULL) return OW_ERR_MEMORY;
    const ow_status status = predict_scores(call, foreign, schema, n, values, scores);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        const double beyond = scores[i] - foreign->limit.limit;
        sum += beyond;
        squares += beyond * beyond;
    }
    owi_free(foreign->ctx, scores);
    if (status != OW_OK) return status;
    const double variance =
        n > 0 ? squares / (double)n - sum / (double)n * sum / (double)n : 0;
    foreign->limit.spread = variance > 0.0 ? sqrt(variance) : 1.0;
    return OW_OK;
}

/* ---- The order of the classes ---- */

/* Rows that are asked about. */
enum { most_asked = 1024 };

/* Whether a name that a model gives is that of a class: as text, or as a number. */
static bool is_same(const char *a, const char *b)
{
    double x, y;
    return strcmp(a, b) == 0 || (owi_parse_number(a, strlen(a), &x, NULL) &&
                                 owi_parse_number(b, strlen(b), &y, NULL) && x == y);
}

/* Score c of rows that the model calls class c, and of the others, in the mean: whatever
 * threshold it has, the former is not the smaller one. */
static bool is_of_class(const owi_asked_rows *asked, size_t c, size_t n,
                        const double *scores, char *const *labels)
{
    const char *name = ow_schema_class_name(asked->schema, asked->class_of[c]);
    double inside = 0.0, outside = 0.0;
    size_t n_inside = 0;
    for (size_t i = 0; i < n; i++) {
        const bool is_inside = is_same(labels[i], name);
        *(is_inside ? &inside : &outside) += scores[i * asked->n_scores + c];
        n_inside += is_inside;
    }
    return n_inside == 0 || n_inside == n ||
           inside / (double)n_inside >= outside / (double)(n - n_inside);
}

static ow_status compare_labels(const owi_asked_rows *asked, size_t n, const double *scores,
                                char *const *labels)
{
    char name[owi_quote_size];
    for (size_t c = 0; c < asked->n_scores; c++) {
        if (is_of_class(asked, c, n, scores, labels)) continue;
        owi_quote_text(ow_schema_class_name(asked->schema, asked->class_of[c]), name);
        return owi_fail(OW_ERR_ARGUMENT,
                        "%s names the class of each row itself, and rows that it calls %s "
                        "have low values of what is taken for the probability of %s: name "
                        "its classes in its own order (--model-classes)",
                        asked->foreign->path, name, name);
    }
    return OW_OK;
}

static ow_status check_order(const owi_call *call, const owi_foreign *foreign,
                             const ow_schema *schema, size_t n, const double *values)
{
    owi_asked_rows *asked = NULL;
    owi_onnx_labels labels;
    OWI_TRY(owi_asked_rows_new(foreign, schema, &asked));
    ow_status status = owi_onnx_ask_labels(call, foreign->onnx, schema, n, values, &labels);
    if (status == OW_OK && labels.texts != NULL) {
        status = owi_asked_rows_scores(call, asked, n, values, asked->scores);
        if (status == OW_OK) status = compare_labels(asked, n, asked->scores, labels.texts);
    }
    owi_onnx_labels_clear(&labels);
    owi_asked_rows_free(asked);
    return status;
}

ow_status owi_foreign_see_rows(const owi_call *call, owi_foreign *foreign,
                               const ow_schema *schema, size_t n, const double *values)
{
    if (foreign->limit.is_used) return set_spread(call, foreign, schema, n, values);
    if (foreign->onnx == NULL) return OW_OK;
    return check_order(call, foreign, schema, owi_smaller(n, most_asked), values);
}
