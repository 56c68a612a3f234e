/* SPDX-License-Identifier: MIT */
#include "circuit/query/pair_worker.h"

#include "base/error.h"
#include "base/memory/alloc.h"

static size_t carve(owi_pair_worker *w, const ow_changes *changes)
{
    const ow_circuit_spec *spec = &changes->evaluator->circuit->spec;
    const size_t lanes = changes->n_candidates, C = spec->n_classes;
    owi_carver from = {w->workspace, 0};

    w->row.changes = changes;
    w->row.tables = changes->pairs;
    owi_pair_row_carve(&w->row, &from);
    w->lane_log = owi_carve(&from, C * lanes, sizeof(double));
    w->lane_ratio = owi_carve(&from, C * lanes, sizeof(double));
    w->price = owi_carve(&from, lanes, sizeof(double));
    w->lane_gain = owi_carve(&from, lanes, sizeof(double));
    w->later = owi_carve(&from, spec->n_columns, sizeof(double));
    w->column_constant = owi_carve(&from, spec->n_columns, sizeof(double));
    w->keep = owi_carve(&from, lanes, sizeof(bool));
    w->second = owi_carve(&from, lanes, sizeof(uint32_t));
    w->log_changed = owi_carve(&from, C * lanes, sizeof(double));
    w->base = owi_carve(&from, C, sizeof(double));
    w->changed = owi_carve(&from, owi_tile_lanes * spec->n_columns, sizeof(float));
    w->doubtful = owi_carve(&from, lanes, sizeof(uint32_t));
    return from.size;
}

ow_status owi_pairs_prepare(ow_changes *changes, size_t n_workers)
{
    ow_context *ctx = changes->evaluator->circuit->ctx;
    if (changes->pairs == NULL) OWI_TRY(owi_pair_tables_new(changes, &changes->pairs));
    if (n_workers <= changes->n_pair_workers) return OW_OK;
    owi_pair_worker *workers =
        owi_resize_array(ctx, changes->pair_workers, n_workers, sizeof *workers);
    if (workers == NULL) return OW_ERR_MEMORY;
    changes->pair_workers = workers;
    while (changes->n_pair_workers < n_workers) {
        owi_pair_worker *w = &workers[changes->n_pair_workers];
        *w = (owi_pair_worker){0};
        OWI_TRY(owi_workspace_new(ctx, carve(w, changes), &w->workspace));
        (void)carve(w, changes);
        changes->n_pair_workers++;
        OWI_TRY(owi_workspace_status(w->workspace));
    }
    return OW_OK;
}

void owi_pairs_clear(ow_changes *changes)
{
    ow_context *ctx = changes->evaluator->circuit->ctx;
    for (size_t i = 0; i < changes->n_pair_workers; i++)
        owi_workspace_free(changes->pair_workers[i].workspace);
    owi_free(ctx, changes->pair_workers);
    owi_pair_tables_free(changes->pairs, ctx);
}
