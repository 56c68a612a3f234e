/* SPDX-License-Identifier: MIT */
/* Down a pass on a device: from seeds at the roots to the leaves, on to the inputs, and the
 * sums that learning needs (pass_backward.c). */
#include "base/error.h"
#include "circuit/device/device_private.h"
#include "circuit/learn/sum_layout.h"

/* ---- Seeds ---- */

owi_seed_args owi_device_seed_args(const owi_device_pass *pass)
{
    return (owi_seed_args){.n = (uint32_t)pass->n_rows,
                           .n_tiles = (uint32_t)pass->batch.n_tiles,
                           .n_classes = (uint32_t)pass->circuit->spec.n_classes,
                           .log_root = pass->log_root,
                           .log_prior = pass->log_prior,
                           .adjoint = pass->adjoint,
                           .adjoint_sum = pass->adjoint_sum,
                           .live = pass->live,
                           .n_copies = (uint32_t)pass->circuit->regions.n_copies};
}

ow_status owi_device_seed(owi_device_pass *pass, const double *factors, double density)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t C = circuit->spec.n_classes, n = pass->n_rows;
    const owi_device_api *api = pass->device.api;
    for (size_t i = 0; i < n * C && factors != NULL; i++)
        pass->host_factors[i] = (float)factors[i];
    if (factors != NULL && pass->device.error == 0)
        pass->device.error = api->to_device(pass->device.stream, pass->factors,
                                            pass->host_factors, n * C * sizeof(float));
    owi_seed_args args = owi_device_seed_args(pass);
    args.factor = factors != NULL ? pass->factors : NULL;
    args.density = density;
    owi_device_seeds(&pass->device, &args);
    return owi_device_status(pass);
}

/* ---- Layers ---- */

/* The sums of a layer of pairs, below args->flow. */
static void pair_sums(owi_device_pass *pass, owi_pair_args *args,
                      const owi_device_pairs *pairs)
{
    const uint32_t K = args->n_components, sums = args->n_pairs * args->n_sums;
    const uint32_t in = args->n_pairs * (args->single ? 1 : 2) * K;
    const owi_moment_args moments = {.rows = args->rows,
                                     .n_x = K,
                                     .most_y = args->n_right,
                                     .groups = pairs->groups,
                                     .x = args->value,
                                     .y = args->single ? NULL : args->value,
                                     .scale = args->factor,
                                     .x_entries = in,
                                     .y_entries = in,
                                     .scale_entries = sums,
                                     .n_out = (size_t)sums * K * args->n_right,
                                     .partial = pass->slices};
    args->statistic = pass->sums + owi_sum_layout_of(pass->circuit).weight + pairs->weights;
    owi_device_moments(&pass->device, moments, pairs->n_groups, args->linear,
                       args->statistic);
    owi_device_pair_guard(&pass->device, args);
}

static void edge_sums(owi_device_pass *pass, owi_tree_args *args)
{
    const uint32_t K = args->n_components, n = args->n_trees * args->n_nodes * K;
    const owi_moment_args moments = {.rows = args->rows,
                                     .n_x = K,
                                     .most_y = K,
                                     .groups = pass->edge_groups,
                                     .x = args->ratio,
                                     .y = args->value,
                                     .x_entries = n,
                                     .y_entries = n,
                                     .n_out = pass->n_edge_groups * K * K,
                                     .partial = pass->slices};
    args->statistic = pass->sums + owi_sum_layout_of(pass->circuit).weight +
                      owi_circuit_inner_offset(pass->circuit, 1, 0);
    owi_device_moments(&pass->device, moments, pass->n_edge_groups, args->linear,
                       args->statistic);
    owi_device_tree_guard(&pass->device, args);
}

void owi_device_backward(owi_device_pass *pass, bool with_sums)
{
    const ow_circuit *circuit = pass->circuit;
    const bool trees = owi_circuit_is_tree(circuit);
    const size_t D = circuit->spec.depth;
    owi_device *device = &pass->device;
    owi_pair_args roots = owi_device_roots_args(pass);
    float *flow = D <= 1 && !trees ? pass->leaf_flow : pass->flow[0];

    roots.flow = pass->adjoint;
    roots.flow_in = flow;
    roots.live = (owi_device_live){pass->live, (uint32_t)circuit->regions.n_copies};
    if (trees || D > 1 || with_sums) roots.live.live = NULL;
    owi_device_pairs_down(device, &roots);
    if (with_sums) pair_sums(pass, &roots, &pass->roots);
    if (trees) {
        owi_tree_args args = owi_device_trees_args(pass);
        args.flow_roots = flow;
        owi_device_trees_down(device, &args);
        if (with_sums) edge_sums(pass, &args);
    }
    for (size_t d = 1; d < D; d++) {
        owi_pair_args args = owi_device_inner_args(pass, d);
        args.flow = flow;
        args.flow_in = flow = d + 1 == D ? pass->leaf_flow : pass->flow[d % 2];
        owi_device_pairs_down(device, &args);
        if (with_sums) pair_sums(pass, &args, &pass->inner[d]);
    }
}

