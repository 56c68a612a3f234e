/* SPDX-License-Identifier: MIT */
/* leaf_down for many rows: as leaf_down_kernels.cuh has it, with the sums in registers.
 *
 * A warp has 128 rows, two tiles, and one part of up to 24 features; a thread has 4 lanes of
 * each of them, in registers, until all regions have been added.  Of one region after the
 * other it holds the flows of some components and goes through the part's features.  Which
 * of them are the region's is the same for the whole warp, a bit each: a feature costs a
 * branch, and if it is the region's its products.  Parameters come through shared memory,
 * where each warp has two places for the rows of a region that are in its part: one is
 * filled in the background while the other is read.  A parameter is read again for the next
 * row as soon as it has been used, so that it has come when it is needed.
 *
 * The warps of a block have neighbouring parts, mostly of the same rows: what one reads of
 * the flows the others find in the cache.  No warp waits for another. */
#include "backend/cuda/device_code.cuh"

enum { tile_part = owi_tile_part, tile_warps = owi_tile_warps };

/* Components whose flows a thread holds at once: most come in fours, the last of 20 in twos. */
#define OWI_TILE_FLOWS(T) ((T) == 20 ? 10 : 8)
#define OWI_TILE_RING(T) ((tile_part + 1) * ((T) + owi_leaf_tail))

typedef struct {
    const owi_leaf_args *a;
    uint32_t lane, part, tile, n_tiles;
    bool has_rows;
    uint32_t chunk; /* components from chunk * T on */
    float *ring;    /* (2, OWI_TILE_RING) */
} tile_warp;

/* The features of one region in the part; region n_regions: none. */
typedef struct {
    uint32_t region, mask, at, n;
} tile_list;

__device__ static __forceinline__ bool tile_is_dead(const tile_warp *w, uint32_t r)
{
    const owi_leaf_args *a = w->a;
    if (a->live.live == NULL) return false;
    const uint32_t copy = r / (a->n_regions / a->live.n_copies);
    const uint32_t first = w->tile / 2 * 2, second = first + 1;
    return is_dead(a->live, first, copy) &&
           (second >= w->n_tiles || is_dead(a->live, second, copy));
}

__device__ static __forceinline__ tile_list tile_find(const tile_warp *w, uint32_t r)
{
    const owi_leaf_args *a = w->a;
    const uint32_t *mask = a->tables.mask + (size_t)w->part * a->n_regions;
    const uint32_t *first = a->tables.part_start + (size_t)w->part * a->n_regions;
    tile_list list;
    list.mask = list.at = list.n = 0;
    for (; r < a->n_regions; r++) {
        list.mask = mask[r];
        if (list.mask != 0 && !tile_is_dead(w, r)) break;
    }
    list.region = r;
    if (r < a->n_regions) {
        list.at = first[r];
        list.n = first[a->n_regions + r] - list.at;
    }
    return list;
}

/* Asks for the rows of a list: a group of copies in any case. */
__device__ static __forceinline__ void tile_ask(const tile_warp *w, const int T,
                                                uint32_t slot, const tile_list *list)
{
    const owi_leaf_tables *tables = &w->a->tables;
    const uint32_t row_floats = (uint32_t)(T + owi_leaf_tail), n = list->n * row_floats;
    const float *from =
        tables->packed + ((size_t)w->chunk * tables->n_rows + list->at) * row_floats;
    float *to = w->ring + slot * (uint32_t)OWI_TILE_RING(T);
    for (uint32_t i = w->lane * 4; i < n; i += 32 * 4) copy_16(to + i, from + i);
    OWI_COPY_COMMIT();
}

/* The component of flow q of step c: fours first, and of 20 the last two. */
__device__ static __forceinline__ uint32_t tile_component(uint32_t c, uint32_t q)
{
    return q < 8 ? c * 8 + q : 16 + c * 2 + (q - 8);
}

__device__ static __forceinline__ void tile_load(const tile_warp *w, const int T,
                                                 uint32_t r, uint32_t c, float4 *flow)
{
    const owi_leaf_args *a = w->a;
    const uint32_t K = a->n_components, k0 = w->chunk * (uint32_t)T;
    const uint32_t copy = r / (a->n_regions / a->live.n_copies);
    const bool any = w->has_rows && !is_dead(a->live, w->tile, copy);
    const float *from =
        a->in + (((size_t)w->tile * a->n_regions + r) * K + k0) * L + w->lane % 16 * 4;
    OWI_UNROLL
    for (uint32_t q = 0; q < (uint32_t)OWI_TILE_FLOWS(T); q++) {
        const uint32_t k = tile_component(c, q);
        flow[q] = any && k0 + k < K ? load_4(from + (size_t)k * L) : four(0.0f);
    }
}

/* The parameters of a row for step c, as far as they are fours and as they are two. */
typedef struct {
    float4 a, b;
    float2 c;
} tile_theta;

