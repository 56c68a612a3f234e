/* SPDX-License-Identifier: MIT */
#include "circuit/learn/tilt_rows.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/pass/evaluator.h"
#include "circuit/rows/row_block.h"
#include "circuit/structure/leaf_features.h"

enum { L = owi_tile_lanes, block_rows = 16 * L };

/* What a class is given that is impossible for a row: logits stay finite. */
static const double least_logit = -1e6;

static ow_status make_room(owi_tilt_rows *rows, size_t n_tiles, size_t n_rows)
{
    ow_context *ctx = rows->ctx;
    OWI_TRY(owi_grow(ctx, &rows->features, &rows->feature_capacity,
                     n_tiles * rows->n_features * L, sizeof(float)));
    OWI_TRY(owi_grow(ctx, &rows->classes, &rows->class_capacity, n_rows, sizeof(int32_t)));
    return owi_grow(ctx, &rows->logit, &rows->logit_capacity, n_rows * rows->n_classes,
                    sizeof(double));
}

/* Features of a block; gap has room for its gap features. */
static ow_status fill_tiles(const ow_circuit *circuit, const owi_row_block *block,
                            size_t n_tiles, float *gap, float *features)
{
    const size_t d = circuit->spec.n_columns, F = circuit->n_features;
    double constant[block_rows];
    owi_feature_tiles tiles = {.features = features,
                               .gap_features = gap,
                               .row_constant = constant};
    OWI_TRY(owi_fill_features(circuit, (owi_batch){n_tiles, L, 0}, block->n_rows,
                              block->rows, block->first, &tiles));
    for (size_t i = 0; i < block->n_rows; i++)
        for (size_t j = 0; j < d; j++) {
            if (!isnan(block->rows[i * d + j])) continue;
            for (size_t f = circuit->feature_start[j]; f < circuit->feature_start[j + 1];
                 f++)
                features[(i / L * F + f) * L + i % L] = (float)circuit->average[f];
        }
    for (size_t t = 0; t < n_tiles; t++)
        for (size_t f = 0; f < F; f++)
            if (circuit->features[f].kind == OWI_FEATURE_VARIANCE)
                memset(features + (t * F + f) * L, 0, L * sizeof *features);
    return OW_OK;
}

static ow_status add_block(owi_tilt_rows *rows, ow_evaluator *evaluator,
                           const owi_row_block *block, float *gap)
{
    const size_t C = rows->n_classes, F = rows->n_features, n = rows->n_rows;
    const size_t n_tiles = (block->n_rows + L - 1) / L;
    OWI_TRY(make_room(rows, rows->n_tiles + n_tiles, n + block->n_rows));
    float *features = rows->features + rows->n_tiles * F * L;
    OWI_TRY(fill_tiles(evaluator->circuit, block, n_tiles, gap, features));
    OWI_TRY(owi_evaluate(rows->call, evaluator, block->n_rows, block->rows,
                         rows->logit + n * C));
    memcpy(rows->classes + n, block->classes, block->n_rows * sizeof *block->classes);
    for (size_t i = 0; i < block->n_rows; i++) {
        const size_t y = (size_t)block->classes[i];
        rows->class_rows[y] += 1.0;
        for (size_t f = 0; f < F; f++)
            rows->class_sum[y * F + f] += (double)features[(i / L * F + f) * L + i % L];
    }
    rows->n_rows += block->n_rows;
    rows->n_tiles += n_tiles;
    return OW_OK;
}

/* Blocks are filled up before they are used, so that no tile but the last has spare
 * lanes. */
static ow_status read_blocks(owi_tilt_rows *rows, ow_evaluator *evaluator,
                             const ow_row_source *source, owi_row_block *block, float *gap)
{
    OWI_TRY(owi_row_block_rewind(block, source));
    for (size_t n = 1; n > 0;) {
        OWI_TRY(owi_row_block_fill(block, source, &n));
        if (n > 0 && block->n_rows < block->most_rows) continue;
        if (block->n_rows > 0) OWI_TRY(add_block(rows, evaluator, block, gap));
        owi_row_block_empty(block);
    }
    for (size_t i = 0; i < rows->n_rows * rows->n_classes; i++)
        rows->logit[i] = fmax(rows->logit[i] + log(rows->class_rows[i % rows->n_classes] /
                                                   (double)rows->n_rows),
                              least_logit);
    return OW_OK;
}

ow_status owi_tilt_rows_read(owi_tilt_rows *rows, const owi_call *call,
                             ow_evaluator *evaluator, const ow_row_source *source)
{
    const ow_circuit *circuit = evaluator->circuit;
    ow_context *ctx = circuit->ctx;
    const size_t C = circuit->spec.n_classes, F = circuit->n_features;
    owi_row_block block = {0};

    *rows = (owi_tilt_rows){.call = call, .ctx = ctx, .n_classes = C, .n_features = F};
    rows->class_rows = owi_alloc_array(ctx, C * (F + 1), sizeof *rows->class_rows);
    float *gap =
        owi_alloc_array(ctx, block_rows * (circuit->n_gap_features + 1), sizeof *gap);
    ow_status status = OW_ERR_MEMORY;
    if (rows->class_rows == NULL || gap == NULL) goto done;
    rows->class_sum = rows->class_rows + C;
    status = owi_row_block_init(&block, call, circuit, block_rows);
    if (status == OW_OK) status = read_blocks(rows, evaluator, source, &block, gap);

done:
    if (block.circuit != NULL) owi_row_block_clear(&block);
    owi_free(ctx, gap);
    if (status != OW_OK) owi_tilt_rows_clear(rows);
    return status;
}

void owi_tilt_rows_clear(owi_tilt_rows *rows)
{
    owi_free(rows->ctx, rows->features);
    owi_free(rows->ctx, rows->classes);
    owi_free(rows->ctx, rows->logit);
    owi_free(rows->ctx, rows->class_rows);
    *rows = (owi_tilt_rows){.ctx = rows->ctx};
}
