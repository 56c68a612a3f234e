/* SPDX-License-Identifier: MIT */
#include "explain/whole_rows.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

ow_status owi_whole_rows_init(owi_whole_rows *whole, ow_context *ctx, const ow_model *model,
                              const ow_constraints *constraints, size_t most_rows)
{
    const size_t n_columns = ow_schema_n_columns(ow_model_schema(model));
    const size_t width = ow_model_soft_width(model);
    *whole = (owi_whole_rows){.ctx = ctx, .model = model, .constraints = constraints};
    whole->queries = owi_alloc_array(ctx, most_rows, n_columns * sizeof *whole->queries);
    whole->values = owi_alloc_array(ctx, most_rows, n_columns * sizeof *whole->values);
    whole->rows = owi_alloc_array(ctx, most_rows, width * sizeof *whole->rows);
    if (whole->queries != NULL && whole->values != NULL && whole->rows != NULL)
        return OW_OK;
    owi_whole_rows_clear(whole);
    return OW_ERR_MEMORY;
}

void owi_whole_rows_clear(owi_whole_rows *whole)
{
    if (whole->ctx == NULL) return;
    owi_free(whole->ctx, whole->queries);
    owi_free(whole->ctx, whole->values);
    owi_free(whole->ctx, whole->rows);
    *whole = (owi_whole_rows){0};
}

ow_status owi_whole_rows_make(owi_whole_rows *whole, size_t n, const uint32_t *which,
                              const double *values, const float *x, float *repaired)
{
    const size_t d = ow_schema_n_columns(ow_model_schema(whole->model));
    const size_t width = ow_model_soft_width(whole->model);
    for (size_t i = 0; i < n; i++) {
        memcpy(whole->queries + i * d, values + which[i] * d, d * sizeof *values);
        memcpy(whole->rows + i * width, x + which[i] * width, width * sizeof *x);
    }
    OWI_TRY(owi_constraints_repair(whole->constraints, whole->model, n, whole->queries,
                                   whole->rows, whole->values));
    ow_model_soften(whole->model, n, whole->values, whole->rows);
    for (size_t i = 0; i < n; i++)
        memcpy(repaired + which[i] * width, whole->rows + i * width,
               width * sizeof *repaired);
    return OW_OK;
}
