/* SPDX-License-Identifier: MIT */
#include "explain/core/background_thin.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"

void owi_thin_background_clear(owi_thin_background *thin)
{
    owi_workspace_free(thin->workspace);
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

    const size_t d = problem->n_columns, C = problem->n_classes;
    const size_t stride = n / most + (n % most != 0);
    owi_background *rows = &thin->rows;
    *rows = (owi_background){.n_rows = (n - 1) / stride + 1};
    double *values;
    const owi_piece pieces[] = {OWI_PIECE(values, rows->n_rows * d),
                                OWI_PIECE(rows->log_proba, rows->n_rows * C),
                                OWI_PIECE(rows->predicted, rows->n_rows)};
    OWI_TRY(owi_pieces_new(problem->ctx, OWI_PIECES(pieces), &thin->workspace));
    rows->values = values;
    for (size_t i = 0, from = 0; i < rows->n_rows; i++, from += stride) {
        memcpy(values + i * d, all->values + from * d, d * sizeof *all->values);
        memcpy(rows->log_proba + i * C, all->log_proba + from * C,
               C * sizeof *all->log_proba);
        rows->predicted[i] = all->predicted[from];
    }
    return OW_OK;
}
