/* SPDX-License-Identifier: MIT */
#include "backend/cuda/device_layers.h"

#include "backend/pair_sum.h"

static size_t over(size_t n, size_t each)
{
    return (n + each - 1) / each;
}

static void launch(owi_device *device, owi_device_kernel kernel, size_t x, size_t y,
                   size_t z, const void *args)
{
    const uint32_t grid[3] = {(uint32_t)x, (uint32_t)y, (uint32_t)z};
    if (device->error != 0 || x == 0 || y == 0 || z == 0) return;
    device->error = device->api->launch(device->stream, kernel, grid, args);
}

static void clear(owi_device *device, void *block, size_t size)
{
    if (device->error != 0 || size == 0) return;
    device->error = device->api->clear(device->stream, block, size);
}

static size_t tiles(owi_device_rows rows)
{
    return rows.n_rows / owi_device_lanes;
}

owi_device_rows owi_device_rows_of(owi_batch batch)
{
    const size_t n = batch.n_tiles * batch.lanes;
    return (owi_device_rows){(uint32_t)n, (uint32_t)(n > 0 ? n - batch.spare : 0)};
}

/* ---- Memory ---- */

void *owi_device_alloc(owi_device *device, size_t size)
{
    if (device->error != 0) return NULL;
    void *block = device->api->alloc(size > 0 ? size : 1);
    if (block == NULL) device->error = owi_device_no_memory;
    return block;
}

void *owi_device_upload(owi_device *device, const void *from, size_t size)
{
    void *block = owi_device_alloc(device, size);
    if (block != NULL && size > 0)
        device->error = device->api->to_device(device->stream, block, from, size);
    return block;
}

/* ---- Leaves ---- */

static size_t leaf_width(const owi_leaf_shape *shape, size_t r)
{
    return shape->scope_start[r + 1] - shape->scope_start[r];
}

static owi_leaf_args leaf_args(const owi_device_leaf *leaf, owi_batch batch,
                               const float *in, float *out)
{
    return (owi_leaf_args){.rows = owi_device_rows_of(batch),
                           .n_regions = (uint32_t)leaf->host.n_regions,
                           .n_components = (uint32_t)leaf->host.n_components,
                           .n_features = (uint32_t)leaf->host.n_features,
                           .scope_start = leaf->scope_start,
                           .scope = leaf->scope,
                           .groups = leaf->groups,
                           .tables = leaf->tables,
                           .live = {NULL, (uint32_t)leaf->n_copies},
                           .in = in,
                           .out = out};
}

static owi_moment_args leaf_moments(const owi_device_leaf *leaf, owi_batch batch)
{
    const size_t K = leaf->host.n_components, R = leaf->host.n_regions;
    return (owi_moment_args){.rows = owi_device_rows_of(batch),
                             .n_x = (uint32_t)K,
                             .most_y = (uint32_t)leaf->widest,
                             .groups = leaf->groups,
                             .scope = leaf->scope,
                             .x_entries = (uint32_t)(R * K),
                             .y_entries = (uint32_t)leaf->host.n_features,
                             .n_out = K * (leaf->host.scope_start[R] -
                                           leaf->host.scope_start[0])};
}

/* Components of a thread, so that as few as possible go beyond the last. */
static uint32_t choose_outputs(size_t n_components)
{
    static const uint32_t sizes[] = {32, 20, 16, 8};
    uint32_t best = 0;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t padded = over(n_components, sizes[i]) * sizes[i];
        if (padded >= least) continue;
        least = padded;
        best = sizes[i];
    }
    return best;
}

/* Of the kernels for 8, 16, 20 and 32 outputs, which follow each other. */
static owi_device_kernel kernel_for(owi_device_kernel of_8, uint32_t outputs)
{
    const int place = outputs == 8 ? 0 : outputs == 16 ? 1 : outputs == 20 ? 2 : 3;
    return (owi_device_kernel)((int)of_8 + place);
}

