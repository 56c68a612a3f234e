/* SPDX-License-Identifier: MIT */
/* How much of the machine networks use: outputs, gradients by the inputs and learning, for
 * the network that decides on Adult and MNIST and for an autoencoder of MNIST.  Arithmetic
 * is counted where the mathematics asks for it: 2 operations for each weight and row up, as
 * many down, as many for the sums of the gradient.
 *
 *     bench_network [BACKEND] */
#include <stdio.h>
#include <stdlib.h>

#include "base/numeric/rng.h"
#include "network/autoencoder.h"
#include "network/mlp_step.h"
#include "otherwise/otherwise.h"
#include "sgemm_peak.h"
#include "stopwatch.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_runs = 7, most_rows = 256, most_entries = 784, rows_a_run = 8192 };

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_network: %s\n", ow_error_message());
    exit(1);
}

typedef struct {
    owi_call call;
    owi_mlp *mlp;
    owi_mlp_runner *runner;
    owi_mlp_step step;
    size_t n_rows, n_calls;
    float rows[most_rows * most_entries], out[most_rows * most_entries];
    float gradient[most_rows * most_entries];
} task;

static void forward(void *user)
{
    task *t = user;
    for (size_t i = 0; i < t->n_calls; i++)
        check(owi_mlp_forward(&t->call, t->runner, t->n_rows, t->rows, t->out));
}

static void flow_of(void *user, size_t row, const float *out, float *flow)
{
    const task *t = user;
    (void)row;
    for (size_t k = 0; k < owi_mlp_n_outputs(t->mlp); k++) flow[k] = out[k];
}

static void gradient(void *user)
{
    task *t = user;
    for (size_t i = 0; i < t->n_calls; i++)
        check(owi_mlp_backward_input(&t->call, t->runner, t->n_rows, t->rows, flow_of, t,
                                     t->gradient));
}

static void learn(void *user)
{
    task *t = user;
    for (size_t i = 0; i < t->n_calls; i++)
        check(owi_mlp_step_run(&t->step, t->n_rows, 0, true));
}

/* Seconds for each row. */
static double time_of(task *t, size_t n_rows, void (*body)(void *))
{
    t->n_rows = n_rows;
    t->n_calls = rows_a_run / n_rows;
    return stopwatch_best(n_runs, body, t) / (double)(t->n_calls * n_rows);
}

static void print_line(const char *what, double operations, double seconds, double peak)
{
    const double rate = operations / seconds * 1e-9;
    printf("  %-28s %9.2f us a row %8.1f GFLOP/s %6.0f %%\n", what, seconds * 1e6, rate,
           100.0 * rate / peak);
}

static void measure(ow_context *ctx, task *t, const char *name, const owi_mlp_spec *spec,
                    const char *backend, double peak)
{
    owi_rng rng;
    owi_rng_init(&rng, 1, 1);
    check(owi_call_begin(&t->call, ctx, &how));
    check(owi_mlp_new(ctx, spec, &t->mlp));
    for (size_t i = 0; i < t->mlp->n_parameters; i++)
        t->mlp->block[i] = (float)(0.1 * owi_rng_normal(&rng));
    for (size_t i = 0; i < most_rows * most_entries; i++)
        t->rows[i] = (float)owi_rng_normal(&rng);
    check(owi_mlp_runner_new(t->mlp, backend, &t->runner));
    const owi_backend *found = NULL;
    check(owi_backend_choose(backend, &found));
    check(owi_mlp_step_init(&t->step, &t->call, t->mlp, found, most_rows));
    t->step.rate = 1e-4;
    const size_t n_in = spec->sizes[0];
    for (size_t i = 0; i < most_rows * n_in; i++) t->step.rows[i] = t->rows[i];

    const double weights = (double)t->mlp->n_parameters;
    const double first = (double)(n_in * spec->sizes[1]);
    printf("%s, %zu parameters\n", name, t->mlp->n_parameters);
    print_line("outputs, 256 rows", 2.0 * weights, time_of(t, most_rows, forward), peak);
    print_line("gradients, 256 rows", 4.0 * weights, time_of(t, most_rows, gradient), peak);
    print_line("learning, batches of 256", 6.0 * weights - 2.0 * first,
               time_of(t, most_rows, learn), peak);
    print_line("gradient, one row", 4.0 * weights, time_of(t, 1, gradient), peak);
    owi_mlp_step_clear(&t->step);
    owi_mlp_runner_free(t->runner);
    owi_mlp_free(t->mlp);
}

int main(int argc, char **argv)
{
    static task t;
    static const struct {
        const char *name;
        owi_mlp_spec spec;
    } cases[] = {
        {"decides on Adult", {OWI_MLP_CLASSES, 3, {104, 64, 64, 2}}},
        {"decides on MNIST", {OWI_MLP_CLASSES, 3, {784, 64, 64, 5}}},
        {"autoencoder of MNIST", {OWI_MLP_NUMBERS, 2, {784, 64, 784}}},
    };
    const char *backend = argc > 1 ? argv[1] : "cpu";
    const double peak = sgemm_peak(1);
    ow_context *ctx = NULL;
    check(ow_context_new(NULL, &ctx));
    how.threads = 1;
    printf("backend %s, one thread; SGEMM %.1f GFLOP/s\n", backend, peak);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        measure(ctx, &t, cases[i].name, &cases[i].spec, backend, peak);
    ow_context_free(ctx);
    return 0;
}
