/* SPDX-License-Identifier: MIT */
/* CUDA's runtime behind device_api.h, and the kernels compiled for a GPU. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backend/cuda/device_api.h"
#include "backend/cuda/layer_kernels.cuh"
#include "backend/cuda/leaf_tables.cuh"
#include "backend/cuda/leaf_up_kernels.cuh"
#include "backend/cuda/leaf_down_kernels.cuh"
#include "backend/cuda/leaf_few_kernels.cuh"
#include "backend/cuda/leaf_tile_kernels.cuh"
#include "backend/cuda/moment_kernels.cuh"
#include "backend/cuda/pair_kernels.cuh"
#include "backend/cuda/pair_tile_kernels.cuh"
#include "backend/cuda/row_kernels.cuh"
#include "backend/cuda/tree_kernels.cuh"

static cudaStream_t stream_of(void *stream)
{
    return (cudaStream_t)stream;
}

/* ---- The GPU ---- */

static int count(uint32_t *n)
{
    int found = 0;
    const cudaError_t error = cudaGetDeviceCount(&found);
    *n = error == cudaSuccess ? (uint32_t)found : 0;
    return error == cudaErrorNoDevice ? 0 : (int)error;
}

static int facts(owi_device_facts *facts)
{
    int number = 0;
    cudaDeviceProp properties;
    cudaError_t error = cudaGetDevice(&number);
    if (error == cudaSuccess) error = cudaGetDeviceProperties(&properties, number);
    if (error == cudaSuccess) error = cudaMemGetInfo(&facts->free_memory, &facts->memory);
    if (error != cudaSuccess) return (int)error;
    snprintf(facts->name, sizeof facts->name, "%s", properties.name);
    facts->n_processors = (uint32_t)properties.multiProcessorCount;
    facts->capability = (uint32_t)(10 * properties.major + properties.minor);
    return 0;
}

/* ---- Memory ---- */

/* Whether there is a block.  A failed allocation is told, and does not stay as the error of
 * a later call. */
static bool is_made(cudaError_t error)
{
    if (error != cudaSuccess) (void)cudaGetLastError();
    return error == cudaSuccess;
}

static void *alloc(size_t size)
{
    void *block = NULL;
    return is_made(cudaMalloc(&block, size)) ? block : NULL;
}

static void release(void *block)
{
    (void)cudaFree(block);
}

static void *alloc_pinned(size_t size)
{
    void *block = NULL;
    return is_made(cudaMallocHost(&block, size)) ? block : NULL;
}

static void release_pinned(void *block)
{
    (void)cudaFreeHost(block);
}

/* ---- Streams ---- */

static int open_stream(void **stream)
{
    return (int)cudaStreamCreateWithFlags((cudaStream_t *)stream, cudaStreamNonBlocking);
}

static void close_stream(void *stream)
{
    (void)cudaStreamDestroy(stream_of(stream));
}

static int to_device(void *stream, void *to, const void *from, size_t size)
{
    return (int)cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice, stream_of(stream));
}

static int from_device(void *stream, void *to, const void *from, size_t size)
{
    return (int)cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToHost, stream_of(stream));
}

static int copy(void *stream, void *to, const void *from, size_t size)
{
    return (int)cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice,
                                stream_of(stream));
}

static int clear(void *stream, void *block, size_t size)
{
    return (int)cudaMemsetAsync(block, 0, size, stream_of(stream));
}

typedef struct {
    const void *function;
    uint32_t threads;
} kernel;
#define KERNEL_ENTRY(name, args, waits, threads) {(const void *)name, threads},
static const kernel kernels[] = {OWI_DEVICE_KERNELS(KERNEL_ENTRY)};

