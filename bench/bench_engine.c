/* SPDX-License-Identifier: MIT */
/* How much of the machine the circuit engine uses: useful arithmetic (doc/method.md) a
 * second over what the matrix product of OpenBLAS reaches in the same run.  Circuits have
 * the size of the paper's for MNIST: 784 columns of variance 1, 5 classes, depth 1, 19
 * repetitions, 20 inputs; rows are made up.
 *
 *     bench_engine [BACKEND [THREADS]]      cpu, and up to 2 threads */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric/rng.h"
#include "otherwise/otherwise.h"
#include "sgemm_peak.h"
#include "stopwatch.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum {
    n_runs = 9,
    side = 28,
    n_columns = side * side,
    n_classes = 5,
    repetitions = 19,
    inputs = 20,
    n_training = 8192,
    n_passes = 2, /* of one call of EM: more could end early */
    batch = 256,
    large_batch = 4096,
    most_threads = 2
};

typedef struct {
    ow_context *ctx;
    ow_circuit *circuit;
    ow_evaluator *evaluator;
    ow_structure structure;
    size_t n_rows; /* of one call */
    const float *rows;
    const int32_t *classes;
    double *towards; /* class factors: +1 the target, -1 the class of the row */
    float *moved, *gradient;
    double *log_class;
    ow_learn_options learn;
} task;

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_engine: %s\n", ow_error_message());
    exit(1);
}

static void *allocate(size_t n, size_t size)
{
    void *block = calloc(n, size);
    if (block != NULL) return block;
    fprintf(stderr, "bench_engine: out of memory\n");
    exit(1);
}

/* ---- Useful arithmetic, in operations for each row ---- */

/* One sub-circuit's leaves: every column is in one leaf region of each repetition. */
static const double leaf_work = 2.0 * n_columns * repetitions * inputs;
/* One class's root: a bilinear form for each repetition. */
static const double root_work = repetitions * (2.0 * inputs * inputs + 2.0 * inputs);

/* One pass up or down in which n classes take part. */
static double pass_work(const task *t, double n)
{
    return (t->structure == OW_STRUCTURE_SHARED ? leaf_work : n * leaf_work) +
           (t->structure == OW_STRUCTURE_SHARED ? n_classes : n) * root_work;
}

/* Three passes up and two down; the first two concern the two classes of a row only. */
static double two_step_work(const task *t)
{
    return 2.0 * pass_work(t, 2) + 3.0 * pass_work(t, n_classes);
}

/* Up, down to the leaves, and the sums: leaves twice, roots three times; a sub-circuit
 * learns its own class's rows. */
static double em_work(const task *t)
{
    return 2.0 * leaf_work +
           3.0 * (t->structure == OW_STRUCTURE_SHARED ? n_classes : 1) * root_work;
}

/* ---- Rows ---- */

/* A bright blob on a dark ground, its place the class's own up to a jitter, and noise. */
static void fill_row(owi_rng *rng, int32_t y, float *row)
{
    const double angle = 2.0 * 3.14159265 * (double)y / n_classes;
    const double x0 = 14.0 + 6.0 * cos(angle) + 2.0 * owi_rng_normal(rng);
    const double y0 = 14.0 + 6.0 * sin(angle) + 2.0 * owi_rng_normal(rng);
    for (size_t j = 0; j < n_columns; j++) {
        const double dx = (double)(j % side) - x0, dy = (double)(j / side) - y0;
        row[j] = (float)(exp(-0.05 * (dx * dx + dy * dy)) + 0.05 * owi_rng_normal(rng));
    }
}

static void fill_rows(float *rows, int32_t *classes, double *towards)
{
    for (size_t i = 0; i < n_training; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 1, i);
        classes[i] = (int32_t)owi_rng_below(&rng, n_classes);
        fill_row(&rng, classes[i], rows + i * n_columns);
        const size_t y = (size_t)classes[i];
        const size_t target = (y + 1 + owi_rng_below(&rng, n_classes - 1)) % n_classes;
        towards[i * n_classes + y] = -1.0;
        towards[i * n_classes + target] = 1.0;
    }
}

