/* SPDX-License-Identifier: MIT */
/* Pairs of columns by their joint ranks. */
#include "base/call.h"
#include "base/numeric/rng.h"
#include "evaluate/rank_pairs.h"
#include "support/schema_fixture.h"

#define COLUMNS                                                                            \
    "'columns': [{'name': 'radius', 'type': 'continuous', 'range': [1, 9]}, "              \
    "{'name': 'area', 'type': 'continuous', 'range': [3, 260]}, "                          \
    "{'name': 'kind', 'type': 'categorical', 'levels': ['a', 'b']}, "                      \
    "{'name': 'noise', 'type': 'continuous', 'range': [0, 1]}]"

enum { n_rows = 300, d = 4 };

/* Area follows radius; kind b only for the larger half. */
static void fill(double *rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 9, i);
        const double radius = 1.0 + 8.0 * owi_rng_uniform(&rng);
        rows[i * d] = radius;
        rows[i * d + 1] = 3.14 * radius * radius * (1.0 + 0.01 * owi_rng_normal(&rng));
        rows[i * d + 2] = radius > 5.0;
        rows[i * d + 3] = owi_rng_uniform(&rng);
    }
}

static void pairs_that_do_not_belong_together_are_odd(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS);
    static double rows[n_rows * d];
    owi_rank_pairs *pairs;
    owi_call call;
    fill(rows);
    assert_ok(owi_call_begin(&call, ctx, NULL));
    assert_ok(owi_rank_pairs_new(ctx, &call, schema, n_rows, rows, &pairs));
    const double query[d] = {3.0, 28.3, 0, 0.5}, kept[d] = {7.0, 153.9, 1, 0.5},
                 apart[d] = {7.0, 28.3, 1, 0.5}, wrong_kind[d] = {3.0, 28.3, 1, 0.5};
    double odd = owi_rank_pairs_odd(pairs, query, kept);
    assert_true(odd == 0.0);
    odd = owi_rank_pairs_odd(pairs, query, apart); /* of 6 pairs, without area and noise */
    assert_close(&odd, (const double[]){2.0 / 6.0}, 1, 0.17);
    assert_true(odd > 0.1);
    odd = owi_rank_pairs_odd(pairs, query, wrong_kind); /* of the 3 pairs with the kind */
    assert_close(&odd, (const double[]){2.0 / 3.0}, 1, 1e-9);
    owi_rank_pairs_free(pairs);
    assert_ok(owi_rank_pairs_new(ctx, &call, schema, 5, rows, &pairs));
    assert_null(pairs);
    ow_schema_free(schema);
}

static void real_rows_are_ordinary(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS);
    static double rows[n_rows * d];
    owi_rank_pairs *pairs;
    owi_call call;
    double sum = 0.0;
    fill(rows);
    assert_ok(owi_call_begin(&call, ctx, NULL));
    assert_ok(owi_rank_pairs_new(ctx, &call, schema, n_rows / 2, rows, &pairs));
    for (size_t i = n_rows / 2; i < n_rows; i++) /* not among those that are known */
        sum += owi_rank_pairs_odd(pairs, rows + i * d, rows + i * d);
    assert_true(sum / (n_rows / 2) < 0.04);
    owi_rank_pairs_free(pairs);
    ow_schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(pairs_that_do_not_belong_together_are_odd),
        ow_test_on_heap(real_rows_are_ordinary),
    };
    return cmocka_run_group_tests_name("evaluate/rank_pairs", tests, NULL, NULL);
}
