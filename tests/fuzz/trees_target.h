/* SPDX-License-Identifier: MIT */
/* Tree models from bytes: what is accepted predicts numbers for any row, and every kernel
 * gives what walking the trees gives. */
#ifndef TREES_TARGET_H
#define TREES_TARGET_H

#include <math.h>
#include <string.h>

#include "fuzz_target.h"
#include "trees/evaluate_trees.h"
#include "trees/trees_private.h"

enum { fuzz_rows = 70, most_features = 4096, most_scores = 64 };

static void compare_kernels(const ow_trees *trees, const double *rows)
{
    const owi_forest *forest = &trees->forest;
    const size_t n = fuzz_rows * forest->n_groups;
    static double walked[fuzz_rows * most_scores], scores[fuzz_rows * most_scores];
    const owi_mask_kernel *kernel;
    for (size_t i = 0; i < n; i++) walked[i] = trees->base[i % forest->n_groups];
    owi_forest_walk(forest, 0, forest->n_trees, fuzz_rows, rows, walked);
    for (size_t k = 0; (kernel = owi_mask_kernel_get(k)) != NULL; k++) {
        owi_call call;
        expect(owi_call_begin(&call, trees->ctx, NULL) == OW_OK);
        expect(owi_forest_evaluate(&call, forest, &trees->conditions, kernel, trees->base,
                                   fuzz_rows, rows, scores) == OW_OK);
        expect(memcmp(scores, walked, n * sizeof *scores) == 0);
    }
}

static void use_trees(const ow_trees *trees)
{
    static const double values[] = {0.0,  1.0,   -1.0, 2.0,    3.5,      1e-36,
                                    -0.0, 1e300, NAN,  -1e300, INFINITY, -INFINITY};
    enum { n_values = sizeof values / sizeof *values };
    const size_t d = ow_trees_n_features(trees), C = ow_trees_n_classes(trees);
    if (d > most_features || C > most_scores) return;
    double *rows = malloc(fuzz_rows * d * sizeof *rows);
    double *predictions = malloc(fuzz_rows * C * sizeof *predictions);
    expect(rows != NULL && predictions != NULL);
    for (size_t i = 0; i < fuzz_rows * d; i++) {
        size_t n;
        const double *t = ow_trees_thresholds(trees, i % d, &n);
        rows[i] = n > 0 && i % 3 == 0 ? t[i % n] : values[(i * 7 + i / d) % n_values];
    }
    expect(ow_trees_predict(trees, fuzz_rows, rows, NULL, predictions) == OW_OK);
    compare_kernels(trees, rows);
    free(rows);
    free(predictions);
}

/* Only inputs of the format that the target is named after are of interest. */
static int load_trees(const uint8_t *data, size_t size)
{
    ow_context *ctx = NULL;
    ow_trees *trees = NULL;
    expect(ow_context_new(NULL, &ctx) == OW_OK);
    const ow_status status = ow_trees_load_memory(ctx, data, size, "model", &trees);
    expect(status == OW_OK || status == OW_ERR_FORMAT || status == OW_ERR_UNSUPPORTED);
    expect((status == OW_OK) == (trees != NULL));
    if (trees != NULL) use_trees(trees);
    ow_trees_free(trees);
    ow_context_free(ctx);
    return 0;
}

#endif