/* ---- What is measured ---- */

static void step(const task *t, const float *from, float length)
{
    for (size_t i = 0; i < t->n_rows * n_columns; i++)
        t->moved[i] = from[i] + length * t->gradient[i];
}

/* The work of the two-step method: towards the class, up the density, and a look at the
 * result. */
static void two_step(void *user)
{
    const task *t = user;
    const ow_mix class_mix = {.class_factor = t->towards},
                 density = {.density_factor = 1.0};
    check(ow_evaluator_differentiate(t->evaluator, t->n_rows, t->rows, 1, &class_mix, &how,
                                     NULL, t->gradient));
    step(t, t->rows, 1.0f);
    check(ow_evaluator_differentiate(t->evaluator, t->n_rows, t->moved, 1, &density, &how,
                                     NULL, t->gradient));
    step(t, t->moved, 1.0f);
    check(ow_evaluator_evaluate(t->evaluator, t->n_rows, t->moved, &how, t->log_class));
}

/* Up and down once for `batch` rows, in calls of n_rows. */
static void queries(void *user)
{
    const task *t = user;
    const ow_mix density = {.density_factor = 1.0};
    for (size_t first = 0; first < batch; first += t->n_rows)
        check(ow_evaluator_differentiate(t->evaluator, t->n_rows,
                                         t->rows + first * n_columns, 1, &density, &how,
                                         t->log_class, t->gradient));
}

static void em_passes(void *user)
{
    const task *t = user;
    ow_row_array array = {n_training, n_columns, t->rows, t->classes, 0};
    const ow_row_source source = ow_row_source_of_array(&array);
    check(ow_circuit_learn(t->circuit, &t->learn, &source, NULL, &how, NULL));
}

/* ---- The report ---- */

static size_t n_threads = most_threads; /* up to so many are measured */
static double peak[most_threads + 1];   /* by number of threads */

static double time_of(void (*body)(void *), void *user)
{
    return ow_call_threads(&how) == 1 ? stopwatch_best(n_runs, body, user)
                                      : stopwatch_best_wall(n_runs, body, user);
}

/* Prints one line, and returns the GFLOP/s. */
static double report(const char *what, size_t n_rows, double work, double seconds)
{
    const size_t threads = ow_call_threads(&how);
    const double rate = 1e-9 * work * (double)n_rows / seconds;
    printf("  %-28s %8zu %8zu %10.2f %10.1f %7.0f %%\n", what, n_rows, threads,
           1e6 * seconds / (double)n_rows, rate, 100.0 * rate / peak[threads]);
    return rate;
}

static double run_two_step(task *t, size_t n_rows)
{
    t->n_rows = n_rows;
    return report("two-step", n_rows, two_step_work(t), time_of(two_step, t));
}

static double run_em(task *t, const char *what, size_t rows_for_update)
{
    t->learn.batch = rows_for_update;
    return report(what, n_training, em_work(t), time_of(em_passes, t) / n_passes);
}

static void report_gain(const char *what, double gain)
{
    printf("  %-46s %10.2f\n", what, gain);
}

/* Single queries against their share of a batch, and this backend against the reference. */
static void run_ratios(task *t)
{
    ow_evaluator *fast = t->evaluator;
    t->n_rows = 1;
    const double single = time_of(queries, t);
    t->n_rows = batch;
    const double whole = time_of(queries, t);
    report_gain("one query up and down, us", 1e6 * single / batch);
    report_gain("  over its share of a batch of 256", single / whole);

    const double seconds = stopwatch_best(n_runs, two_step, t) / batch;
    t->n_rows = 64;
    check(ow_evaluator_new(t->circuit, "ref", &t->evaluator));
    report_gain("two-step: ref over this backend",
                stopwatch_best(1, two_step, t) / (double)t->n_rows / seconds);
    ow_evaluator_free(t->evaluator);
    t->evaluator = fast;
}

