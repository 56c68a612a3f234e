/* SPDX-License-Identifier: MIT */
#include "kernels/device_backend.h"

#include <stdlib.h>
#include <string.h>

#include "backend/cuda/device_layers.h"
#include "backend/pair_sum.h"

/* Blocks of one call, and what comes out of them in the end.  A device has tiles of 64
 * lanes only: rows that are alone, tiles of one lane, are put together. */
typedef struct {
    owi_device device;
    owi_batch given, batch; /* as the test has it, and as the device has */
    struct {
        void *block, *out;
        size_t n_entries,
            size; /* of rows: their entries, and bytes of one; else 0 and all */
    } blocks[32];
    size_t n;
} device_work;

static const char *first_error;

static device_work begin(const owi_backend *self, owi_batch batch)
{
    device_work w = {.device = {.api = self->detail}, .given = batch, .batch = batch};
    if (batch.lanes == 1) w.batch = owi_tiles_of(batch.n_tiles);
    return w;
}

static size_t rows_of(owi_batch batch)
{
    return batch.n_tiles * batch.lanes;
}

static void *give_block(device_work *w, size_t size, const void *in, void *out)
{
    const owi_device_api *api = w->device.api;
    void *block = in != NULL ? owi_device_upload(&w->device, in, size)
                             : owi_device_alloc(&w->device, size);
    if (w->device.error == 0) w->device.error = api->finish(NULL);
    w->blocks[w->n].block = block;
    w->blocks[w->n].out = out;
    w->blocks[w->n].n_entries = 0;
    w->blocks[w->n++].size = size;
    return block;
}

/* A block that holds `in`, if that is not NULL, and is copied to `out` in the end. */
static void *give(device_work *w, size_t size, const void *in, void *out)
{
    return in == NULL && out == NULL ? NULL : give_block(w, size, in, out);
}

static float *floats(device_work *w, size_t n, const float *in, float *out)
{
    return give(w, n * sizeof(float), in, out);
}

static void *room(device_work *w, size_t n, size_t size)
{
    return give_block(w, n * size, NULL, NULL);
}

/* Between single rows (rows, entries) and tiles (tile, entry, lane). */
static void place_row(char *tiles, char *rows, size_t n_entries, size_t size, size_t row,
                      bool to_tiles)
{
    enum { L = owi_tile_lanes };
    for (size_t e = 0; e < n_entries; e++) {
        char *lane = tiles + ((row / L * n_entries + e) * L + row % L) * size;
        char *value = rows + (row * n_entries + e) * size;
        memcpy(to_tiles ? lane : value, to_tiles ? value : lane, size);
    }
}

/* As give, of the rows of the batch: (T, entries, L). */
static void *give_rows(device_work *w, size_t n_entries, size_t size, const void *in,
                       void *out)
{
    const size_t whole = rows_of(w->batch) * n_entries * size;
    if (w->given.lanes > 1) return give(w, whole, in, out);
    if (in == NULL && out == NULL) return NULL;
    char *packed = calloc(whole + 1, 1);
    for (size_t row = 0; row < w->given.n_tiles && in != NULL; row++)
        place_row(packed, (char *)in, n_entries, size, row, true);
    void *block = give_block(w, whole, in != NULL ? packed : NULL, out);
    free(packed);
    w->blocks[w->n - 1].n_entries = n_entries;
    w->blocks[w->n - 1].size = size;
    return block;
}

static float *row_floats(device_work *w, size_t n_entries, const float *in, float *out)
{
    return give_rows(w, n_entries, sizeof(float), in, out);
}

static void take_out(device_work *w, size_t i)
{
    const owi_device_api *api = w->device.api;
    const size_t n_entries = w->blocks[i].n_entries, size = w->blocks[i].size;
    void *out = w->blocks[i].out, *block = w->blocks[i].block;
    if (n_entries == 0) {
        w->device.error = api->from_device(NULL, out, block, size);
        return;
    }
    const size_t whole = rows_of(w->batch) * n_entries * size;
    char *packed = malloc(whole + 1);
    w->device.error = api->from_device(NULL, packed, block, whole);
    if (w->device.error == 0) w->device.error = api->finish(NULL);
    for (size_t row = 0; row < w->given.n_tiles; row++)
        place_row(packed, out, n_entries, size, row, false);
    free(packed);
}

