/* SPDX-License-Identifier: MIT */
#include "backend/cuda/device_code.cuh"

/* top[r] = max_k log_value[r,k]; value[r,k] = exp(log_value[r,k] - top[r]).
 * Grid: rows / 64, regions. */
__global__ void normalize(const __grid_constant__ owi_layer_args a)
{
    const uint32_t n = thread_row(), r = blockIdx.y, K = a.n_components;
    float top = -INFINITY;
    if (n >= a.rows.n_rows) return;
    const size_t at = row_at(n, a.n_regions * K) + (size_t)r * K * L;
    for (uint32_t k = 0; k < K; k++) {
        if (a.log_sum != NULL) a.log_value[at + k * L] = (float)a.log_sum[at + k * L];
        top = fmaxf(top, a.log_value[at + k * L]);
    }
    for (uint32_t k = 0; k < K; k++)
        a.value[at + k * L] = top == -INFINITY ? 0.0f : expf(a.log_value[at + k * L] - top);
    a.top[row_at(n, a.n_regions) + (size_t)r * L] = top;
}
