/* SPDX-License-Identifier: MIT */
/* Whole chains of the engine on a GPU, of rows that lie there already, and what each of
 * their kernels takes.  Circuits are of the paper's size for MNIST (784 columns of variance
 * 1, 5 classes, depth 1, 19 repetitions, 20 inputs); rows are made up.
 *
 *     bench_device [BACKEND] [ROWS] [once]      cuda, or cuda:FILE; rows 17385 by default
 *
 * `chain` is the clock from the first launch until the device is done, the shortest of
 * several runs.  A kernel's time is that between two marks around its launch, which
 * includes a gap of a few microseconds.  Every chain is run ten times over for the same
 * bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/device_open.h"
#include "base/numeric/rng.h"
#include "circuit/device/device_private.h"
#include "circuit/device/device_steps.h"
#include "circuit/learn/sum_layout.h"
#include "otherwise/otherwise.h"
#include "stopwatch.h"

static ow_call how = {.size = sizeof how};

enum {
    n_runs = 9,
    n_same = 10,
    n_columns = 784,
    n_classes = 5,
    n_training = 24576,
    n_update = 2048,
    most_launches = 4096
};

static void fail(const char *what)
{
    fprintf(stderr, "bench_device: %s\n", what);
    exit(1);
}

static void check(ow_status status)
{
    if (status != OW_OK) fail(ow_error_message());
}

static void *allocate(size_t n, size_t size)
{
    void *block = calloc(n, size);
    if (block == NULL) fail("out of memory");
    return block;
}

/* ---- A runtime that looks at the clock around each launch ---- */

static const char *const kernel_names[] = {
#define KERNEL_NAME(name, args, waits, threads) #name,
    OWI_DEVICE_KERNELS(KERNEL_NAME)};

static struct {
    const owi_device_api *real;
    owi_device_api api;
    bool is_on;
    size_t n;
    struct {
        owi_device_kernel kernel;
        void *begin, *end;
    } launches[most_launches];
} watch;

static void check_device(int error)
{
    if (error != 0) fail(watch.real->explain(error));
}

static int watched_launch(void *stream, owi_device_kernel kernel, const uint32_t grid[3],
                          const void *args)
{
    if (!watch.is_on || watch.n == most_launches)
        return watch.real->launch(stream, kernel, grid, args);
    const size_t i = watch.n++;
    watch.launches[i].kernel = kernel;
    if (watch.launches[i].begin == NULL) {
        check_device(watch.real->open_mark(&watch.launches[i].begin));
        check_device(watch.real->open_mark(&watch.launches[i].end));
    }
    check_device(watch.real->set_mark(stream, watch.launches[i].begin));
    const int error = watch.real->launch(stream, kernel, grid, args);
    check_device(watch.real->set_mark(stream, watch.launches[i].end));
    return error;
}

static void watch_begin(const owi_device_api *real)
{
    watch.real = real;
    watch.api = *real;
    watch.api.launch = watched_launch;
}

static void watch_end(void)
{
    for (size_t i = 0; i < most_launches && watch.launches[i].begin != NULL; i++) {
        watch.real->close_mark(watch.launches[i].begin);
        watch.real->close_mark(watch.launches[i].end);
    }
}

/* ---- Chains ---- */

typedef struct {
    const owi_device_api *api;
    ow_circuit *circuit;
    owi_device_pass *pass;
    bool is_once;
    size_t n_rows, n_update;
    float *rows, *between, *after; /* on the device, n_training rows each */
    int32_t *origin, *target;
} task;

static void finish(const task *t)
{
    if (t->pass->device.error == 0)
        t->pass->device.error = t->api->finish(t->pass->device.stream);
    check(owi_device_status(t->pass));
}

static void run_steps(void *user)
{
    const task *t = user;
    const owi_two_steps there = {.n_rows = t->n_rows,
                                 .rows = t->rows,
                                 .origin = t->origin,
                                 .target = t->target,
                                 .class_step = 10.0,
                                 .density_step = 1.0,
                                 .between = t->between,
                                 .after = t->after};
    owi_device_begin(t->pass, t->n_rows, NULL);
    owi_device_launch_steps(t->pass, &there, NULL);
    finish(t);
}

/* The sums of EM, n_update rows after the other, each into sums that were cleared. */
static void run_sums(void *user)
{
    const task *t = user;
    owi_device_pass *pass = t->pass;
    for (size_t first = 0; first < n_training; first += t->n_update) {
        owi_device_begin(pass, t->n_update, NULL);
        owi_device_rows_up(pass, t->rows + first * n_columns);
        owi_seed_args seeds = owi_device_seed_args(pass);
        seeds.plus = t->origin + first;
        owi_device_seeds(&pass->device, &seeds);
        owi_device_clear_sums(pass);
        owi_device_add_sums(pass);
    }
    finish(t);
}

