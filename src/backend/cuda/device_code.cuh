/* SPDX-License-Identifier: MIT */
/* What all kernels share: places in buffers, and the guard of doc/method.md.  Whoever
 * includes this has the words of CUDA C: nvcc, or an emulation that defines them. */
#ifndef OWI_DEVICE_CODE_CUH
#define OWI_DEVICE_CODE_CUH

#include "backend/cuda/device_kernels.h"

/* Linear sums below this have lost their precision; they are made again in logarithms. */
#define OWI_LEAST_SUM 1e-30f
#define OWI_LEAST_LOG_SUM (-69.07755278982137)

/* This thread's row, where a block has a row for each thread. */
__device__ static inline uint32_t thread_row(void)
{
    return blockIdx.x * owi_block_threads + threadIdx.x;
}

/* Where a row stands in a buffer (tile, n_entries, lane), entry 0; entries are L apart. */
enum { L = owi_device_lanes };
__device__ static inline size_t row_at(uint32_t n, uint32_t n_entries)
{
    return (size_t)(n / L) * n_entries * L + n % L;
}

/* Whether nothing flows in a tile of a copy. */
__device__ static inline bool is_dead(owi_device_live live, uint32_t tile, uint32_t copy)
{
    return live.live != NULL && live.live[(size_t)tile * live.n_copies + copy] == 0;
}

/* log(exp(a) + exp(b)). */
__device__ static inline double log_add(double a, double b)
{
    const double high = fmax(a, b), low = fmin(a, b);
    return low == -INFINITY ? high : high + log1p(exp(low - high));
}

#endif