static void run(task *t, const char *backend)
{
    const ow_leaf leaf = {.kind = OW_LEAF_GAUSSIAN};
    static ow_leaf leaves[n_columns];
    for (size_t j = 0; j < n_columns; j++) {
        leaves[j] = leaf;
        leaves[j].group = j;
    }
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = t->structure,
                                  .depth = 1,
                                  .repetitions = repetitions,
                                  .inputs = inputs,
                                  .sums = 1,
                                  .n_classes = n_classes,
                                  .n_columns = n_columns,
                                  .leaves = leaves,
                                  .variance = 1.0};
    ow_row_array array = {n_training, n_columns, t->rows, t->classes, 0};
    const ow_row_source source = ow_row_source_of_array(&array);
    double rate[most_threads + 1][2];

    check(ow_circuit_new(t->ctx, &spec, &t->circuit));
    check(ow_circuit_start(t->circuit, &source,
                           &(ow_call){.size = sizeof(ow_call), .seed = 1}));
    ow_learn_options_init(&t->learn, sizeof t->learn);
    t->learn.passes = n_passes;
    t->learn.backend = backend;
    check(ow_evaluator_new(t->circuit, backend, &t->evaluator));

    printf("\n%-30s %8s %8s %10s %10s %9s\n",
           t->structure == OW_STRUCTURE_SHARED ? "shared" : "per-class", "rows", "threads",
           "us a row", "GFLOP/s", "of SGEMM");
    for (size_t threads = 1; threads <= n_threads; threads++) {
        how.threads = threads;
        rate[threads][1] = run_em(t, "EM, an update for 2048 rows", 2048);
        (void)run_em(t, "EM, an update for all rows", 0);
        rate[threads][0] = run_two_step(t, batch);
        (void)run_two_step(t, large_batch);
    }
    how.threads = 1;
    run_ratios(t);
    if (n_threads > 1) {
        report_gain("2 threads over 1: two-step, 256 rows", rate[2][0] / rate[1][0]);
        report_gain("2 threads over 1: EM", rate[2][1] / rate[1][1]);
        report_gain("2 threads over 1: SGEMM", peak[2] / peak[1]);
    }
    ow_evaluator_free(t->evaluator);
    ow_circuit_free(t->circuit);
}

int main(int argc, char **argv)
{
    const char *backend = argc > 1 ? argv[1] : "cpu";
    if (argc > 2) n_threads = argv[2][0] == '1' ? 1 : most_threads;
    float *rows = allocate((size_t)n_training * n_columns, sizeof *rows);
    int32_t *classes = allocate(n_training, sizeof *classes);
    task t = {.rows = rows, .classes = classes};

    t.towards = allocate((size_t)n_training * n_classes, sizeof *t.towards);
    t.moved = allocate((size_t)large_batch * n_columns, sizeof *t.moved);
    t.gradient = allocate((size_t)large_batch * n_columns, sizeof *t.gradient);
    t.log_class = allocate((size_t)large_batch * n_classes, sizeof *t.log_class);
    fill_rows(rows, classes, t.towards);
    for (size_t threads = 1; threads <= n_threads; threads++)
        peak[threads] = sgemm_peak((int)threads);
    printf("backend %s; SGEMM (%s): %.1f GFLOP/s on 1 thread", backend, sgemm_name(),
           peak[1]);
    if (n_threads > 1) printf(", %.1f on 2", peak[2]);
    printf("\n");
    check(ow_context_new(NULL, &t.ctx));
    for (int shared = 1; shared >= 0; shared--) {
        t.structure = shared ? OW_STRUCTURE_SHARED : OW_STRUCTURE_PER_CLASS;
        run(&t, backend);
    }
    ow_context_free(t.ctx);
    free(t.log_class);
    free(t.gradient);
    free(t.moved);
    free(t.towards);
    free(classes);
    free(rows);
    return 0;
}
