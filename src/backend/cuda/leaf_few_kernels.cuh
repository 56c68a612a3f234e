/* SPDX-License-Identifier: MIT */
/* The leaf layer for few rows, where a GPU is idle unless a row's work is divided: over
 * groups of 4 lanes, regions and features, and within these over the threads of a block,
 * whose sums are added in the order of the threads. */
#include "backend/cuda/device_code.cuh"

enum { few_threads = owi_few_threads, few_warp = 32, few_features = few_threads / few_warp };

/* ---- Up: a block has a region and 4 lanes ---- */

/* Threads are divided into slices of the region's features; in each, one for 4 components.
 * The slices' sums go to part[slice][component], 4 lanes each. */
__device__ static __forceinline__ void few_products(const owi_leaf_args *a, const int T,
                                                    uint32_t chunk, float *part)
{
    const uint32_t quads = (uint32_t)T / 4, n_slices = few_threads / quads;
    const uint32_t slice = threadIdx.x / quads, k = threadIdx.x % quads * 4;
    const uint32_t r = blockIdx.x, lane = blockIdx.y % (L / 4) * 4;
    const uint32_t row_floats = (uint32_t)(T + owi_leaf_tail);
    const uint32_t start = a->tables.start[r];
    const uint32_t end = start + a->scope_start[r + 1] - a->scope_start[r];
    const float *packed = a->tables.packed + (size_t)chunk * a->tables.n_rows * row_floats;
    const float *in =
        a->in + (size_t)(blockIdx.y / (L / 4)) * a->n_features * L + lane;
    float4 sum[4];
    OWI_UNROLL
    for (int i = 0; i < 4; i++) sum[i] = four(0.0f);
    if (slice >= n_slices) return;
    for (uint32_t row = start + slice; row < end; row += n_slices) {
        const float *theta = packed + (size_t)row * row_floats;
        const float4 x = load_4(in + (size_t)__float_as_uint(theta[T]) * L);
        const float4 by = load_4(theta + k);
        sum[0] = add_product(sum[0], by.x, x);
        sum[1] = add_product(sum[1], by.y, x);
        sum[2] = add_product(sum[2], by.z, x);
        sum[3] = add_product(sum[3], by.w, x);
    }
    OWI_UNROLL
    for (uint32_t i = 0; i < 4; i++) store_4(part + (slice * (uint32_t)T + k + i) * 4, sum[i]);
}

/* Adds the slices of one component and lane, a number of T * 4. */
__device__ static __forceinline__ float few_total(const int T, const float *part,
                                                  uint32_t number)
{
    const uint32_t n_slices = few_threads / ((uint32_t)T / 4);
    float sum = 0.0f;
    OWI_UNROLL
    for (uint32_t s = 0; s < n_slices; s++) sum += part[s * (uint32_t)T * 4 + number];
    return sum;
}

/* top and value of one lane, whose log-values are in `total`. */
__device__ static __forceinline__ void few_values(const owi_leaf_args *a, const float *total,
                                                  size_t at, size_t top_at)
{
    const uint32_t K = a->n_components;
    float top = -INFINITY;
    for (uint32_t k = 0; k < K; k++) top = fmaxf(top, total[k * 4 + threadIdx.x % 4]);
    for (uint32_t k = threadIdx.x / 4; k < K; k += few_threads / 4)
        a->value[at + (size_t)k * L] =
            top == -INFINITY ? 0.0f : expf(total[k * 4 + threadIdx.x % 4] - top);
    if (threadIdx.x < 4) a->top[top_at] = top;
}

__device__ static __forceinline__ void few_up(const owi_leaf_args *a, const int T,
                                              float *part, float *total)
{
    const uint32_t r = blockIdx.x, K = a->n_components, chunk = blockIdx.z;
    const uint32_t tile = blockIdx.y / (L / 4), first = blockIdx.y % (L / 4) * 4;
    const uint32_t number = threadIdx.x, k = chunk * (uint32_t)T + number / 4;
    const size_t lane = first + number % 4;
    const size_t at = ((size_t)tile * a->n_regions + r) * K * L + lane;
    const bool is_spare = tile * L + first >= a->rows.n_used; /* of all threads */

    if (!is_spare) few_products(a, T, chunk, part);
    __syncthreads();
    if (number < (uint32_t)T * 4 && k < K) {
        float *to = a->out + at + (size_t)k * L;
        const float before = a->bias != NULL ? a->bias[r * K + k] : *to;
        const float sum = is_spare ? 0.0f : before + few_total(T, part, number);
        *to = sum;
        total[number] = sum;
    }
    if (a->value == NULL) return;
    __syncthreads();
    few_values(a, total, at, ((size_t)tile * a->n_regions + r) * L + lane);
}

