/* SPDX-License-Identifier: MIT */
/* log_value[r,k] = bias[r,k] + sum_f theta[r,k,f] features[scope[r,f]].
 *
 * A warp has one region and 128 rows, two tiles; a thread 4 lanes and T components, whose
 * sums stay in registers.  A feature is 512 bytes that the warp reads once, straight into
 * registers and 4 features ahead: no other thread needs them.  Its T parameters come through shared
 * memory, where each warp has a ring of runs of 8 features that copies fill in the
 * background, and are read by all threads at once.  So no warp waits for another.
 *
 * Neighbouring warps of a block have neighbouring regions and the same rows: what one reads
 * the next finds in the cache. */
#include "backend/cuda/device_code.cuh"

enum { up_warps = owi_up_regions, up_slots = 4, up_ahead = 3, up_half = owi_leaf_pad / 2 };

/* What a warp works on. */
typedef struct {
    uint32_t lane, n_runs;
    const float *in;     /* this thread's lanes of feature 0                         */
    const float *packed; /* of the region's first feature                            */
    float *ring;         /* (up_slots, owi_leaf_pad, T + owi_leaf_tail)              */
} up_warp;

__device__ static __forceinline__ uint32_t up_run_floats(const int T)
{
    return (uint32_t)(owi_leaf_pad * (T + owi_leaf_tail));
}

/* Asks for run number `run`, if there is one: a group of copies in any case. */
__device__ static __forceinline__ void up_ask(const up_warp *w, const int T, uint32_t run)
{
    const uint32_t n = up_run_floats(T);
    OWI_UNROLL
    for (uint32_t i = 0; i < n; i += 32 * 4)
        if (run < w->n_runs && i + w->lane * 4 < n)
            copy_16(w->ring + run % up_slots * n + i + w->lane * 4,
                    w->packed + (size_t)run * n + i + w->lane * 4);
    OWI_COPY_COMMIT();
}

/* The values of half a run's features, which has come. */
__device__ static __forceinline__ void up_load(const up_warp *w, const int T, uint32_t run,
                                               uint32_t half, float4 *x)
{
    const int row_floats = T + owi_leaf_tail;
    const float *number = w->ring + run % up_slots * up_run_floats(T) +
                          half * up_half * (uint32_t)row_floats + T;
    OWI_UNROLL
    for (int i = 0; i < up_half; i++)
        x[i] = load_4(w->in + (size_t)__float_as_uint(number[i * row_floats]) * L);
}

/* Adds half a run. */
__device__ static __forceinline__ void up_add(const up_warp *w, const int T, uint32_t run,
                                              uint32_t half, const float4 *x, float4 *sum)
{
    const int row_floats = T + owi_leaf_tail;
    const float *theta = w->ring + run % up_slots * up_run_floats(T) +
                         half * up_half * (uint32_t)row_floats;
    OWI_UNROLL
    for (int i = 0; i < up_half; i++) {
        OWI_UNROLL
        for (int k = 0; k < T; k += 4) {
            const float4 a = load_4(theta + i * row_floats + k);
            sum[k] = add_product(sum[k], a.x, x[i]);
            sum[k + 1] = add_product(sum[k + 1], a.y, x[i]);
            sum[k + 2] = add_product(sum[k + 2], a.z, x[i]);
            sum[k + 3] = add_product(sum[k + 3], a.w, x[i]);
        }
    }
}

__device__ static __forceinline__ float4 larger_4(float4 a, float4 b)
{
    a.x = fmaxf(a.x, b.x);
    a.y = fmaxf(a.y, b.y);
    a.z = fmaxf(a.z, b.z);
    a.w = fmaxf(a.w, b.w);
    return a;
}

__device__ static __forceinline__ float value_of(float log_value, float top)
{
    return top == -INFINITY ? 0.0f : expf(log_value - top);
}

__device__ static __forceinline__ float4 values_of(float4 log_value, float4 top)
{
    log_value.x = value_of(log_value.x, top.x);
    log_value.y = value_of(log_value.y, top.y);
    log_value.z = value_of(log_value.z, top.z);
    log_value.w = value_of(log_value.w, top.w);
    return log_value;
}

