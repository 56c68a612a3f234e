/* SPDX-License-Identifier: MIT */
/* Sums over rows, for learning: no two threads add to the same number, and slices are added
 * in their order, so that a GPU gives the same bytes again. */
#include "backend/cuda/device_code.cuh"

/* A thread's share of a block of outputs. */
typedef struct {
    float sum[4][8];
} product_sums;

__device__ static inline void product_clear(product_sums *own)
{
    for (int o = 0; o < 4; o++)
        for (int i = 0; i < 8; i++) own->sum[o][i] = 0.0f;
}

/* lanes (terms, 64), outputs (terms, 32). */
__device__ static inline void product_add(product_sums *own, const float *lanes,
                                          const float *outputs)
{
    const uint32_t lane = threadIdx.x % 8 * 8, output = threadIdx.x / 8 * 4;
    for (int term = 0; term < owi_product_terms; term++) {
        const float *x = lanes + term * owi_product_lanes + lane;
        const float *a = outputs + term * owi_product_outputs + output;
        for (int o = 0; o < 4; o++)
            for (int i = 0; i < 8; i++) own->sum[o][i] += a[o] * x[i];
    }
}

/* partial[slice, group, i, j] = sum over the slice's rows of x[i] y[j] scale: y's entries
 * are the lanes of the product, x's its outputs, rows its terms.
 * Grid: slices, groups, (x / 32) * (y / 64). */
__global__ void moments(const __grid_constant__ owi_moment_args a)
{
    __shared__ float lanes[owi_product_terms * owi_product_lanes];
    __shared__ float outputs[owi_product_terms * owi_product_outputs];
    const owi_moment_group g = a.groups[blockIdx.y];
    const uint32_t chunks_y = (a.most_y + owi_product_lanes - 1) / owi_product_lanes;
    const uint32_t i0 = blockIdx.z / chunks_y * owi_product_outputs;
    const uint32_t j0 = blockIdx.z % chunks_y * owi_product_lanes, j = j0 + threadIdx.x;
    const uint32_t first = blockIdx.x * a.slice_rows;
    const uint32_t end = first + a.slice_rows < a.rows.n_rows ? first + a.slice_rows
                                                              : a.rows.n_rows;
    product_sums own;

    if (j0 >= g.n_y) return; /* the whole block */
    const uint32_t entry = j >= g.n_y         ? 0
                           : a.scope != NULL ? a.scope[g.y_first + j]
                                             : g.y_first + j;
    product_clear(&own);
    for (uint32_t n0 = first; n0 < end; n0 += owi_product_terms) {
        for (uint32_t t = 0; t < owi_product_terms; t++) {
            const uint32_t n = n0 + t;
            float y = 0.0f;
            if (n < end && j < g.n_y)
                y = a.y == NULL ? 1.0f
                                : a.y[row_at(n, a.y_entries) + (size_t)entry * L];
            lanes[t * owi_product_lanes + threadIdx.x] = y;
        }
        for (uint32_t c = threadIdx.x; c < owi_product_terms * owi_product_outputs;
             c += owi_block_threads) {
            const uint32_t t = c % owi_product_terms, i = i0 + c / owi_product_terms;
            const uint32_t n = n0 + t;
            float x = 0.0f;
            if (n < end && i < a.n_x) {
                x = a.x[row_at(n, a.x_entries) + (size_t)(g.x_first + i) * L];
                if (a.scale != NULL)
                    x *= a.scale[row_at(n, a.scale_entries) + (size_t)g.scale * L];
            }
            outputs[t * owi_product_outputs + c / owi_product_terms] = x;
        }
        __syncthreads();
        product_add(&own, lanes, outputs);
        __syncthreads();
    }
    for (uint32_t o = 0; o < 4; o++)
        for (uint32_t c = 0; c < 8; c++) {
            const uint32_t i = i0 + threadIdx.x / 8 * 4 + o;
            const uint32_t to = j0 + threadIdx.x % 8 * 8 + c;
            if (i < a.n_x && to < g.n_y)
                a.partial[blockIdx.x * a.n_out + g.out + (size_t)i * g.n_y + to] =
                    own.sum[o][c];
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
