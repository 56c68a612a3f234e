/* SPDX-License-Identifier: MIT */
/* What a pass keeps on a device beside its buffers (device_buffers.c): the circuit's
 * structure and its parameters. */
#include "circuit/device/device_pass.h"

#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/device/device_private.h"

/* ---- Shapes: all copies side by side ---- */

static owi_leaf_shape all_copies(const ow_circuit *circuit, owi_leaf_shape one)
{
    one.n_regions *= circuit->regions.n_copies;
    return one;
}

owi_sum_shape owi_device_sum_shape(const ow_circuit *circuit, size_t depth)
{
    owi_sum_shape shape = owi_circuit_sum_shape(circuit, depth);
    shape.n_regions *= circuit->regions.n_copies;
    return shape;
}

owi_root_shape owi_device_root_shape(const ow_circuit *circuit)
{
    owi_root_shape shape = owi_circuit_root_shape(circuit);
    if (circuit->spec.structure == OW_STRUCTURE_PER_CLASS)
        shape.class_stride = shape.n_partitions;
    shape.n_classes = circuit->spec.n_classes;
    return shape;
}

owi_tree_shape owi_device_tree_shape(const ow_circuit *circuit)
{
    owi_tree_shape shape = owi_circuit_tree_shape(circuit);
    shape.n_trees *= circuit->regions.n_copies;
    return shape;
}

size_t owi_device_n_nodes(const ow_circuit *circuit)
{
    return circuit->regions.n_copies * circuit->regions.n_regions * circuit->spec.inputs;
}

/* ---- Failures ---- */

ow_status owi_device_status(const owi_device_pass *pass)
{
    const owi_device *device = &pass->device;
    if (device->error == 0) return OW_OK;
    if (device->error == owi_device_no_memory)
        return owi_fail(OW_ERR_MEMORY, "%s: the GPU has not enough memory left",
                        device->api->name);
    return owi_fail(OW_ERR_IO, "%s: %s", device->api->name,
                    device->api->explain(device->error));
}

/* ---- The structure ---- */

/* A copy of n elements, from ordinary memory. */
#define GIVE(pass, from, n) owi_device_upload(&(pass)->device, from, (n) * sizeof *(from))

static owi_moment_group *room_for(const owi_device_pass *pass, size_t n)
{
    return owi_alloc_array(pass->circuit->ctx, n + 1, sizeof(owi_moment_group));
}

/* Groups that were made in memory of ours, which is given back. */
static ow_status give_groups(owi_device_pass *pass, size_t n, owi_moment_group *made,
                             owi_moment_group **out)
{
    if (made == NULL) return OW_ERR_MEMORY;
    *out = GIVE(pass, made, n);
    owi_free(pass->circuit->ctx, made);
    return OW_OK;
}

static ow_status give_pairs(owi_device_pass *pass, owi_pair_args args, size_t weights,
                            owi_device_pairs *pairs)
{
    pairs->weights = weights;
    pairs->n_groups = owi_pair_groups(&args, NULL);
    owi_moment_group *made = room_for(pass, pairs->n_groups);
    if (made != NULL) (void)owi_pair_groups(&args, made);
    return give_groups(pass, pairs->n_groups, made, &pairs->groups);
}

/* The parents of all copies' trees, and the groups of their edges. */
static ow_status give_trees(owi_device_pass *pass)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_tree_shape shape = owi_device_tree_shape(circuit);
    const size_t n = circuit->regions.n_regions, n_copies = circuit->regions.n_copies;
    const owi_tree_args args = owi_device_tree_args(&shape, owi_tiles_of(1));
    uint32_t *parent = owi_alloc_array(circuit->ctx, n * n_copies, sizeof *parent);
    if (parent == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < n * n_copies; i++) parent[i] = circuit->regions.parent[i % n];
    pass->parent = GIVE(pass, parent, n * n_copies);
    owi_free(circuit->ctx, parent);
    pass->n_edge_groups = owi_tree_groups(&args, NULL);
    owi_moment_group *made = room_for(pass, pass->n_edge_groups);
    if (made != NULL) (void)owi_tree_groups(&args, made);
    return give_groups(pass, pass->n_edge_groups, made, &pass->edge_groups);
}

static ow_status give_structure(owi_device_pass *pass)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t n_copies = circuit->regions.n_copies;
    const owi_batch one = owi_tiles_of(1);
    const owi_root_shape roots = owi_device_root_shape(circuit);
    const owi_leaf_shape leaf = all_copies(circuit, owi_circuit_leaf_shape(circuit, 0));
    const owi_leaf_shape gaps = all_copies(circuit, owi_circuit_gap_shape(circuit, 0));
    owi_device_leaf_init(&pass->device, &leaf, n_copies, &pass->leaf);
    if (circuit->n_gap_features > 0)
        owi_device_leaf_init(&pass->device, &gaps, n_copies, &pass->gap_leaf);
    for (size_t d = 1; d < circuit->spec.depth; d++) {
        const owi_sum_shape shape = owi_device_sum_shape(circuit, d);
        OWI_TRY(give_pairs(pass, owi_device_sum_args(&shape, one),
                           owi_circuit_inner_offset(circuit, d, 0), &pass->inner[d]));
    }
    OWI_TRY(give_pairs(pass, owi_device_root_args(&roots, one),
                       owi_circuit_root_offset(circuit, 0), &pass->roots));
    if (owi_circuit_is_tree(circuit)) OWI_TRY(give_trees(pass));
    pass->shift = GIVE(pass, circuit->shift, circuit->spec.n_columns);
    pass->log_prior = GIVE(pass, circuit->log_prior, circuit->spec.n_classes);
    return owi_device_status(pass);
}

