/* SPDX-License-Identifier: MIT */
/* Checked size arithmetic at and around the edge. */
#include "support/ow_test.h"

#include "base/memory/sizes.h"

enum { untouched = 77 };

static void assert_product(size_t a, size_t b, bool fits)
{
    size_t product = untouched;
    assert_int_equal(owi_size_multiply(a, b, &product), fits);
    assert_true(product == (fits ? a * b : untouched));
}

static void assert_sum(size_t a, size_t b, bool fits)
{
    size_t sum = untouched;
    assert_int_equal(owi_size_add(a, b, &sum), fits);
    assert_true(sum == (fits ? a + b : untouched));
}

static void products_that_do_not_fit_are_noticed(void **state)
{
    (void)state;
    const size_t half = SIZE_MAX / 2, root = (size_t)1 << sizeof(size_t) * 4;
    assert_product(0, 0, true);
    assert_product(0, SIZE_MAX, true);
    assert_product(SIZE_MAX, 0, true);
    assert_product(1, SIZE_MAX, true);
    assert_product(SIZE_MAX, 1, true);
    assert_product(2, half, true);
    assert_product(half, 2, true);
    assert_product(root - 1, root + 1, true); /* 2^64 - 1 */
    assert_product(2, half + 1, false);
    assert_product(half + 1, 2, false);
    assert_product(root, root, false); /* 2^64, which is 0 */
    assert_product(SIZE_MAX, SIZE_MAX, false);
}

static void sums_that_do_not_fit_are_noticed(void **state)
{
    (void)state;
    assert_sum(0, 0, true);
    assert_sum(SIZE_MAX, 0, true);
    assert_sum(0, SIZE_MAX, true);
    assert_sum(SIZE_MAX - 5, 5, true);
    assert_sum(5, SIZE_MAX - 5, true);
    assert_sum(SIZE_MAX, 1, false);
    assert_sum(1, SIZE_MAX, false);
    assert_sum(SIZE_MAX - 5, 6, false);
    assert_sum(SIZE_MAX, SIZE_MAX, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_that_do_not_fit_are_noticed),
        cmocka_unit_test(sums_that_do_not_fit_are_noticed),
    };
    return cmocka_run_group_tests_name("base/sizes", tests, NULL, NULL);
}
