/* SPDX-License-Identifier: MIT */
/* d_features[scope[r,f]] += sum_k theta[r,k,f] flow[r,k], over all regions.
 *
 * A warp has 128 rows, two tiles, and one part of the features, whose derivatives are in
 * shared memory until all regions have been added; so they are written once.  A thread has 4
 * lanes.  Of one region after the other it holds the flows of all T components in registers,
 * while those of the next come, and goes through the region's features in the part: T
 * products each.  Only a thread itself reads and writes its lanes, and a warp is a block: no
 * warp waits for another. */
#include "backend/cuda/device_code.cuh"

enum { down_run = 16, down_slots = 2 };

typedef struct {
    const owi_leaf_args *a;
    uint32_t lane, part, tile;
    bool has_rows;                        /* whether this thread's lanes are any        */
    uint32_t chunk;                       /* components from chunk * T on               */
    float *sums;                          /* (features of the part, 128)                */
    float *ring;                          /* (down_slots, down_run, T + owi_leaf_tail)  */
} down_warp;

/* The features of one region in the part that are still to come; region n_regions: none. */
typedef struct {
    uint32_t region, at, end;
} down_list;

/* Whether both tiles of the warp have nothing of region r. */
__device__ static __forceinline__ bool down_is_dead(const down_warp *w, uint32_t r)
{
    const owi_leaf_args *a = w->a;
    if (a->live.live == NULL) return false;
    const uint32_t copy = r / (a->n_regions / a->live.n_copies);
    const uint32_t tile = blockIdx.y * 2, n_tiles = a->rows.n_rows / L;
    return is_dead(a->live, tile, copy) &&
           (tile + 1 >= n_tiles || is_dead(a->live, tile + 1, copy));
}

/* The first region from r on that has a feature in the part and any flow. */
__device__ static __forceinline__ down_list down_find(const down_warp *w, uint32_t r)
{
    const owi_leaf_args *a = w->a;
    const uint32_t *first = a->tables.part_start + (size_t)w->part * a->n_regions;
    down_list list;
    for (; r < a->n_regions; r++) {
        if (first[r] < first[a->n_regions + r] && !down_is_dead(w, r)) break;
    }
    list.region = r;
    list.at = r < a->n_regions ? first[r] : 0;
    list.end = r < a->n_regions ? first[a->n_regions + r] : 0;
    return list;
}

__device__ static __forceinline__ uint32_t down_rows(down_list list)
{
    return list.end - list.at < down_run ? list.end - list.at : down_run;
}

/* Asks for the next run of a list, and moves the list behind it. */
__device__ static __forceinline__ void down_ask(const down_warp *w, const int T,
                                                uint32_t slot, down_list *list)
{
    const owi_leaf_tables *tables = &w->a->tables;
    if (list->region < w->a->n_regions) {
        const uint32_t n = down_rows(*list), row_floats = (uint32_t)(T + owi_leaf_tail);
        const size_t row = (size_t)w->chunk * tables->n_rows + list->at;
        const float *from = tables->packed + row * row_floats;
        float *to = w->ring + slot * down_run * row_floats;
        OWI_UNROLL
        for (uint32_t i = 0; i < down_run * row_floats; i += 32 * 4)
            if (i + w->lane * 4 < n * row_floats)
                copy_16(to + i + w->lane * 4, from + i + w->lane * 4);
        list->at += n;
        if (list->at == list->end) *list = down_find(w, list->region + 1);
    }
    OWI_COPY_COMMIT();
}

/* The flows of a region in this thread's lanes; 0 where there is nothing. */
__device__ static __forceinline__ void down_load(const down_warp *w, const int T,
                                                 uint32_t r, float4 *flow)
{
    const owi_leaf_args *a = w->a;
    const uint32_t K = a->n_components, k0 = w->chunk * (uint32_t)T;
    const uint32_t copy = r / (a->n_regions / a->live.n_copies);
    const bool any =
        r < a->n_regions && w->has_rows && !is_dead(a->live, w->tile, copy);
    const float *from = a->in + (((size_t)w->tile * a->n_regions + r) * K + k0) * L +
                        w->lane % 16 * 4;
    OWI_UNROLL
    for (int k = 0; k < T; k++)
        flow[k] = any && k0 + (uint32_t)k < K ? load_4(from + (size_t)k * L) : four(0.0f);
}

/* What a feature needs of shared memory. */
typedef struct {
    float4 theta[8]; /* T / 4 of them */
    float4 sum;
    float *to;
} down_feature;

__device__ static __forceinline__ void down_fetch(const down_warp *w, const int T,
                                                  uint32_t row, down_feature *f)
{
    const float *theta = w->ring + row * (uint32_t)(T + owi_leaf_tail);
    f->to = w->sums +
            (__float_as_uint(theta[T]) - w->part * w->a->tables.part) * 2 * L + w->lane * 4;
    f->sum = load_4(f->to);
    OWI_UNROLL
    for (int k = 0; k < T; k += 4) f->theta[k / 4] = load_4(theta + k);
}

