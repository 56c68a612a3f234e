/* SPDX-License-Identifier: MIT */
/* The tables of the leaf layer: made once for a structure, and `packed` after each change of
 * parameters. */
#include "backend/cuda/device_code.cuh"

__device__ static inline uint32_t leaf_width(const owi_leaf_args *a, uint32_t r)
{
    return a->scope_start[r + 1] - a->scope_start[r];
}

__device__ static inline uint32_t leaf_padded(uint32_t width)
{
    return (width + owi_leaf_pad - 1) / owi_leaf_pad * owi_leaf_pad;
}

/* Where regions begin, and the groups of statistics.  Grid: (regions + 1) / 64. */
__global__ void leaf_groups(const __grid_constant__ owi_leaf_args a)
{
    const uint32_t r = thread_row();
    uint32_t start = 0;
    if (r > a.n_regions) return;
    for (uint32_t before = 0; before < r; before++)
        start += leaf_padded(leaf_width(&a, before));
    a.tables.start[r] = start;
    if (r == a.n_regions) return;
    a.groups[r].x_first = r * a.n_components;
    a.groups[r].y_first = a.scope_start[r];
    a.groups[r].n_y = leaf_width(&a, r);
    a.groups[r].scale = 0;
    a.groups[r].out = (size_t)a.n_components * a.scope_start[r];
}

/* Each feature to its place in ascending order, which is how many are smaller; what fills up
 * a region is feature 0.  Grid: padded features of the widest region / 64, regions. */
__global__ void leaf_order(const __grid_constant__ owi_leaf_args a)
{
    const uint32_t i = thread_row(), r = blockIdx.y, width = leaf_width(&a, r);
    const uint32_t *scope = a.scope + a.scope_start[r];
    uint32_t at = a.tables.start[r], smaller = 0;
    if (i >= leaf_padded(width)) return;
    if (i >= width) {
        a.tables.feature[at + i] = a.tables.place[at + i] = 0;
        return;
    }
    for (uint32_t j = 0; j < width; j++) smaller += scope[j] < scope[i];
    at += smaller;
    a.tables.feature[at] = scope[i];
    a.tables.place[at] = i;
}

/* The first of region r's rows whose feature is not before f. */
__device__ static inline uint32_t leaf_lower(const owi_leaf_args *a, uint32_t r, uint32_t f)
{
    uint32_t low = a->tables.start[r], high = low + leaf_width(a, r);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (a->tables.feature[middle] < f)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Grid: regions / 64, parts + 1. */
__global__ void leaf_parts(const __grid_constant__ owi_leaf_args a)
{
    const uint32_t r = thread_row();
    if (r >= a.n_regions) return;
    a.tables.part_start[blockIdx.y * a.n_regions + r] =
        leaf_lower(&a, r, blockIdx.y * a.tables.part);
}

/* The row of feature f in region r, or 0xffffffff. */
__device__ static inline uint32_t leaf_row(const owi_leaf_args *a, uint32_t r, uint32_t f)
{
    const uint32_t row = leaf_lower(a, r, f);
    const bool is_in = row < a->tables.start[r] + leaf_width(a, r) &&
                       a->tables.feature[row] == f;
    return is_in ? row : 0xffffffffu;
}

/* How many regions a feature is in.  Grid: features / 64. */
__global__ void leaf_counts(const __grid_constant__ owi_leaf_args a)
{
    const uint32_t f = thread_row();
    uint32_t n = 0;
    if (f >= a.n_features) return;
    for (uint32_t r = 0; r < a.n_regions; r++) n += leaf_row(&a, r, f) != 0xffffffffu;
    a.tables.entry_count[f] = n;
}

/* Grid: (features + 1) / 64. */
__global__ void leaf_entries(const __grid_constant__ owi_leaf_args a)
{
    const uint32_t f = thread_row();
    uint32_t at = 0;
    if (f > a.n_features) return;
    for (uint32_t before = 0; before < f; before++) at += a.tables.entry_count[before];
    a.tables.entry_start[f] = at;
    for (uint32_t r = 0; r < a.n_regions && f < a.n_features; r++) {
        const uint32_t row = leaf_row(&a, r, f);
        if (row == 0xffffffffu) continue;
        a.tables.entry[at].row = row;
        a.tables.entry[at++].region = r;
    }
}

/* Of parts with up to 32 features.  Grid: regions / 64, parts. */
__global__ void leaf_masks(const __grid_constant__ owi_leaf_args a)
{
    const uint32_t r = thread_row(), first = blockIdx.y * a.tables.part;
    const uint32_t *start = a.tables.part_start + (size_t)blockIdx.y * a.n_regions;
    uint32_t mask = 0;
    if (r >= a.n_regions) return;
    for (uint32_t i = start[r]; i < start[a.n_regions + r]; i++)
        mask |= 1u << (a.tables.feature[i] - first);
    a.tables.mask[(size_t)blockIdx.y * a.n_regions + r] = mask;
}

/* Grid: numbers of the widest region / 64, regions, tables. */
__global__ void leaf_pack(const __grid_constant__ owi_leaf_args a)
{
    const owi_leaf_tables *t = &a.tables;
    const uint32_t row_floats = t->outputs + owi_leaf_tail;
    const uint32_t r = blockIdx.y, width = leaf_width(&a, r);
    const uint32_t i = thread_row() / row_floats, o = thread_row() % row_floats;
    const uint32_t k = blockIdx.z * t->outputs + o, at = t->start[r] + i;
    float value = 0.0f;
    if (i >= leaf_padded(width)) return;
    if (o >= t->outputs)
        value = __uint_as_float(t->feature[at]);
    else if (i < width && k < a.n_components)
        value = a.theta[(size_t)a.n_components * a.scope_start[r] + (size_t)k * width +
                        t->place[at]];
    t->packed[((size_t)blockIdx.z * t->n_rows + at) * row_floats + o] = value;
}