/* ---- What is printed ---- */

/* Floating-point operations of the leaf products of a row, one way. */
static double leaf_operations(const task *t)
{
    return 2.0 * (double)t->circuit->n_leaf;
}

static void print_kernels(task *t, void (*chain)(void *user), double rows)
{
    double total[owi_n_kernels] = {0};
    size_t n[owi_n_kernels] = {0};
    watch.n = 0;
    watch.is_on = true;
    chain(t);
    watch.is_on = false;
    for (size_t i = 0; i < watch.n; i++) {
        float milliseconds = 0.0f;
        check_device(watch.real->elapsed(watch.launches[i].begin, watch.launches[i].end,
                                         &milliseconds));
        total[watch.launches[i].kernel] += (double)milliseconds;
        n[watch.launches[i].kernel]++;
    }
    for (int k = 0; k < owi_n_kernels; k++) {
        if (n[k] == 0) continue;
        printf("    %-14s %4zu launches %9.3f ms", kernel_names[k], n[k], total[k]);
        const bool is_leaf = strncmp(kernel_names[k], "leaf_up", 7) == 0 ||
                             strncmp(kernel_names[k], "leaf_down", 9) == 0 ||
                             strncmp(kernel_names[k], "leaf_tile", 9) == 0;
        if (is_leaf && total[k] > 0.0)
            printf("  %6.1f TFLOP/s", rows * leaf_operations(t) / total[k] * 1e-9);
        printf("\n");
    }
}

/* Whether ten runs leave the same bytes in a block. */
static bool same_bytes(task *t, void (*chain)(void *user), const float *const *block,
                       size_t n)
{
    bool same = true;
    float *first = allocate(n, sizeof *first), *again = allocate(n, sizeof *again);
    for (int i = 0; i < n_same; i++) {
        chain(t);
        check_device(
            t->api->from_device(NULL, i == 0 ? first : again, *block, n * sizeof *first));
        check_device(t->api->finish(NULL));
        same = same && (i == 0 || memcmp(first, again, n * sizeof *first) == 0);
    }
    free(first);
    free(again);
    return same;
}

static void measure(task *t, const char *circuit, const char *name,
                    void (*chain)(void *user), double rows, const float *const *block,
                    size_t n)
{
    chain(t);
    if (t->is_once) return;
    const double seconds = stopwatch_best_wall(n_runs, chain, t);
    printf("%-9s %-34s chain %9.3f ms, %s\n", circuit, name, 1e3 * seconds,
           same_bytes(t, chain, block, n) ? "10 runs, same bytes" : "10 RUNS DIFFER");
    print_kernels(t, chain, rows);
    fflush(stdout);
}

static void make_room(const task *t, size_t n, bool with_sums)
{
    size_t rows = n;
    check(owi_device_make_room(t->pass, &rows, with_sums));
    if (rows < n) fail("the GPU has no memory for so many rows at once");
}