static void end(device_work *w)
{
    const owi_device_api *api = w->device.api;
    if (w->device.error == 0) w->device.error = api->finish(NULL);
    for (size_t i = 0; i < w->n; i++)
        if (w->blocks[i].out != NULL && w->device.error == 0) take_out(w, i);
    if (w->device.error == 0) w->device.error = api->finish(NULL);
    for (size_t i = 0; i < w->n; i++) api->release(w->blocks[i].block);
    if (w->device.error != 0 && first_error == NULL)
        first_error = api->explain(w->device.error);
}

const char *device_backend_error(void)
{
    return first_error;
}

/* ---- Leaves ---- */

static owi_device_leaf leaf_of(device_work *w, const owi_leaf_shape *shape,
                               const float *theta)
{
    owi_device_leaf leaf;
    owi_device_leaf_init(&w->device, shape, 1, &leaf);
    /* Each way in turn: what is for few rows is right for many, too, and the other way
     * round.  Of many regions, which few cases have, every other one is done as few rows
     * are: only there a thread has several regions of a feature. */
    static uint32_t turn, many;
    leaf.way = (owi_leaf_way)(turn++ % owi_n_leaf_ways);
    if (shape->n_regions > 32 && many++ % 2 == 0) leaf.way = owi_leaf_few;
    if (theta != NULL)
        owi_device_leaf_prepare(
            &w->device, &leaf,
            floats(w, shape->n_components * shape->scope_start[shape->n_regions], theta,
                   NULL));
    return leaf;
}

static void end_leaf(device_work *w, owi_device_leaf *leaf)
{
    end(w);
    owi_device_leaf_clear(&w->device, leaf);
}

static void leaf_forward(const owi_backend *self, const owi_leaf_shape *shape,
                         owi_batch batch, const float *theta, const float *bias,
                         const float *features, float *log_value)
{
    device_work w = begin(self, batch);
    owi_device_leaf leaf = leaf_of(&w, shape, theta);
    const size_t n = shape->n_regions * shape->n_components;
    const owi_layer_values layer = {row_floats(&w, n, log_value, log_value), NULL, NULL};
    owi_device_leaf_up(&w.device, &leaf, w.batch, floats(&w, n, bias, NULL),
                       row_floats(&w, shape->n_features, features, NULL), &layer);
    end_leaf(&w, &leaf);
}

static void leaf_backward(const owi_backend *self, const owi_leaf_shape *shape,
                          owi_batch batch, const float *theta, const float *flow,
                          float *d_features)
{
    device_work w = begin(self, batch);
    owi_device_leaf leaf = leaf_of(&w, shape, theta);
    const size_t n = shape->n_regions * shape->n_components;
    owi_device_leaf_down(&w.device, &leaf, w.batch, row_floats(&w, n, flow, NULL), NULL,
                         true, row_floats(&w, shape->n_features, d_features, d_features));
    end_leaf(&w, &leaf);
}

static void leaf_statistics(const owi_backend *self, const owi_leaf_shape *shape,
                            owi_batch batch, const float *flow, const float *features,
                            float *statistic, float *total)
{
    device_work w = begin(self, batch);
    owi_device_leaf leaf = leaf_of(&w, shape, NULL);
    const size_t K = shape->n_components, n = shape->n_regions * K;
    const size_t n_out = K * shape->scope_start[shape->n_regions];
    owi_device_leaf_statistics(
        &w.device, &leaf, w.batch, row_floats(&w, n, flow, NULL),
        row_floats(&w, shape->n_features, features, NULL),
        room(&w, owi_device_leaf_room(&leaf, w.batch), sizeof(float)),
        floats(&w, n_out, statistic, statistic), floats(&w, n, total, total));
    end_leaf(&w, &leaf);
}

/* The groups of moments on the device. */
static const owi_moment_group *give_groups(device_work *w, size_t n,
                                           owi_moment_group *groups)
{
    const owi_moment_group *there = give(w, n * sizeof *groups, groups, NULL);
    free(groups);
    return there;
}

/* ---- Layers of pairs ---- */

