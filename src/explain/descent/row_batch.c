/* SPDX-License-Identifier: MIT */
#include "explain/descent/row_batch.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "classifier/classifier.h"

ow_status owi_row_batch_init(owi_row_batch *batch, const owi_call *call,
                             ow_classifier *classifier, size_t most_rows)
{
    ow_context *ctx = call->ctx;
    const size_t width = ow_classifier_width(classifier);
    const size_t n_classes = ow_classifier_n_classes(classifier);
    const size_t n = most_rows;
    *batch = (owi_row_batch){.call = call,
                             .ctx = ctx,
                             .classifier = classifier,
                             .evaluator = owi_classifier_evaluator(classifier),
                             .width = width,
                             .n_classes = n_classes};
    const owi_piece pieces[] = {
        OWI_PIECE(batch->rows, n * width),
        OWI_PIECE(batch->gradient, n * width),
        OWI_PIECE(batch->factor, n * n_classes),
        OWI_PIECE(batch->log_proba, n * n_classes),
        OWI_PIECE(batch->order, n),
        OWI_PIECE(batch->left, n),
    };
    return owi_pieces_new(ctx, OWI_PIECES(pieces), &batch->workspace);
}

void owi_row_batch_clear(owi_row_batch *batch)
{
    owi_workspace_free(batch->workspace);
    owi_anchor_rows_free(batch->base);
    *batch = (owi_row_batch){0};
}

ow_status owi_row_batch_stay_near(owi_row_batch *batch, size_t n, const float *rows)
{
    if (batch->evaluator == NULL) return OW_OK;
    return owi_anchor_rows_new(batch->call, batch->evaluator, n, rows, &batch->base);
}

/* ---- Which rows go together ---- */

/* Whether something is missing. */
OWI_WIDE static bool has_gaps(const float *row, size_t width)
{
    uint32_t missing = 0;
    for (size_t j = 0; j < width; j++) missing |= row[j] != row[j];
    return missing != 0;
}

/* Whether the same values are missing. */
static bool same_gaps(const float *a, const float *b, size_t width)
{
    uint32_t differ = 0;
    for (size_t j = 0; j < width; j++) differ |= (a[j] != a[j]) ^ (b[j] != b[j]);
    return differ == 0;
}

/* What is asked of all rows of the block. */
typedef struct {
    const float *rows;
    const double *factor; /* NULL: no gradient */
    double *log_proba;
    float *gradient;
} block_arrays;

/* All n rows of the arrays; near base, unless that is NULL. */
static ow_status ask(owi_row_batch *batch, size_t n, const block_arrays *of,
                     const owi_anchor_rows *base)
{
    const owi_row_request asked = {
        .n_rows = n, .rows = of->rows, .in_tiles = true, .base = base};
    return of->factor == NULL
               ? owi_classify_rows(batch->call, batch->classifier, asked, of->log_proba)
               : owi_classifier_slope(batch->call, batch->classifier, asked, of->factor,
                                      of->log_proba, of->gradient);
}

/* Whether the rows are the first n of the block: they need not be copied. */
static bool are_first(size_t n, const uint32_t *order)
{
    size_t i = 0;
    while (i < n && order[i] == i) i++;
    return i == n;
}

/* The first of the n rows that are left, and those with the same gaps: copied together.
 * Those that stay are moved to the front; returns how many in *n_left. */
static ow_status run_part(owi_row_batch *batch, size_t n, uint32_t *left,
                          const block_arrays *block, size_t *n_left)
{
    const size_t width = batch->width, n_classes = batch->n_classes;
    const float *first = block->rows + left[0] * width;
    const bool whole = !has_gaps(first, width);
    size_t n_part = 0;
    *n_left = 0;
    for (size_t i = 0; i < n; i++) {
        const float *row = block->rows + left[i] * width;
        if (whole ? !has_gaps(row, width) : same_gaps(row, first, width))
            batch->order[n_part++] = left[i];
        else
            left[(*n_left)++] = left[i];
    }
    if (are_first(n_part, batch->order)) return ask(batch, n_part, block, NULL);

    for (size_t i = 0; i < n_part; i++) {
        const size_t row = batch->order[i];
        memcpy(batch->rows + i * width, block->rows + row * width,
               width * sizeof *batch->rows);
        if (block->factor != NULL)
            memcpy(batch->factor + i * n_classes, block->factor + row * n_classes,
                   n_classes * sizeof *batch->factor);
    }
    const block_arrays part = {batch->rows, block->factor != NULL ? batch->factor : NULL,
                               batch->log_proba, batch->gradient};
    OWI_TRY(ask(batch, n_part, &part, NULL));
    for (size_t i = 0; i < n_part; i++) {
        const size_t row = batch->order[i];
        memcpy(block->log_proba + row * n_classes, batch->log_proba + i * n_classes,
               n_classes * sizeof *batch->log_proba);
        if (block->factor != NULL)
            memcpy(block->gradient + row * width, batch->gradient + i * width,
                   width * sizeof *batch->gradient);
    }
    return OW_OK;
}

static ow_status run(owi_row_batch *batch, size_t n, const uint32_t *which,
                     const block_arrays *block)
{
    memmove(batch->left, which, n * sizeof *which);
    while (n > 0) OWI_TRY(run_part(batch, n, batch->left, block, &n));
    return OW_OK;
}

static ow_status run_all(owi_row_batch *batch, size_t n, const block_arrays *block)
{
    if (batch->base != NULL) return ask(batch, n, block, batch->base);
    for (size_t i = 0; i < n; i++) batch->left[i] = (uint32_t)i;
    return run(batch, n, batch->left, block);
}

ow_status owi_row_batch_classify(owi_row_batch *batch, size_t n, const uint32_t *which,
                                 const float *rows, double *log_proba)
{
    return run(batch, n, which, &(block_arrays){.rows = rows, .log_proba = log_proba});
}

ow_status owi_row_batch_differentiate(owi_row_batch *batch, size_t n, const uint32_t *which,
                                      const float *rows, const double *factor,
                                      double *log_proba, float *gradient)
{
    return run(batch, n, which, &(block_arrays){rows, factor, log_proba, gradient});
}

ow_status owi_row_batch_classify_all(owi_row_batch *batch, size_t n, const float *rows,
                                     double *log_proba)
{
    return run_all(batch, n, &(block_arrays){.rows = rows, .log_proba = log_proba});
}

ow_status owi_row_batch_differentiate_all(owi_row_batch *batch, size_t n, const float *rows,
                                          const double *factor, double *log_proba,
                                          float *gradient)
{
    return run_all(batch, n, &(block_arrays){rows, factor, log_proba, gradient});
}
