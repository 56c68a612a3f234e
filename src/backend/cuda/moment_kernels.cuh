/* SPDX-License-Identifier: MIT */
/* Sums over rows, for learning: no two threads add to the same number, and slices are added
 * in their order, so that a GPU gives the same bytes again. */
#include "backend/cuda/device_code.cuh"

/* A warp has one slice of rows, one group, and 20 of its x times 56 of its y; a thread 5 x, 4
 * apart, times 7 y, 8 apart, whose sums stay in registers.  16 lanes of all of them are in
 * shared memory, and copies bring the next 16 meanwhile.  Rows of it begin in different
 * banks: what 8 threads read at once is one access.  A warp is a block: none waits for
 * another. */
enum {
    moment_x = owi_moment_xs / 4,
    moment_y = owi_moment_ys / 8,
    moment_lanes = 16,
    moment_stride = moment_lanes + 4,
    moment_rows = owi_moment_xs + owi_moment_ys + 1, /* the last one: the factors of the rows */
    moment_slot = moment_rows * moment_stride
};

typedef struct {
    const owi_moment_args *a;
    const float *scale;   /* of the group, in tile 0 */
    float *ring;          /* (2, moment_slot)       */
    uint32_t row, quarter; /* this thread copies 4 lanes of every 8th row */
    uint32_t x_at[3], y_at[moment_y];
} moment_warp;

__device__ static __forceinline__ moment_warp moment_begin(const owi_moment_args *a,
                                                           const owi_moment_group *g,
                                                           uint32_t i0, uint32_t j0,
                                                           float *ring)
{
    moment_warp w = {a, a->scale, ring, threadIdx.x / 4, threadIdx.x % 4, {0}, {0}};
    if (w.scale != NULL) w.scale += (size_t)g->scale * L;
    OWI_UNROLL
    for (uint32_t c = 0; c < 3; c++) {
        const uint32_t i = i0 + c * 8 + w.row;
        w.x_at[c] = (g->x_first + (i < a->n_x ? i : a->n_x - 1)) * L;
    }
    OWI_UNROLL
    for (uint32_t c = 0; c < moment_y; c++) {
        const uint32_t j = j0 + c * 8 + w.row, y = g->y_first + (j < g->n_y ? j : g->n_y - 1);
        w.y_at[c] = (a->scope != NULL ? a->scope[y] : y) * L;
    }
    for (uint32_t c = 0; c < moment_y && a->y == NULL; c++)
        for (uint32_t slot = 0; slot < 2; slot++)
            store_4(ring + slot * moment_slot +
                        (owi_moment_xs + c * 8 + w.row) * moment_stride + w.quarter * 4,
                    four(1.0f));
    return w;
}

/* Asks for 16 lanes from row n on. */
__device__ static __forceinline__ void moment_ask(const moment_warp *w, uint32_t n,
                                                  uint32_t slot)
{
    const owi_moment_args *a = w->a;
    const uint32_t tile = n / L, lane = n % L + w->quarter * 4;
    float *to = w->ring + slot * moment_slot + w->row * moment_stride + w->quarter * 4;
    const float *x = a->x + (size_t)tile * a->x_entries * L + lane;
    const float *y =
        OWI_PLUS(a->y, a->y != NULL ? (size_t)tile * a->y_entries * L + lane : 0);
    OWI_UNROLL
    for (uint32_t c = 0; c < 3; c++)
        if (c * 8 + w->row < owi_moment_xs)
            copy_16(to + c * 8 * moment_stride, x + w->x_at[c]);
    OWI_UNROLL
    for (uint32_t c = 0; c < moment_y; c++)
        if (a->y != NULL)
            copy_16(to + (owi_moment_xs + c * 8) * moment_stride, y + w->y_at[c]);
    if (w->scale != NULL && w->row == 0)
        copy_16(to + (moment_rows - 1) * moment_stride,
                w->scale + (size_t)tile * a->scale_entries * L + lane);
}

__device__ static __forceinline__ float add_dot(float sum, float4 x, float4 y)
{
    sum += x.x * y.x;
    sum += x.y * y.y;
    sum += x.z * y.z;
    sum += x.w * y.w;
    return sum;
}

