/* SPDX-License-Identifier: MIT */
/* Random forests of every habit: all kernels give the bits of the plain walk. */
#include "random_forest.h"
#include "trees/evaluate_trees.h"

enum { n_rows = 600 };

static void make_rows(owi_rng *rng, const habits *h, double *rows)
{
    static const double odd[] = {NAN,  0.0,  -0.0, 1e-36, -1e-36,   1e-34,
                                 -1.0, -0.5, 1e9,  1e300, INFINITY, -INFINITY};
    enum { n_odd = sizeof odd / sizeof *odd };
    for (size_t i = 0; i < n_rows * n_features; i++)
        if (owi_rng_below(rng, 4) == 0)
            rows[i] = odd[owi_rng_below(rng, n_odd)];
        else if (i % n_features < 4)
            rows[i] = (double)owi_rng_below(rng, 2 * h->n_thresholds) / 2.0 - 20.0;
        else
            rows[i] = (double)owi_rng_below(rng, h->most_code + 40);
}

static void compare_kernels(ow_context *ctx, const habits *h, uint64_t seed)
{
    static double rows[n_rows * n_features], walked[n_rows * 3], scores[n_rows * 3];
    const double base[3] = {0.5, -1.0, 0.0};
    owi_forest forest = {.ctx = ctx,
                         .n_features = n_features,
                         .n_groups = h->n_groups,
                         .is_float = h->is_float,
                         .has_zero = h->has_zero};
    owi_conditions conditions;
    const owi_mask_kernel *kernel;
    owi_call call;
    owi_rng rng;
    assert_ok(owi_call_begin(&call, ctx, NULL));
    owi_rng_init(&rng, seed, 0);
    for (size_t t = 0; t < h->n_trees; t++) add_tree(&forest, &rng, h);
    assert_ok(owi_conditions_make(&forest, &conditions));
    make_rows(&rng, h, rows);
    for (size_t i = 0; i < n_rows * h->n_groups; i++) walked[i] = base[i % h->n_groups];
    owi_forest_walk(&forest, 0, forest.n_trees, n_rows, rows, walked);
    for (size_t k = 0; (kernel = owi_mask_kernel_get(k)) != NULL; k++) {
        assert_ok(owi_forest_evaluate(&call, &forest, &conditions, kernel, base, n_rows,
                                      rows, scores));
        assert_memory_equal(scores, walked, n_rows * h->n_groups * sizeof *scores);
    }
    owi_conditions_clear(ctx, &conditions);
    owi_forest_clear(&forest);
}

static void random_forests_are_evaluated_as_they_are_walked(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const habits all[] = {
        {40, 2, 20, 1, true, false, 3},      /* stumps and single leaves            */
        {30, 16, 40, 1, true, false, 10},    /* one register of leaves              */
        {30, 32, 100, 3, true, false, 50},   /* two, several groups                 */
        {30, 64, 255, 1, true, false, 300},  /* four; all ranks of a byte           */
        {30, 64, 60, 2, false, true, 60},    /* doubles, zeros                      */
        {20, 128, 300, 1, false, true, 40},  /* ranks beyond a byte                 */
        {20, 256, 2000, 1, true, false, 99}, /* as large as masks go                */
        {10, 900, 3000, 3, false, true, 80}, /* walked                              */
        {10, 900, 90, 1, true, false, 2000}, /* walked, large sets                  */
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (uint64_t seed = 0; seed < 3 * ow_test_scale(); seed++)
            compare_kernels(ctx, &all[i], seed);
}

/* ---- What is said of evaluation ---- */

typedef struct {
    const owi_forest *forest;
    const owi_conditions *conditions;
} ready;

static ow_status evaluate(ow_context *ctx, void *user)
{
    const ready *r = user;
    static double rows[20 * n_features], scores[20];
    const double base = 0.0;
    owi_forest forest = *r->forest;
    owi_call call;
    forest.ctx = ctx;
    ow_status status = owi_call_begin(&call, ctx, NULL);
    if (status == OW_OK)
        status = owi_forest_evaluate(&call, &forest, r->conditions, NULL, &base, 20, rows,
                                     scores);
    return status;
}

static ow_status make(ow_context *ctx, void *user)
{
    owi_forest forest = *(const owi_forest *)user;
    owi_conditions conditions;
    forest.ctx = ctx;
    const ow_status status = owi_conditions_make(&forest, &conditions);
    if (status == OW_OK) owi_conditions_clear(ctx, &conditions);
    return status;
}

static void memory_may_end_at_any_time(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const habits h = {3, 300, 30, 1, false, true, 40};
    owi_forest forest = {
        .ctx = ctx, .n_features = n_features, .n_groups = 1, .has_zero = true};
    owi_conditions conditions;
    owi_rng rng;
    owi_rng_init(&rng, 3, 0);
    for (size_t t = 0; t < h.n_trees; t++) add_tree(&forest, &rng, &h);
    assert_ok(owi_conditions_make(&forest, &conditions));
    ready r = {&forest, &conditions};
    ow_test_sweep(make, &forest);
    ow_test_sweep(evaluate, &r);
    owi_conditions_clear(ctx, &conditions);
    owi_forest_clear(&forest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(random_forests_are_evaluated_as_they_are_walked),
        ow_test_on_heap(memory_may_end_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
