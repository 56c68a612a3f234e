/* SPDX-License-Identifier: MIT */
#include "kernels/device_emulated.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "kernels/device_blocks.h"

enum {
    no_device_error = 1,
    injected_error = 3,
    barrier_error = 4,
    grid_error = 5,
    capture_error = 6
};

static size_t fail_at[device_call_kinds] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
static size_t limit = SIZE_MAX, in_use, n_blocks;
static uint32_t n_devices = 1;

void device_emulated_fail(device_call kind, size_t at)
{
    fail_at[kind] = at;
}

void device_emulated_limit(size_t bytes)
{
    limit = bytes;
}

void device_emulated_count(uint32_t n)
{
    n_devices = n;
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

/* ---- The GPU ---- */

static int count(uint32_t *n)
{
    *n = n_devices;
    return 0;
}

static int start(uint32_t number)
{
    return number < n_devices ? 0 : no_device_error;
}

static int facts(owi_device_facts *facts)
{
    *facts = (owi_device_facts){.name = "emulation on the processor",
                                .memory = limit,
                                .free_memory = limit > in_use ? limit - in_use : 0,
                                .n_processors = 1};
    return 0;
}

/* ---- Memory ---- */

/* The size stands before the block, which begins with noise, as a GPU's does. */
static void *alloc(size_t size)
{
    if (fails(device_alloc) || in_use > limit || size > limit - in_use) return NULL;
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

/* Something small that has to be released. */
static void *open_thing(size_t size)
{
    void *thing = calloc(1, size);
    n_blocks += thing != NULL;
    return thing;
}

static void close_thing(void *thing)
{
    n_blocks -= thing != NULL;
    free(thing);
}

static void *alloc_pinned(size_t size)
{
    return fails(device_alloc) ? NULL : open_thing(size + 1);
}

/* ---- Work: done at once, or kept for a graph ---- */

typedef struct work {
    struct work *next;
    enum { work_copy, work_clear, work_launch } kind;
    void *to;
    const void *from;
    size_t size;
    owi_device_kernel kernel;
    uint32_t grid[3];
    void *args;
} work;

typedef struct {
    work *first, *last;
} graph;

typedef struct {
    graph *captured; /* NULL: work is done at once */
} stream;

static int open_stream(void **made)
{
    *made = open_thing(sizeof(stream));
    return *made != NULL ? 0 : owi_device_no_memory;
}

static int launch_now(const work *w)
{
    const uint32_t *grid = w->grid;
    if (grid[0] == 0 || grid[1] - 1 >= 65535 || grid[2] - 1 >= 65535) return grid_error;
    return device_run_blocks(w->kernel, grid, w->args) ? 0 : barrier_error;
}

static int do_work(const work *w)
{
    if (w->kind == work_launch) return launch_now(w);
    if (w->size == 0) return 0;
    if (w->kind == work_copy)
        memcpy(w->to, w->from, w->size);
    else
        memset(w->to, 0, w->size);
    return 0;
}

/* Keeps the work, with a copy of a kernel's arguments. */
static int keep(graph *into, work w)
{
    const size_t size = w.kind == work_launch ? device_args_size(w.kernel) : 0;
    work *kept = malloc(sizeof *kept + size);
    if (kept == NULL) return owi_device_no_memory;
    *kept = w;
    if (size > 0) {
        kept->args = kept + 1;
        memcpy(kept->args, w.args, size);
    }
    if (into->last != NULL)
        into->last->next = kept;
    else
        into->first = kept;
    into->last = kept;
    return 0;
}

static int take(stream *s, work w)
{
    if (fails(w.kind == work_launch ? device_launch : device_copy)) return injected_error;
    return s != NULL && s->captured != NULL ? keep(s->captured, w) : do_work(&w);
}

static int copy(void *s, void *to, const void *from, size_t size)
{
    return take(s, (work){.kind = work_copy, .to = to, .from = from, .size = size});
}

static int clear(void *s, void *block, size_t size)
{
    return take(s, (work){.kind = work_clear, .to = block, .size = size});
}

static int launch(void *s, owi_device_kernel kernel, const uint32_t grid[3],
                  const void *args)
{
    return take(s, (work){.kind = work_launch,
                          .kernel = kernel,
                          .grid = {grid[0], grid[1], grid[2]},
                          .args = (void *)args});
}

/* Nothing may be waited for while a graph is captured. */
static int finish(void *s)
{
    return s != NULL && ((stream *)s)->captured != NULL ? capture_error : 0;
}

/* ---- Marks ---- */

static int open_mark(void **mark)
{
    *mark = open_thing(sizeof(double));
    return *mark != NULL ? 0 : owi_device_no_memory;
}

static int set_mark(void *s, void *mark)
{
    (void)s;
    *(double *)mark = owi_clock_seconds();
    return 0;
}

static int wait_mark(void *s, void *mark)
{
    (void)s;
    (void)mark;
    return 0;
}

static int elapsed(void *from, void *to, float *milliseconds)
{
    *milliseconds = (float)(1e3 * (*(double *)to - *(double *)from));
    return 0;
}

/* ---- Graphs ---- */

static int begin_graph(void *s)
{
    stream *own = s;
    if (own == NULL || own->captured != NULL) return capture_error;
    own->captured = open_thing(sizeof *own->captured);
    return own->captured != NULL ? 0 : owi_device_no_memory;
}

static int end_graph(void *s, void **made)
{
    stream *own = s;
    *made = own->captured;
    own->captured = NULL;
    return *made != NULL ? 0 : capture_error;
}

static int replay(void *s, void *made)
{
    (void)s;
    for (const work *w = ((graph *)made)->first; w != NULL; w = w->next) {
        if (fails(device_launch)) return injected_error;
        const int error = do_work(w);
        if (error != 0) return error;
    }
    return 0;
}

static void release_graph(void *made)
{
    if (made == NULL) return;
    for (work *w = ((graph *)made)->first, *next; w != NULL; w = next) {
        next = w->next;
        free(w);
    }
    close_thing(made);
}

static const char *explain(int error)
{
    static const char *const sentences[] = {
        "",
        "there is no GPU",
        "out of memory",
        "the GPU has disappeared",
        "threads of a block wait at different barriers",
        "more blocks than a grid may have",
        "this cannot be done while a graph is captured"};
    return sentences[error];
}

const owi_device_api device_emulated = {.version = owi_device_version,
                                        .name = "cuda-emulated",
                                        .count = count,
                                        .start = start,
                                        .facts = facts,
                                        .alloc = alloc,
                                        .release = release,
                                        .alloc_pinned = alloc_pinned,
                                        .release_pinned = close_thing,
                                        .open_stream = open_stream,
                                        .close_stream = close_thing,
                                        .to_device = copy,
                                        .from_device = copy,
                                        .copy = copy,
                                        .clear = clear,
                                        .launch = launch,
                                        .finish = finish,
                                        .open_mark = open_mark,
                                        .close_mark = close_thing,
                                        .set_mark = set_mark,
                                        .wait_mark = wait_mark,
                                        .elapsed = elapsed,
                                        .begin_graph = begin_graph,
                                        .end_graph = end_graph,
                                        .replay = replay,
                                        .release_graph = release_graph,
                                        .explain = explain};
