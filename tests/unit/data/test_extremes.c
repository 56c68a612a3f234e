/* SPDX-License-Identifier: MIT */
/* The ends of a column, counted exactly. */
#include "support/ow_test.h"

#include "data/infer/extremes.h"

/* Numbers from -range to range in a random order, against counting all of them. */
static void agrees_with_counting(unsigned range, size_t n_rows, uint64_t seed)
{
    owi_extremes extremes = {0}, parts[2] = {{0}};
    size_t counts[2001] = {0};
    assert_in_range(range, 0, 1000);
    for (size_t i = 0; i < n_rows; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const unsigned k = (unsigned)(seed >> 33) % (2 * range + 1);
        const size_t times = 1 + (seed >> 60);
        counts[k] += times;
        owi_extremes_add(&extremes, (double)k - range, times);
        owi_extremes_add(&parts[i * 3 > n_rows], (double)k - range, times);
    }
    owi_extremes_join(&parts[0], &parts[1]);
    assert_memory_equal(&parts[0], &extremes, sizeof extremes);
    size_t n = 0;
    for (unsigned k = 0; k <= 2 * range && n < owi_n_extremes; k++)
        if (counts[k] > 0) {
            assert_true(extremes.low[n].number == (double)k - range);
            assert_int_equal(extremes.low[n++].count, counts[k]);
        }
    assert_int_equal(extremes.n_low, n);
    n = 0;
    for (unsigned k = 2 * range + 1; k-- > 0 && n < owi_n_extremes;)
        if (counts[k] > 0) {
            assert_true(extremes.high[n].number == (double)k - range);
            assert_int_equal(extremes.high[n++].count, counts[k]);
        }
    assert_int_equal(extremes.n_high, n);
}

static void the_counts_are_those_of_all_rows(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50 * ow_test_scale(); seed++) {
        agrees_with_counting(0, 5, seed);
        agrees_with_counting(1, 100, seed);
        agrees_with_counting(4, 100, seed);
        agrees_with_counting(1000, 3, seed);
        agrees_with_counting(1000, 3000, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counts_are_those_of_all_rows),
    };
    return cmocka_run_group_tests_name("data/extremes", tests, NULL, NULL);
}
