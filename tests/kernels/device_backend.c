/* SPDX-License-Identifier: MIT */
#include "kernels/device_backend.h"

#include <stdlib.h>
#include <string.h>

#include "backend/cuda/device_layers.h"
#include "backend/pair_sum.h"

/* Blocks of one call, and what comes out of them in the end. */
typedef struct {
    owi_device device;
    struct {
        void *block, *out;
        size_t size;
    } blocks[32];
    size_t n;
} device_work;

static const char *first_error;

static device_work begin(const owi_backend *self)
{
    return (device_work){.device = {.api = self->detail}};
}

/* A block that holds `in`, if that is not NULL, and is copied to `out` in the end. */
static void *give(device_work *w, size_t size, const void *in, void *out)
{
    const owi_device_api *api = w->device.api;
    void *block = api->alloc(size + 1);
    w->blocks[w->n].block = block;
    w->blocks[w->n].out = out;
    w->blocks[w->n++].size = size;
    if (in != NULL && w->device.error == 0)
        w->device.error = api->to_device(block, in, size);
    return block;
}

static float *floats(device_work *w, size_t n, const float *in, float *out)
{
    return in == NULL && out == NULL ? NULL : give(w, n * sizeof(float), in, out);
}

static float *room(device_work *w, size_t n)
{
    return give(w, n * sizeof(float), NULL, NULL);
}

static void end(device_work *w)
{
    const owi_device_api *api = w->device.api;
    if (w->device.error == 0) w->device.error = api->finish();
    for (size_t i = 0; i < w->n; i++) {
        if (w->blocks[i].out != NULL && w->device.error == 0)
            w->device.error =
                api->from_device(w->blocks[i].out, w->blocks[i].block, w->blocks[i].size);
        api->release(w->blocks[i].block);
    }
    if (w->device.error != 0 && first_error == NULL)
        first_error = api->explain(w->device.error);
}

const char *device_backend_error(void)
{
    return first_error;
}

static size_t rows_of(owi_batch batch)
{
    return batch.n_tiles * batch.lanes;
}

/* ---- Leaves ---- */

static owi_device_leaf leaf_of(device_work *w, const owi_leaf_shape *shape)
{
    const size_t R = shape->n_regions;
    return (owi_device_leaf){
        *shape, give(w, (R + 1) * sizeof(uint32_t), shape->scope_start, NULL),
        give(w, shape->scope_start[R] * sizeof(uint32_t), shape->scope, NULL)};
}

static void leaf_forward(const owi_backend *self, const owi_leaf_shape *shape,
                         owi_batch batch, const float *theta, const float *bias,
                         const float *features, float *log_value)
{
    device_work w = begin(self);
    const owi_device_leaf leaf = leaf_of(&w, shape);
    const size_t n = shape->n_regions * shape->n_components, rows = rows_of(batch);
    const size_t n_theta = shape->n_components * shape->scope_start[shape->n_regions];
    owi_device_leaf_up(&w.device, &leaf, batch, floats(&w, n_theta, theta, NULL),
                       floats(&w, n, bias, NULL),
                       floats(&w, shape->n_features * rows, features, NULL),
                       floats(&w, n * rows, log_value, log_value));
    end(&w);
}

static void leaf_backward(const owi_backend *self, const owi_leaf_shape *shape,
                          owi_batch batch, const float *theta, const float *flow,
                          float *d_features)
{
    device_work w = begin(self);
    const owi_device_leaf leaf = leaf_of(&w, shape);
    const size_t n = shape->n_regions * shape->n_components, rows = rows_of(batch);
    const size_t n_theta = shape->n_components * shape->scope_start[shape->n_regions];
    owi_device_leaf_down(&w.device, &leaf, batch, floats(&w, n_theta, theta, NULL),
                         floats(&w, n * rows, flow, NULL),
                         floats(&w, shape->n_features * rows, d_features, d_features));
    end(&w);
}

static size_t widest(const owi_leaf_shape *shape)
{
    size_t most = 0;
    for (size_t r = 0; r < shape->n_regions; r++) {
        const size_t width = shape->scope_start[r + 1] - shape->scope_start[r];
        most = width > most ? width : most;
    }
    return most;
}

