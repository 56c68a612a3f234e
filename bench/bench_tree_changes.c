/* SPDX-License-Identifier: MIT */
/* All changes of one and of two features of a row: 300 complete trees of depth 6 over 20
 * features, beside evaluating every changed row with the fastest kernel, on one thread.
 *
 *     bench_tree_changes          3 features of 128 candidates and 17 of 6, like Credit
 *     bench_tree_changes N        every feature with N candidates */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric/rng.h"
#include "made_trees.h"
#include "stopwatch.h"
#include "trees/evaluate_trees.h"
#include "trees/tree_changes.h"

enum { n_runs = 5 };

static ow_call how = {.size = sizeof how};

typedef struct {
    owi_forest forest;
    owi_conditions conditions;
    size_t start[n_features + 1];
    double *values;
    double row[n_features];
    owi_tree_changes *changes;
    bool with_pairs;
    size_t n_rows; /* changed rows, one behind the other */
    double *rows, *scores;
} bench;

static void check(ow_status status)
{
    if (status == OW_OK) return;
    fprintf(stderr, "bench_tree_changes: %s\n", ow_error_message());
    exit(1);
}

static void *room(size_t n, size_t size)
{
    void *block = calloc(n, size);
    if (block != NULL) return block;
    fprintf(stderr, "bench_tree_changes: out of memory\n");
    exit(1);
}

static void by_changes(void *user)
{
    bench *b = user;
    owi_tree_changes_of_row(b->changes, b->row, b->with_pairs);
}

static void by_rows(void *user)
{
    bench *b = user;
    const double base[1] = {0.0};
    owi_call call;
    check(owi_call_begin(&call, b->forest.ctx, &how));
    check(owi_forest_evaluate(&call, &b->forest, &b->conditions, NULL, base, b->n_rows,
                              b->rows, b->scores));
}

static double *next_row(bench *b)
{
    double *row = b->rows + b->n_rows++ * n_features;
    memcpy(row, b->row, sizeof b->row);
    return row;
}

static void fill_singles(bench *b)
{
    b->n_rows = 0;
    for (size_t f = 0; f < n_features; f++)
        for (size_t i = b->start[f]; i < b->start[f + 1]; i++)
            next_row(b)[f] = b->values[i];
}

static void fill_pairs(bench *b)
{
    b->n_rows = 0;
    for (size_t f = 0; f < n_features; f++)
        for (size_t g = f + 1; g < n_features; g++)
            for (size_t i = b->start[f]; i < b->start[f + 1]; i++)
                for (size_t j = b->start[g]; j < b->start[g + 1]; j++) {
                    double *row = next_row(b);
                    row[f] = b->values[i];
                    row[g] = b->values[j];
                }
}

static void measure(bench *b, const char *what)
{
    const double changes = stopwatch_best(n_runs, by_changes, b);
    const double rows = stopwatch_best(n_runs, by_rows, b);
    printf("  all %-8s %8zu  %9.1f us,  changed rows evaluated %10.1f us,  ratio %6.1f\n",
           what, b->n_rows, 1e6 * changes, 1e6 * rows, rows / changes);
}

int main(int argc, char **argv)
{
    ow_context *ctx = NULL;
    bench b = {0};
    owi_rng rng;
    const size_t each = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    size_t n_pairs = 0;
    check(ow_context_new(NULL, &ctx));
    how.threads = 1;
    owi_rng_init(&rng, 1, 0);
    b.forest =
        (owi_forest){.ctx = ctx, .n_features = n_features, .n_groups = 1, .is_float = true};
    for (size_t t = 0; t < n_trees; t++) check(add_random_tree(&b.forest, &rng));
    check(owi_conditions_make(&b.forest, &b.conditions));
    for (size_t f = 0; f < n_features; f++) {
        const size_t n = each > 0 ? each : f < 3 ? 128 : 6;
        n_pairs += b.start[f] * n;
        b.start[f + 1] = b.start[f] + n;
        b.row[f] = owi_rng_uniform(&rng);
    }
    b.values = room(b.start[n_features], sizeof *b.values);
    for (size_t f = 0; f < n_features; f++)
        for (size_t i = b.start[f], n = b.start[f + 1] - i; i < b.start[f + 1]; i++)
            b.values[i] = ((double)(i - b.start[f]) + 0.5) / (double)n;
    b.rows = room(n_pairs * n_features, sizeof *b.rows);
    b.scores = room(n_pairs, sizeof *b.scores);
    check(owi_tree_changes_new(&b.forest,
                               &(owi_tree_candidates){.start = b.start, .values = b.values},
                               false, &b.changes));
    printf("%d trees of depth %d, %d features, %zu candidates\n", n_trees, depth,
           n_features, b.start[n_features]);
    fill_singles(&b);
    measure(&b, "singles");
    b.with_pairs = true;
    fill_pairs(&b);
    measure(&b, "pairs");
    owi_tree_changes_free(b.changes);
    owi_conditions_clear(ctx, &b.conditions);
    owi_forest_clear(&b.forest);
    free(b.values);
    free(b.rows);
    free(b.scores);
    ow_context_free(ctx);
    return 0;
}