static size_t n_tables(const owi_device_leaf *leaf)
{
    return over(leaf->host.n_components, leaf->tables.outputs);
}

static void use_division(owi_leaf_args *args, const owi_leaf_division *division)
{
    args->tables.n_parts = division->n_parts;
    args->tables.part = division->part;
    args->tables.part_start = division->start;
}

/* Parts of at most so many features, as equal as can be, with the places where regions'
 * features begin in them. */
static void divide(owi_device *device, owi_device_leaf *leaf, owi_leaf_division *division,
                   size_t most)
{
    const size_t R = leaf->host.n_regions, F = leaf->host.n_features;
    division->n_parts = (uint32_t)over(F, most);
    division->part = F > 0 ? (uint32_t)over(F, division->n_parts) : 1;
    division->start =
        owi_device_alloc(device, (division->n_parts + 1) * R * sizeof(uint32_t));
    owi_leaf_args args = leaf_args(leaf, (owi_batch){0}, NULL, NULL);
    use_division(&args, division);
    launch(device, owi_kernel_leaf_parts, over(R, owi_block_threads), division->n_parts + 1,
           1, &args);
}

static void make_masks(owi_device *device, owi_device_leaf *leaf)
{
    const size_t R = leaf->host.n_regions;
    divide(device, leaf, &leaf->tiles, owi_tile_part);
    leaf->tables.mask =
        owi_device_alloc(device, leaf->tiles.n_parts * R * sizeof(uint32_t));
    owi_leaf_args args = leaf_args(leaf, (owi_batch){0}, NULL, NULL);
    use_division(&args, &leaf->tiles);
    launch(device, owi_kernel_leaf_masks, over(R, owi_block_threads), leaf->tiles.n_parts,
           1, &args);
}

static void make_entries(owi_device *device, owi_device_leaf *leaf)
{
    owi_leaf_tables *tables = &leaf->tables;
    const size_t F = leaf->host.n_features, R = leaf->host.n_regions;
    const size_t n = leaf->host.scope_start[R] - leaf->host.scope_start[0];
    tables->entry_count = owi_device_alloc(device, F * sizeof(uint32_t));
    tables->entry_start = owi_device_alloc(device, (F + 1) * sizeof(uint32_t));
    tables->entry = owi_device_alloc(device, n * sizeof *tables->entry);
    const owi_leaf_args args = leaf_args(leaf, (owi_batch){0}, NULL, NULL);
    launch(device, owi_kernel_leaf_counts, over(F, owi_block_threads), 1, 1, &args);
    launch(device, owi_kernel_leaf_entries, over(F + 1, owi_block_threads), 1, 1, &args);
}

static void make_tables(owi_device *device, owi_device_leaf *leaf)
{
    owi_leaf_tables *tables = &leaf->tables;
    const size_t R = leaf->host.n_regions;
    size_t n = 0;
    for (size_t r = 0; r < R; r++) n += over(leaf_width(&leaf->host, r), owi_leaf_pad);
    n *= owi_leaf_pad;
    tables->outputs = choose_outputs(leaf->host.n_components);
    tables->n_rows = (uint32_t)n;
    tables->start = owi_device_alloc(device, (R + 1) * sizeof(uint32_t));
    tables->feature = owi_device_alloc(device, n * sizeof(uint32_t));
    tables->place = owi_device_alloc(device, n * sizeof(uint32_t));
    tables->packed =
        owi_device_alloc(device, n_tables(leaf) * n * (tables->outputs + owi_leaf_tail) *
                                     sizeof(float));

    const owi_leaf_args args = leaf_args(leaf, (owi_batch){0}, NULL, NULL);
    launch(device, owi_kernel_leaf_groups, over(R + 1, owi_block_threads), 1, 1, &args);
    launch(device, owi_kernel_leaf_order,
           over(leaf->widest + owi_leaf_pad - 1, owi_block_threads), R, 1, &args);
    for (size_t i = 0; i < owi_leaf_divisions; i++)
        divide(device, leaf, &leaf->divisions[i], owi_most_part >> i);
    make_masks(device, leaf);
    make_entries(device, leaf);
}