static owi_layer_values layer_of(device_work *w, size_t R, size_t K,
                                 const owi_layer_values *in, bool is_out)
{
    return (owi_layer_values){row_floats(w, R * K, in->log_value,
                                         is_out ? in->log_value : NULL),
                              row_floats(w, R * K, in->value, is_out ? in->value : NULL),
                              row_floats(w, R, in->top, is_out ? in->top : NULL)};
}

static void normalize_layer(const owi_backend *self, size_t n_regions, size_t n_components,
                            owi_batch batch, const owi_layer_values *layer)
{
    device_work w = begin(self, batch);
    const owi_layer_values there = layer_of(&w, n_regions, n_components, layer, true);
    owi_device_normalize(&w.device, n_regions, n_components, w.batch, NULL, &there);
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
    const size_t n_in = a->n_pairs * (a->single ? 1 : 2);
    const owi_layer_values below = layer_of(w, n_in, a->n_components, in, false);
    a->linear = floats(w, n_weights_of(a), weights.linear, NULL);
    a->log = floats(w, n_weights_of(a), weights.log, NULL);
    a->log_value = below.log_value;
    a->value = below.value;
    a->top = below.top;
    a->log_sum = room(w, (size_t)a->n_pairs * a->n_sums * a->rows.n_rows, sizeof(double));
}

/* Down, with the statistic where it is asked for. */
static void pairs_down(device_work *w, owi_pair_args *a, float *flow_in, float *statistic)
{
    const size_t nodes = (size_t)a->n_pairs * a->n_sums;
    const uint32_t K = a->n_components, n_in = a->n_pairs * (a->single ? 1 : 2);
    a->flow_in = row_floats(w, n_in * K, flow_in, flow_in);
    a->factor = room(w, nodes * a->rows.n_rows, sizeof(float));
    a->guarded = room(w, nodes * owi_row_blocks_of(w->batch), sizeof *a->guarded);
    owi_device_pairs_down(&w->device, a);
    if (statistic == NULL) return;
    owi_moment_group *groups = calloc(nodes, sizeof *groups);
    const size_t n_groups = owi_pair_groups(a, groups);
    owi_moment_args args = {.rows = a->rows,
                            .n_x = K,
                            .most_y = a->n_right,
                            .groups = give_groups(w, n_groups, groups),
                            .x = a->value,
                            .y = a->single ? NULL : a->value,
                            .scale = a->factor,
                            .x_entries = n_in * K,
                            .y_entries = n_in * K,
                            .scale_entries = (uint32_t)nodes,
                            .n_out = n_weights_of(a)};
    args.partial = room(w, owi_device_slices(&args, n_groups) * args.n_out, sizeof(float));
    a->statistic = floats(w, n_weights_of(a), statistic, statistic);
    owi_device_moments(&w->device, args, n_groups, a->linear, a->statistic);
    owi_device_pair_guard(&w->device, a);
}

static void sum_forward(const owi_backend *self, const owi_sum_shape *shape,
                        owi_batch batch, owi_weights weights, const owi_layer_values *in,
                        const owi_layer_values *out, float *scratch)
{
    (void)scratch;
    device_work w = begin(self, batch);
    owi_pair_args args = owi_device_sum_args(shape, w.batch);
    take_pairs(&w, &args, weights, in);
    const owi_layer_values above = layer_of(&w, shape->n_regions, shape->n_sums, out, true);
    owi_device_pairs_up(&w.device, &args);
    owi_device_normalize(&w.device, shape->n_regions, shape->n_sums, w.batch, args.log_sum,
                         &above);
    end(&w);
}

static void sum_backward(const owi_backend *self, const owi_sum_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         const float *flow_out, float *flow_in, float *statistic,
                         float *scratch)
{
    (void)scratch;
    device_work w = begin(self, batch);
    owi_pair_args args = owi_device_sum_args(shape, w.batch);
    take_pairs(&w, &args, weights, in);
    owi_device_pairs_up(&w.device, &args);
    args.flow = row_floats(&w, shape->n_regions * shape->n_sums, flow_out, NULL);
    pairs_down(&w, &args, flow_in, statistic);
    end(&w);
}

