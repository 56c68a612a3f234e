/* SPDX-License-Identifier: MIT */
/* A pass's buffers: on the device one block for as many rows as its memory holds, and on
 * the host what is exchanged with it. */
#include "base/error.h"
#include "base/memory/sizes.h"
#include "circuit/device/device_private.h"
#include "circuit/device/device_room.h"
#include "circuit/learn/sum_layout.h"

/* Rows of a batch, at most, and floats of all its buffers, about: more makes nothing
 * faster. */
enum { most_rows = 1 << 15 };
static const size_t most_floats = (size_t)1 << 31;

static owi_layer_values take_layer(owi_device_room *room, size_t n_regions, size_t K,
                                   size_t rows)
{
    float *log_value = owi_device_take(room, n_regions * K * rows, sizeof(float));
    float *value = owi_device_take(room, n_regions * K * rows, sizeof(float));
    return (owi_layer_values){log_value, value,
                              owi_device_take(room, n_regions * rows, sizeof(float))};
}

/* What the way down needs for one layer after the other: the most of all. */
typedef struct {
    size_t sums, flow, slices;
} layer_needs;

static void need_pairs(layer_needs *needs, const owi_pair_args *args)
{
    const size_t K = args->n_components, sums = (size_t)args->n_pairs * args->n_sums;
    const owi_moment_args moments = {.rows = args->rows,
                                     .n_x = args->n_components,
                                     .most_y = args->n_right,
                                     .n_out = sums * K * args->n_right};
    needs->sums = owi_larger(needs->sums, sums);
    needs->flow =
        owi_larger(needs->flow, (size_t)args->n_pairs * (args->single ? 1 : 2) * K);
    needs->slices =
        owi_larger(needs->slices, owi_device_slices(&moments, sums) * moments.n_out);
}

static void take_trees(owi_device_pass *pass, owi_device_room *room, size_t rows,
                       layer_needs *needs)
{
    const owi_tree_shape shape = owi_device_tree_shape(pass->circuit);
    const size_t K = shape.n_components, n = shape.n_trees * shape.n_nodes;
    const size_t edges = shape.n_trees * (shape.n_nodes - 1);
    const owi_moment_args moments = {.rows = owi_device_rows_of(owi_tiles_of(rows)),
                                     .n_x = (uint32_t)K,
                                     .most_y = (uint32_t)K,
                                     .n_out = edges * K * K};
    pass->nodes.log_value = owi_device_take(room, n * K * rows, sizeof(float));
    pass->nodes.value = owi_device_take(room, n * K * rows, sizeof(float));
    pass->nodes.sum = owi_device_take(room, n * K * rows, sizeof(float));
    pass->nodes.top = owi_device_take(room, n * rows, sizeof(float));
    pass->tree_roots = take_layer(room, shape.n_trees, K, rows);
    /* factor holds the ratios of edges, guarded which rows of them are under the guard. */
    needs->sums = owi_larger(needs->sums, n * K);
    needs->slices =
        owi_larger(needs->slices, owi_device_slices(&moments, edges) * moments.n_out);
}

static void take_up(owi_device_pass *pass, owi_device_room *room, size_t rows,
                    layer_needs *needs)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t C = circuit->spec.n_classes, I = circuit->spec.inputs;
    const owi_batch batch = owi_tiles_of(rows);
    const owi_root_shape root = owi_device_root_shape(circuit);
    owi_pair_args args = owi_device_root_args(&root, batch);
    const size_t n_roots = (size_t)args.n_pairs * args.n_sums;

    pass->features = owi_device_take(room, circuit->n_features * rows, sizeof(float));
    pass->gap_features =
        owi_device_take(room, circuit->n_gap_features * rows, sizeof(float));
    pass->row_constant = owi_device_take(
        room, rows * (pass->is_plain ? owi_device_row_parts(circuit->spec.n_columns) : 1),
        sizeof(double));
    pass->leaves = take_layer(room, owi_device_n_nodes(circuit) / I, I, rows);
    need_pairs(needs, &args);
    pass->roots.log_sum = owi_device_take(room, n_roots * rows, sizeof(double));
    pass->log_root = owi_device_take(room, C * rows, sizeof(double));
    pass->log_class = owi_device_take(room, C * rows, sizeof(double));
    pass->odd = owi_device_take(room, 1, sizeof *pass->odd);
    if (owi_circuit_is_tree(circuit)) take_trees(pass, room, rows, needs);
    for (size_t d = 1; d < circuit->spec.depth; d++) {
        const owi_sum_shape shape = owi_device_sum_shape(circuit, d);
        args = owi_device_sum_args(&shape, batch);
        need_pairs(needs, &args);
        pass->inner[d].out = take_layer(room, shape.n_regions, shape.n_sums, rows);
        pass->inner[d].log_sum =
            owi_device_take(room, shape.n_regions * shape.n_sums * rows, sizeof(double));
    }
}