__device__ static __forceinline__ void down_add(const int T, const float4 *flow,
                                                const down_feature *f)
{
    float4 sum = f->sum;
    OWI_UNROLL
    for (int k = 0; k < T; k += 4) {
        const float4 a = f->theta[k / 4];
        sum = add_product(sum, a.x, flow[k]);
        sum = add_product(sum, a.y, flow[k + 1]);
        sum = add_product(sum, a.z, flow[k + 2]);
        sum = add_product(sum, a.w, flow[k + 3]);
    }
    store_4(f->to, sum);
}

/* Adds the features of one region; *slot has its first run, or will, and `ahead` is what is
 * asked for next. */
__device__ static __forceinline__ void down_region(const down_warp *w, const int T,
                                                   down_list list, const float4 *flow,
                                                   uint32_t *slot, down_list *ahead)
{
    while (list.at < list.end) {
        const uint32_t n = down_rows(list), first = *slot * down_run;
        __syncwarp(); /* no thread is still at the run before this, whose place is taken */
        down_ask(w, T, *slot ^ 1u, ahead);
        OWI_COPY_WAIT(1);
        __syncwarp();
        /* A feature's numbers come while the one before it is added: all are different. */
        down_feature even, odd;
        odd.sum = four(0.0f); /* for compilers that do not see that n is the same */
        down_fetch(w, T, first, &even);
        for (uint32_t i = 0; i < n; i += 2) {
            if (i + 1 < n) down_fetch(w, T, first + i + 1, &odd);
            down_add(T, flow, &even);
            if (i + 2 < n) down_fetch(w, T, first + i + 2, &even);
            if (i + 1 < n) down_add(T, flow, &odd);
        }
        list.at += n;
        *slot ^= 1u;
    }
}

/* The sums of a part before the first region. */
__device__ static __forceinline__ void down_begin(const down_warp *w, const float *out,
                                                  uint32_t n)
{
    for (uint32_t f = 0; f < n; f++)
        store_4(w->sums + f * 2 * L + w->lane * 4,
                w->a->add != 0 && w->has_rows ? load_4(out + (size_t)f * L) : four(0.0f));
}

/* All regions' components [chunk * T, chunk * T + T). */
__device__ static __forceinline__ void down_chunk(const down_warp *w, const int T)
{
    const uint32_t R = w->a->n_regions;
    float4 flow[32], other[32];
    down_list list = down_find(w, 0), ahead = list;
    uint32_t slot = 0;

    __syncwarp();
    down_ask(w, T, slot, &ahead);
    if (T > 20) { /* no registers for two regions */
        for (; list.region < R; list = down_find(w, list.region + 1)) {
            down_load(w, T, list.region, flow);
            down_region(w, T, list, flow, &slot, &ahead);
        }
        OWI_COPY_WAIT(0);
        return;
    }
    down_load(w, T, list.region, flow);
    while (list.region < R) {
        const down_list next = down_find(w, list.region + 1);
        down_load(w, T, next.region, other);
        down_region(w, T, list, flow, &slot, &ahead);
        if (next.region >= R) break;
        list = down_find(w, next.region + 1);
        down_load(w, T, list.region, flow);
        down_region(w, T, next, other, &slot, &ahead);
    }
    OWI_COPY_WAIT(0);
}

__device__ static __forceinline__ void down_part(const owi_leaf_args *a, const int T,
                                                 float *sums, float *ring)
{
    const uint32_t lane = threadIdx.x, part = blockIdx.x, n_tiles = a->rows.n_rows / L;
    const uint32_t tile = blockIdx.y * 2 + lane / 16, first = lane % 16 * 4;
    const uint32_t safe = tile < n_tiles ? tile : n_tiles - 1;
    const uint32_t left = a->n_features - part * a->tables.part;
    const uint32_t n = left < a->tables.part ? left : a->tables.part;
    float *out = a->out + ((size_t)safe * a->n_features + part * a->tables.part) * L + first;
    down_warp w = {a,    lane, part, safe, tile < n_tiles && tile * L + first < a->rows.n_used,
                   0,    sums, ring};

    down_begin(&w, out, n);
    for (; w.chunk * (uint32_t)T < a->n_components; w.chunk++) down_chunk(&w, T);
    if (tile >= n_tiles || (a->add != 0 && !w.has_rows)) return;
    for (uint32_t f = 0; f < n; f++)
        store_4(out + (size_t)f * L, load_4(sums + f * 2 * L + lane * 4));
}

/* Grid: parts, tiles / 2. */
#define OWI_LEAF_DOWN(T)                                                                   \
    __global__ void __launch_bounds__(32, 8)                                               \
        leaf_down_##T(const __grid_constant__ owi_leaf_args a)                             \
    {                                                                                      \
        __shared__ __align__(16) float sums[owi_most_part * 2 * L];                        \
        __shared__ __align__(16) float ring[down_slots * down_run * (T + owi_leaf_tail)];  \
        down_part(&a, T, sums, ring);                                                      \
    }
OWI_LEAF_DOWN(8)
OWI_LEAF_DOWN(16)
OWI_LEAF_DOWN(20)
OWI_LEAF_DOWN(32)
