/* SPDX-License-Identifier: MIT */
/* Up a pass on a device: features of the rows, leaves, sums, roots (pass_forward.c). */
#include "base/error.h"
#include "circuit/device/device_private.h"
#include "circuit/pass/pass_layout.h"

static void upload(owi_device_pass *pass, void *to, const void *from, size_t size)
{
    owi_device *device = &pass->device;
    if (device->error == 0)
        device->error = device->api->to_device(device->stream, to, from, size);
}

static void download(owi_device_pass *pass, void *to, const void *from, size_t size)
{
    owi_device *device = &pass->device;
    if (device->error == 0)
        device->error = device->api->from_device(device->stream, to, from, size);
}

static ow_status finish(owi_device_pass *pass)
{
    owi_device *device = &pass->device;
    if (device->error == 0) device->error = device->api->finish(device->stream);
    return owi_device_status(pass);
}

/* ---- Rows to features, on the device ---- */

static void features_of(owi_device_pass *pass, const float *rows)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t D = circuit->spec.n_columns;
    const owi_rows_in_args args = {.n = (uint32_t)pass->n_rows,
                                   .n_columns = (uint32_t)D,
                                   .rows = rows,
                                   .shift = pass->shift,
                                   .farthest = circuit->farthest[0],
                                   .constant = circuit->row_constant,
                                   .factor = -0.5 / circuit->spec.variance,
                                   .features = pass->features,
                                   .row_constant = pass->row_constant,
                                   .odd = pass->odd};
    owi_device_rows_in(&pass->device, &args);
}

/* The caller's rows; what is odd among them is told at the end. */
static void give_rows(owi_device_pass *pass)
{
    owi_device *device = &pass->device;
    upload(pass, pass->given, pass->rows,
           pass->n_rows * pass->circuit->spec.n_columns * sizeof(float));
    if (device->error == 0)
        device->error = device->api->clear(device->stream, pass->odd, sizeof *pass->odd);
    features_of(pass, pass->given);
}

/* ---- Rows to features, on the host ---- */

typedef struct {
    owi_device_pass *pass;
    size_t first_row;
} filling;

/* One tile. */
static ow_status fill_tile(void *user, const owi_chunk *chunk)
{
    const filling *work = user;
    const owi_device_pass *pass = work->pass;
    const ow_circuit *circuit = pass->circuit;
    const size_t L = owi_tile_lanes, t = chunk->chunk;
    const size_t width = owi_circuit_row_width(circuit, pass->tiles.soft);
    owi_feature_tiles tile = pass->tiles;
    tile.features += t * circuit->n_features * L;
    tile.gap_features += t * circuit->n_gap_features * L;
    tile.row_constant += t * L;
    OWI_TRY(owi_fill_features(circuit, owi_tiles_of(chunk->n), chunk->n,
                              pass->rows + chunk->first * width,
                              work->first_row + chunk->first, &tile));
    pass->has_gaps[t] = tile.has_gaps;
    return OW_OK;
}

/* Where a value is missing anywhere, all tiles go the way of gaps: in those without any,
 * everything is there. */
static void fill_whole_tiles(owi_device_pass *pass)
{
    const size_t n = pass->circuit->n_gap_features * owi_tile_lanes;
    for (size_t t = 0; t < pass->batch.n_tiles; t++)
        for (size_t i = 0; i < n && !pass->has_gaps[t]; i++)
            pass->tiles.gap_features[t * n + i] = 1.0f;
}

static ow_status give_features(const owi_call *call, owi_device_pass *pass,
                               size_t first_row)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t lanes = owi_device_rows_of(pass->batch).n_rows;
    filling work = {pass, first_row};
    OWI_TRY(owi_parallel_rows(call, pass->n_rows, owi_tile_lanes, fill_tile, &work));
    pass->tiles.has_gaps = false;
    for (size_t t = 0; t < pass->batch.n_tiles; t++)
        pass->tiles.has_gaps |= pass->has_gaps[t];
    upload(pass, pass->features, pass->tiles.features,
           circuit->n_features * lanes * sizeof(float));
    upload(pass, pass->row_constant, pass->tiles.row_constant, lanes * sizeof(double));
    if (!pass->tiles.has_gaps) return OW_OK;
    fill_whole_tiles(pass);
    upload(pass, pass->gap_features, pass->tiles.gap_features,
           circuit->n_gap_features * lanes * sizeof(float));
    return OW_OK;
}

/* ---- Layers ---- */

/* The leaves' log-values, and of halves their values and tops. */
static void leaves_up(owi_device_pass *pass)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t lanes = owi_device_rows_of(pass->batch).n_rows;
    owi_device *device = &pass->device;
    owi_layer_values layer = pass->leaves;
    if (owi_circuit_is_tree(circuit)) layer.value = layer.top = NULL;
    if (pass->tiles.has_gaps) {
        const owi_layer_values gaps = {layer.log_value, NULL, NULL};
        if (device->error == 0)
            device->error =
                device->api->clear(device->stream, layer.log_value,
                                   owi_device_n_nodes(circuit) * lanes * sizeof(float));
        owi_device_leaf_up(device, &pass->gap_leaf, pass->batch, NULL, pass->gap_features,
                           &gaps);
    }
    owi_device_leaf_up(device, &pass->leaf, pass->batch,
                       pass->tiles.has_gaps ? NULL : pass->bias, pass->features, &layer);
}

