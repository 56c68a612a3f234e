/* SPDX-License-Identifier: MIT */
#include "support/ow_test.h"

#include "network/input_scale.h"

static owi_input_sums sums_of(size_t n, const double *values)
{
    owi_input_sums sums = owi_input_sums_of_none();
    for (size_t i = 0; i < n; i++) owi_input_sums_add(&sums, values[i]);
    return sums;
}

static void
wide_numbers_are_scaled_by_their_deviation_and_narrow_ones_by_their_range(void **state)
{
    (void)state;
    const double wide[] = {10.0, 30.0, 50.0, 70.0}, rare[] = {0.0, 0.0, 0.0, 1.0},
                 faint[] = {0.0, 0.25, 0.0, 0.0}, same[] = {3.0, 3.0};
    const owi_input_sums sums[] = {sums_of(4, wide), sums_of(4, rare), sums_of(4, faint),
                                   sums_of(2, same), sums_of(0, NULL)};
    const double want[] = {1.0 / sqrt(500.0), 1.0, 4.0, 1.0, 1.0};
    for (size_t k = 0; k < 5; k++) {
        const double got = owi_input_scale(&sums[k]);
        assert_close(&got, &want[k], 1, 1e-12);
    }
    assert_true(sums[0].mean == 40.0);
}

static void entries_of_one_kind_share_their_range(void **state)
{
    (void)state;
    const double dark[] = {0.0, 0.004}, bright[] = {0.0, 1.0};
    owi_input_sums sums[] = {sums_of(2, dark), sums_of(2, bright)};
    owi_input_sums_share_range(2, sums);
    assert_true(owi_input_scale(&sums[0]) == 1.0 && owi_input_scale(&sums[1]) == 1.0);
    assert_true(sums[0].mean == 0.002);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            wide_numbers_are_scaled_by_their_deviation_and_narrow_ones_by_their_range),
        cmocka_unit_test(entries_of_one_kind_share_their_range),
    };
    return cmocka_run_group_tests_name("classifier/input_scale", tests, NULL, NULL);
}