static void root_forward(const owi_backend *self, const owi_root_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         double *log_root, float *scratch)
{
    (void)scratch;
    device_work w = begin(self, batch);
    owi_pair_args args = owi_device_root_args(shape, w.batch);
    take_pairs(&w, &args, weights, in);
    args.log_root = give_rows(&w, shape->n_classes, sizeof *log_root, NULL, log_root);
    owi_device_pairs_up(&w.device, &args);
    end(&w);
}

static void root_backward(const owi_backend *self, const owi_root_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          const double *log_root, const float *adjoint, float *flow_in,
                          float *statistic, float *scratch)
{
    (void)scratch;
    device_work w = begin(self, batch);
    owi_pair_args args = owi_device_root_args(shape, w.batch);
    take_pairs(&w, &args, weights, in);
    args.log_root = give_rows(&w, shape->n_classes, sizeof *log_root, log_root, NULL);
    owi_device_pairs_up(&w.device, &args);
    args.flow = row_floats(&w, shape->n_classes, adjoint, NULL);
    pairs_down(&w, &args, flow_in, statistic);
    end(&w);
}

/* ---- Trees ---- */

static owi_tree_args trees_of(device_work *w, const owi_tree_shape *shape,
                              owi_weights weights, const owi_tree_values *nodes,
                              bool is_out)
{
    owi_tree_args a = owi_device_tree_args(shape, w->batch);
    const size_t R = shape->n_trees * shape->n_nodes, K = shape->n_components;
    const size_t n_weights = shape->n_trees * (shape->n_nodes - 1) * K * K;
    a.parent = give(w, R * sizeof(uint32_t), shape->parent, NULL);
    a.linear = floats(w, n_weights, weights.linear, NULL);
    a.log = floats(w, n_weights, weights.log, NULL);
    a.log_value = row_floats(w, R * K, nodes->log_value, is_out ? nodes->log_value : NULL);
    a.value = row_floats(w, R * K, nodes->value, is_out ? nodes->value : NULL);
    a.sum = row_floats(w, R * K, nodes->sum, is_out ? nodes->sum : NULL);
    a.top = row_floats(w, R, nodes->top, is_out ? nodes->top : NULL);
    return a;
}

static void tree_forward(const owi_backend *self, const owi_tree_shape *shape,
                         owi_batch batch, owi_weights weights, const float *leaves,
                         const owi_tree_values *nodes, const owi_layer_values *roots)
{
    device_work w = begin(self, batch);
    const size_t R = shape->n_trees * shape->n_nodes, K = shape->n_components;
    owi_tree_args args = trees_of(&w, shape, weights, nodes, true);
    const owi_layer_values above = layer_of(&w, shape->n_trees, K, roots, true);
    args.leaves = row_floats(&w, R * K, leaves, NULL);
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
    device_work w = begin(self, batch);
    const size_t K = shape->n_components;
    const size_t n = shape->n_trees * shape->n_nodes * K;
    const size_t n_edges = shape->n_trees * (shape->n_nodes - 1), n_out = n_edges * K * K;
    owi_tree_args a = trees_of(&w, shape, weights, nodes, false);
    a.flow_roots = row_floats(&w, shape->n_trees * K, flow_roots, NULL);
    a.flow = row_floats(&w, n, flow, flow);
    a.ratio = room(&w, n * rows_of(w.batch), sizeof(float));
    a.guarded = room(&w, n_edges * owi_row_blocks_of(w.batch), sizeof *a.guarded);
    owi_device_trees_down(&w.device, &a);
    if (statistic != NULL) {
        owi_moment_group *groups = calloc(n_edges + 1, sizeof *groups);
        const size_t n_groups = owi_tree_groups(&a, groups);
        owi_moment_args args = {.rows = a.rows,
                                .n_x = (uint32_t)K,
                                .most_y = (uint32_t)K,
                                .groups = give_groups(&w, n_groups, groups),
                                .x = a.ratio,
                                .y = a.value,
                                .x_entries = (uint32_t)n,
                                .y_entries = (uint32_t)n,
                                .n_out = n_out};
        args.partial = room(&w, owi_device_slices(&args, n_groups) * n_out, sizeof(float));
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
