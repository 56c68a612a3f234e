/* SPDX-License-Identifier: MIT */
#include "support/ow_test.h"

#include "base/numeric/sorted.h"

static void numbers_come_in_ascending_order_with_infinities_at_the_ends(void **state)
{
    (void)state;
    double numbers[6] = {3.0, -INFINITY, 2.5, INFINITY, -1.0, 2.5};
    const double want[6] = {-INFINITY, -1.0, 2.5, 2.5, 3.0, INFINITY};
    owi_sort_numbers(numbers, 6);
    assert_close(numbers, want, 6, 0.0);
    owi_sort_numbers(NULL, 0);
}

static void quantiles_lie_between_two_numbers_in_proportion(void **state)
{
    (void)state;
    const double sorted[5] = {0.0, 1.0, 2.0, 4.0, 10.0};
    const double got[6] = {owi_quantile(sorted, 5, 0.0),   owi_quantile(sorted, 5, 0.25),
                           owi_quantile(sorted, 5, 0.625), owi_quantile(sorted, 5, 0.95),
                           owi_quantile(sorted, 5, 1.0),   owi_quantile(sorted, 4, 0.5)};
    const double want[6] = {0.0, 1.0, 3.0, 8.8, 10.0, 1.5};
    assert_close(got, want, 6, 1e-12);
}

static void a_quantile_among_infinities_is_no_nan_and_that_of_nothing_is(void **state)
{
    (void)state;
    const double sorted[3] = {-INFINITY, -INFINITY, 1.0};
    const double got[3] = {owi_quantile(sorted, 3, 0.25), owi_quantile(sorted, 3, 1.0),
                           owi_quantile(sorted, 0, 0.5)};
    const double want[3] = {-INFINITY, 1.0, NAN};
    assert_close(got, want, 3, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_in_ascending_order_with_infinities_at_the_ends),
        cmocka_unit_test(quantiles_lie_between_two_numbers_in_proportion),
        cmocka_unit_test(a_quantile_among_infinities_is_no_nan_and_that_of_nothing_is),
    };
    return cmocka_run_group_tests_name("base/sorted", tests, NULL, NULL);
}