/* The groups of moments on the device. */
static const owi_moment_group *give_groups(device_work *w, size_t n,
                                           owi_moment_group *groups)
{
    const owi_moment_group *there = give(w, n * sizeof *groups, groups, NULL);
    free(groups);
    return there;
}

static void leaf_statistics(const owi_backend *self, const owi_leaf_shape *shape,
                            owi_batch batch, const float *flow, const float *features,
                            float *statistic, float *total)
{
    device_work w = begin(self);
    const owi_device_leaf leaf = leaf_of(&w, shape);
    const size_t K = shape->n_components, n = shape->n_regions * K, rows = rows_of(batch);
    const size_t n_out = K * shape->scope_start[shape->n_regions];
    owi_moment_group *groups = calloc(shape->n_regions + 1, sizeof *groups);
    const size_t n_groups = owi_leaf_groups(shape, groups);
    const float *flows = floats(&w, n * rows, flow, NULL);
    const owi_moment_args args = {.rows = owi_device_rows_of(batch),
                                  .n_x = (uint32_t)K,
                                  .most_y = (uint32_t)widest(shape),
                                  .groups = give_groups(&w, n_groups, groups),
                                  .scope = leaf.scope,
                                  .x = flows,
                                  .y = floats(&w, shape->n_features * rows, features, NULL),
                                  .x_entries = (uint32_t)n,
                                  .y_entries = (uint32_t)shape->n_features,
                                  .n_out = n_out,
                                  .partial = room(&w, owi_slices_of(batch) * n_out)};
    owi_device_moments(&w.device, args, n_groups, NULL,
                       floats(&w, n_out, statistic, statistic));
    if (total != NULL)
        owi_device_totals(&w.device, batch, n, flows, floats(&w, n, total, total));
    end(&w);
}

/* ---- Layers of pairs ---- */

static owi_layer_values layer_of(device_work *w, size_t R, size_t K, size_t rows,
                                 const owi_layer_values *in, bool is_out)
{
    return (owi_layer_values){floats(w, R * K * rows, in->log_value,
                                     is_out ? in->log_value : NULL),
                              floats(w, R * K * rows, in->value, is_out ? in->value : NULL),
                              floats(w, R * rows, in->top, is_out ? in->top : NULL)};
}

static void normalize_layer(const owi_backend *self, size_t n_regions, size_t n_components,
                            owi_batch batch, const owi_layer_values *layer)
{
    device_work w = begin(self);
    const owi_layer_values there =
        layer_of(&w, n_regions, n_components, rows_of(batch), layer, true);
    owi_device_normalize(&w.device, n_regions, n_components, batch, NULL, &there);
    end(&w);
}

static size_t n_weights_of(const owi_pair_args *a)
{
    return (size_t)a->n_pairs * a->n_sums * a->n_components * a->n_right;
}

/* The buffers of the way up. */
static void take_pairs(device_work *w, owi_pair_args *a, owi_weights weights,
                       const owi_layer_values *in)
{
    const size_t rows = a->rows.n_rows, n_in = a->n_pairs * (a->single ? 1 : 2);
    const owi_layer_values below = layer_of(w, n_in, a->n_components, rows, in, false);
    a->linear = floats(w, n_weights_of(a), weights.linear, NULL);
    a->log = floats(w, n_weights_of(a), weights.log, NULL);
    a->log_value = below.log_value;
    a->value = below.value;
    a->top = below.top;
    a->log_sum =
        give(w, (size_t)a->n_pairs * a->n_sums * rows * sizeof(double), NULL, NULL);
}