static void bench(task *t, ow_context *ctx, ow_structure structure, const char *name,
                  const ow_row_source *source, size_t n_queries)
{
    static ow_leaf leaves[n_columns];
    char title[64];
    for (size_t j = 0; j < n_columns; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    const ow_circuit_spec spec = {.size = sizeof spec,
                                  .structure = structure,
                                  .depth = 1,
                                  .repetitions = 19,
                                  .inputs = 20,
                                  .n_classes = n_classes,
                                  .n_columns = n_columns,
                                  .leaves = leaves,
                                  .variance = 1.0};
    check(ow_circuit_new(ctx, &spec, &t->circuit));
    check(ow_circuit_start(t->circuit, source, &how));
    check(owi_device_pass_new(&watch.api, t->circuit, &t->pass));
    check(owi_device_give_parameters(t->pass));
    const float *const after = t->after;
    const size_t sizes[] = {n_queries, 2048, 1};
    /* As the rows choose, and with the sums of leaves in shared memory. */
    static const owi_leaf_way ways[] = {owi_leaf_by_rows, owi_leaf_parts};
    for (size_t i = 0; i < (t->is_once ? 1 : 2 * (sizeof sizes / sizeof *sizes)); i++) {
        t->n_rows = sizes[i / 2];
        t->pass->leaf.way = ways[i % 2];
        make_room(t, t->n_rows, false);
        snprintf(title, sizeof title, "two-step of %zu rows%s", t->n_rows,
                 i % 2 == 0 ? "" : ", leaf_down");
        measure(t, name, title, run_steps, 2.0 * (double)t->n_rows, &after,
                t->n_rows * n_columns);
    }
    t->pass->leaf.way = owi_leaf_by_rows;
    const size_t n_sums = owi_sum_layout_of(t->circuit).leaf + t->circuit->n_leaf;
    for (t->n_update = n_training; t->n_update >= (t->is_once ? n_training : n_update);
         t->n_update /= n_training / n_update) {
        make_room(t, t->n_update, true);
        snprintf(title, sizeof title, "sums of %d rows, %zu at a time", n_training,
                 t->n_update);
        measure(t, name, title, run_sums, n_training, (const float *const *)&t->pass->sums,
                n_sums);
    }
    owi_device_pass_free(t->pass);
    ow_circuit_free(t->circuit);
}

/* Gigabytes a second of copies within the device's memory, each byte read and written. */
static void copies(const task *t)
{
    const size_t size = (size_t)n_training * n_columns * sizeof(float);
    void *marks[2];
    float least = 1e9f, milliseconds;
    for (int i = 0; i < 2; i++) check_device(t->api->open_mark(&marks[i]));
    for (int i = 0; i < n_runs; i++) {
        check_device(t->api->set_mark(NULL, marks[0]));
        check_device(t->api->copy(NULL, t->after, t->rows, size));
        check_device(t->api->set_mark(NULL, marks[1]));
        check_device(t->api->elapsed(marks[0], marks[1], &milliseconds));
        if (milliseconds < least) least = milliseconds;
    }
    printf("copies within the device: %.0f GB/s read and written\n",
           2e-6 * (double)size / (double)least);
    for (int i = 0; i < 2; i++) t->api->close_mark(marks[i]);
}

/* Blobs of their class, with noise. */
static void make_rows(float *rows, int32_t *classes, int32_t *target)
{
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < n_training; i++) {
        classes[i] = (int32_t)(i % n_classes);
        target[i] = (int32_t)((i + 1) % n_classes);
        for (size_t j = 0; j < n_columns; j++)
            rows[i * n_columns + j] = (float)(j % n_classes == (size_t)classes[i]) +
                                      0.3f * (float)owi_rng_normal(&rng);
    }
}

static void *give(const task *t, const void *from, size_t size)
{
    void *block = t->api->alloc(size);
    if (block == NULL) fail("the GPU has not enough memory");
    if (from != NULL) check_device(t->api->to_device(NULL, block, from, size));
    return block;
}

int main(int argc, char **argv)
{
    const size_t n_queries = argc > 2 ? strtoul(argv[2], NULL, 10) : 17385;
    const size_t size = (size_t)n_training * n_columns * sizeof(float);
    ow_context *ctx = NULL;
    owi_device_facts facts;
    const owi_device_api *api = NULL;
    float *rows = allocate(n_training * (size_t)n_columns, sizeof *rows);
    int32_t *classes = allocate(n_training, sizeof *classes),
            *target = allocate(n_training, sizeof *target);
    if (n_queries == 0 || n_queries > n_training) fail("1 to 24576 rows");
    check(ow_context_new(NULL, &ctx));
    check(owi_device_open(ctx, argc > 1 ? argv[1] : "cuda", &api));
    if (api == NULL) fail("that is no GPU's backend");
    watch_begin(api);
    check_device(api->facts(&facts));
    printf("%s, %u multiprocessors, %.1f of %.1f GB free\n", facts.name, facts.n_processors,
           1e-9 * (double)facts.free_memory, 1e-9 * (double)facts.memory);
    make_rows(rows, classes, target);
    task t = {.api = &watch.api, .is_once = argc > 3};
    t.rows = give(&t, rows, size);
    t.between = give(&t, NULL, size);
    t.after = give(&t, NULL, size);
    t.origin = give(&t, classes, n_training * sizeof *classes);
    t.target = give(&t, target, n_training * sizeof *target);
    copies(&t);
    ow_row_array array = {
        .n_rows = n_training, .n_columns = n_columns, .rows = rows, .classes = classes};
    const ow_row_source source = ow_row_source_of_array(&array);
    bench(&t, ctx, OW_STRUCTURE_SHARED, "shared", &source, n_queries);
    if (!t.is_once) bench(&t, ctx, OW_STRUCTURE_PER_CLASS, "per class", &source, n_queries);
    void *const blocks[] = {t.rows, t.between, t.after, t.origin, t.target};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) api->release(blocks[i]);
    watch_end();
    ow_context_free(ctx);
    free(rows);
    free(classes);
    free(target);
    return 0;
}