/* Adds 16 lanes that have come. */
__device__ static __forceinline__ void moment_add(const moment_warp *w, uint32_t slot,
                                                  float (*sum)[moment_y])
{
    const float *from = w->ring + slot * moment_slot;
    const float *xs = from + threadIdx.x / 8 * moment_stride;
    const float *ys = from + (owi_moment_xs + threadIdx.x % 8) * moment_stride;
    const float *scale = from + (moment_rows - 1) * moment_stride;
    OWI_UNROLL
    for (int lane = 0; lane < moment_lanes; lane += 4) {
        float4 x[moment_x], y[moment_y];
        OWI_UNROLL
        for (int i = 0; i < moment_x; i++) x[i] = load_4(xs + 4 * i * moment_stride + lane);
        OWI_UNROLL
        for (int j = 0; j < moment_y; j++) y[j] = load_4(ys + 8 * j * moment_stride + lane);
        if (w->scale != NULL) {
            const float4 s = load_4(scale + lane);
            OWI_UNROLL
            for (int i = 0; i < moment_x; i++) {
                x[i].x *= s.x;
                x[i].y *= s.y;
                x[i].z *= s.z;
                x[i].w *= s.w;
            }
        }
        OWI_UNROLL
        for (int i = 0; i < moment_x; i++) {
            OWI_UNROLL
            for (int j = 0; j < moment_y; j++) sum[i][j] = add_dot(sum[i][j], x[i], y[j]);
        }
    }
}

/* partial[slice, group, i, j] = sum over the slice's rows of x[i] y[j] scale.
 * Grid: slices * (x / 20) * (y / 56), groups. */
__global__ void __launch_bounds__(32, OWI_OLD_OR_NEW(12, 16))
    moments(const __grid_constant__ owi_moment_args a)
{
    __shared__ __align__(16) float ring[2 * moment_slot];
    const owi_moment_group g = a.groups[blockIdx.y];
    const uint32_t chunks_y = (a.most_y + owi_moment_ys - 1) / owi_moment_ys;
    const uint32_t chunks = chunks_y * ((a.n_x + owi_moment_xs - 1) / owi_moment_xs);
    const uint32_t chunk = blockIdx.x % chunks, slice = blockIdx.x / chunks;
    const uint32_t i0 = chunk / chunks_y * owi_moment_xs;
    const uint32_t j0 = chunk % chunks_y * owi_moment_ys;
    const uint32_t first = slice * a.slice_rows;
    const uint32_t left = a.rows.n_rows - first;
    const uint32_t end = first + (a.slice_rows < left ? a.slice_rows : left);
    float sum[moment_x][moment_y];
    uint32_t slot = 0;

    if (j0 >= g.n_y) return; /* the whole block */
    OWI_UNROLL
    for (int i = 0; i < moment_x; i++) {
        OWI_UNROLL
        for (int j = 0; j < moment_y; j++) sum[i][j] = 0.0f;
    }
    const moment_warp w = moment_begin(&a, &g, i0, j0, ring);
    moment_ask(&w, first, slot);
    OWI_COPY_COMMIT();
    for (uint32_t n = first; n < end; n += moment_lanes, slot ^= 1) {
        __syncwarp(); /* no thread is still at the lanes before these, whose place is taken */
        if (n + moment_lanes < end) moment_ask(&w, n + moment_lanes, slot ^ 1);
        OWI_COPY_COMMIT();
        OWI_COPY_WAIT(1);
        __syncwarp();
        moment_add(&w, slot, sum);
    }
    float *to = a.partial + slice * a.n_out + g.out;
    OWI_UNROLL
    for (uint32_t i = 0; i < moment_x; i++) {
        OWI_UNROLL
        for (uint32_t j = 0; j < moment_y; j++) {
            const uint32_t x = i0 + threadIdx.x / 8 + 4 * i, y = j0 + threadIdx.x % 8 + 8 * j;
            if (x < a.n_x && y < g.n_y) to[(size_t)x * g.n_y + y] = sum[i][j];
        }
    }
}

/* Grid: n / 64. */
__global__ void add_slices(const __grid_constant__ owi_add_args a)
{
    const size_t i = (size_t)blockIdx.x * owi_block_threads + threadIdx.x;
    double sum = 0.0;
    if (i >= a.n) return;
    for (uint32_t slice = 0; slice < a.n_slices; slice++)
        sum += (double)a.partial[slice * a.n + i];
    a.out[i] += (float)(a.weight != NULL ? (double)a.weight[i] * sum : sum);
}

/* Grid: entries. */
__global__ void totals(const __grid_constant__ owi_total_args a)
{
    __shared__ double part[owi_block_threads];
    double sum = 0.0;
    for (uint32_t n = threadIdx.x; n < a.rows.n_rows; n += owi_block_threads)
        sum += (double)
            a.flow[row_at(n, a.n_entries) + (size_t)blockIdx.x * L];
    part[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (uint32_t i = 1; i < owi_block_threads; i++) sum += part[i];
    a.total[blockIdx.x] += (float)sum;
}
