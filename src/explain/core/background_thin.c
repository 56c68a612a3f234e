/* SPDX-License-Identifier: MIT */
#include "explain/core/background_thin.h"

#include <string.h>

#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "explain/core/background.h"

void owi_thin_background_clear(owi_thin_background *thin, ow_context *ctx)
{
    if (thin->values == NULL) return; /* lent */
    owi_free(ctx, thin->values);
    owi_background_clear(&thin->rows, ctx);
    *thin = (owi_thin_background){0};
}

ow_status owi_thin_background_init(owi_thin_background *thin, const owi_problem *problem,
                                   size_t first, size_t most)
{
    const owi_background *all = problem->background;
    const size_t n = first > 0 ? owi_smaller(first, all->n_rows) : all->n_rows;
    *thin = (owi_thin_background){.rows = *all};
    thin->rows.n_rows = n;
    if (most == 0 || n <= most) return OW_OK;

    ow_context *ctx = problem->ctx;
    const size_t d = problem->n_columns, C = problem->n_classes;
    const size_t stride = n / most + (n % most != 0);
    owi_background *rows = &thin->rows;
    *rows = (owi_background){.n_rows = (n - 1) / stride + 1};
    thin->values = owi_alloc_array(ctx, rows->n_rows, d * sizeof *thin->values);
    if (thin->values == NULL) return OW_ERR_MEMORY;
    rows->values = thin->values;
    rows->log_proba = owi_alloc_array(ctx, rows->n_rows, C * sizeof *rows->log_proba);
    rows->predicted = owi_alloc_array(ctx, rows->n_rows, sizeof *rows->predicted);
    if (rows->log_proba == NULL || rows->predicted == NULL) {
        owi_thin_background_clear(thin, ctx);
        return OW_ERR_MEMORY;
    }
    for (size_t i = 0, from = 0; i < rows->n_rows; i++, from += stride) {
        memcpy(thin->values + i * d, all->values + from * d, d * sizeof *all->values);
        memcpy(rows->log_proba + i * C, all->log_proba + from * C,
               C * sizeof *all->log_proba);
        rows->predicted[i] = all->predicted[from];
    }
    return OW_OK;
}
