/* SPDX-License-Identifier: MIT */
#include "explain/row_batch.h"

#include <string.h>

#include "backend/backend.h"
#include "base/alloc.h"
#include "base/error.h"

ow_status owi_row_batch_init(owi_row_batch *batch, ow_context *ctx,
                             ow_classifier *classifier, bool fill_tiles, size_t most_rows)
{
    const size_t width = ow_classifier_width(classifier);
    const size_t n_classes = ow_classifier_n_classes(classifier);
    const size_t n = most_rows + owi_tile_lanes;
    *batch = (owi_row_batch){.ctx = ctx,
                             .classifier = classifier,
                             .width = width,
                             .n_classes = n_classes,
                             .fill_tiles = fill_tiles};
    batch->rows = owi_alloc_array(ctx, n, width * sizeof *batch->rows);
    batch->gradient = owi_alloc_array(ctx, n, width * sizeof *batch->gradient);
    batch->factor = owi_alloc_array(ctx, n, n_classes * sizeof *batch->factor);
    batch->log_proba = owi_alloc_array(ctx, n, n_classes * sizeof *batch->log_proba);
    batch->order = owi_alloc_array(ctx, n, sizeof *batch->order);
    batch->left = owi_alloc_array(ctx, n, sizeof *batch->left);
    if (batch->rows != NULL && batch->gradient != NULL && batch->factor != NULL &&
        batch->log_proba != NULL && batch->order != NULL && batch->left != NULL)
        return OW_OK;
    owi_row_batch_clear(batch);
    return OW_ERR_MEMORY;
}

void owi_row_batch_clear(owi_row_batch *batch)
{
    if (batch->ctx == NULL) return;
    owi_free(batch->ctx, batch->rows);
    owi_free(batch->ctx, batch->gradient);
    owi_free(batch->ctx, batch->factor);
    owi_free(batch->ctx, batch->log_proba);
    owi_free(batch->ctx, batch->order);
    owi_free(batch->ctx, batch->left);
    *batch = (owi_row_batch){0};
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

/* All n rows of the arrays. */
static ow_status ask(owi_row_batch *batch, size_t n, const block_arrays *of)
{
    if (of->factor == NULL)
        return ow_classify(batch->classifier, n, of->rows, of->log_proba);
    return ow_classifier_differentiate(batch->classifier, n, of->rows, of->factor,
                                       of->log_proba, of->gradient);
}

/* Whether the rows are the first n of the block, in whole tiles: they need not be copied. */
static bool is_whole(const owi_row_batch *batch, size_t n, const uint32_t *order)
{
    if (batch->fill_tiles && n % owi_tile_lanes != 0) return false;
    for (size_t i = 0; i < n; i++)
        if (order[i] != i) return false;
    return true;
}

/* The first of the n rows that are left, and those with the same gaps: copied together, the last one again until the tile is full.
 * Those that stay are moved to the front; returns how many in *n_left. */
static ow_status run_part(owi_row_batch *batch, size_t n, uint32_t *left,
                          const block_arrays *block, size_t *n_left)
{
    const size_t width = batch->width, n_classes = batch->n_classes;
    const float *first = block->rows + left[0] * width;
    size_t n_part = 0;
    *n_left = 0;
    for (size_t i = 0; i < n; i++) {
        if (same_gaps(block->rows + left[i] * width, first, width))
            batch->order[n_part++] = left[i];
        else
            left[(*n_left)++] = left[i];
    }
    const bool in_place = n_part == n && is_whole(batch, n, batch->order);
    if (in_place) return ask(batch, n, block);
    size_t n_filled = n_part;
    while (batch->fill_tiles && n_filled % owi_tile_lanes != 0) n_filled++;
    for (size_t i = n_part; i < n_filled; i++) batch->order[i] = batch->order[n_part - 1];

    for (size_t i = 0; i < n_filled; i++) {
        const size_t row = batch->order[i];
        memcpy(batch->rows + i * width, block->rows + row * width,
               width * sizeof *batch->rows);
        if (block->factor != NULL)
            memcpy(batch->factor + i * n_classes, block->factor + row * n_classes,
                   n_classes * sizeof *batch->factor);
    }
    const block_arrays part = {batch->rows, block->factor != NULL ? batch->factor : NULL,
                               batch->log_proba, batch->gradient};
    OWI_TRY(ask(batch, n_filled, &part));
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
    memcpy(batch->left, which, n * sizeof *which);
    while (n > 0) OWI_TRY(run_part(batch, n, batch->left, block, &n));
    return OW_OK;
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
