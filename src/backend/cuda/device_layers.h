/* SPDX-License-Identifier: MIT */
/* Whole layers on a device: which kernels, in which order, over which grid.  Shapes are the
 * host's; every other pointer is the device's. */
#ifndef OWI_DEVICE_LAYERS_H
#define OWI_DEVICE_LAYERS_H

#include "backend/backend.h"
#include "backend/cuda/device_api.h"

/* The first failure is kept, and nothing is launched after it. */
typedef struct {
    const owi_device_api *api;
    int error;
} owi_device;

/* A leaf shape, with a copy of its scopes on the device. */
typedef struct {
    owi_leaf_shape host;
    const uint32_t *scope_start, *scope;
} owi_device_leaf;

/* Rows of a slice of moments, and how many slices that makes. */
enum { owi_slice_rows = 512 };
static inline size_t owi_slices_of(owi_batch batch)
{
    return (batch.n_tiles * batch.lanes + owi_slice_rows - 1) / owi_slice_rows;
}
/* Blocks of rows: entries of a guard table for each sum. */
static inline size_t owi_row_blocks_of(owi_batch batch)
{
    return (batch.n_tiles * batch.lanes + owi_block_threads - 1) / owi_block_threads;
}

void owi_device_leaf_up(owi_device *device, const owi_device_leaf *leaf, owi_batch batch,
                        const float *theta, const float *bias, const float *features,
                        float *log_value);
/* d_features is added to.  The regions between two that share a feature go in one launch.
 * */
void owi_device_leaf_down(owi_device *device, const owi_device_leaf *leaf, owi_batch batch,
                          const float *theta, const float *flow, float *d_features);
void owi_device_normalize(owi_device *device, size_t n_regions, size_t n_components,
                          owi_batch batch, const double *log_sum,
                          const owi_layer_values *layer);

/* Pairs of inner sums or of roots; the caller sets the buffers. */
owi_pair_args owi_device_sum_args(const owi_sum_shape *shape, owi_batch batch);
owi_pair_args owi_device_root_args(const owi_root_shape *shape, owi_batch batch);
void owi_device_pairs_up(owi_device *device, const owi_pair_args *args);
void owi_device_pairs_down(owi_device *device, const owi_pair_args *args);

owi_tree_args owi_device_tree_args(const owi_tree_shape *shape, owi_batch batch);
void owi_device_trees_up(owi_device *device, const owi_tree_args *args);
void owi_device_trees_down(owi_device *device, const owi_tree_args *args);

/* Groups of moments, as the host makes them: for n_groups, which is returned; groups may be
 * NULL. */
size_t owi_leaf_groups(const owi_leaf_shape *shape, owi_moment_group *groups);
size_t owi_pair_groups(const owi_pair_args *args, owi_moment_group *groups);
size_t owi_tree_groups(const owi_tree_args *args, owi_moment_group *groups);

/* out[..] += weight * moments; args has all but the slices.  The largest n_y is most_y. */
void owi_device_moments(owi_device *device, owi_moment_args args, size_t n_groups,
                        const float *weight, float *out);
void owi_device_totals(owi_device *device, owi_batch batch, size_t n_entries,
                       const float *flow, float *total);
/* The rows under the guard, which moments leave out. */
void owi_device_pair_guard(owi_device *device, const owi_pair_args *args);
void owi_device_tree_guard(owi_device *device, const owi_tree_args *args);

owi_device_rows owi_device_rows_of(owi_batch batch);

#endif
