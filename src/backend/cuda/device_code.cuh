/* SPDX-License-Identifier: MIT */
/* What all kernels share: places in buffers, and the guard of doc/method.md.  Whoever
 * includes this has the words of CUDA C: nvcc, or an emulation that defines them. */
#ifndef OWI_DEVICE_CODE_CUH
#define OWI_DEVICE_CODE_CUH

#include "backend/cuda/device_kernels.h"

/* Linear sums below this have lost their precision; they are made again in logarithms. */
#define OWI_LEAST_SUM 1e-30f
#define OWI_LEAST_LOG_SUM (-69.07755278982137)

/* Loops over registers must be unrolled: a register has no index. */
#ifdef __CUDACC__
#define OWI_UNROLL _Pragma("unroll")
#else
#define OWI_UNROLL
#endif

/* NULL plus 0 is NULL in CUDA C, as in C++; in C it is undefined. */
#ifdef __CUDACC__
#define OWI_PLUS(pointer, n) ((pointer) + (n))
#else
#define OWI_PLUS(pointer, n) ((pointer) != NULL ? (pointer) + (n) : NULL)
#endif

/* What a kernel asks for on sm_80, where the compiler uses a few registers more than on
 * sm_90 and would spill them, and what on all others. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define OWI_OLD_OR_NEW(old, new) old
#else
#define OWI_OLD_OR_NEW(old, new) new
#endif

/* 16 or 4 bytes from global to shared memory, behind the thread's back; those that have been
 * asked for up to a commit are a group, and a wait leaves at most `n` groups under way. */
#ifdef __CUDACC__
__device__ static __forceinline__ void copy_16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(to)),
                 "l"(from)
                 : "memory");
}
__device__ static __forceinline__ void copy_4(void *to, const void *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(to)),
                 "l"(from)
                 : "memory");
}
#define OWI_COPY_COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define OWI_COPY_WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#else
__device__ static inline void copy_16(void *to, const void *from)
{
    memcpy(to, from, 16);
}
__device__ static inline void copy_4(void *to, const void *from)
{
    memcpy(to, from, 4);
}
#define OWI_COPY_COMMIT()
#define OWI_COPY_WAIT(n)
#endif

/* Four or two numbers at once. */
__device__ static __forceinline__ float4 load_4(const float *from)
{
    return *(const float4 *)from;
}
__device__ static __forceinline__ float2 load_2(const float *from)
{
    return *(const float2 *)from;
}
__device__ static __forceinline__ void store_4(float *to, float4 x)
{
    *(float4 *)to = x;
}
__device__ static __forceinline__ float4 four(float x)
{
    float4 all;
    all.x = all.y = all.z = all.w = x;
    return all;
}
/* sum + a * x */
__device__ static __forceinline__ float4 add_product(float4 sum, float a, float4 x)
{
    sum.x += a * x.x;
    sum.y += a * x.y;
    sum.z += a * x.z;
    sum.w += a * x.w;
    return sum;
}

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

#endif
