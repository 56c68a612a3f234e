/* SPDX-License-Identifier: MIT */
/* Products of the leaf layer.  A block makes 64 lanes x 32 outputs, each of its 64 threads 8
 * lanes x 4 outputs in registers; terms come through shared memory, 16 at a time. */
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

/* The groups of leaf statistics.  Grid: regions / 64. */
__global__ void leaf_groups(const __grid_constant__ owi_leaf_args a)
{
    const uint32_t r = thread_row(), start = r < a.n_regions ? a.scope_start[r] : 0;
    if (r >= a.n_regions) return;
    a.groups[r].x_first = r * a.n_components;
    a.groups[r].y_first = start;
    a.groups[r].n_y = a.scope_start[r + 1] - start;
    a.groups[r].scale = 0;
    a.groups[r].out = (size_t)a.n_components * start;
}

/* log_value[r,k] = bias[r,k] + sum_f theta[r,k,f] features[scope[r,f]].
 * Grid: rows / 64, regions, components / 32. */
__global__ void leaf_up(const __grid_constant__ owi_leaf_args a)
{
    __shared__ float lanes[owi_product_terms * owi_product_lanes];
    __shared__ float outputs[owi_product_terms * owi_product_outputs];
    const uint32_t r = blockIdx.y, k0 = blockIdx.z * owi_product_outputs, K = a.n_components;
    const uint32_t start = a.scope_start[r], width = a.scope_start[r + 1] - start;
    const uint32_t row = thread_row(), own_row = blockIdx.x * 64;
    const uint32_t safe = row < a.rows.n_rows ? row : a.rows.n_rows - 1;
    const float *in = a.in + row_at(safe, a.n_features);
    const float *theta = a.theta + (size_t)K * start;
    product_sums own;

    product_clear(&own);
    for (uint32_t f0 = 0; f0 < width; f0 += owi_product_terms) {
        for (uint32_t i = 0; i < owi_product_terms; i++)
            lanes[i * owi_product_lanes + threadIdx.x] =
                f0 + i < width ? in[(size_t)a.scope[start + f0 + i] * L] : 0.0f;
        for (uint32_t i = threadIdx.x; i < owi_product_terms * owi_product_outputs;
             i += owi_block_threads) {
            const uint32_t f = f0 + i % owi_product_terms, k = k0 + i / owi_product_terms;
            outputs[i % owi_product_terms * owi_product_outputs + i / owi_product_terms] =
                f < width && k < K ? theta[(size_t)k * width + f] : 0.0f;
        }
        __syncthreads();
        product_add(&own, lanes, outputs);
        __syncthreads();
    }
    for (uint32_t o = 0; o < 4; o++)
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t k = k0 + threadIdx.x / 8 * 4 + o;
            const uint32_t n = own_row + threadIdx.x % 8 * 8 + i;
            if (k >= K || n >= a.rows.n_rows) continue;
            float *out = a.out + row_at(n, a.n_regions * K) + (size_t)(r * K + k) * L;
            const float before = a.bias != NULL ? a.bias[r * K + k] : *out;
            *out = n < a.rows.n_used ? before + own.sum[o][i] : 0.0f;
        }
}

/* d_features[scope[r,f]] += sum_k theta[r,k,f] flow[r,k].
 * Grid: rows / 64, regions of the launch, features of a scope / 32. */
__global__ void leaf_down(const __grid_constant__ owi_leaf_args a)
{
    __shared__ float lanes[owi_product_terms * owi_product_lanes];
    __shared__ float outputs[owi_product_terms * owi_product_outputs];
    const uint32_t r = a.first_region + blockIdx.y, f0 = blockIdx.z * owi_product_outputs;
    const uint32_t start = a.scope_start[r], width = a.scope_start[r + 1] - start;
    const uint32_t K = a.n_components, row = thread_row();
    const uint32_t safe = row < a.rows.n_rows ? row : a.rows.n_rows - 1;
    const float *flow =
        a.in + row_at(safe, a.n_regions * K) + (size_t)r * K * L;
    const float *theta = a.theta + (size_t)K * start;
    product_sums own;

    if (f0 >= width) return; /* the whole block */
    if (is_dead(a.live, blockIdx.x, r / (a.n_regions / a.live.n_copies))) return;
    product_clear(&own);
    for (uint32_t k0 = 0; k0 < K; k0 += owi_product_terms) {
        for (uint32_t i = 0; i < owi_product_terms; i++)
            lanes[i * owi_product_lanes + threadIdx.x] =
                k0 + i < K ? flow[(size_t)(k0 + i) * L] : 0.0f;
        for (uint32_t i = threadIdx.x; i < owi_product_terms * owi_product_outputs;
             i += owi_block_threads) {
            const uint32_t k = k0 + i / owi_product_outputs;
            const uint32_t f = f0 + i % owi_product_outputs;
            outputs[i] = f < width && k < K ? theta[(size_t)k * width + f] : 0.0f;
        }
        __syncthreads();
        product_add(&own, lanes, outputs);
        __syncthreads();
    }
    for (uint32_t o = 0; o < 4; o++)
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t f = f0 + threadIdx.x / 8 * 4 + o;
            const uint32_t n = blockIdx.x * 64 + threadIdx.x % 8 * 8 + i;
            if (f < width && n < a.rows.n_used)
                a.out[row_at(n, a.n_features) + (size_t)a.scope[start + f] * L] +=
                    own.sum[o][i];
        }
}
