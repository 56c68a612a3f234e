/* SPDX-License-Identifier: MIT */
/* How long all single changes of a row take (ow_changes_singles), on circuits of the size
 * that tables of people get: 20 columns, a third of them numbers, 300 candidates, 2
 * classes, depth 1, 8 repetitions.  Beside it what one evaluation of the row takes, and
 * what evaluating every changed row would.
 *
 *     bench_changes [BACKEND] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/numeric/rng.h"
#include "otherwise/otherwise.h"
#include "stopwatch.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum {
    n_runs = 5,
    n_columns = 20,
    n_classes = 2,
    n_candidates = 300,
    most_rows = 256,
    n_training = 2000,
    n_levels = 9
};

typedef struct {
    ow_evaluator *evaluator;
    ow_changes *changes;
    size_t n_rows, n_calls;
    const float *rows;
    double *log_class, *log_changed;
} task;

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_changes: %s\n", ow_error_message());
    exit(1);
}

static void evaluate(void *user)
{
    const task *t = user;
    for (size_t i = 0; i < t->n_calls; i++)
        check(ow_evaluator_evaluate(t->evaluator, t->n_rows, t->rows, &how, t->log_class));
}

static void change(void *user)
{
    const task *t = user;
    for (size_t i = 0; i < t->n_calls; i++)
        check(
            ow_changes_singles(t->changes, t->n_rows, t->rows, &how, NULL, t->log_changed));
}

/* Microseconds for each row. */
static double time_of(void (*body)(void *), task *t)
{
    t->n_calls = 4096 / t->n_rows;
    return 1e6 * stopwatch_best(n_runs, body, t) / (double)(t->n_calls * t->n_rows);
}

/* Every third column is a number, the others have levels. */
static void fill_row(owi_rng *rng, int32_t y, float *row)
{
    const size_t cloud = owi_rng_below(rng, 4);
    for (size_t j = 0; j < n_columns; j++) {
        if (j % 3 == 0)
            row[j] = (float)(0.4 * owi_rng_normal(rng) + (double)cloud - 1.5 + 0.3 * y);
        else
            row[j] = (float)((owi_rng_below(rng, 4) + cloud + (size_t)y) % n_levels);
    }
}

static ow_circuit *train(ow_context *ctx, size_t inputs, float *rows)
{
    static ow_leaf leaves[n_columns];
    static int32_t classes[n_training];
    ow_circuit *circuit = NULL;

    for (size_t j = 0; j < n_columns; j++)
        leaves[j] = (ow_leaf){.kind = j % 3 == 0 ? OW_LEAF_GAUSSIAN : OW_LEAF_CATEGORICAL,
                              .n_levels = n_levels,
                              .group = j};
    for (size_t i = 0; i < n_training; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 1, i);
        classes[i] = (int32_t)(i % n_classes);
        fill_row(&rng, classes[i], rows + i * n_columns);
    }
    ow_row_array array = {n_training, n_columns, rows, classes, 0};
    const ow_row_source source = ow_row_source_of_array(&array);
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = OW_STRUCTURE_PER_CLASS,
                                  .depth = 1,
                                  .repetitions = 8,
                                  .inputs = inputs,
                                  .sums = 1,
                                  .n_classes = n_classes,
                                  .n_columns = n_columns,
                                  .leaves = leaves,
                                  .same_regions = true};
    ow_learn_options options;
    ow_learn_options_init(&options, sizeof options);
    options.prior_rows = 4.0;
    ow_pooling pooling = {.size = sizeof pooling, .towards_rows = 50.0};
    check(ow_circuit_new(ctx, &spec, &circuit));
    check(ow_circuit_learn_pooled(circuit, &options, &source,
                                  &(ow_call){.size = sizeof(ow_call), .seed = 1},
                                  &pooling));
    return circuit;
}

/* Levels for categories, the rest spread over the range of the numbers. */
static ow_candidates candidates(void)
{
    static size_t start[n_columns + 1];
    static float values[n_candidates + n_columns];
    enum { n_numbers = (n_columns + 2) / 3 };
    const size_t each = (n_candidates - (n_columns - n_numbers) * n_levels) / n_numbers;
    for (size_t j = 0; j < n_columns; j++) {
        const size_t n = j % 3 == 0 ? each : n_levels;
        start[j + 1] = start[j] + n;
        for (size_t i = 0; i < n; i++)
            values[start[j] + i] =
                j % 3 == 0 ? -3.0f + 6.0f * (float)i / (float)(n - 1) : (float)i;
    }
    return (ow_candidates){start, values};
}

int main(int argc, char **argv)
{
    const char *backend = argc > 1 ? argv[1] : "cpu";
    static float rows[n_training * n_columns];
    static double log_class[most_rows * n_classes];
    static double log_changed[most_rows * n_classes * n_candidates];
    ow_context *ctx = NULL;

    check(ow_context_new(NULL, &ctx));
    how.threads = 1;
    const ow_candidates all = candidates();
    printf("%-8s %6s %16s %16s %8s   us a row, backend %s\n", "inputs", "rows", "evaluate",
           "single changes", "gain", backend);
    for (size_t inputs = 8; inputs <= 16; inputs += 8) {
        ow_circuit *circuit = train(ctx, inputs, rows);
        task t = {.rows = rows, .log_class = log_class, .log_changed = log_changed};
        check(ow_evaluator_new(circuit, backend, &t.evaluator));
        check(ow_changes_new(t.evaluator, &all, &t.changes));
        for (t.n_rows = 1; t.n_rows <= most_rows; t.n_rows *= 16) {
            const double forward = time_of(evaluate, &t), changes = time_of(change, &t);
            printf("%-8zu %6zu %16.2f %16.2f %8.1f\n", inputs, t.n_rows, forward, changes,
                   (double)all.start[n_columns] * forward / changes);
        }
        ow_changes_free(t.changes);
        ow_evaluator_free(t.evaluator);
        ow_circuit_free(circuit);
    }
    ow_context_free(ctx);
    return 0;
}
