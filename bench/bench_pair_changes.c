/* SPDX-License-Identifier: MIT */
/* How long all pairs of changes of a row take (ow_changes_pairs) with a trained model, and
 * how that compares with products of matrices.
 *
 *     bench_pair_changes MODEL [SEEN]
 *
 * Rows are samples of the model's first class, up to 256 of them, the target is its second.
 * Candidates are all levels of every column, and up to SEEN (32) different values of every
 * number, evenly spaced among those of the samples.  One thread.  Printed, for each row:
 * candidates and pairs; microseconds for all single changes; for the nearest pair that
 * reaches the target and is as dense in it as the row itself (levels cost 1, numbers their
 * distance); for all such pairs, and how many there are; for all pairs, with a logarithm
 * for each and each class; what evaluating every pair in large batches would take; and how
 * long SGEMM (OpenBLAS, one thread, at its best) would take for the multiplications of all
 * pairs, 2 N pairs classes with N = repetitions x inputs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otherwise/otherwise.h"
#include "sgemm_peak.h"
#include "stopwatch.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_runs = 3, most_rows = 256 };

typedef struct {
    ow_changes *changes;
    ow_evaluator *evaluator;
    size_t n_rows;
    const float *rows;
    double *log_class, *log_changed;
    const ow_pair_filter *filter;
    size_t n_pairs[most_rows];
} task;

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_pair_changes: %s\n", ow_error_message());
    exit(1);
}

static bool count(void *user, const ow_pair_list *pairs)
{
    task *t = user;
    t->n_pairs[pairs->row] += pairs->n_pairs;
    return true;
}

static void pair(void *user)
{
    task *t = user;
    memset(t->n_pairs, 0, sizeof t->n_pairs);
    check(ow_changes_pairs(t->changes, t->n_rows, t->rows, t->filter, &how, count, t));
}

static void change(void *user)
{
    const task *t = user;
    check(ow_changes_singles(t->changes, t->n_rows, t->rows, &how, NULL, t->log_changed));
}

static void evaluate(void *user)
{
    const task *t = user;
    check(ow_evaluator_evaluate(t->evaluator, t->n_rows, t->rows, &how, t->log_class));
}

static double time_of(void (*body)(void *), task *t)
{
    return 1e6 * stopwatch_best(n_runs, body, t) / (double)t->n_rows;
}

static size_t reported(const task *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++) n += t->n_pairs[i];
    return n;
}

/* ---- Candidates ---- */

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Up to `most` different values of column j, in order. */
static size_t seen_values(const float *rows, size_t n_rows, size_t d, size_t j, size_t most,
                          float *values)
{
    float *all = malloc(n_rows * sizeof *all);
    size_t n = 0, n_different = 0;
    if (all == NULL) exit(1);
    for (size_t i = 0; i < n_rows; i++)
        if (rows[i * d + j] == rows[i * d + j]) all[n++] = rows[i * d + j];
    qsort(all, n, sizeof *all, ascending);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || all[i] != all[i - 1]) all[n_different++] = all[i];
    const size_t n_taken = n_different < most ? n_different : most;
    for (size_t i = 0; i < n_taken; i++) values[i] = all[i * n_different / n_taken];
    free(all);
    return n_taken;
}

static size_t fill_candidates(const ow_circuit_spec *spec, const float *rows, size_t n_rows,
                              size_t most_seen, size_t *start, float *values)
{
    size_t n = 0;
    for (size_t j = 0; j < spec->n_columns; j++) {
        const ow_leaf *leaf = &spec->leaves[j];
        start[j] = n;
        if (leaf->kind == OW_LEAF_GAUSSIAN || leaf->kind == OW_LEAF_POINT_MASSES) {
            n += seen_values(rows, n_rows, spec->n_columns, j, most_seen, values + n);
            continue;
        }
        const size_t n_levels = leaf->kind == OW_LEAF_BERNOULLI ? 2 : leaf->n_levels;
        for (size_t k = 0; k < n_levels; k++) values[n++] = (float)k;
    }
    start[spec->n_columns] = n;
    return n;
}

static size_t count_pairs(const ow_circuit_spec *spec, const size_t *start)
{
    size_t n = 0;
    for (size_t j = 0; j < spec->n_columns; j++)
        n += (start[j + 1] - start[j]) * (start[spec->n_columns] - start[j + 1]);
    return n;
}

/* n_rows x candidates: how far each is from the row. */
static double *distances(const task *t, const ow_circuit_spec *spec, const size_t *start,
                         const float *values)
{
    const size_t d = spec->n_columns, n = start[d];
    double *price = malloc(t->n_rows * n * sizeof *price);
    if (price == NULL) exit(1);
    for (size_t row = 0; row < t->n_rows; row++)
        for (size_t j = 0; j < d; j++)
            for (size_t i = start[j]; i < start[j + 1]; i++) {
                const float away = fabsf(values[i] - t->rows[row * d + j]);
                const bool is_number = spec->leaves[j].n_levels == 0;
                price[row * n + i] = is_number ? 1.0 + (double)away : 2.0;
            }
    return price;
}

