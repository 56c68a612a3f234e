/* SPDX-License-Identifier: MIT */
/* Sums of doubles that do not depend on the order of the numbers. */
#include "support/ow_test.h"

#include <float.h>
#include <math.h>

#include "base/numeric/exact_sum.h"

enum { n_numbers = 3000 };

/* Of all sizes and both signs, numbers without a leading 1 among them. */
static double number(size_t i)
{
    const uint64_t bits = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    const double part = (double)(bits >> 11) / (double)((uint64_t)1 << 53);
    return ldexp(part - 0.5, (int)(i * 7 % 2090) - 1070);
}

static owi_exact_sum sum_of(size_t first, size_t end, size_t step)
{
    owi_exact_sum sum = {0};
    for (size_t i = first; i < end; i++) owi_exact_sum_add(&sum, number(i * step % end));
    return sum;
}

static void the_order_does_not_matter(void **state)
{
    (void)state;
    owi_exact_sum forward = sum_of(0, n_numbers, 1), mixed = sum_of(0, n_numbers, 1009);
    assert_true(owi_exact_sum_value(&forward) == owi_exact_sum_value(&mixed));
    owi_exact_sum_carry(&forward);
    owi_exact_sum_carry(&mixed);
    assert_memory_equal(forward.limbs, mixed.limbs, sizeof mixed.limbs);
}

static void nor_does_the_division_into_parts(void **state)
{
    (void)state;
    owi_exact_sum whole = sum_of(0, n_numbers, 1);
    owi_exact_sum_carry(&whole);
    static const size_t cuts[] = {0, 1, 500, 2999, n_numbers};
    for (size_t k = 0; k < 5; k++) {
        owi_exact_sum a = sum_of(0, cuts[k], 1), b = {0};
        for (size_t i = cuts[k]; i < n_numbers; i++) owi_exact_sum_add(&b, number(i));
        owi_exact_sum_join(&a, &b);
        assert_memory_equal(a.limbs, whole.limbs, sizeof a.limbs);
    }
}

static double sum3(double a, double b, double c)
{
    owi_exact_sum sum = {0};
    owi_exact_sum_add(&sum, a);
    owi_exact_sum_add(&sum, b);
    owi_exact_sum_add(&sum, c);
    return owi_exact_sum_value(&sum);
}

static void nothing_is_lost_beside_large_numbers(void **state)
{
    (void)state;
    assert_true(sum3(1e300, 1.0, -1e300) == 1.0);
    assert_true(sum3(-1e300, -0x1p-1074, 1e300) == -0x1p-1074);
    assert_true(sum3(DBL_MAX, DBL_MAX, -DBL_MAX) == DBL_MAX);
    assert_true(sum3(0.1, -0.1, -0.0) == 0.0);
    assert_true(sum3(DBL_MAX, DBL_MAX, 1.0) == INFINITY);
    assert_true(sum3(1.0, -3.5, 0.25) == -2.25);
}

static void infinities_and_nan_stay(void **state)
{
    (void)state;
    assert_true(sum3(1.0, INFINITY, -7.0) == INFINITY);
    assert_true(sum3(1.0, -INFINITY, -7.0) == -INFINITY);
    assert_true(isnan(sum3(INFINITY, -INFINITY, 1.0)));
    assert_true(isnan(sum3(NAN, 2.0, 1.0)));
}

static void many_numbers_of_one_sign_do_not_overflow(void **state)
{
    (void)state;
    owi_exact_sum sum = {0};
    owi_exact_sum_add(&sum, -3.0);
    for (int k = 0; k < 40; k++) owi_exact_sum_join(&sum, &sum);
    assert_true(owi_exact_sum_value(&sum) == -3.0 * 0x1p40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_does_not_matter),
        cmocka_unit_test(nor_does_the_division_into_parts),
        cmocka_unit_test(nothing_is_lost_beside_large_numbers),
        cmocka_unit_test(infinities_and_nan_stay),
        cmocka_unit_test(many_numbers_of_one_sign_do_not_overflow),
    };
    return cmocka_run_group_tests_name("base/exact_sum", tests, NULL, NULL);
}