/* Kernels of which as many blocks run at once as shared memory holds get all of it. */
static int prefer_shared(void)
{
    static const owi_device_kernel wide[] = {
        owi_kernel_moments, owi_kernel_leaf_down_8, owi_kernel_leaf_down_16,
        owi_kernel_leaf_down_20, owi_kernel_leaf_down_32};
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < sizeof wide / sizeof *wide && error == cudaSuccess; i++)
        error = cudaFuncSetAttribute(kernels[wide[i]].function,
                                     cudaFuncAttributePreferredSharedMemoryCarveout,
                                     cudaSharedmemCarveoutMaxShared);
    return (int)error;
}

/* A context is made here, not in the middle of the first call that needs one. */
static int start(uint32_t number)
{
    int found = 0;
    cudaError_t error = cudaGetDeviceCount(&found);
    if (error != cudaSuccess) return (int)error;
    if (number >= (uint32_t)found) return (int)cudaErrorNoDevice;
    error = cudaSetDevice((int)number);
    if (error == cudaSuccess) error = cudaFree(NULL);
    return error != cudaSuccess ? (int)error : prefer_shared();
}

static int launch(void *stream, owi_device_kernel number, const uint32_t grid[3],
                  const void *args)
{
    void *list[] = {(void *)args};
    return (int)cudaLaunchKernel(kernels[number].function, dim3(grid[0], grid[1], grid[2]),
                                 dim3(kernels[number].threads), list, 0, stream_of(stream));
}

static int finish(void *stream)
{
    return (int)cudaStreamSynchronize(stream_of(stream));
}

/* ---- Marks ---- */

static int open_mark(void **mark)
{
    return (int)cudaEventCreate((cudaEvent_t *)mark);
}

static void close_mark(void *mark)
{
    (void)cudaEventDestroy((cudaEvent_t)mark);
}

static int set_mark(void *stream, void *mark)
{
    return (int)cudaEventRecord((cudaEvent_t)mark, stream_of(stream));
}

static int wait_mark(void *stream, void *mark)
{
    return (int)cudaStreamWaitEvent(stream_of(stream), (cudaEvent_t)mark, 0);
}

static int elapsed(void *from, void *to, float *milliseconds)
{
    const cudaError_t error = cudaEventSynchronize((cudaEvent_t)to);
    if (error != cudaSuccess) return (int)error;
    return (int)cudaEventElapsedTime(milliseconds, (cudaEvent_t)from, (cudaEvent_t)to);
}

/* ---- Graphs ---- */

static int begin_graph(void *stream)
{
    return (int)cudaStreamBeginCapture(stream_of(stream), cudaStreamCaptureModeThreadLocal);
}

static int end_graph(void *stream, void **graph)
{
    cudaGraph_t captured = NULL;
    cudaGraphExec_t made = NULL;
    cudaError_t error = cudaStreamEndCapture(stream_of(stream), &captured);
    if (error == cudaSuccess) error = cudaGraphInstantiate(&made, captured, 0);
    if (captured != NULL) (void)cudaGraphDestroy(captured);
    *graph = error == cudaSuccess ? made : NULL;
    return (int)error;
}

static int replay(void *stream, void *graph)
{
    return (int)cudaGraphLaunch((cudaGraphExec_t)graph, stream_of(stream));
}

static void release_graph(void *graph)
{
    if (graph != NULL) (void)cudaGraphExecDestroy((cudaGraphExec_t)graph);
}

static const char *explain(int error)
{
    return cudaGetErrorString((cudaError_t)error);
}

static_assert(owi_device_no_memory == cudaErrorMemoryAllocation, "as device_api.h has it");

extern "C" __attribute__((visibility("default")))
const owi_device_api otherwise_cuda_device = {
    owi_device_version, "cuda",         count,        start,          facts,
    alloc,              release,        alloc_pinned, release_pinned, open_stream,
    close_stream,       to_device,      from_device,  copy,           clear,
    launch,             finish,         open_mark,    close_mark,     set_mark,
    wait_mark,          elapsed,        begin_graph,  end_graph,      replay,
    release_graph,      explain};
