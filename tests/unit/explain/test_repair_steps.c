/* SPDX-License-Identifier: MIT */
/* Rows on their way, as they will be after repair: what repairing them every time gives. */
#include "support/explain_fixture.h"

#include "base/numeric/rng.h"
#include "explain/constraints/repair.h"

enum { n_rows = 40, n_steps = 60 };

static const char *const rule_sets[] = {
    "",
    "immutable age",
    "range income=20:30; monotone age=up; allow town=Bonn|Celle",
    "allow age=20|30|40",
    "vary school; vary debt",
    "max-changes 2"};
static const ow_leaf_choice both[] = {OW_LEAVES_AUTO, OW_LEAVES_GAUSSIAN};

/* A walk of all rows, each step also from scratch.  Numbers go back and forth in small
 * steps, as descents do. */
static void walk(const ow_test_model *m, const ow_constraints *rules, owi_rng *rng)
{
    const size_t d = m->n_columns, width = ow_model_soft_width(m->model);
    ow_context *ctx = rules->ctx;
    float *soft = calloc(n_rows * width, sizeof *soft);
    float *got = calloc(n_rows * width, sizeof *got);
    float *want = calloc(width, sizeof *want);
    double *values = calloc(d, sizeof *values),
           *before = calloc(n_rows * d, sizeof *before);
    size_t n_changed = 0;
    owi_rules compiled;
    owi_repair whole;
    assert_ok(owi_rules_init(&compiled, ctx, rules, m->model));
    assert_ok(owi_repair_init(&whole, ctx, &compiled, n_rows, m->values));
    ow_model_soften(m->model, n_rows, m->values, soft);
    for (size_t step = 0; step < n_steps; step++)
        for (size_t i = 0; i < n_rows; i++) {
            float *x = soft + i * width;
            owi_repair fresh;
            for (size_t j = 0; j < width && step > 0; j++)
                x[j] += (float)((step % 7 == 0 ? 1.0 : 0.1) * owi_rng_normal(rng));
            const bool changed = owi_repair_row(&whole, i, x, got + i * width);
            assert_ok(owi_repair_init(&fresh, ctx, &compiled, 1, m->values + i * d));
            assert_true(owi_repair_row(&fresh, 0, x, NULL));
            memcpy(values, fresh.values, d * sizeof *values);
            owi_repair_clear(&fresh);
            assert_memory_equal(whole.values + i * d, values, d * sizeof *values);
            ow_model_soften(m->model, 1, values, want);
            assert_memory_equal(got + i * width, want, width * sizeof *want);
            if (step > 0)
                assert_true(changed ==
                            (memcmp(values, before + i * d, d * sizeof *values) != 0));
            else
                assert_true(changed);
            memcpy(before + i * d, values, d * sizeof *values);
            n_changed += changed;
        }
    assert_true(n_changed > n_rows && n_changed < n_rows * n_steps);
    owi_repair_clear(&whole);
    owi_rules_clear(&compiled);
    free(soft);
    free(got);
    free(want);
    free(values);
    free(before);
}

/* The same walk for all rows of a chunk at a time, and one by one. */
static void walk_in_lanes(const ow_test_model *m, const ow_constraints *rules, owi_rng *rng)
{
    enum { L = owi_row_lanes };
    const size_t width = ow_model_soft_width(m->model);
    float *soft = calloc(n_rows * width, sizeof *soft);
    float *lanes = calloc(width * L, sizeof *lanes);
    float *got = calloc(n_rows * width, sizeof *got);
    float *want = calloc(n_rows * width, sizeof *want);
    owi_rules compiled;
    owi_repair whole, alone;
    assert_ok(owi_rules_init(&compiled, rules->ctx, rules, m->model));
    assert_ok(owi_repair_init(&whole, rules->ctx, &compiled, n_rows, m->values));
    assert_ok(owi_repair_init(&alone, rules->ctx, &compiled, n_rows, m->values));
    ow_model_soften(m->model, n_rows, m->values, soft);
    for (size_t step = 0; step < n_steps; step++)
        for (size_t first = 0; first < n_rows; first += L) {
            const size_t n = first + L < n_rows ? L : n_rows - first;
            bool changed[L];
            for (size_t i = first * width; i < (first + n) * width && step > 0; i++)
                soft[i] += (float)((step % 7 == 0 ? 1.0 : 0.1) * owi_rng_normal(rng));
            owi_rows_to_lanes(n, width, soft + first * width, lanes);
            owi_repair_lanes(&whole, first, n, lanes, got + first * width, changed);
            for (size_t i = 0; i < n; i++) {
                const size_t at = (first + i) * width;
                assert_true(changed[i] ==
                            owi_repair_row(&alone, first + i, soft + at, want + at));
            }
        }
    assert_memory_equal(got, want, n_rows * width * sizeof *got);
    owi_repair_clear(&whole);
    owi_repair_clear(&alone);
    owi_rules_clear(&compiled);
    free(soft);
    free(lanes);
    free(got);
    free(want);
}

static void walk_by_all_rules(ow_context *ctx, uint64_t seed,
                              void (*go)(const ow_test_model *m,
                                         const ow_constraints *rules, owi_rng *rng))
{
    owi_rng rng;
    owi_rng_init(&rng, seed, 0);
    for (size_t k = 0; k < 2; k++) {
        ow_test_model m = ow_test_applicants(ctx, both[k]);
        for (size_t r = 0; r < sizeof rule_sets / sizeof *rule_sets; r++) {
            ow_constraints *rules = ow_test_rules(&m, rule_sets[r]);
            go(&m, rules, &rng);
            ow_constraints_free(rules);
        }
        ow_test_model_free(&m);
    }
}

static void rows_on_their_way_are_what_repair_makes_of_them(void **state)
{
    walk_by_all_rules(ow_test_context(state), 5, walk);
}

static void rows_in_lanes_become_what_each_row_alone_does(void **state)
{
    walk_by_all_rules(ow_test_context(state), 6, walk_in_lanes);
}

static void what_is_no_number_becomes_what_the_query_has(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    const size_t width = ow_model_soft_width(m.model);
    ow_constraints *rules = ow_test_rules(&m, "");
    float *soft = calloc(width, sizeof *soft), *got = calloc(width, sizeof *got);
    owi_rules compiled;
    owi_repair whole;
    assert_ok(owi_rules_init(&compiled, rules->ctx, rules, m.model));
    assert_ok(owi_repair_init(&whole, rules->ctx, &compiled, 1, m.values));
    for (size_t j = 0; j < width; j++) soft[j] = NAN;
    assert_true(owi_repair_row(&whole, 0, soft, got));
    ow_model_soften(m.model, 1, m.values, soft);
    assert_memory_equal(got, soft, width * sizeof *soft);
    owi_repair_clear(&whole);
    owi_rules_clear(&compiled);
    free(soft);
    free(got);
    ow_constraints_free(rules);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(rows_on_their_way_are_what_repair_makes_of_them),
        ow_test_on_heap(rows_in_lanes_become_what_each_row_alone_does),
        ow_test_on_heap(what_is_no_number_becomes_what_the_query_has),
    };
    return cmocka_run_group_tests_name("explain/repair_steps", tests, NULL, NULL);
}
