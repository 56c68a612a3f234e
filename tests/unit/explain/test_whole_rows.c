/* SPDX-License-Identifier: MIT */
/* Rows of whole numbers, all columns at once: the same as column by column. */
#include "explain/constraints/whole_rows.h"

#include "base/numeric/rng.h"
#include "explain/constraints/repair.h"
#include "explain/core/distance.h"
#include "support/explain_fixture.h"
#include "support/image_model.h"

static void set(void **state, const char *text, ow_test_model *m, ow_constraints **wishes,
                owi_rules *rules)
{
    ow_context *ctx = ow_test_context(state);
    *m = ow_test_images(ctx);
    *wishes = ow_test_rules(m, text);
    assert_ok(owi_rules_init(rules, ctx, *wishes, m->model));
}

static void clear(ow_test_model *m, ow_constraints *wishes, owi_rules *rules)
{
    owi_rules_clear(rules);
    ow_constraints_free(wishes);
    ow_test_model_free(m);
}

/* A query with gaps and odd values, and a soft row anywhere near it or far away. */
static void draw(owi_rng *rng, const ow_test_model *m, double *query, float *soft)
{
    static const float odd[] = {INFINITY, -INFINITY, NAN, 1e30f, -1e30f};
    const size_t row = owi_rng_below(rng, ow_test_n_images);
    memcpy(query, m->values + row * m->n_columns, m->n_columns * sizeof *query);
    for (size_t j = 0; j < m->n_columns; j++) {
        if (owi_rng_below(rng, 12) == 0) query[j] = NAN;
        if (owi_rng_below(rng, 12) == 0) query[j] += 0.5;
        if (owi_rng_below(rng, 12) == 0) query[j] += 400.0;
    }
    ow_model_soften(m->model, 1, query, soft);
    for (size_t j = 0; j < m->n_columns; j++) {
        const double size = owi_rng_below(rng, 3) == 0 ? 3.0 : 0.01;
        soft[j] += (float)(size * owi_rng_normal(rng));
        if (owi_rng_below(rng, 15) == 0) soft[j] = odd[owi_rng_below(rng, 5)];
    }
}

static void compare(void **state, const char *text)
{
    ow_test_model m;
    ow_constraints *wishes;
    owi_rules rules;
    double query[ow_test_n_pixels], got[ow_test_n_pixels];
    float soft[ow_test_n_pixels];
    owi_rng rng;
    size_t n_changes = 0;
    set(state, text, &m, &wishes, &rules);
    assert_true(rules.whole.are);
    owi_rng_init(&rng, 7, 0);
    for (size_t i = 0; i < 2000; i++) {
        owi_repair plain;
        draw(&rng, &m, query, soft);
        assert_ok(owi_repair_init(&plain, wishes->ctx, &rules, 1, query));
        (void)owi_repair_row(&plain, 0, soft, NULL);
        owi_whole_repair(&rules, query, soft, got);
        assert_memory_equal(got, plain.values, sizeof got);
        owi_repair_clear(&plain);

        /* Answers that break something, too. */
        for (size_t j = 0; j < m.n_columns; j++) {
            if (owi_rng_below(&rng, 20) == 0) got[j] = 300.0 * owi_rng_normal(&rng);
            if (owi_rng_below(&rng, 20) == 0) got[j] = NAN;
        }
        assert_int_equal(owi_whole_violations(&rules, query, got),
                         ow_constraints_violations(wishes, query, got));
        const ow_distance a = owi_whole_distance(&rules, query, got),
                          b = ow_model_distance(m.model, query, got);
        assert_memory_equal(&a, &b, sizeof a);
        n_changes += a.l0;
    }
    assert_true(n_changes > 0);
    clear(&m, wishes, &rules);
}

static void images_are_repaired_and_judged_as_column_by_column(void **state)
{
    compare(state, NULL);
}

static void so_are_images_with_ranges_and_pixels_that_stay(void **state)
{
    compare(state, "range x1=20:100; range x10=250:250; immutable x5");
}

static void other_constraints_are_not_of_this_kind(void **state)
{
    static const char *const texts[] = {"monotone x5=up", "allow x5=3", "max-changes 2"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        ow_test_model m;
        ow_constraints *wishes;
        owi_rules rules;
        set(state, texts[k], &m, &wishes, &rules);
        assert_false(rules.whole.are);
        clear(&m, wishes, &rules);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(images_are_repaired_and_judged_as_column_by_column),
        ow_test_on_heap(so_are_images_with_ranges_and_pixels_that_stay),
        ow_test_on_heap(other_constraints_are_not_of_this_kind),
    };
    return cmocka_run_group_tests_name("explain/whole_rows", tests, NULL, NULL);
}
