/* SPDX-License-Identifier: MIT */
/* Whole layers on a device: which kernels, in which order, over which grid.  Shapes are the
 * host's; every other pointer is the device's. */
#ifndef OWI_DEVICE_LAYERS_H
#define OWI_DEVICE_LAYERS_H

#include "backend/backend.h"
#include "backend/cuda/device_api.h"

/* Work for one stream of one GPU.  The first failure is kept, and nothing is launched after
 * it; api->explain(error) says what it was. */
typedef struct {
    const owi_device_api *api;
    void *stream;
    int error;
} owi_device;

/* Blocks of rows: entries of a guard table for each sum. */
static inline size_t owi_row_blocks_of(owi_batch batch)
{
    return batch.n_tiles;
}

/* Every batch has tiles of 64 lanes; a single row is a tile with 63 spare lanes.  The last
 * whole groups of 16 without a row are its `spare`, as owi_tiles_of has them. */
owi_device_rows owi_device_rows_of(owi_batch batch);

/* ---- Memory: NULL and an error where there is no room ---- */

void *owi_device_alloc(owi_device *device, size_t size);
/* A copy of host memory on the device. */
void *owi_device_upload(owi_device *device, const void *from, size_t size);

/* ---- Leaves ---- */

/* Features divided into parts in several ways: few rows need many small parts to keep a GPU
 * busy. */
enum { owi_leaf_divisions = 4 };

typedef struct {
    uint32_t n_parts, part;
    uint32_t *start; /* part_start of owi_leaf_tables */
} owi_leaf_division;

/* Which kernels a leaf layer uses: chosen by how many rows there are, or always the same
 * ones, for who compares them. */
typedef enum {
    owi_leaf_by_rows,
    owi_leaf_parts, /* leaf_up and leaf_down         */
    owi_leaf_tiles, /* leaf_up and leaf_tile         */
    owi_leaf_few,   /* leaf_few_up and leaf_few_down */
    owi_n_leaf_ways
} owi_leaf_way;

/* The leaf layer on the device: the regions of all copies, one after the other, each copy
 * with the same number of them. */
typedef struct {
    owi_leaf_shape host; /* as given: stays the caller's                    */
    size_t n_copies;
    size_t widest;                 /* features of the largest scope          */
    uint32_t *scope_start, *scope; /* of `host`, on the device                */
    owi_moment_group *groups;      /* a region each, on the device             */
    owi_leaf_tables tables;        /* on the device, but for the sizes         */
    owi_leaf_division divisions[owi_leaf_divisions];
    owi_leaf_division tiles; /* of leaf_tile; its masks are in `tables` */
    uint32_t n_processors;   /* of the device */
    owi_leaf_way way;
} owi_device_leaf;

/* Allocates and fills what does not depend on parameters.  What failed is in device->error;
 * clear is right after that too. */
void owi_device_leaf_init(owi_device *device, const owi_leaf_shape *shape, size_t n_copies,
                          owi_device_leaf *leaf);
void owi_device_leaf_clear(owi_device *device, owi_device_leaf *leaf);
/* After each change of theta, which lies on the device. */
void owi_device_leaf_prepare(owi_device *device, owi_device_leaf *leaf, const float *theta);

/* log_value; and top and value, too, unless value is NULL.  bias NULL: log_value is added
 * to. */
void owi_device_leaf_up(owi_device *device, const owi_device_leaf *leaf, owi_batch batch,
                        const float *bias, const float *features,
                        const owi_layer_values *layer);
/* d_features is overwritten, or added to.  live may be NULL; where it is not, flow need not
 * be set in what is dead. */
void owi_device_leaf_down(owi_device *device, const owi_device_leaf *leaf, owi_batch batch,
                          const float *flow, const uint8_t *live, bool add,
                          float *d_features);
/* statistic[r,k,f] += sum over rows of flow[r,k] features[scope[r,f]]; and total[r,k] +=
 * flow[r,k], unless total is NULL.  room: owi_device_leaf_room floats. */
size_t owi_device_leaf_room(const owi_device_leaf *leaf, owi_batch batch);
void owi_device_leaf_statistics(owi_device *device, const owi_device_leaf *leaf,
                                owi_batch batch, const float *flow, const float *features,
                                float *room, float *statistic, float *total);

void owi_device_normalize(owi_device *device, size_t n_regions, size_t n_components,
                          owi_batch batch, const double *log_sum,
                          const owi_layer_values *layer);

/* ---- Sums, roots, trees ---- */

/* Pairs of inner sums or of roots; the caller sets the buffers. */
owi_pair_args owi_device_sum_args(const owi_sum_shape *shape, owi_batch batch);
owi_pair_args owi_device_root_args(const owi_root_shape *shape, owi_batch batch);
void owi_device_pairs_up(owi_device *device, const owi_pair_args *args);
void owi_device_pairs_down(owi_device *device, const owi_pair_args *args);

owi_tree_args owi_device_tree_args(const owi_tree_shape *shape, owi_batch batch);
void owi_device_trees_up(owi_device *device, const owi_tree_args *args);
void owi_device_trees_down(owi_device *device, const owi_tree_args *args);

/* ---- Sums over rows ---- */

/* Groups of moments, as the host makes them: for n_groups, which is returned; groups may be
 * NULL. */
size_t owi_pair_groups(const owi_pair_args *args, owi_moment_group *groups);
size_t owi_tree_groups(const owi_tree_args *args, owi_moment_group *groups);

/* out[..] += weight * moments; args has all but the slices, and room for owi_device_slices
 * times n_out floats in `partial`.  The largest n_y is most_y. */
size_t owi_device_slices(const owi_moment_args *args, size_t n_groups);
void owi_device_moments(owi_device *device, owi_moment_args args, size_t n_groups,
                        const float *weight, float *out);
void owi_device_totals(owi_device *device, owi_batch batch, size_t n_entries,
                       const float *flow, float *total);
/* The rows under the guard, which moments leave out. */
void owi_device_pair_guard(owi_device *device, const owi_pair_args *args);
void owi_device_tree_guard(owi_device *device, const owi_tree_args *args);

/* ---- Rows in, rows out ---- */

/* Parts of row_constant that rows_in makes. */
static inline uint32_t owi_device_row_parts(size_t n_columns)
{
    return (uint32_t)((n_columns + owi_row_columns - 1) / owi_row_columns);
}
void owi_device_rows_in(owi_device *device, const owi_rows_in_args *args);
void owi_device_rows_out(owi_device *device, const owi_rows_out_args *args);
void owi_device_seeds(owi_device *device, const owi_seed_args *args);
void owi_device_class_logs(owi_device *device, const owi_class_args *args);

#endif
