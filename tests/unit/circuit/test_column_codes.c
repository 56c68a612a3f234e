/* SPDX-License-Identifier: MIT */
/* Codes of columns: levels as they are, numbers in bins of equal numbers of rows, equal
 * values together, what is missing without a code. */
#include "base/error.h"
#include "circuit/dependence/column_codes.h"
#include "support/ow_test.h"

enum { n_rows = 240 };

static void numbers_are_binned_evenly(void **state)
{
    const ow_leaf leaf = {.kind = OW_LEAF_GAUSSIAN};
    float values[n_rows];
    for (size_t i = 0; i < n_rows; i++) values[i] = (float)(i * 7 % n_rows);
    for (size_t most = 1; most <= 16; most++) {
        size_t count[16] = {0};
        owi_column_codes codes;
        assert_ok(owi_column_codes_init(&codes, ow_test_context(state), &leaf, most, n_rows,
                                        values, 1));
        assert_int_equal(codes.n_codes, most);
        for (size_t i = 0; i < n_rows; i++) count[owi_column_code(&codes, values[i])]++;
        for (size_t c = 0; c < most; c++) {
            assert_true(count[c] >= n_rows / most);
            assert_true(count[c] <= n_rows / most + 1);
        }
        assert_int_equal(owi_column_code(&codes, -1e30f), 0);
        assert_int_equal(owi_column_code(&codes, 1e30f), most - 1);
        assert_int_equal(owi_column_code(&codes, NAN), owi_no_code);
        owi_column_codes_clear(&codes, ow_test_context(state));
    }
}

/* Two thirds of the rows are 0: a bin of their own, and the others share the rest. */
static void a_value_of_many_rows_has_a_bin_of_its_own(void **state)
{
    const ow_leaf leaf = {.kind = OW_LEAF_POINT_MASSES};
    float values[2 * n_rows];
    size_t count[4] = {0};
    owi_column_codes codes;
    for (size_t i = 0; i < n_rows; i++) {
        values[2 * i] = i % 3 != 0 ? 0.0f : (float)i;
        values[2 * i + 1] = 5.0f; /* another column's */
    }
    values[2] = NAN;
    assert_ok(
        owi_column_codes_init(&codes, ow_test_context(state), &leaf, 4, n_rows, values, 2));
    assert_int_equal(codes.n_codes, 4);
    for (size_t i = 0; i < n_rows; i++)
        if (i != 1) count[owi_column_code(&codes, values[2 * i])]++;
    assert_int_equal(count[0], n_rows * 2 / 3); /* row 0 is 0 too, row 1 is missing */
    for (size_t c = 1; c < 4; c++) assert_true(count[c] >= 26 && count[c] <= 27);
    owi_column_codes_clear(&codes, ow_test_context(state));
}

static void few_values_make_few_bins(void **state)
{
    const ow_leaf leaf = {.kind = OW_LEAF_GAUSSIAN};
    const float values[6] = {2.0f, 2.0f, NAN, 1.0f, 1.0f, 2.0f};
    owi_column_codes codes;
    assert_ok(
        owi_column_codes_init(&codes, ow_test_context(state), &leaf, 8, 6, values, 1));
    assert_int_equal(codes.n_codes, 2);
    assert_int_equal(owi_column_code(&codes, 1.0f), 0);
    assert_int_equal(owi_column_code(&codes, 2.0f), 1);
    owi_column_codes_clear(&codes, ow_test_context(state));
    /* Nothing but gaps, and no rows at all. */
    assert_ok(
        owi_column_codes_init(&codes, ow_test_context(state), &leaf, 8, 1, values + 2, 1));
    assert_int_equal(codes.n_codes, 1);
    assert_int_equal(owi_column_code(&codes, 3.0f), 0);
    owi_column_codes_clear(&codes, ow_test_context(state));
    assert_ok(owi_column_codes_init(&codes, ow_test_context(state), &leaf, 8, 0, NULL, 1));
    assert_int_equal(codes.n_codes, 1);
    owi_column_codes_clear(&codes, ow_test_context(state));
}

static void levels_are_codes_and_rare_ones_share_the_last(void **state)
{
    const ow_leaf few = {.kind = OW_LEAF_CATEGORICAL, .n_levels = 3};
    const ow_leaf many = {.kind = OW_LEAF_CATEGORICAL, .n_levels = 6};
    const ow_leaf bit = {.kind = OW_LEAF_BERNOULLI};
    const float values[9] = {5, 5, 5, 1, 1, 4, NAN, 0, 5};
    owi_column_codes codes;
    assert_ok(owi_column_codes_init(&codes, ow_test_context(state), &few, 3, 0, NULL, 1));
    for (size_t level = 0; level < 3; level++)
        assert_int_equal(owi_column_code(&codes, (float)level), level);
    owi_column_codes_clear(&codes, ow_test_context(state));
    assert_ok(
        owi_column_codes_init(&codes, ow_test_context(state), &many, 3, 9, values, 1));
    assert_int_equal(codes.n_codes, 3);
    const size_t want[6] = {2, 1, 2, 2, 2, 0};
    for (size_t level = 0; level < 6; level++)
        assert_int_equal(owi_column_code(&codes, (float)level), want[level]);
    owi_column_codes_clear(&codes, ow_test_context(state));
    assert_ok(owi_column_codes_init(&codes, ow_test_context(state), &bit, 64, 0, NULL, 1));
    assert_int_equal(codes.n_codes, 2);
    owi_column_codes_clear(&codes, ow_test_context(state));
}

static ow_status make(ow_context *ctx, void *user)
{
    const ow_leaf *leaf = user;
    const float values[4] = {1.0f, 0.0f, NAN, 1.0f};
    owi_column_codes codes;
    OWI_TRY(owi_column_codes_init(&codes, ctx, leaf, 4, 4, values, 1));
    owi_column_codes_clear(&codes, ctx);
    return OW_OK;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_leaf leaf = {.kind = OW_LEAF_GAUSSIAN};
    ow_test_sweep(make, &leaf);
    leaf = (ow_leaf){.kind = OW_LEAF_CATEGORICAL, .n_levels = 2};
    ow_test_sweep(make, &leaf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(numbers_are_binned_evenly),
        ow_test_on_heap(a_value_of_many_rows_has_a_bin_of_its_own),
        ow_test_on_heap(few_values_make_few_bins),
        ow_test_on_heap(levels_are_codes_and_rare_ones_share_the_last),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/column_codes", tests, NULL, NULL);
}