__device__ static __forceinline__ float4 tile_products(float4 sum, float4 theta,
                                                       const float4 *flow)
{
    sum = add_product(sum, theta.x, flow[0]);
    sum = add_product(sum, theta.y, flow[1]);
    sum = add_product(sum, theta.z, flow[2]);
    return add_product(sum, theta.w, flow[3]);
}

/* Step c of one region: `row` is its first row's parameters. */
__device__ static __forceinline__ void tile_step(const int T, uint32_t mask,
                                                 const float *row, uint32_t c,
                                                 const float4 *flow, float4 *sum)
{
    const float *fours = row + c * 8, *two = row + 16 + c * 2; /* of 20 components */
    tile_theta theta;
    theta.a = load_4(fours);
    theta.b = load_4(fours + 4);
    theta.c = load_2(T == 20 ? two : fours);
    OWI_UNROLL
    for (int f = 0; f < tile_part; f++) {
        if ((mask & (1u << f)) == 0) continue;
        fours += T + owi_leaf_tail;
        two += T + owi_leaf_tail;
        sum[f] = tile_products(sum[f], theta.a, flow);
        theta.a = load_4(fours);
        /* sm_80 has no registers left for asking ahead for both. */
        if (OWI_OLD_OR_NEW(T == 20, false)) theta.b = load_4(fours - (T + owi_leaf_tail) + 4);
        sum[f] = tile_products(sum[f], theta.b, flow + 4);
        theta.b = load_4(fours + 4);
        if (T != 20) continue;
        sum[f] = add_product(sum[f], theta.c.x, flow[8]);
        sum[f] = add_product(sum[f], theta.c.y, flow[9]);
        theta.c = load_2(two);
    }
}

__device__ static __forceinline__ void tile_chunk(const tile_warp *w, const int T,
                                                  float4 *sum)
{
    float4 flow[10];
    tile_list list = tile_find(w, 0);
    uint32_t slot = 0;
    __syncwarp();
    tile_ask(w, T, slot, &list);
    while (list.region < w->a->n_regions) {
        const tile_list next = tile_find(w, list.region + 1);
        __syncwarp(); /* no thread is still at the region before this, whose place is taken */
        tile_ask(w, T, slot ^ 1u, &next);
        OWI_COPY_WAIT(1);
        __syncwarp();
        for (uint32_t c = 0; c < (uint32_t)(T / OWI_TILE_FLOWS(T)); c++) {
            tile_load(w, T, list.region, c, flow);
            tile_step(T, list.mask, w->ring + slot * (uint32_t)OWI_TILE_RING(T), c, flow,
                      sum);
        }
        list = next;
        slot ^= 1u;
    }
    OWI_COPY_WAIT(0);
}

__device__ static __forceinline__ void tile_sums(const owi_leaf_args *a, const int T,
                                                 float *rings)
{
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const uint32_t number = blockIdx.x * tile_warps + warp, n_tiles = a->rows.n_rows / L;
    const uint32_t part = number % a->tables.n_parts;
    const uint32_t tile = number / a->tables.n_parts * 2 + lane / 16, first = lane % 16 * 4;
    if (tile - lane / 16 >= n_tiles) return; /* the whole warp */
    const uint32_t safe = tile < n_tiles ? tile : n_tiles - 1;
    tile_warp w = {a, lane, part, safe, n_tiles,
                   tile < n_tiles && tile * L + first < a->rows.n_used,
                   0, rings + warp * 2 * (uint32_t)OWI_TILE_RING(T)};
    float4 sum[tile_part];

    OWI_UNROLL
    for (uint32_t f = 0; f < tile_part; f++) sum[f] = four(0.0f);
    for (; w.chunk * (uint32_t)T < a->n_components; w.chunk++) tile_chunk(&w, T, sum);
    if (tile >= n_tiles || (a->add != 0 && !w.has_rows)) return;
    float *out = a->out + ((size_t)tile * a->n_features + part * a->tables.part) * L + first;
    const uint32_t left = a->n_features - part * a->tables.part;
    OWI_UNROLL
    for (uint32_t f = 0; f < tile_part; f++) {
        if (f >= left || f >= a->tables.part) continue;
        float *to = out + (size_t)f * L;
        store_4(to, a->add != 0 ? add_product(load_4(to), 1.0f, sum[f]) : sum[f]);
    }
}

/* Grid: parts * (tiles / 2), over the warps of a block. */
#define OWI_LEAF_TILE(T)                                                                   \
    __global__ void __launch_bounds__(32 * tile_warps, 2)                                  \
        leaf_tile_##T(const __grid_constant__ owi_leaf_args a)                             \
    {                                                                                      \
        __shared__ __align__(16) float rings[tile_warps * 2 * OWI_TILE_RING(T)];           \
        tile_sums(&a, T, rings);                                                           \
    }
OWI_LEAF_TILE(8)
OWI_LEAF_TILE(16)
OWI_LEAF_TILE(20)
OWI_LEAF_TILE(32)
