/* SPDX-License-Identifier: MIT */
#include "kernels/device_emulated.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

/* ---- The words of CUDA C ---- */

typedef struct {
    uint32_t x, y, z;
} place;

static place blockIdx, threadIdx, gridDim;

#define __device__
#define __global__ static
#define __shared__ static /* blocks run one after the other */
#define __grid_constant__

/* ---- Threads of a block ---- */

enum { stack_size = 64 * 1024 };

typedef struct {
    ucontext_t context;
    void *fake_stack; /* AddressSanitizer's */
    bool done;
} fiber;

static ucontext_t scheduler;
static fiber fibers[owi_block_threads];
static char stacks[owi_block_threads][stack_size];
static void (*running)(const void *args);
static const void *running_args;

#ifdef WITH_ASAN
static const void *scheduler_stack;
static size_t scheduler_stack_size;
#endif

static void to_scheduler(fiber *f, bool ends)
{
#ifdef WITH_ASAN
    __sanitizer_start_switch_fiber(ends ? NULL : &f->fake_stack, scheduler_stack,
                                   scheduler_stack_size);
#endif
    if (ends)
        setcontext(&scheduler);
    else
        swapcontext(&f->context, &scheduler);
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(f->fake_stack, &scheduler_stack, &scheduler_stack_size);
#endif
}

static void to_fiber(fiber *f, char *stack)
{
#ifdef WITH_ASAN
    void *own = NULL;
    __sanitizer_start_switch_fiber(&own, stack, stack_size);
#endif
    (void)stack;
    swapcontext(&scheduler, &f->context);
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(own, NULL, NULL);
#endif
}

static void __syncthreads(void)
{
    const place own = threadIdx;
    to_scheduler(&fibers[own.x], false);
    threadIdx = own;
}

static void begin_fiber(void)
{
    fiber *own = &fibers[threadIdx.x];
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(NULL, &scheduler_stack, &scheduler_stack_size);
#endif
    running(running_args);
    own->done = true;
    to_scheduler(own, true);
}

static void make_fiber(fiber *f, char *stack)
{
    f->done = false;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = stack;
    f->context.uc_stack.ss_size = stack_size;
    f->context.uc_link = NULL;
    makecontext(&f->context, begin_fiber, 0);
}

/* Every thread to its next barrier, in turn, until all have ended.  False: some ended where
 * others wait, which a GPU would not survive. */
static bool run_waiting_block(void)
{
    size_t n_done = 0;
    for (size_t i = 0; i < owi_block_threads; i++) make_fiber(&fibers[i], stacks[i]);
    while (n_done < owi_block_threads) {
        n_done = 0;
        for (uint32_t i = 0; i < owi_block_threads; i++) {
            threadIdx = (place){i, 0, 0};
            to_fiber(&fibers[i], stacks[i]);
            n_done += fibers[i].done;
        }
        if (n_done > 0 && n_done < owi_block_threads) return false;
    }
    return true;
}

static void run_block(void)
{
    for (uint32_t i = 0; i < owi_block_threads; i++) {
        threadIdx = (place){i, 0, 0};
        running(running_args);
    }
}

/* ---- The kernels ---- */

#include "backend/cuda/layer_kernels.cuh"
#include "backend/cuda/leaf_kernels.cuh"
#include "backend/cuda/moment_kernels.cuh"
#include "backend/cuda/pair_kernels.cuh"
#include "backend/cuda/tree_kernels.cuh"

#define CALL_KERNEL(name, type, waits)                                                     \
    static void call_##name(const void *args)                                              \
    {                                                                                      \
        name(*(const type *)args);                                                         \
    }
OWI_DEVICE_KERNELS(CALL_KERNEL)

typedef struct {
    void (*call)(const void *args);
    bool waits;
} kernel;
#define KERNEL_ENTRY(name, args, waits) {call_##name, waits},
static const kernel kernels[] = {OWI_DEVICE_KERNELS(KERNEL_ENTRY)};

/* ---- The runtime ---- */

enum { no_device_error = 1, injected_error = 2, barrier_error = 3, grid_error = 4 };

static size_t fail_at[device_call_kinds] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
static size_t limit = SIZE_MAX, in_use, n_blocks;

void device_emulated_fail(device_call kind, size_t at)
{
    fail_at[kind] = at;
}

void device_emulated_limit(size_t bytes)
{
    limit = bytes;
}

size_t device_emulated_n_blocks(void)
{
    return n_blocks;
}

static bool fails(device_call kind)
{
    if (fail_at[kind] == SIZE_MAX) return false;
    return fail_at[kind]-- == 0;
}

static int start(void)
{
    return 0;
}

/* The size stands before the block, which begins with noise, as a GPU's does. */
static void *alloc(size_t size)
{
    if (fails(device_alloc) || size > limit - in_use) return NULL;
    char *block = malloc(size + 64);
    if (block == NULL) return NULL;
    memset(block, 0xff, size + 64);
    memcpy(block, &size, sizeof size);
    in_use += size;
    n_blocks++;
    return block + 64;
}

static void release(void *block)
{
    size_t size;
    if (block == NULL) return;
    memcpy(&size, (char *)block - 64, sizeof size);
    in_use -= size;
    n_blocks--;
    free((char *)block - 64);
}

static int copy(void *to, const void *from, size_t size)
{
    if (fails(device_copy)) return injected_error;
    if (size > 0) memcpy(to, from, size);
    return 0;
}

static int clear(void *block, size_t size)
{
    memset(block, 0, size);
    return 0;
}

static int launch(owi_device_kernel number, const uint32_t grid[3], const void *args)
{
    if (fails(device_launch)) return injected_error;
    if (grid[0] == 0 || grid[1] - 1 >= 65535 || grid[2] - 1 >= 65535) return grid_error;
    running = kernels[number].call;
    running_args = args;
    gridDim = (place){grid[0], grid[1], grid[2]};
    for (uint32_t z = 0; z < grid[2]; z++)
        for (uint32_t y = 0; y < grid[1]; y++)
            for (uint32_t x = 0; x < grid[0]; x++) {
                blockIdx = (place){x, y, z};
                if (!kernels[number].waits)
                    run_block();
                else if (!run_waiting_block())
                    return barrier_error;
            }
    return 0;
}

static int finish(void)
{
    return 0;
}

static const char *explain(int error)
{
    static const char *const sentences[] = {"", "there is no GPU",
                                            "the GPU has disappeared",
                                            "threads of a block wait at different barriers",
                                            "more blocks than a grid may have"};
    return sentences[error];
}

const owi_device_api device_emulated = {owi_device_version,
                                        "cuda-emulated",
                                        start,
                                        alloc,
                                        release,
                                        copy,
                                        copy,
                                        clear,
                                        launch,
                                        finish,
                                        explain};
