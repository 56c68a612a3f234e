/* SPDX-License-Identifier: MIT */
/* What the engine on a GPU costs from ordinary memory and back, in circuits of the paper's
 * size for MNIST (784 columns of variance 1, 5 classes, depth 1, 19 repetitions, 20
 * inputs); rows are made up.  Seconds on the clock, the shortest of several runs.
 *
 *     bench_gpu [BACKEND]      cuda, or cuda:FILE
 *
 * `copies` is what has to be moved for two-step: 17,385 rows there, and back the rows after
 * each step.  Pinned memory is what copies need not go round.  bench_device measures
 * kernels and whole chains on rows that are there already. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/device_open.h"
#include "base/numeric/rng.h"
#include "circuit/device/device_steps.h"
#include "circuit/device/device_sums.h"
#include "otherwise/otherwise.h"
#include "stopwatch.h"

static ow_call how = {.size = sizeof how};

enum { n_runs = 9, n_columns = 784, n_classes = 5, n_queries = 17385, n_training = 24576 };

typedef struct {
    const owi_call *call;
    const owi_device_api *api;
    ow_circuit *circuit;
    owi_device_pass *pass;
    owi_device_sums *sums;
    owi_two_steps steps;
    void *block;   /* on the device, as large as the queries */
    float *pinned; /* on the host: the queries, and the rows after each step */
    const float *rows;
    int32_t *classes;
} task;

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_gpu: %s\n", ow_error_message());
    exit(1);
}

static void *allocate(size_t n, size_t size)
{
    void *block = calloc(n, size);
    if (block != NULL) return block;
    fprintf(stderr, "bench_gpu: out of memory\n");
    exit(1);
}

static void run_copies(void *user)
{
    const task *t = user;
    const size_t size = t->steps.n_rows * n_columns * sizeof(float);
    int error = t->api->to_device(NULL, t->block, t->steps.rows, size);
    if (error == 0) error = t->api->from_device(NULL, t->steps.between, t->block, size);
    if (error == 0) error = t->api->from_device(NULL, t->steps.after, t->block, size);
    if (error == 0) error = t->api->finish(NULL);
    if (error != 0) check(ow_error_set(OW_ERR_IO, t->api->explain(error)));
}

static void run_steps(void *user)
{
    const task *t = user;
    bool done;
    check(owi_device_take_steps(t->call, t->pass, &t->steps, &done));
    if (!done) check(ow_error_set(OW_ERR_NUMERIC, "the steps were not taken"));
}

static void run_sums(void *user)
{
    const task *t = user;
    check(owi_device_sums_add(t->call, t->sums, 0.0, n_training, t->rows, t->classes));
}

/* The steps' rows from here on: there, and back. */
static void use_memory(task *t, const float *rows, float *between, float *after)
{
    t->steps.rows = rows;
    t->steps.between = between;
    t->steps.after = after;
}

static void measure_memory(task *t, const char *circuit, const char *memory)
{
    t->steps.n_rows = n_queries;
    run_steps(t);
    const double copies = stopwatch_best_wall(n_runs, run_copies, t);
    const double steps = stopwatch_best_wall(n_runs, run_steps, t);
    t->steps.n_rows = 1;
    run_steps(t);
    const double single = stopwatch_best_wall(n_runs * 10, run_steps, t);
    printf("%-9s %-8s memory: copies %.3f ms, two-step %.3f ms (%.2f times), a single "
           "query %.1f us\n",
           circuit, memory, 1e3 * copies, 1e3 * steps, steps / copies, 1e6 * single);
    fflush(stdout);
}

static void measure(task *t, const char *name)
{
    const size_t n = (size_t)n_queries * n_columns;
    const owi_two_steps ordinary = t->steps;
    measure_memory(t, name, "ordinary");
    use_memory(t, t->pinned, t->pinned + n, t->pinned + 2 * n);
    measure_memory(t, name, "pinned");
    use_memory(t, ordinary.rows, ordinary.between, ordinary.after);
    run_sums(t);
    printf("%-9s sums of %d rows from ordinary memory %.3f ms\n", name, n_training,
           1e3 * stopwatch_best_wall(n_runs, run_sums, t));
}

static void bench(task *t, ow_context *ctx, ow_structure structure, const char *name)
{
    static ow_leaf leaves[n_columns];
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
    ow_row_array array = {.n_rows = n_training,
                          .n_columns = n_columns,
                          .rows = t->rows,
                          .classes = t->classes};
    const ow_row_source source = ow_row_source_of_array(&array);
    check(ow_circuit_new(ctx, &spec, &t->circuit));
    check(ow_circuit_start(t->circuit, &source, &how));
    check(owi_device_pass_new(t->api, t->circuit, &t->pass));
    check(owi_device_sums_new(t->api, t->circuit, &t->sums));
    measure(t, name);
    owi_device_sums_free(t->sums);
    owi_device_pass_free(t->pass);
    ow_circuit_free(t->circuit);
}

/* Blobs of their class, with noise. */
static void make_rows(float *rows, int32_t *classes)
{
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < n_training; i++) {
        classes[i] = (int32_t)(i % n_classes);
        for (size_t j = 0; j < n_columns; j++)
            rows[i * n_columns + j] = (float)(j % n_classes == (size_t)classes[i]) +
                                      0.3f * (float)owi_rng_normal(&rng);
    }
}

int main(int argc, char **argv)
{
    const char *backend = argc > 1 ? argv[1] : "cuda";
    ow_context *ctx = NULL;
    owi_call call;
    check(ow_context_new(NULL, &ctx));
    check(owi_call_begin(&call, ctx, &how));
    float *rows = allocate((size_t)n_training * n_columns, sizeof *rows);
    float *moves = allocate(n_columns, sizeof *moves);
    int32_t *target = allocate(n_queries, sizeof *target);
    task t = {.call = &call, .rows = rows};
    t.classes = allocate(n_training, sizeof *t.classes);
    make_rows(rows, t.classes);
    for (size_t i = 0; i < n_queries; i++) target[i] = (t.classes[i] + 1) % n_classes;
    for (size_t j = 0; j < n_columns; j++) moves[j] = 1.0f;
    t.steps = (owi_two_steps){.rows = rows,
                              .n_rows = n_queries,
                              .origin = t.classes,
                              .target = target,
                              .moves = moves,
                              .class_step = 10.0,
                              .density_step = 1.0};
    t.steps.between = allocate((size_t)n_queries * n_columns, sizeof(float));
    t.steps.after = allocate((size_t)n_queries * n_columns, sizeof(float));
    check(owi_device_open(ctx, backend, &t.api));
    if (t.api == NULL) check(ow_error_set(OW_ERR_ARGUMENT, "that is no GPU's backend"));
    t.block = t.api->alloc((size_t)n_queries * n_columns * sizeof(float));
    t.pinned = t.api->alloc_pinned((size_t)3 * n_queries * n_columns * sizeof(float));
    if (t.block == NULL || t.pinned == NULL)
        check(ow_error_set(OW_ERR_MEMORY, "no memory for the queries"));
    memcpy(t.pinned, rows, (size_t)n_queries * n_columns * sizeof(float));
    bench(&t, ctx, OW_STRUCTURE_SHARED, "shared");
    bench(&t, ctx, OW_STRUCTURE_PER_CLASS, "per class");
    t.api->release_pinned(t.pinned);
    t.api->release(t.block);
    free(t.steps.between);
    free(t.steps.after);
    free(t.classes);
    free(target);
    free(moves);
    free(rows);
    ow_context_free(ctx);
    return 0;
}
