/* SPDX-License-Identifier: MIT */
/* The buffers of a pass (pass.h): made once, for the largest batch. */
#include "circuit/pass/pass.h"

#include "base/error.h"
#include "base/memory/sizes.h"
#include "circuit/pass/pass_layout.h"

static size_t widest_layer(const ow_circuit *circuit, size_t rows)
{
    size_t widest = 0;
    for (size_t d = owi_top_depth(circuit); d <= circuit->spec.depth; d++) {
        const size_t floats = owi_layer_floats(circuit, d, rows);
        widest = floats > widest ? floats : widest;
    }
    return widest;
}

/* For the largest batch and for any smaller one: a few rows, each a tile of its own, may
 * need more than the many that share one. */
static size_t scratch_floats(const ow_circuit *circuit, size_t most_rows)
{
    const size_t K = owi_larger(circuit->spec.inputs, circuit->spec.sums);
    const size_t few_rows = owi_smaller(most_rows, owi_fewest_tiled_rows - 1);
    return owi_larger(owi_scratch_floats(K, owi_tiles_of(most_rows)),
                      owi_scratch_floats(K, owi_pass_batch(few_rows, false)));
}

/* What trees have beside the layer of their roots. */
static void carve_trees(owi_pass *pass, owi_carver *from, size_t rows)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t n_copies = circuit->regions.n_copies;
    const size_t floats = n_copies * owi_leaf_floats(circuit, rows);

    if (!owi_circuit_is_tree(circuit)) {
        pass->leaf_log_value = pass->layer[circuit->spec.depth].log_value;
        return;
    }
    pass->leaf_log_value = owi_carve(from, floats, sizeof(float));
    pass->nodes.log_value = owi_carve(from, floats, sizeof(float));
    pass->nodes.value = owi_carve(from, floats, sizeof(float));
    pass->nodes.sum = owi_carve(from, floats, sizeof(float));
    pass->nodes.top =
        owi_carve(from, n_copies * circuit->regions.n_regions * rows, sizeof(float));
    pass->chosen = owi_carve(from, circuit->regions.n_parts, sizeof(uint32_t));
}

/* Takes every buffer from the workspace; without a workspace only counts.  Returns the
 * size in bytes.  rows: lanes of the largest batch. */
static size_t carve(owi_pass *pass, size_t rows, bool with_backward)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t n_copies = circuit->regions.n_copies, D = circuit->spec.depth;
    const size_t C = circuit->spec.n_classes;
    const bool trees = owi_circuit_is_tree(circuit);
    owi_carver from = {pass->workspace, 0};

    /* Forward: the rows as features, then values and maxima of every layer of every copy,
     * which backward reads again. */
    pass->tiles.features = owi_carve(&from, circuit->n_features * rows, sizeof(float));
    pass->tiles.gap_features =
        owi_carve(&from, circuit->n_gap_features * rows, sizeof(float));
    pass->tiles.row_constant = owi_carve(&from, rows, sizeof(double));
    for (size_t d = owi_top_depth(circuit); d <= D; d++) {
        const size_t floats = n_copies * owi_layer_floats(circuit, d, rows);
        pass->layer[d].log_value = owi_carve(&from, floats, sizeof(float));
        pass->layer[d].value = owi_carve(&from, floats, sizeof(float));
        pass->layer[d].top =
            owi_carve(&from, n_copies * owi_circuit_n_regions(circuit, d) * rows,
                      sizeof(float));
    }
    carve_trees(pass, &from, rows);
    pass->log_root = owi_carve(&from, C * rows, sizeof(double));
    pass->scratch =
        owi_carve(&from, scratch_floats(circuit, pass->most_rows), sizeof(float));
    pass->class_row = owi_carve(&from, 2 * C, sizeof(double));
    if (!with_backward) return from.size;

    /* Backward: flows of inner layers are needed only until the next layer down has been
     * made, so two buffers serve all of them; those of the leaves are kept. */
    pass->adjoint = owi_carve(&from, C * rows, sizeof(float));
    pass->adjoint_sum = owi_carve(&from, rows, sizeof(float));
    for (int i = 0; i < 2; i++)
        pass->flow[i] = owi_carve(&from, D > 1 || trees ? widest_layer(circuit, rows) : 0,
                                  sizeof(float));
    pass->leaf_flow =
        owi_carve(&from, n_copies * owi_leaf_floats(circuit, rows), sizeof(float));
    pass->d_features = owi_carve(&from, circuit->n_features * rows, sizeof(float));
    /* Copies of classes that few rows concern are packed into fewer lanes. */
    const size_t packed = n_copies > 1 ? owi_tile_lanes : 0;
    pass->packed_flow = owi_carve(&from, owi_leaf_floats(circuit, packed), sizeof(float));
    pass->packed_features = owi_carve(&from, circuit->n_features * packed, sizeof(float));
    /* Differences of a tile from the anchor rows (anchor_rows.h). */
    const size_t F = circuit->n_features;
    pass->change = owi_carve(&from, F * owi_tile_lanes, sizeof(float));
    pass->changed =
        owi_carve(&from, owi_lane_groups * owi_scope_words(F), sizeof(uint32_t));
    pass->marked = (owi_marked){pass->changed, owi_carve(&from, F, sizeof(uint32_t)),
                                owi_carve(&from, F, sizeof(size_t))};
    return from.size;
}

ow_status owi_pass_init(owi_pass *pass, const ow_circuit *circuit,
                        const owi_backend *backend, size_t most_rows, bool with_backward)
{
    *pass = (owi_pass){.circuit = circuit, .backend = backend, .most_rows = most_rows};
    const owi_batch batch = owi_tiles_of(most_rows);
    const size_t rows = batch.n_tiles * batch.lanes;
    const size_t size = carve(pass, rows, with_backward); /* no workspace yet: counts */
    OWI_TRY(owi_workspace_new(circuit->ctx, size, &pass->workspace));
    (void)carve(pass, rows, with_backward);
    const ow_status status = owi_workspace_status(pass->workspace);
    if (status != OW_OK) owi_pass_clear(pass);
    return status;
}

void owi_pass_clear(owi_pass *pass)
{
    owi_workspace_free(pass->workspace);
    pass->workspace = NULL;
}
