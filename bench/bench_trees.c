/* SPDX-License-Identifier: MIT */
/* How fast forests are evaluated and read: a binary model of 300 complete trees of depth 6
 * over 20 columns with up to 255 thresholds each, and 100,000 rows in memory, on one
 * thread.  Each kernel that the processor has, beside walking the trees row by row.
 *
 *     bench_trees                 the model described above, as XGBoost and as LightGBM
 *                                 would sum it (float and double)
 *     bench_trees MODEL [N]       a model file, on N rows (100000) between its thresholds
 *
 * compare_trees.py has the packages themselves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric/rng.h"
#include "made_trees.h"
#include "stopwatch.h"
#include "trees/evaluate_trees.h"
#include "trees/trees_private.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_runs = 5 };

typedef struct {
    ow_context *ctx;
    const owi_forest *forest;
    owi_conditions conditions;
    const owi_mask_kernel *kernel; /* NULL: walk */
    double *base;
    size_t n_rows;
    double *rows, *scores;
} bench;

static void stop(const char *what)
{
    fprintf(stderr, "bench_trees: %s\n", what);
    exit(1);
}

static void check(ow_status status)
{
    if (status != OW_OK) stop(ow_error_message());
}

static void run(void *user)
{
    const bench *b = user;
    const size_t n = b->n_rows * b->forest->n_groups;
    if (b->kernel == NULL) {
        memset(b->scores, 0, n * sizeof *b->scores);
        owi_forest_walk(b->forest, 0, b->forest->n_trees, b->n_rows, b->rows, b->scores);
    } else {
        owi_call call;
        check(owi_call_begin(&call, b->forest->ctx, &how));
        check(owi_forest_evaluate(&call, b->forest, &b->conditions, b->kernel, b->base,
                                  b->n_rows, b->rows, b->scores));
    }
}

static void measure(bench *b, const char *what)
{
    const owi_mask_kernel *kernel;
    b->scores = calloc(b->n_rows * b->forest->n_groups, sizeof *b->scores);
    b->base = calloc(b->forest->n_groups, sizeof *b->base);
    if (b->scores == NULL || b->base == NULL) stop("out of memory");
    b->kernel = NULL;
    const double walk = stopwatch_best(1, run, b);
    printf("%s: %zu trees, %zu conditions, %zu rows\n", what, b->forest->n_trees,
           b->conditions.n_conditions, b->n_rows);
    printf("  %-8s %8.1f ns a row\n", "walk", 1e9 * walk / (double)b->n_rows);
    for (size_t k = 0; (kernel = owi_mask_kernel_get(k)) != NULL; k++) {
        b->kernel = kernel;
        const double seconds = stopwatch_best(n_runs, run, b);
        printf("  %-8s %8.1f ns a row, %5.1f times as fast\n", kernel->name,
               1e9 * seconds / (double)b->n_rows, walk / seconds);
    }
    free(b->scores);
    free(b->base);
}

static void measure_random(ow_context *ctx, bool is_float)
{
    owi_forest forest = {
        .ctx = ctx, .n_features = n_features, .n_groups = 1, .is_float = is_float};
    bench b = {.ctx = ctx, .forest = &forest, .n_rows = 100000};
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    for (size_t t = 0; t < n_trees; t++) check(add_random_tree(&forest, &rng));
    check(owi_conditions_make(&forest, &b.conditions));
    b.rows = malloc(b.n_rows * n_features * sizeof *b.rows);
    if (b.rows == NULL) stop("out of memory");
    for (size_t i = 0; i < b.n_rows * n_features; i++)
        b.rows[i] = owi_rng_below(&rng, 50) == 0 ? (double)NAN : owi_rng_uniform(&rng);
    measure(&b, is_float ? "sums in float" : "sums in double");
    free(b.rows);
    owi_conditions_clear(ctx, &b.conditions);
    owi_forest_clear(&forest);
}

/* ---- A model from a file ---- */

typedef struct {
    ow_context *ctx;
    const char *path;
} loading;

static void load(void *user)
{
    const loading *l = user;
    ow_trees *trees;
    check(ow_trees_load(l->ctx, l->path, &how, &trees));
    ow_trees_free(trees);
}

static void measure_file(ow_context *ctx, const char *path, size_t n_rows)
{
    loading l = {ctx, path};
    ow_trees *trees;
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    printf("%s: read in %.3f s\n", path, stopwatch_best(3, load, &l));
    check(ow_trees_load(ctx, path, &how, &trees));
    bench b = {.ctx = ctx,
               .forest = &trees->forest,
               .conditions = trees->conditions,
               .n_rows = n_rows};
    const size_t d = ow_trees_n_features(trees);
    b.rows = calloc(n_rows * d, sizeof *b.rows);
    if (b.rows == NULL) stop("out of memory");
    for (size_t i = 0; i < n_rows * d; i++) {
        size_t n;
        const double *t = ow_trees_thresholds(trees, i % d, &n);
        if (n > 0) b.rows[i] = t[owi_rng_below(&rng, n)];
    }
    measure(&b, path);
    free(b.rows);
    ow_trees_free(trees);
}

int main(int argc, char **argv)
{
    ow_context *ctx = NULL;
    check(ow_context_new(NULL, &ctx));
    how.threads = 1;
    if (argc > 1) {
        measure_file(ctx, argv[1], argc > 2 ? strtoul(argv[2], NULL, 10) : 100000);
    } else {
        measure_random(ctx, true);
        measure_random(ctx, false);
    }
    ow_context_free(ctx);
    return 0;
}
