/* SPDX-License-Identifier: MIT */
#include "circuit/pass/anchor_rows.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

struct owi_anchor_rows {
    ow_context *ctx;
    ow_evaluator *evaluator;
    owi_row_request asked; /* while they are looked at */
    size_t chunk_rows;
    size_t feature_floats, value_floats; /* of a tile */
    float *tiles;                        /* features and leaf values, tile by tile */
    bool *has_gaps;                      /* by tile */
};

owi_tile_base owi_anchor_rows_tile(const owi_anchor_rows *base, size_t first_row)
{
    const size_t size = base->feature_floats + base->value_floats;
    const float *tile = base->tiles + first_row / base->chunk_rows * size;
    return (owi_tile_base){tile, tile + base->feature_floats};
}

static ow_status look_at_chunk(void *user, const owi_chunk *chunk)
{
    owi_anchor_rows *base = user;
    const owi_pass *pass = &base->evaluator->passes[chunk->worker];
    const size_t tile = chunk->first / base->chunk_rows;
    float *features = base->tiles + tile * (base->feature_floats + base->value_floats);

    OWI_TRY(owi_evaluator_forward(base->evaluator, chunk, &base->asked, NULL));
    memcpy(features, pass->tiles.features, base->feature_floats * sizeof *features);
    memcpy(features + base->feature_floats, pass->leaf_log_value,
           base->value_floats * sizeof *features);
    base->has_gaps[tile] = pass->tiles.has_gaps;
    return OW_OK;
}

static ow_status look_at_rows(const owi_call *call, owi_anchor_rows *base, size_t n_rows,
                              bool *has_gaps)
{
    OWI_TRY(owi_evaluator_prepare(call, base->evaluator, n_rows, true));
    OWI_TRY(owi_parallel_rows(call, n_rows, base->chunk_rows, look_at_chunk, base));
    *has_gaps = false;
    for (size_t first = 0; first < n_rows; first += base->chunk_rows)
        *has_gaps |= base->has_gaps[first / base->chunk_rows];
    return OW_OK;
}

ow_status owi_anchor_rows_new(const owi_call *call, ow_evaluator *evaluator, size_t n_rows,
                              const float *soft, owi_anchor_rows **out)
{
    const ow_circuit *circuit = evaluator->circuit;
    const size_t n_nodes =
        circuit->regions.n_copies * circuit->regions.n_regions * circuit->spec.inputs;
    bool has_gaps = true;
    *out = NULL;
    owi_anchor_rows *base = owi_alloc_zeroed(circuit->ctx, sizeof *base);
    if (base == NULL) return OW_ERR_MEMORY;
    base->ctx = circuit->ctx;
    base->evaluator = evaluator;
    base->asked = (owi_row_request){
        .n_rows = n_rows, .rows = soft, .soft = circuit->has_levels, .in_tiles = true};
    base->chunk_rows = owi_evaluator_chunk_rows(evaluator, n_rows, true);
    base->feature_floats = circuit->n_features * owi_tile_lanes;
    base->value_floats = n_nodes * owi_tile_lanes;
    const size_t n_tiles = (n_rows + base->chunk_rows - 1) / base->chunk_rows;
    base->tiles =
        owi_alloc_array(base->ctx, n_tiles,
                        (base->feature_floats + base->value_floats) * sizeof *base->tiles);
    base->has_gaps = owi_alloc_array(base->ctx, n_tiles, sizeof *base->has_gaps);

    ow_status status =
        base->tiles != NULL && base->has_gaps != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK) status = look_at_rows(call, base, n_rows, &has_gaps);
    if (status == OW_OK && !has_gaps)
        *out = base;
    else
        owi_anchor_rows_free(base);
    return status;
}

void owi_anchor_rows_free(owi_anchor_rows *base)
{
    if (base == NULL) return;
    owi_free(base->ctx, base->tiles);
    owi_free(base->ctx, base->has_gaps);
    owi_free(base->ctx, base);
}