/* Components [k0, k0 + T) of region r, of this thread's lanes: `at` in (T, R, K, L), top_at
 * in (T, R, L). */
__device__ static __forceinline__ void up_write(const owi_leaf_args *a, const int T,
                                                uint32_t r, uint32_t k0, size_t at,
                                                size_t top_at, bool is_spare, float4 *sum)
{
    const uint32_t K = a->n_components;
    float4 top = four(-INFINITY);
    OWI_UNROLL
    for (int k = 0; k < T; k++) {
        if (k0 + (uint32_t)k >= K) continue;
        float *to = a->out + at + (size_t)k * L;
        const float4 before =
            a->bias != NULL ? four(a->bias[r * K + k0 + (uint32_t)k]) : load_4(to);
        sum[k] = is_spare ? four(0.0f) : add_product(before, 1.0f, sum[k]);
        store_4(to, sum[k]);
        top = larger_4(top, sum[k]);
    }
    if (a->value == NULL) return;
    store_4(a->top + top_at, top);
    OWI_UNROLL
    for (int k = 0; k < T; k++)
        if ((uint32_t)k < K) store_4(a->value + at + (size_t)k * L, values_of(sum[k], top));
}

__device__ static __forceinline__ void up_region(const owi_leaf_args *a, const int T,
                                                 float *rings)
{
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const uint32_t r = blockIdx.x * up_warps + warp, k0 = blockIdx.z * (uint32_t)T;
    const uint32_t tile = blockIdx.y * 2 + lane / 16, first = lane % 16 * 4;
    const uint32_t n_tiles = a->rows.n_rows / L, K = a->n_components;
    const uint32_t safe = tile < n_tiles ? tile : n_tiles - 1;
    float4 sum[32], x[up_half], other[up_half];

    if (r >= a->n_regions) return; /* the whole warp */
    const uint32_t start = a->tables.start[r];
    const size_t row = (size_t)blockIdx.z * a->tables.n_rows + start;
    const up_warp w = {lane, (a->tables.start[r + 1] - start) / owi_leaf_pad,
                       a->in + (size_t)safe * a->n_features * L + first,
                       a->tables.packed + row * (uint32_t)(T + owi_leaf_tail),
                       rings + warp * up_slots * up_run_floats(T)};
    OWI_UNROLL
    for (int k = 0; k < T; k++) sum[k] = four(0.0f);
    for (uint32_t run = 0; run < up_ahead; run++) up_ask(&w, T, run);
    OWI_COPY_WAIT(up_ahead - 1);
    __syncwarp();
    if (w.n_runs > 0) up_load(&w, T, 0, 0, x);
    for (uint32_t run = 0; run < w.n_runs; run++) {
        const uint32_t next = run + 1 < w.n_runs ? run + 1 : run; /* the last one twice */
        /* The barriers keep the compiler from moving a load to where it is needed. */
        up_load(&w, T, run, 1, other);
        OWI_COPY_WAIT(up_ahead - 2); /* the next run is here */
        __syncwarp();                /* and no thread is still at the one before this */
        up_ask(&w, T, run + up_ahead);
        up_add(&w, T, run, 0, x, sum);
        up_load(&w, T, next, 0, x);
        __syncwarp();
        up_add(&w, T, run, 1, other, sum);
    }
    if (tile >= n_tiles) return;
    up_write(a, T, r, k0, (((size_t)tile * a->n_regions + r) * K + k0) * L + first,
             ((size_t)tile * a->n_regions + r) * L + first, tile * L + first >= a->rows.n_used,
             sum);
}

/* Grid: regions / 4, tiles / 2, components / T. */
#define OWI_LEAF_UP(T, blocks)                                                             \
    __global__ void __launch_bounds__(32 * up_warps, blocks)                               \
        leaf_up_##T(const __grid_constant__ owi_leaf_args a)                               \
    {                                                                                      \
        __shared__ __align__(16) float                                                     \
            rings[up_warps * up_slots * owi_leaf_pad * (T + owi_leaf_tail)];               \
        up_region(&a, T, rings);                                                           \
    }
OWI_LEAF_UP(8, 4)
OWI_LEAF_UP(16, 3)
OWI_LEAF_UP(20, 3)
OWI_LEAF_UP(32, 2)