/* Down, with the statistic where it is asked for. */
static void pairs_down(device_work *w, owi_pair_args *a, owi_batch batch, float *flow_in,
                       float *statistic)
{
    const size_t rows = rows_of(batch), nodes = (size_t)a->n_pairs * a->n_sums;
    const uint32_t K = a->n_components, n_in = a->n_pairs * (a->single ? 1 : 2);
    a->flow_in = floats(w, n_in * K * rows, flow_in, flow_in);
    a->factor = room(w, nodes * rows);
    a->guarded = give(w, nodes * owi_row_blocks_of(batch) * sizeof *a->guarded, NULL, NULL);
    owi_device_pairs_down(&w->device, a);
    if (statistic == NULL) return;
    owi_moment_group *groups = calloc(nodes, sizeof *groups);
    const size_t n_groups = owi_pair_groups(a, groups);
    const owi_moment_args args = {.rows = a->rows,
                                  .n_x = K,
                                  .most_y = a->n_right,
                                  .groups = give_groups(w, n_groups, groups),
                                  .x = a->value,
                                  .y = a->single ? NULL : a->value,
                                  .scale = a->factor,
                                  .x_entries = n_in * K,
                                  .y_entries = n_in * K,
                                  .scale_entries = (uint32_t)nodes,
                                  .n_out = n_weights_of(a),
                                  .partial =
                                      room(w, owi_slices_of(batch) * n_weights_of(a))};
    a->statistic = floats(w, n_weights_of(a), statistic, statistic);
    owi_device_moments(&w->device, args, n_groups, a->linear, a->statistic);
    owi_device_pair_guard(&w->device, a);
}

static void sum_forward(const owi_backend *self, const owi_sum_shape *shape,
                        owi_batch batch, owi_weights weights, const owi_layer_values *in,
                        const owi_layer_values *out, float *scratch)
{
    (void)scratch;
    device_work w = begin(self);
    owi_pair_args args = owi_device_sum_args(shape, batch);
    take_pairs(&w, &args, weights, in);
    const owi_layer_values above =
        layer_of(&w, shape->n_regions, shape->n_sums, rows_of(batch), out, true);
    owi_device_pairs_up(&w.device, &args);
    owi_device_normalize(&w.device, shape->n_regions, shape->n_sums, batch, args.log_sum,
                         &above);
    end(&w);
}

static void sum_backward(const owi_backend *self, const owi_sum_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         const float *flow_out, float *flow_in, float *statistic,
                         float *scratch)
{
    (void)scratch;
    device_work w = begin(self);
    owi_pair_args args = owi_device_sum_args(shape, batch);
    take_pairs(&w, &args, weights, in);
    owi_device_pairs_up(&w.device, &args);
    args.flow =
        floats(&w, shape->n_regions * shape->n_sums * rows_of(batch), flow_out, NULL);
    pairs_down(&w, &args, batch, flow_in, statistic);
    end(&w);
}

static void root_forward(const owi_backend *self, const owi_root_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         double *log_root, float *scratch)
{
    (void)scratch;
    device_work w = begin(self);
    owi_pair_args args = owi_device_root_args(shape, batch);
    take_pairs(&w, &args, weights, in);
    args.log_root =
        give(&w, shape->n_classes * rows_of(batch) * sizeof *log_root, NULL, log_root);
    owi_device_pairs_up(&w.device, &args);
    end(&w);
}

static void root_backward(const owi_backend *self, const owi_root_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          const double *log_root, const float *adjoint, float *flow_in,
                          float *statistic, float *scratch)
{
    (void)scratch;
    device_work w = begin(self);
    const size_t n = shape->n_classes * rows_of(batch);
    owi_pair_args args = owi_device_root_args(shape, batch);
    take_pairs(&w, &args, weights, in);
    args.log_root = give(&w, n * sizeof *log_root, log_root, NULL);
    owi_device_pairs_up(&w.device, &args);
    args.flow = floats(&w, n, adjoint, NULL);
    pairs_down(&w, &args, batch, flow_in, statistic);
    end(&w);
}

/* ---- Trees ---- */