static owi_pair_args pair_args(const owi_device_pass *pass, owi_pair_args args,
                               const owi_device_pairs *pairs, owi_layer_values below)
{
    args.linear = pass->linear + pairs->weights;
    args.log = pass->log_weight + pairs->weights;
    args.log_value = below.log_value;
    args.value = below.value;
    args.top = below.top;
    args.log_sum = pairs->log_sum;
    args.factor = pass->factor;
    args.guarded = pass->guarded;
    return args;
}

/* The layer that the sums of a depth are made of. */
static owi_layer_values layer_below(const owi_device_pass *pass, size_t depth)
{
    if (owi_circuit_is_tree(pass->circuit)) return pass->tree_roots;
    return depth + 1 >= pass->circuit->spec.depth ? pass->leaves
                                                  : pass->inner[depth + 1].out;
}

owi_pair_args owi_device_inner_args(const owi_device_pass *pass, size_t depth)
{
    const owi_sum_shape shape = owi_device_sum_shape(pass->circuit, depth);
    return pair_args(pass, owi_device_sum_args(&shape, pass->batch), &pass->inner[depth],
                     layer_below(pass, depth));
}

owi_pair_args owi_device_roots_args(const owi_device_pass *pass)
{
    const owi_root_shape shape = owi_device_root_shape(pass->circuit);
    owi_pair_args args = pair_args(pass, owi_device_root_args(&shape, pass->batch),
                                   &pass->roots, layer_below(pass, 0));
    args.log_root = pass->log_root;
    return args;
}

owi_tree_args owi_device_trees_args(const owi_device_pass *pass)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_tree_shape shape = owi_device_tree_shape(circuit);
    const size_t edges = owi_circuit_inner_offset(circuit, 1, 0);
    owi_tree_args args = owi_device_tree_args(&shape, pass->batch);
    args.parent = pass->parent;
    args.linear = pass->linear + edges;
    args.log = pass->log_weight + edges;
    args.leaves = pass->leaves.log_value;
    args.log_value = pass->nodes.log_value;
    args.value = pass->nodes.value;
    args.sum = pass->nodes.sum;
    args.top = pass->nodes.top;
    args.root_log_value = pass->tree_roots.log_value;
    args.root_value = pass->tree_roots.value;
    args.root_top = pass->tree_roots.top;
    args.flow = pass->leaf_flow;
    args.ratio = pass->factor;
    args.guarded = pass->guarded;
    return args;
}

static void sums_up(owi_device_pass *pass)
{
    const ow_circuit *circuit = pass->circuit;
    if (owi_circuit_is_tree(circuit)) {
        const owi_tree_args trees = owi_device_trees_args(pass);
        owi_device_trees_up(&pass->device, &trees);
    }
    for (size_t d = circuit->spec.depth; d-- > 1;) {
        const owi_pair_args args = owi_device_inner_args(pass, d);
        const owi_sum_shape shape = owi_device_sum_shape(circuit, d);
        owi_device_pairs_up(&pass->device, &args);
        owi_device_normalize(&pass->device, shape.n_regions, shape.n_sums, pass->batch,
                             args.log_sum, &pass->inner[d].out);
    }
    const owi_pair_args roots = owi_device_roots_args(pass);
    owi_device_pairs_up(&pass->device, &roots);
}

/* ---- All of it ---- */

void owi_device_begin(owi_device_pass *pass, size_t n_rows, const float *rows)
{
    pass->batch = owi_tiles_of(n_rows);
    pass->n_rows = n_rows;
    pass->rows = rows;
    pass->tiles.soft = pass->tiles.has_gaps = false;
}

void owi_device_rows_up(owi_device_pass *pass, const float *rows)
{
    features_of(pass, rows);
    leaves_up(pass);
    sums_up(pass);
}

static ow_status read_classes(owi_device_pass *pass, uint32_t *odd, double *log_class)
{
    const size_t C = pass->circuit->spec.n_classes;
    const owi_class_args args = {
        .n = (uint32_t)pass->n_rows,
        .n_classes = (uint32_t)C,
        .n_parts =
            pass->on_device ? owi_device_row_parts(pass->circuit->spec.n_columns) : 1,
        .log_root = pass->log_root,
        .row_constant = pass->row_constant,
        .log_class = pass->log_class};
    *odd = 0;
    owi_device_class_logs(&pass->device, &args);
    download(pass, log_class, pass->log_class, pass->n_rows * C * sizeof *log_class);
    if (pass->on_device) download(pass, odd, pass->odd, sizeof *odd);
    return finish(pass);
}

ow_status owi_device_forward(const owi_call *call, owi_device_pass *pass, size_t n_rows,
                             const float *rows, bool soft, size_t first_row,
                             double *log_class)
{
    uint32_t odd = 0;
    owi_device_begin(pass, n_rows, rows);
    pass->tiles.soft = soft;
    OWI_TRY(owi_device_give_parameters(pass));
    for (pass->on_device = pass->is_plain;; pass->on_device = false) {
        if (pass->on_device)
            give_rows(pass);
        else
            OWI_TRY(give_features(call, pass, first_row));
        leaves_up(pass);
        sums_up(pass);
        OWI_TRY(read_classes(pass, &odd, log_class));
        /* A value that is missing, infinite or far away is the host's to deal with. */
        if (odd == 0) return OW_OK;
    }
}