static void take_down(owi_device_pass *pass, owi_device_room *room, size_t rows,
                      const layer_needs *needs)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t C = circuit->spec.n_classes, T = rows / owi_tile_lanes;
    pass->factors = owi_device_take(room, C * rows, sizeof(float));
    pass->adjoint = owi_device_take(room, C * rows, sizeof(float));
    pass->adjoint_sum = owi_device_take(room, rows, sizeof(float));
    pass->live = owi_device_take(room, circuit->regions.n_copies * T, 1);
    for (int i = 0; i < 2; i++)
        pass->flow[i] = owi_device_take(room, needs->flow * rows, sizeof(float));
    pass->leaf_flow =
        owi_device_take(room, owi_device_n_nodes(circuit) * rows, sizeof(float));
    pass->factor = owi_device_take(room, needs->sums * rows, sizeof(float));
    pass->guarded = owi_device_take(room, needs->sums * T, sizeof *pass->guarded);
    pass->d_features = owi_device_take(room, circuit->n_features * rows, sizeof(float));
}

/* Everything that depends on the number of rows, whole tiles; its size in bytes. */
static size_t take_all(owi_device_pass *pass, char *block, size_t rows, bool with_sums)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_batch batch = owi_tiles_of(rows);
    owi_device_room room = {block, 0};
    layer_needs needs = {0};

    /* First, so that batches of different sizes add to the same sums. */
    if (with_sums)
        pass->sums = owi_device_take(&room, owi_sum_layout_of(circuit).n, sizeof(float));
    if (pass->is_plain) {
        const size_t floats = circuit->spec.n_columns * rows;
        pass->given = owi_device_take(&room, floats, sizeof(float));
        pass->made = owi_device_take(&room, floats, sizeof(float));
    }
    take_up(pass, &room, rows, &needs);
    take_down(pass, &room, rows, &needs);
    if (!with_sums) return room.size;
    needs.slices = owi_larger(needs.slices, owi_device_leaf_room(&pass->leaf, batch));
    if (circuit->n_gap_features > 0)
        needs.slices =
            owi_larger(needs.slices, owi_device_leaf_room(&pass->gap_leaf, batch));
    pass->slices = owi_device_take(&room, needs.slices, sizeof(float));
    return room.size;
}

static size_t whole_tiles(size_t rows)
{
    return (rows + owi_tile_lanes - 1) / owi_tile_lanes * owi_tile_lanes;
}

/* Rows that are worth it, in whole tiles.  What does not grow with the rows is left out of
 * what a row takes: sums, and the first slice of them. */
static size_t wanted_rows(owi_device_pass *pass, size_t n_rows, bool with_sums)
{
    enum { few = owi_tile_lanes, many = 65 * owi_tile_lanes };
    const size_t fixed = take_all(pass, NULL, few, with_sums);
    const size_t each = (take_all(pass, NULL, many, with_sums) - fixed) / (many - few);
    const size_t room = most_floats * sizeof(float);
    const size_t most =
        owi_smaller(most_rows, (room > fixed ? room - fixed : 0) / (each + 1));
    return owi_smaller(whole_tiles(n_rows),
                       owi_larger(owi_tile_lanes, most / owi_tile_lanes * owi_tile_lanes));
}

/* The host's half of the room. */
static ow_status make_host(owi_device_pass *pass, size_t rows)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t F = circuit->n_features;
    if (rows <= pass->host_rows) return OW_OK;
    owi_workspace_free(pass->host);
    pass->host = NULL;
    pass->host_rows = 0;
    const owi_piece pieces[] = {
        OWI_PIECE(pass->tiles.features, F * rows),
        OWI_PIECE(pass->tiles.gap_features, circuit->n_gap_features * rows),
        OWI_PIECE(pass->tiles.row_constant, rows),
        OWI_PIECE(pass->has_gaps, rows / owi_tile_lanes),
        OWI_PIECE(pass->host_class, circuit->spec.n_classes * rows),
        OWI_PIECE(pass->host_factors, circuit->spec.n_classes * rows),
        OWI_PIECE(pass->host_sum, rows),
        OWI_PIECE(pass->host_d_features, F * rows),
    };
    OWI_TRY(owi_pieces_room(circuit->ctx, OWI_PIECES(pieces), &pass->host));
    pass->host_rows = rows;
    return OW_OK;
}

ow_status owi_device_make_room(owi_device_pass *pass, size_t *n_rows, bool with_sums)
{
    const owi_device_api *api = pass->device.api;
    size_t rows = wanted_rows(pass, *n_rows, with_sums);
    if (rows > pass->room_rows || (with_sums && !pass->with_sums)) {
        with_sums |= pass->with_sums;
        api->release(pass->room);
        pass->room_rows = 0;
        for (;;) {
            pass->room = api->alloc(take_all(pass, NULL, rows, with_sums));
            if (pass->room != NULL || rows == owi_tile_lanes) break;
            rows = owi_larger(owi_tile_lanes, whole_tiles(rows / 2));
        }
        if (pass->room == NULL)
            return owi_fail(OW_ERR_MEMORY, "%s: the GPU has no memory for %d rows",
                            api->name, owi_tile_lanes);
        pass->room_rows = rows;
        pass->with_sums = with_sums;
    }
    *n_rows = owi_smaller(*n_rows, pass->room_rows);
    /* The pieces of this batch lie in the block as its own number of rows has them. */
    (void)take_all(pass, pass->room, whole_tiles(*n_rows), pass->with_sums);
    return make_host(pass, whole_tiles(*n_rows));
}