/* ---- Inputs ---- */

/* As rows, made on the device. */
static ow_status read_rows(owi_device_pass *pass, float *gradient)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t D = circuit->spec.n_columns;
    owi_device *device = &pass->device;
    const owi_rows_out_args args = {.n = (uint32_t)pass->n_rows,
                                    .n_columns = (uint32_t)D,
                                    .d_features = pass->d_features,
                                    .features = pass->features,
                                    .adjoint_sum = pass->adjoint_sum,
                                    .precision = (float)(1.0 / circuit->spec.variance),
                                    .gradient = pass->made};
    owi_device_rows_out(device, &args);
    if (device->error == 0)
        device->error = device->api->from_device(device->stream, gradient, pass->made,
                                                 pass->n_rows * D * sizeof *gradient);
    if (device->error == 0) device->error = device->api->finish(device->stream);
    return owi_device_status(pass);
}

typedef struct {
    const owi_device_pass *pass;
    float *gradient;
} reading;

static ow_status read_tile(void *user, const owi_chunk *chunk)
{
    const reading *work = user;
    const owi_device_pass *pass = work->pass;
    const ow_circuit *circuit = pass->circuit;
    const size_t L = owi_tile_lanes, t = chunk->chunk, F = circuit->n_features;
    const size_t at = chunk->first * owi_circuit_row_width(circuit, pass->tiles.soft);
    owi_feature_tiles tile = pass->tiles;
    tile.features += t * F * L;
    tile.gap_features += t * circuit->n_gap_features * L;
    owi_input_gradient(circuit, owi_tiles_of(chunk->n), chunk->n, pass->rows + at, &tile,
                       pass->host_d_features + t * F * L, pass->host_sum + t * L,
                       work->gradient + at);
    return OW_OK;
}

/* As features, of which the host makes rows. */
static ow_status read_features(const owi_call *call, owi_device_pass *pass, float *gradient)
{
    owi_device *device = &pass->device;
    const owi_device_api *api = device->api;
    const size_t lanes = owi_device_rows_of(pass->batch).n_rows;
    reading work = {pass, gradient};
    if (device->error == 0)
        device->error =
            api->from_device(device->stream, pass->host_d_features, pass->d_features,
                             pass->circuit->n_features * lanes * sizeof(float));
    if (device->error == 0)
        device->error = api->from_device(device->stream, pass->host_sum, pass->adjoint_sum,
                                         lanes * sizeof(float));
    if (device->error == 0) device->error = api->finish(device->stream);
    OWI_TRY(owi_device_status(pass));
    return owi_parallel_rows(call, pass->n_rows, owi_tile_lanes, read_tile, &work);
}

void owi_device_inputs_down(owi_device_pass *pass)
{
    const ow_circuit *circuit = pass->circuit;
    const bool uses_live = circuit->spec.depth <= 1 && !owi_circuit_is_tree(circuit);
    owi_device_backward(pass, false);
    owi_device_leaf_down(&pass->device, &pass->leaf, pass->batch, pass->leaf_flow,
                         uses_live ? pass->live : NULL, false, pass->d_features);
}

ow_status owi_device_gradient(const owi_call *call, owi_device_pass *pass, float *gradient)
{
    owi_device_inputs_down(pass);
    return pass->on_device ? read_rows(pass, gradient)
                           : read_features(call, pass, gradient);
}

/* ---- Sums for learning ---- */

void owi_device_clear_sums(owi_device_pass *pass)
{
    owi_device *device = &pass->device;
    if (device->error == 0)
        device->error =
            device->api->clear(device->stream, pass->sums,
                               owi_sum_layout_of(pass->circuit).n * sizeof(float));
}

void owi_device_add_sums(owi_device_pass *pass)
{
    const owi_sum_layout layout = owi_sum_layout_of(pass->circuit);
    const bool gaps = pass->tiles.has_gaps;
    owi_device_backward(pass, true);
    owi_device_leaf_statistics(&pass->device, &pass->leaf, pass->batch, pass->leaf_flow,
                               pass->features, pass->slices, pass->sums + layout.leaf,
                               pass->sums + (gaps ? layout.gappy : layout.whole));
    if (gaps)
        owi_device_leaf_statistics(&pass->device, &pass->gap_leaf, pass->batch,
                                   pass->leaf_flow, pass->gap_features, pass->slices,
                                   pass->sums + layout.there, NULL);
}

ow_status owi_device_read_sums(owi_device_pass *pass, float *block)
{
    owi_device *device = &pass->device;
    if (device->error == 0)
        device->error =
            device->api->from_device(device->stream, block, pass->sums,
                                     owi_sum_layout_of(pass->circuit).n * sizeof *block);
    if (device->error == 0) device->error = device->api->finish(device->stream);
    return owi_device_status(pass);
}