static void measure(task *t, const ow_circuit_spec *spec, const size_t *start,
                    const float *values, size_t n_pairs)
{
    const size_t n_candidates = start[spec->n_columns];
    const size_t C = spec->n_classes, n = t->n_rows;
    double least_log[most_rows];
    evaluate(t);
    for (size_t i = 0; i < n; i++) least_log[i] = t->log_class[i * C + 1];
    ow_pair_filter filter = {.size = sizeof filter,
                             .target = 1,
                             .least_log_class = least_log};
    const double single = time_of(change, t), evaluation = time_of(evaluate, t);
    t->filter = &filter;
    const double filtered = time_of(pair, t);
    const size_t n_passed = reported(t);
    double *price = distances(t, spec, start, values);
    filter.price = price;
    const double nearest = time_of(pair, t);
    free(price);
    t->filter = NULL;
    const double all = time_of(pair, t);
    if (reported(t) != n * n_pairs) {
        fprintf(stderr, "bench_pair_changes: %zu pairs, expected %zu\n", reported(t),
                n * n_pairs);
        exit(1);
    }
    const double N = (double)(spec->repetitions * spec->inputs);
    const double flop = 2.0 * N * (double)(n_pairs * C), peak = sgemm_peak(1);
    printf("%zu rows, %zu columns, %zu classes, depth %zu, %zu repetitions, %zu inputs; "
           "%zu candidates, %zu pairs\n\n",
           n, spec->n_columns, C, spec->depth, spec->repetitions, spec->inputs,
           n_candidates, n_pairs);
    printf("%-44s %10.1f us\n", "all single changes", single);
    printf("%-44s %10.1f us\n", "the nearest pair that reaches both", nearest);
    printf("%-44s %10.1f us   (%.1f pairs)\n", "pairs that reach class and density",
           filtered, (double)n_passed / (double)n);
    printf("%-44s %10.1f us\n", "all pairs", all);
    printf("%-44s %10.1f us\n", "evaluating every pair", evaluation * (double)n_pairs);
    printf("%-44s %10.1f us   (%.0f GFLOP/s)\n", "SGEMM, the products alone",
           flop / peak / 1e3, peak);
    printf("%-44s %10.2f\n", "that over the nearest pair", flop / peak / 1e3 / nearest);
}

int main(int argc, char **argv)
{
    const size_t most_seen = argc > 2 ? strtoul(argv[2], NULL, 10) : 32;
    ow_context *ctx = NULL;
    ow_model *model = NULL;
    task t = {0};
    if (argc < 2 || most_seen == 0) {
        fprintf(stderr, "usage: bench_pair_changes MODEL [SEEN]\n");
        return 2;
    }
    check(ow_context_new(NULL, &ctx));
    how.threads = 1;
    check(ow_model_load(ctx, argv[1], &how, &model));
    const ow_circuit *circuit = ow_model_circuit(model);
    const ow_circuit_spec *spec = ow_circuit_get_spec(circuit);
    size_t n_samples, most_values = 0;
    const float *samples = ow_model_samples(model, 0, &n_samples);
    t.rows = samples;
    t.n_rows = n_samples < most_rows ? n_samples : most_rows;
    for (size_t j = 0; j < spec->n_columns; j++)
        most_values += most_seen + spec->leaves[j].n_levels + 2;
    size_t *start = calloc(spec->n_columns + 1, sizeof *start);
    float *values = calloc(most_values, sizeof *values);
    if (start == NULL || values == NULL || t.n_rows == 0 || spec->n_classes < 2) return 1;
    const size_t n = fill_candidates(spec, samples, n_samples, most_seen, start, values);
    t.log_class = calloc(t.n_rows * spec->n_classes, sizeof *t.log_class);
    t.log_changed = calloc(t.n_rows * spec->n_classes * n, sizeof *t.log_changed);
    if (t.log_class == NULL || t.log_changed == NULL) return 1;
    check(ow_evaluator_new(circuit, NULL, &t.evaluator));
    check(ow_changes_new(t.evaluator, &(ow_candidates){start, values}, &t.changes));
    measure(&t, spec, start, values, count_pairs(spec, start));
    ow_changes_free(t.changes);
    ow_evaluator_free(t.evaluator);
    free(t.log_changed);
    free(t.log_class);
    free(values);
    free(start);
    ow_model_free(model);
    ow_context_free(ctx);
    return 0;
}