/* Grid: regions, tiles * 16, components / T. */
#define OWI_LEAF_FEW_UP(T)                                                                 \
    __global__ void __launch_bounds__(few_threads)                                         \
        leaf_few_up_##T(const __grid_constant__ owi_leaf_args a)                           \
    {                                                                                      \
        __shared__ __align__(16) float part[few_threads * 16];                             \
        __shared__ float total[T * 4];                                                     \
        few_up(&a, T, part, total);                                                        \
    }
OWI_LEAF_FEW_UP(8)
OWI_LEAF_FEW_UP(16)
OWI_LEAF_FEW_UP(20)
OWI_LEAF_FEW_UP(32)

/* ---- Down: a warp has a feature and 4 lanes ---- */

/* What one region adds to a feature, which is `row` of the tables. */
__device__ static __forceinline__ float4 few_entry(const owi_leaf_args *a, const int T,
                                                   uint32_t tile, uint32_t first,
                                                   owi_leaf_entry entry, float4 sum)
{
    const uint32_t K = a->n_components, row_floats = (uint32_t)(T + owi_leaf_tail);
    const float *flow = a->in + ((size_t)tile * a->n_regions + entry.region) * K * L + first;
    for (uint32_t k0 = 0, chunk = 0; k0 < K; k0 += (uint32_t)T, chunk++) {
        const float *theta =
            a->tables.packed + ((size_t)chunk * a->tables.n_rows + entry.row) * row_floats;
        OWI_UNROLL
        for (uint32_t k = 0; k < (uint32_t)T; k += 4) {
            const float4 by = load_4(theta + k);
            const float each[4] = {by.x, by.y, by.z, by.w};
            OWI_UNROLL
            for (uint32_t i = 0; i < 4; i++)
                if (k0 + k + i < K)
                    sum = add_product(sum, each[i], load_4(flow + (size_t)(k0 + k + i) * L));
        }
    }
    return sum;
}

__device__ static __forceinline__ void few_down(const owi_leaf_args *a, const int T,
                                                float *part)
{
    const uint32_t f = blockIdx.x * few_features + threadIdx.x / few_warp;
    const uint32_t lane = threadIdx.x % few_warp;
    const uint32_t tile = blockIdx.y / (L / 4), first = blockIdx.y % (L / 4) * 4;
    const uint32_t in_copy = a->n_regions / a->live.n_copies;
    const bool is_spare = tile * L + first >= a->rows.n_used;
    const uint32_t end = f < a->n_features && !is_spare ? a->tables.entry_start[f + 1] : 0;
    uint32_t i = f < a->n_features ? a->tables.entry_start[f] + lane : 0;
    float4 sum = four(0.0f);

    for (; i < end; i += few_warp) {
        const owi_leaf_entry entry = a->tables.entry[i];
        if (!is_dead(a->live, tile, entry.region / in_copy))
            sum = few_entry(a, T, tile, first, entry, sum);
    }
    store_4(part + threadIdx.x * 4, sum);
    __syncwarp();
    if (lane >= 4 || f >= a->n_features || (a->add != 0 && is_spare)) return;
    float *out = a->out + ((size_t)tile * a->n_features + f) * L + first + lane;
    float total = a->add != 0 ? *out : 0.0f;
    OWI_UNROLL
    for (uint32_t t = 0; t < few_warp; t++)
        total += part[(threadIdx.x - lane + t) * 4 + lane];
    *out = total;
}

/* Grid: features / 8, tiles * 16. */
#define OWI_LEAF_FEW_DOWN(T)                                                               \
    __global__ void OWI_OLD_OR_NEW(__launch_bounds__(few_threads, 4),                      \
                                   __launch_bounds__(few_threads))                         \
        leaf_few_down_##T(const __grid_constant__ owi_leaf_args a)                         \
    {                                                                                      \
        __shared__ __align__(16) float part[few_threads * 4];                              \
        few_down(&a, T, part);                                                             \
    }
OWI_LEAF_FEW_DOWN(8)
OWI_LEAF_FEW_DOWN(16)
OWI_LEAF_FEW_DOWN(20)
OWI_LEAF_FEW_DOWN(32)