void owi_device_leaf_init(owi_device *device, const owi_leaf_shape *shape, size_t n_copies,
                          owi_device_leaf *leaf)
{
    const size_t R = shape->n_regions;
    *leaf = (owi_device_leaf){.host = *shape, .n_copies = n_copies};
    for (size_t r = 0; r < R; r++)
        if (leaf_width(shape, r) > leaf->widest) leaf->widest = leaf_width(shape, r);
    leaf->scope_start =
        owi_device_upload(device, shape->scope_start, (R + 1) * sizeof(uint32_t));
    leaf->scope =
        owi_device_upload(device, shape->scope, shape->scope_start[R] * sizeof(uint32_t));
    leaf->groups = owi_device_alloc(device, R * sizeof *leaf->groups);
    owi_device_facts facts = {.n_processors = 1};
    if (device->error == 0) device->error = device->api->facts(&facts);
    leaf->n_processors = facts.n_processors;
    make_tables(device, leaf);
}

void owi_device_leaf_clear(owi_device *device, owi_device_leaf *leaf)
{
    void *const blocks[] = {leaf->scope_start,
                            leaf->scope,
                            leaf->groups,
                            leaf->tables.start,
                            leaf->tables.feature,
                            leaf->tables.place,
                            leaf->tables.packed,
                            leaf->tables.mask,
                            leaf->tiles.start,
                            leaf->tables.entry_count,
                            leaf->tables.entry_start,
                            leaf->tables.entry};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        device->api->release(blocks[i]);
    for (size_t i = 0; i < owi_leaf_divisions; i++)
        device->api->release(leaf->divisions[i].start);
    *leaf = (owi_device_leaf){0};
}

void owi_device_leaf_prepare(owi_device *device, owi_device_leaf *leaf, const float *theta)
{
    owi_leaf_args args = leaf_args(leaf, (owi_batch){0}, NULL, NULL);
    args.theta = theta;
    launch(device, owi_kernel_leaf_pack,
           over((leaf->widest + owi_leaf_pad - 1) * (leaf->tables.outputs + owi_leaf_tail),
                owi_block_threads),
           args.n_regions, n_tables(leaf), &args);
}

/* Groups of 4 lanes of a tile; features of a block of leaf_few_down. */
enum { few_groups = owi_device_lanes / 4, few_features = owi_few_threads / 32 };

/* Whether rows are so few that a warp for 128 of them would be idle, mostly. */
static bool takes_few(const owi_device_leaf *leaf, owi_device_rows rows)
{
    enum { most_rows = 16 };
    return leaf->way == owi_leaf_few ||
           (leaf->way == owi_leaf_by_rows && rows.n_used <= most_rows);
}

void owi_device_leaf_up(owi_device *device, const owi_device_leaf *leaf, owi_batch batch,
                        const float *bias, const float *features,
                        const owi_layer_values *layer)
{
    owi_leaf_args args = leaf_args(leaf, batch, features, layer->log_value);
    const size_t chunks = n_tables(leaf);
    args.bias = bias;
    /* Where a thread has all components of a row, it makes top and value, too. */
    args.value = chunks == 1 ? layer->value : NULL;
    args.top = layer->top;
    if (takes_few(leaf, args.rows))
        launch(device, kernel_for(owi_kernel_leaf_few_up_8, leaf->tables.outputs),
               args.n_regions, tiles(args.rows) * few_groups, chunks, &args);
    else
        launch(device, kernel_for(owi_kernel_leaf_up_8, leaf->tables.outputs),
               over(args.n_regions, owi_up_regions), over(tiles(args.rows), 2), chunks,
               &args);
    if (layer->value != NULL && chunks > 1)
        owi_device_normalize(device, args.n_regions, args.n_components, batch, NULL, layer);
}

/* The division with which so many tiles are done soonest.  A multiprocessor has 8 blocks at
 * a time; a block takes as long as its features, and as long again as 2 of them for what it
 * reads of each region. */
