/* SPDX-License-Identifier: MIT */
/* Means and deviations in one pass. */
#include "support/ow_test.h"

#include "data/infer/moments.h"

enum { n_numbers = 1000 };

static void fill(double *numbers, double offset)
{
    uint64_t seed = 7;
    for (size_t i = 0; i < n_numbers; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1;
        numbers[i] = offset + (double)(seed >> 40) / (1 << 24);
    }
}

/* Two passes in long double. */
static void by_definition(const double *numbers, double *mean, double *deviation)
{
    long double sum = 0, squares = 0;
    for (size_t i = 0; i < n_numbers; i++) sum += numbers[i];
    const long double middle = sum / n_numbers;
    for (size_t i = 0; i < n_numbers; i++)
        squares += (numbers[i] - middle) * (numbers[i] - middle);
    *mean = (double)middle;
    *deviation = (double)sqrtl(squares / n_numbers);
}

/* At an offset of 10^9 the squares agree in their first 16 digits: a sum of squares would
 * lose the deviation altogether. */
static void an_offset_does_not_cost_the_deviation(void **state)
{
    (void)state;
    static const double offsets[] = {0, 1e9, -1e9};
    for (size_t k = 0; k < 3; k++) {
        double numbers[n_numbers], mean, deviation;
        owi_moments one_by_one = {0}, at_once = {0};
        fill(numbers, offsets[k]);
        by_definition(numbers, &mean, &deviation);
        for (size_t i = 0; i < n_numbers; i++) owi_moments_add(&one_by_one, numbers[i], 1);
        owi_moments_add_all(&at_once, numbers, 300);
        owi_moments_add_all(&at_once, numbers + 300, 0);
        owi_moments_add_all(&at_once, numbers + 300, n_numbers - 300);
        const double got[] = {one_by_one.mean, at_once.mean}, want[] = {mean, mean};
        assert_close(got, want, 2, 1e-14);
        const double spreads[] = {owi_moments_deviation(&one_by_one),
                                  owi_moments_deviation(&at_once)};
        const double spread[] = {deviation, deviation};
        assert_close(spreads, spread, 2, 1e-7);
        assert_true(one_by_one.n == n_numbers && at_once.n == n_numbers);
    }
}

static void a_number_may_occur_many_times_at_once(void **state)
{
    (void)state;
    owi_moments repeated = {0}, singly = {0};
    owi_moments_add(&repeated, 3, 5);
    owi_moments_add(&repeated, -1, 2);
    for (int i = 0; i < 5; i++) owi_moments_add(&singly, 3, 1);
    for (int i = 0; i < 2; i++) owi_moments_add(&singly, -1, 1);
    const double got[] = {repeated.n, repeated.mean, owi_moments_deviation(&repeated)};
    const double want[] = {singly.n, singly.mean, owi_moments_deviation(&singly)};
    assert_close(got, want, 3, 1e-15);
}

static void what_never_varies_has_deviation_one(void **state)
{
    (void)state;
    owi_moments none = {0}, same = {0};
    assert_true(owi_moments_deviation(&none) == 1.0);
    for (int i = 0; i < 1000; i++) owi_moments_add(&same, 0.1, 1);
    assert_true(same.mean == 0.1 && owi_moments_deviation(&same) == 1.0);
}

/* In any order, and in parts. */
static void sums_tell_the_same_to_the_last_bit(void **state)
{
    (void)state;
    double numbers[n_numbers], mean, deviation;
    fill(numbers, 1e9);
    by_definition(numbers, &mean, &deviation);
    owi_moment_sums forward = {.centre = numbers[7]}, parts[2] = {forward, forward};
    for (size_t i = 0; i < n_numbers; i++) {
        owi_moment_sums_add(&forward, numbers[i]);
        owi_moment_sums_add(&parts[i % 3 == 0], numbers[n_numbers - 1 - i]);
    }
    owi_moment_sums_join(&parts[0], &parts[1]);
    const owi_moments one = owi_moment_sums_value(&forward);
    const owi_moments two = owi_moment_sums_value(&parts[0]);
    assert_memory_equal(&one, &two, sizeof one);
    const double got[] = {one.n, one.mean, owi_moments_deviation(&one)};
    const double want[] = {n_numbers, mean, deviation};
    assert_close(got, want, 3, 1e-14);
    const owi_moments none = owi_moment_sums_value(&(owi_moment_sums){.centre = 3.0});
    assert_true(none.n == 0.0 && none.mean == 0.0 && none.m2 == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_offset_does_not_cost_the_deviation),
        cmocka_unit_test(a_number_may_occur_many_times_at_once),
        cmocka_unit_test(what_never_varies_has_deviation_one),
        cmocka_unit_test(sums_tell_the_same_to_the_last_bit),
    };
    return cmocka_run_group_tests_name("data/moments", tests, NULL, NULL);
}
