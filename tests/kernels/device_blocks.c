/* SPDX-License-Identifier: MIT */
#include "kernels/device_blocks.h"

#include <math.h>
#include <string.h>
#include <ucontext.h>

#include "support/sanitizers.h"
#ifdef OW_TEST_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef OW_TEST_TSAN
#include <sanitizer/tsan_interface.h>
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
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(n) _Alignas(n)

typedef struct {
    _Alignas(16) float x; /* a GPU refuses other places */
    float y, z, w;
} float4;

typedef struct {
    _Alignas(8) float x;
    float y;
} float2;

static inline uint32_t __float_as_uint(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float __uint_as_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- Threads of a block ---- */

enum { stack_size = 64 * 1024, most_threads = 256, warp_threads = 32 };

/* What a thread waits for. */
typedef enum { waits_for_nothing, waits_for_warp, waits_for_block, has_ended } fiber_state;

typedef struct {
    ucontext_t context;
    void *fake_stack; /* AddressSanitizer's */
    void *told;       /* ThreadSanitizer's, made once */
    fiber_state state;
} fiber;

static ucontext_t scheduler;
static fiber fibers[most_threads];
static char stacks[most_threads][stack_size];
static void (*running)(const void *args);
static const void *running_args;

#ifdef OW_TEST_ASAN
static const void *scheduler_stack;
static size_t scheduler_stack_size;
#endif

#ifdef OW_TEST_TSAN
/* ThreadSanitizer keeps a stack of calls for each fiber; functions that never return must
 * not be on it. */
#define UNSEEN __attribute__((disable_sanitizer_instrumentation))
static void *scheduler_told;
#else
#define UNSEEN
#endif

UNSEEN static void to_scheduler(fiber *f, bool ends)
{
#ifdef OW_TEST_TSAN
    __tsan_switch_to_fiber(scheduler_told, 0);
#endif
#ifdef OW_TEST_ASAN
    __sanitizer_start_switch_fiber(ends ? NULL : &f->fake_stack, scheduler_stack,
                                   scheduler_stack_size);
#endif
    if (ends)
        setcontext(&scheduler);
    else
        swapcontext(&f->context, &scheduler);
#ifdef OW_TEST_ASAN
    __sanitizer_finish_switch_fiber(f->fake_stack, &scheduler_stack, &scheduler_stack_size);
#endif
}

static void to_fiber(fiber *f, char *stack)
{
#ifdef OW_TEST_ASAN
    void *own = NULL;
    __sanitizer_start_switch_fiber(&own, stack, stack_size);
#endif
    (void)stack;
#ifdef OW_TEST_TSAN
    __tsan_switch_to_fiber(f->told, 0);
#endif
    swapcontext(&scheduler, &f->context);
#ifdef OW_TEST_ASAN
    __sanitizer_finish_switch_fiber(own, NULL, NULL);
#endif
}

static void wait_for(fiber_state what)
{
    const place own = threadIdx;
    fibers[own.x].state = what;
    to_scheduler(&fibers[own.x], false);
    threadIdx = own;
}

static void __syncthreads(void)
{
    wait_for(waits_for_block);
}

static inline void __syncwarp(void)
{
    wait_for(waits_for_warp);
}

UNSEEN static void begin_fiber(void)
{
    fiber *own = &fibers[threadIdx.x];
#ifdef OW_TEST_ASAN
    __sanitizer_finish_switch_fiber(NULL, &scheduler_stack, &scheduler_stack_size);
#endif
    running(running_args);
    own->state = has_ended;
    to_scheduler(own, true);
}

static void make_fiber(fiber *f, char *stack)
{
#ifdef OW_TEST_TSAN
    if (f->told == NULL) f->told = __tsan_create_fiber(0);
    scheduler_told = __tsan_get_current_fiber();
#endif
    f->state = waits_for_nothing;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = stack;
    f->context.uc_stack.ss_size = stack_size;
    f->context.uc_link = NULL;
    makecontext(&f->context, begin_fiber, 0);
}

/* Sets those free who wait at a barrier that all threads from `first` to `end` have come
 * to; how many. */
static size_t pass_barrier(size_t first, size_t end, fiber_state barrier)
{
    for (size_t i = first; i < end; i++)
        if (fibers[i].state != barrier) return 0;
    for (size_t i = first; i < end; i++) fibers[i].state = waits_for_nothing;
    return end - first;
}

/* Every thread to its next barrier, in turn, until all have ended.  False: some ended where
 * others wait, or wait at different barriers, which a GPU would not survive. */
static bool run_waiting_block(size_t n_threads)
{
    size_t n_running = n_threads;
    for (size_t i = 0; i < n_threads; i++) make_fiber(&fibers[i], stacks[i]);
    while (n_running > 0) {
        for (uint32_t i = 0; i < n_threads; i++) {
            if (fibers[i].state != waits_for_nothing) continue;
            threadIdx = (place){i, 0, 0};
            to_fiber(&fibers[i], stacks[i]);
        }
        n_running = pass_barrier(0, n_threads, waits_for_block);
        for (size_t w = 0; w < n_threads; w += warp_threads) {
            const size_t end = w + warp_threads < n_threads ? w + warp_threads : n_threads;
            n_running += pass_barrier(w, end, waits_for_warp);
        }
    }
    for (size_t i = 0; i < n_threads; i++)
        if (fibers[i].state != has_ended) return false;
    return true;
}

static void run_block(size_t n_threads)
{
    for (uint32_t i = 0; i < n_threads; i++) {
        threadIdx = (place){i, 0, 0};
        running(running_args);
    }
}

/* ---- The kernels ---- */

#include "backend/cuda/layer_kernels.cuh"
#include "backend/cuda/leaf_down_kernels.cuh"
#include "backend/cuda/leaf_few_kernels.cuh"
#include "backend/cuda/leaf_tables.cuh"
#include "backend/cuda/leaf_tile_kernels.cuh"
#include "backend/cuda/leaf_up_kernels.cuh"
#include "backend/cuda/moment_kernels.cuh"
#include "backend/cuda/pair_kernels.cuh"
#include "backend/cuda/pair_tile_kernels.cuh"
#include "backend/cuda/row_kernels.cuh"
#include "backend/cuda/tree_kernels.cuh"

#define CALL_KERNEL(name, type, waits, threads)                                            \
    static void call_##name(const void *args)                                              \
    {                                                                                      \
        name(*(const type *)args);                                                         \
    }
OWI_DEVICE_KERNELS(CALL_KERNEL)

typedef struct {
    void (*call)(const void *args);
    size_t args_size;
    bool waits;
    size_t threads;
} kernel;
#define KERNEL_ENTRY(name, args, waits, threads)                                           \
    {call_##name, sizeof(args), waits, threads},
static const kernel kernels[] = {OWI_DEVICE_KERNELS(KERNEL_ENTRY)};

size_t device_args_size(owi_device_kernel number)
{
    return kernels[number].args_size;
}

bool device_run_blocks(owi_device_kernel number, const uint32_t grid[3], const void *args)
{
    const size_t threads = kernels[number].threads;
    running = kernels[number].call;
    running_args = args;
    gridDim = (place){grid[0], grid[1], grid[2]};
    for (uint32_t z = 0; z < grid[2]; z++)
        for (uint32_t y = 0; y < grid[1]; y++)
            for (uint32_t x = 0; x < grid[0]; x++) {
                blockIdx = (place){x, y, z};
                if (!kernels[number].waits)
                    run_block(threads);
                else if (!run_waiting_block(threads))
                    return false;
            }
    return true;
}