static const owi_leaf_division *choose_division(const owi_device_leaf *leaf, size_t tiles)
{
    const size_t places = (size_t)leaf->n_processors * 8;
    const owi_leaf_division *best = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < owi_leaf_divisions; i++) {
        const owi_leaf_division *division = &leaf->divisions[i];
        const size_t cost =
            over(division->n_parts * over(tiles, 2), places) * (division->part + 2);
        if (cost >= least) continue;
        least = cost;
        best = division;
    }
    return best;
}

/* Where every scheduler of the GPU, 4 on a multiprocessor, gets two warps of leaf_tile.
 * With one, leaf_down is faster: on an H200, 2,048 rows of MNIST's shape have 4 warps on a
 * multiprocessor; twice, they take .275 ms by leaf_tile and .202 by leaf_down (per class
 * 1.343 and .943).  17,385 rows have 34: 1.018 and 1.532 (5.002 and 7.790). */
static bool fills_tiles(const owi_device_leaf *leaf, size_t tiles)
{
    return leaf->tiles.n_parts * over(tiles, 2) >= (size_t)leaf->n_processors * 8;
}

static void leaf_down_tiles(owi_device *device, const owi_device_leaf *leaf,
                            owi_leaf_args args)
{
    use_division(&args, &leaf->tiles);
    launch(device, kernel_for(owi_kernel_leaf_tile_8, leaf->tables.outputs),
           over(leaf->tiles.n_parts * over(tiles(args.rows), 2), owi_tile_warps), 1, 1,
           &args);
}

void owi_device_leaf_down(owi_device *device, const owi_device_leaf *leaf, owi_batch batch,
                          const float *flow, const uint8_t *live, bool add,
                          float *d_features)
{
    owi_leaf_args args = leaf_args(leaf, batch, flow, d_features);
    args.live.live = live;
    args.add = add;
    if (takes_few(leaf, args.rows)) {
        launch(device, kernel_for(owi_kernel_leaf_few_down_8, leaf->tables.outputs),
               over(args.n_features, few_features), tiles(args.rows) * few_groups, 1,
               &args);
        return;
    }
    if (leaf->way == owi_leaf_tiles ||
        (leaf->way == owi_leaf_by_rows && fills_tiles(leaf, tiles(args.rows)))) {
        leaf_down_tiles(device, leaf, args);
        return;
    }
    const owi_leaf_division *division = choose_division(leaf, tiles(args.rows));
    use_division(&args, division);
    launch(device, kernel_for(owi_kernel_leaf_down_8, leaf->tables.outputs),
           division->n_parts, over(tiles(args.rows), 2), 1, &args);
}

size_t owi_device_leaf_room(const owi_device_leaf *leaf, owi_batch batch)
{
    const owi_moment_args args = leaf_moments(leaf, batch);
    return owi_device_slices(&args, leaf->host.n_regions) * args.n_out;
}

void owi_device_leaf_statistics(owi_device *device, const owi_device_leaf *leaf,
                                owi_batch batch, const float *flow, const float *features,
                                float *room, float *statistic, float *total)
{
    owi_moment_args args = leaf_moments(leaf, batch);
    args.x = flow;
    args.y = features;
    args.partial = room;
    owi_device_moments(device, args, leaf->host.n_regions, NULL, statistic);
    if (total != NULL) owi_device_totals(device, batch, args.x_entries, flow, total);
}

void owi_device_normalize(owi_device *device, size_t n_regions, size_t n_components,
                          owi_batch batch, const double *log_sum,
                          const owi_layer_values *layer)
{
    const owi_layer_args args = {owi_device_rows_of(batch),
                                 (uint32_t)n_regions,
                                 (uint32_t)n_components,
                                 log_sum,
                                 layer->log_value,
                                 layer->value,
                                 layer->top};
    launch(device, owi_kernel_normalize, tiles(args.rows), n_regions, 1, &args);
}

/* ---- Pairs ---- */

