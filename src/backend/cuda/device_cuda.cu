/* SPDX-License-Identifier: MIT */
/* CUDA's runtime behind device_api.h, and the kernels compiled for a GPU. */
#include <cuda_runtime.h>
#include <math.h>

#include "backend/cuda/device_api.h"
#include "backend/cuda/layer_kernels.cuh"
#include "backend/cuda/leaf_kernels.cuh"
#include "backend/cuda/moment_kernels.cuh"
#include "backend/cuda/pair_kernels.cuh"
#include "backend/cuda/tree_kernels.cuh"

static int start(void)
{
    int n = 0;
    const cudaError_t error = cudaGetDeviceCount(&n);
    if (error != cudaSuccess) return (int)error;
    return n > 0 ? (int)cudaSetDevice(0) : (int)cudaErrorNoDevice;
}

static void *alloc(size_t size)
{
    void *block = NULL;
    if (cudaMalloc(&block, size) == cudaSuccess) return block;
    (void)cudaGetLastError(); /* a failed allocation is told, and does not stay */
    return NULL;
}

static void release(void *block)
{
    (void)cudaFree(block);
}

static int to_device(void *to, const void *from, size_t size)
{
    return (int)cudaMemcpy(to, from, size, cudaMemcpyHostToDevice);
}

static int from_device(void *to, const void *from, size_t size)
{
    return (int)cudaMemcpy(to, from, size, cudaMemcpyDeviceToHost);
}

static int clear(void *block, size_t size)
{
    return (int)cudaMemsetAsync(block, 0, size, 0);
}

#define KERNEL_FUNCTION(name, args, waits) (const void *)name,
static const void *const kernels[] = {OWI_DEVICE_KERNELS(KERNEL_FUNCTION)};

static int launch(owi_device_kernel kernel, const uint32_t grid[3], const void *args)
{
    void *list[] = {(void *)args};
    return (int)cudaLaunchKernel(kernels[kernel], dim3(grid[0], grid[1], grid[2]),
                                 dim3(owi_block_threads), list, 0, 0);
}

static int finish(void)
{
    return (int)cudaStreamSynchronize(0);
}

static const char *explain(int error)
{
    return cudaGetErrorString((cudaError_t)error);
}

extern "C" __attribute__((visibility("default")))
const owi_device_api otherwise_cuda_device = {
    owi_device_version, "cuda", start,  alloc,  release, to_device,
    from_device,        clear,  launch, finish, explain};