static owi_tree_args trees_of(device_work *w, const owi_tree_shape *shape, owi_batch batch,
                              owi_weights weights, const owi_tree_values *nodes,
                              bool is_out)
{
    owi_tree_args a = owi_device_tree_args(shape, batch);
    const size_t R = shape->n_trees * shape->n_nodes, K = shape->n_components;
    const size_t n = R * K * rows_of(batch);
    const size_t n_weights = shape->n_trees * (shape->n_nodes - 1) * K * K;
    a.parent = give(w, R * sizeof(uint32_t), shape->parent, NULL);
    a.linear = floats(w, n_weights, weights.linear, NULL);
    a.log = floats(w, n_weights, weights.log, NULL);
    a.log_value = floats(w, n, nodes->log_value, is_out ? nodes->log_value : NULL);
    a.value = floats(w, n, nodes->value, is_out ? nodes->value : NULL);
    a.sum = floats(w, n, nodes->sum, is_out ? nodes->sum : NULL);
    a.top = floats(w, R * rows_of(batch), nodes->top, is_out ? nodes->top : NULL);
    return a;
}

static void tree_forward(const owi_backend *self, const owi_tree_shape *shape,
                         owi_batch batch, owi_weights weights, const float *leaves,
                         const owi_tree_values *nodes, const owi_layer_values *roots)
{
    device_work w = begin(self);
    const size_t R = shape->n_trees * shape->n_nodes, K = shape->n_components;
    owi_tree_args args = trees_of(&w, shape, batch, weights, nodes, true);
    const owi_layer_values above =
        layer_of(&w, shape->n_trees, K, rows_of(batch), roots, true);
    args.leaves = floats(&w, R * K * rows_of(batch), leaves, NULL);
    args.root_log_value = above.log_value;
    args.root_value = above.value;
    args.root_top = above.top;
    owi_device_trees_up(&w.device, &args);
    end(&w);
}

static void tree_backward(const owi_backend *self, const owi_tree_shape *shape,
                          owi_batch batch, owi_weights weights,
                          const owi_tree_values *nodes, const float *flow_roots,
                          float *flow, float *statistic, float *scratch)
{
    (void)scratch;
    device_work w = begin(self);
    const size_t K = shape->n_components, rows = rows_of(batch);
    const size_t n = shape->n_trees * shape->n_nodes * K;
    const size_t n_edges = shape->n_trees * (shape->n_nodes - 1), n_out = n_edges * K * K;
    owi_tree_args a = trees_of(&w, shape, batch, weights, nodes, false);
    a.flow_roots = floats(&w, shape->n_trees * K * rows, flow_roots, NULL);
    a.flow = floats(&w, n * rows, flow, flow);
    a.ratio = room(&w, n * rows);
    a.guarded =
        give(&w, n_edges * owi_row_blocks_of(batch) * sizeof *a.guarded, NULL, NULL);
    owi_device_trees_down(&w.device, &a);
    if (statistic != NULL) {
        owi_moment_group *groups = calloc(n_edges + 1, sizeof *groups);
        const size_t n_groups = owi_tree_groups(&a, groups);
        const owi_moment_args args = {.rows = a.rows,
                                      .n_x = (uint32_t)K,
                                      .most_y = (uint32_t)K,
                                      .groups = give_groups(&w, n_groups, groups),
                                      .x = a.ratio,
                                      .y = a.value,
                                      .x_entries = (uint32_t)n,
                                      .y_entries = (uint32_t)n,
                                      .n_out = n_out,
                                      .partial = room(&w, owi_slices_of(batch) * n_out)};
        a.statistic = floats(&w, n_out, statistic, statistic);
        owi_device_moments(&w.device, args, n_groups, a.linear, a.statistic);
        owi_device_tree_guard(&w.device, &a);
    }
    end(&w);
}

owi_backend device_backend(const owi_device_api *api)
{
    owi_backend made = *owi_backend_find("ref");
    made.name = api->name;
    made.detail = api;
    made.leaf_forward = leaf_forward;
    made.leaf_backward = leaf_backward;
    made.leaf_statistics = leaf_statistics;
    made.normalize = normalize_layer;
    made.sum_forward = sum_forward;
    made.sum_backward = sum_backward;
    made.tree_forward = tree_forward;
    made.tree_backward = tree_backward;
    made.root_forward = root_forward;
    made.root_backward = root_backward;
    return made;
}