owi_pair_args owi_device_sum_args(const owi_sum_shape *shape, owi_batch batch)
{
    const size_t K = shape->n_components;
    return (owi_pair_args){.rows = owi_device_rows_of(batch),
                           .kind = owi_pairs_inner,
                           .n_pairs = (uint32_t)shape->n_regions,
                           .n_sums = (uint32_t)shape->n_sums,
                           .n_components = (uint32_t)K,
                           .n_right = (uint32_t)K,
                           .weight_pair = shape->n_sums * K * K,
                           .weight_sum = K * K};
}

owi_pair_args owi_device_root_args(const owi_root_shape *shape, owi_batch batch)
{
    const size_t K = shape->n_components, n_right = shape->single ? 1 : K;
    const size_t P = shape->n_partitions, C = shape->n_classes;
    const bool shared = shape->class_stride == 0;
    return (owi_pair_args){.rows = owi_device_rows_of(batch),
                           .kind = shared ? owi_pairs_shared_roots : owi_pairs_own_roots,
                           .n_pairs = (uint32_t)(shared ? P : C * P),
                           .n_sums = (uint32_t)(shared ? C : 1),
                           .n_components = (uint32_t)K,
                           .n_right = (uint32_t)n_right,
                           .single = shape->single,
                           .n_classes = (uint32_t)C,
                           .n_partitions = (uint32_t)P,
                           .weight_pair = K * n_right,
                           .weight_sum = P * K * n_right};
}

/* The kernel for so few components; the one for any number where there is none. */
static owi_device_kernel pair_kernel_of(owi_device_kernel of_8, owi_device_kernel any,
                                        const owi_pair_args *args)
{
    if (args->single || args->n_components > 32) return any;
    return kernel_for(of_8, choose_outputs(args->n_components));
}

void owi_device_pairs_up(owi_device *device, const owi_pair_args *args)
{
    const size_t n = tiles(args->rows);
    const owi_device_kernel kernel =
        pair_kernel_of(owi_kernel_pair_up_8, owi_kernel_pair_up, args);
    if (kernel == owi_kernel_pair_up)
        launch(device, kernel, n, args->n_pairs, args->n_sums, args);
    else
        launch(device, kernel, over(n, 4), args->n_pairs, over(args->n_sums, owi_pair_sums),
               args);
    if (args->kind != owi_pairs_inner)
        launch(device, owi_kernel_root_join, n, args->n_classes, 1, args);
}

void owi_device_pairs_down(owi_device *device, const owi_pair_args *args)
{
    const size_t n = tiles(args->rows);
    const owi_device_kernel kernel =
        pair_kernel_of(owi_kernel_pair_down_8, owi_kernel_pair_down, args);
    if (args->guarded != NULL)
        clear(device, args->guarded,
              n * args->n_pairs * args->n_sums * sizeof *args->guarded);
    launch(device, kernel, kernel == owi_kernel_pair_down ? n : over(n, 2), args->n_pairs,
           1, args);
}

void owi_device_pair_guard(owi_device *device, const owi_pair_args *args)
{
    launch(device, owi_kernel_pair_guard,
           over(args->n_components * args->n_right, owi_block_threads), args->n_pairs,
           args->n_sums, args);
}

/* ---- Trees ---- */

owi_tree_args owi_device_tree_args(const owi_tree_shape *shape, owi_batch batch)
{
    return (owi_tree_args){.rows = owi_device_rows_of(batch),
                           .n_trees = (uint32_t)shape->n_trees,
                           .n_nodes = (uint32_t)shape->n_nodes,
                           .n_components = (uint32_t)shape->n_components};
}

void owi_device_trees_up(owi_device *device, const owi_tree_args *args)
{
    launch(device, owi_kernel_tree_up, tiles(args->rows), args->n_trees, 1, args);
}

void owi_device_trees_down(owi_device *device, const owi_tree_args *args)
{
    const size_t blocks = tiles(args->rows);
    const size_t guards = blocks * args->n_trees * (args->n_nodes - 1);
    clear(device, args->guarded, guards * sizeof *args->guarded);
    launch(device, owi_kernel_tree_down, blocks, args->n_trees, 1, args);
}

