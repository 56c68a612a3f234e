/* SPDX-License-Identifier: MIT */
#include "model/foreign/asked_rows.h"

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

enum { block_rows = 4096 };

static ow_status match_classes(owi_asked_rows *asked)
{
    const owi_foreign *foreign = asked->foreign;
    const size_t C = asked->n_scores;
    if (foreign->classes == NULL)
        return owi_sort_classes(asked->ctx, asked->schema, asked->class_of);
    if (foreign->n_classes != C)
        return owi_fail(OW_ERR_ARGUMENT,
                        "%zu names for the classes of the model, the table has %zu",
                        foreign->n_classes, C);
    for (size_t c = 0; c < C; c++) {
        int32_t found;
        OWI_TRY(ow_schema_find_class(asked->schema, foreign->classes[c], &found));
        asked->class_of[c] = (size_t)found;
        for (size_t b = 0; b < c; b++)
            if (asked->class_of[b] == asked->class_of[c])
                return owi_fail(OW_ERR_ARGUMENT,
                                "two classes of the model have the same name");
    }
    return OW_OK;
}

ow_status owi_asked_rows_new(const owi_foreign *foreign, const ow_schema *schema,
                             owi_asked_rows **out)
{
    *out = NULL;
    const size_t n_scores = foreign->limit.is_used ? 1 : ow_schema_n_classes(schema);
    owi_asked_rows *asked = owi_alloc_zeroed(foreign->ctx, sizeof *asked);
    if (asked == NULL) return OW_ERR_MEMORY;
    *asked = (owi_asked_rows){
        .ctx = foreign->ctx, .foreign = foreign, .schema = schema, .n_scores = n_scores};
    asked->class_of = owi_alloc_array(asked->ctx, n_scores, sizeof *asked->class_of);
    asked->scores =
        owi_alloc_array(asked->ctx, n_scores, block_rows * sizeof *asked->scores);
    ow_status status =
        asked->class_of != NULL && asked->scores != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK && !foreign->limit.is_used) status = match_classes(asked);
    if (status == OW_OK && foreign->onnx != NULL)
        status = owi_onnx_match(foreign->onnx, schema, n_scores);
    if (status == OW_OK)
        *out = asked;
    else
        owi_asked_rows_free(asked);
    return status;
}

void owi_asked_rows_free(owi_asked_rows *asked)
{
    if (asked == NULL) return;
    owi_free(asked->ctx, asked->class_of);
    owi_free(asked->ctx, asked->scores);
    owi_free(asked->ctx, asked);
}

ow_status owi_asked_rows_scores(const owi_call *call, const owi_asked_rows *asked, size_t n,
                                const double *values, double *scores)
{
    const owi_foreign *foreign = asked->foreign;
    const bool are_proba = !foreign->limit.is_used;
    if (foreign->onnx != NULL)
        return owi_onnx_ask(call, foreign->onnx, asked->schema, n, values, asked->n_scores,
                            are_proba, scores);
    if (foreign->command == NULL)
        return owi_foreign_run((owi_foreign *)(size_t)foreign,
                               &(ow_foreign_run){.size = sizeof(ow_foreign_run)});
    return owi_command_ask(call, foreign->command, asked->schema, n, values,
                           asked->n_scores, are_proba, scores);
}

ow_status owi_asked_rows_predict(const owi_call *call, void *user, size_t n_rows,
                                 const double *values, double *proba)
{
    owi_asked_rows *asked = user;
    const size_t C = ow_schema_n_classes(asked->schema), K = asked->n_scores;
    const size_t n_columns = ow_schema_n_columns(asked->schema);
    for (size_t first = 0; first < n_rows; first += block_rows) {
        const size_t n = owi_smaller(n_rows - first, block_rows);
        OWI_TRY(owi_asked_rows_scores(call, asked, n, values + first * n_columns,
                                      asked->scores));
        for (size_t i = 0; i < n; i++) {
            double *of_row = proba + (first + i) * C;
            if (asked->foreign->limit.is_used)
                owi_score_proba(&asked->foreign->limit, asked->scores[i], of_row);
            for (size_t c = 0; c < C && !asked->foreign->limit.is_used; c++)
                of_row[asked->class_of[c]] = asked->scores[i * K + c];
        }
    }
    return OW_OK;
}