/* ---- The parameters ---- */

static size_t n_gap_theta(const ow_circuit *circuit)
{
    return circuit->gap_start[circuit->regions.n_copies * circuit->regions.n_regions] *
           circuit->spec.inputs;
}

static ow_status make_parameters(owi_device_pass *pass)
{
    const ow_circuit *circuit = pass->circuit;
    float **const blocks[] = {&pass->theta, &pass->bias, &pass->gap_theta, &pass->linear,
                              &pass->log_weight};
    const size_t sizes[] = {circuit->n_leaf, owi_device_n_nodes(circuit),
                            n_gap_theta(circuit), circuit->n_weights, circuit->n_weights};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        *blocks[i] = owi_device_alloc(&pass->device, sizes[i] * sizeof(float));
    return owi_device_status(pass);
}

static void upload(owi_device_pass *pass, void *to, const void *from, size_t size)
{
    owi_device *device = &pass->device;
    if (device->error == 0 && size > 0)
        device->error = device->api->to_device(device->stream, to, from, size);
}

ow_status owi_device_give_parameters(owi_device_pass *pass)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t weights = circuit->n_weights * sizeof(float);
    if (pass->version == circuit->version) return OW_OK;
    upload(pass, pass->theta, circuit->theta, circuit->n_leaf * sizeof(float));
    upload(pass, pass->bias, circuit->bias, owi_device_n_nodes(circuit) * sizeof(float));
    upload(pass, pass->gap_theta, circuit->gap_theta, n_gap_theta(circuit) * sizeof(float));
    upload(pass, pass->linear, circuit->linear_weight, weights);
    upload(pass, pass->log_weight, circuit->log_weight, weights);
    upload(pass, pass->shift, circuit->shift, circuit->spec.n_columns * sizeof(float));
    upload(pass, pass->log_prior, circuit->log_prior,
           circuit->spec.n_classes * sizeof(double));
    owi_device_leaf_prepare(&pass->device, &pass->leaf, pass->theta);
    if (circuit->n_gap_features > 0)
        owi_device_leaf_prepare(&pass->device, &pass->gap_leaf, pass->gap_theta);
    OWI_TRY(owi_device_status(pass));
    pass->version = circuit->version;
    return OW_OK;
}

/* ---- Making and unmaking ---- */

/* Whether rows become features on the device: plain numbers, without tails or sheets. */
static bool is_plain(const ow_circuit *circuit)
{
    return owi_circuit_is_plain(circuit) && !circuit->has_tails &&
           circuit->spec.n_sheets == 0;
}

ow_status owi_device_pass_new(const owi_device_api *api, const ow_circuit *circuit,
                              owi_device_pass **out)
{
    *out = NULL;
    owi_device_pass *pass = owi_alloc_zeroed(circuit->ctx, sizeof *pass);
    if (pass == NULL) return OW_ERR_MEMORY;
    pass->circuit = circuit;
    pass->is_plain = is_plain(circuit);
    pass->device.api = api;
    pass->device.error = api->open_stream(&pass->device.stream);
    ow_status status = owi_device_status(pass);
    if (status == OW_OK) status = give_structure(pass);
    if (status == OW_OK) status = make_parameters(pass);
    if (status == OW_OK)
        *out = pass;
    else
        owi_device_pass_free(pass);
    return status;
}

void owi_device_pass_free(owi_device_pass *pass)
{
    if (pass == NULL) return;
    const owi_device_api *api = pass->device.api;
    void *const blocks[] = {pass->shift,  pass->log_prior,   pass->parent,
                            pass->theta,  pass->bias,        pass->gap_theta,
                            pass->linear, pass->log_weight,  pass->edge_groups,
                            pass->room,   pass->roots.groups};
    owi_device_steps_free(pass);
    owi_device_leaf_clear(&pass->device, &pass->leaf);
    if (pass->circuit->n_gap_features > 0)
        owi_device_leaf_clear(&pass->device, &pass->gap_leaf);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) api->release(blocks[i]);
    for (size_t d = 0; d < owi_most_depths; d++) api->release(pass->inner[d].groups);
    if (pass->device.stream != NULL) api->close_stream(pass->device.stream);
    owi_workspace_free(pass->host);
    owi_free(pass->circuit->ctx, pass);
}