void owi_device_tree_guard(owi_device *device, const owi_tree_args *args)
{
    launch(device, owi_kernel_tree_guard,
           over((size_t)args->n_components * args->n_components, owi_block_threads),
           args->n_nodes - 1, args->n_trees, args);
}

/* ---- Sums over rows ---- */

size_t owi_pair_groups(const owi_pair_args *args, owi_moment_group *groups)
{
    const uint32_t K = args->n_components, each = args->single ? 1 : 2;
    for (uint32_t q = 0; q < args->n_pairs && groups != NULL; q++)
        for (uint32_t s = 0; s < args->n_sums; s++)
            groups[q * args->n_sums + s] =
                (owi_moment_group){.x_first = q * each * K,
                                   .y_first = args->single ? 0 : (2 * q + 1) * K,
                                   .n_y = args->n_right,
                                   .scale = q * args->n_sums + s,
                                   .out = q * args->weight_pair + s * args->weight_sum};
    return (size_t)args->n_pairs * args->n_sums;
}

size_t owi_tree_groups(const owi_tree_args *args, owi_moment_group *groups)
{
    const uint32_t K = args->n_components, N = args->n_nodes;
    for (uint32_t tree = 0; tree < args->n_trees && groups != NULL; tree++)
        for (uint32_t p = 1; p < N; p++) {
            const uint32_t edge = tree * (N - 1) + p - 1, node = (tree * N + p) * K;
            groups[edge] = (owi_moment_group){
                .x_first = node, .y_first = node, .n_y = K, .out = (size_t)edge * K * K};
        }
    return (size_t)args->n_trees * (N - 1);
}

/* Rows of a slice. */
enum { slice_rows = 512 };

size_t owi_device_slices(const owi_moment_args *args, size_t n_groups)
{
    (void)n_groups;
    return over(args->rows.n_rows, slice_rows);
}

void owi_device_moments(owi_device *device, owi_moment_args args, size_t n_groups,
                        const float *weight, float *out)
{
    args.slice_rows = slice_rows;
    args.n_slices = (uint32_t)owi_device_slices(&args, n_groups);
    const owi_add_args add = {args.n_out, args.n_slices, args.partial, weight, out};
    launch(device, owi_kernel_moments,
           args.n_slices * over(args.n_x, owi_moment_xs) * over(args.most_y, owi_moment_ys),
           n_groups, 1, &args);
    if (args.n_slices > 0)
        launch(device, owi_kernel_add_slices, over(args.n_out, owi_block_threads), 1, 1,
               &add);
}

void owi_device_totals(owi_device *device, owi_batch batch, size_t n_entries,
                       const float *flow, float *total)
{
    const owi_total_args args = {owi_device_rows_of(batch), (uint32_t)n_entries, flow,
                                 total};
    if (args.rows.n_rows > 0) launch(device, owi_kernel_totals, n_entries, 1, 1, &args);
}

/* ---- Rows in, rows out ---- */

void owi_device_rows_in(owi_device *device, const owi_rows_in_args *args)
{
    launch(device, owi_kernel_rows_in, over(args->n, owi_device_lanes),
           owi_device_row_parts(args->n_columns), 1, args);
}

void owi_device_rows_out(owi_device *device, const owi_rows_out_args *args)
{
    launch(device, owi_kernel_rows_out, over(args->n, owi_device_lanes),
           over(args->n_columns, owi_row_columns), 1, args);
}

void owi_device_seeds(owi_device *device, const owi_seed_args *args)
{
    launch(device, owi_kernel_seeds, args->n_tiles, 1, 1, args);
}

void owi_device_class_logs(owi_device *device, const owi_class_args *args)
{
    const size_t n = (size_t)args->n * args->n_classes;
    launch(device, owi_kernel_class_logs, over(n, owi_block_threads), 1, 1, args);
}
