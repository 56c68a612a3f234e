/* SPDX-License-Identifier: MIT */
/* The lane arithmetic of every instruction set that runs here, against the C library's. */
#include "support/ow_test.h"

#include "backend/backend.h"
#include "backend/cpu/tile_ops.h"
#include "base/numeric/rng.h"

enum { n_numbers = 1000 }; /* not a multiple of any vector */

/* The n-th instruction set, fastest first; NULL past the last. */
static const owi_instruction_set *set_at(size_t n)
{
    const owi_backend *backend = owi_backend_get(n);
    return backend != NULL ? backend->detail : NULL; /* ref, the last, has none */
}

static void exp_is_right_to_two_units_in_the_last_place(void **state)
{
    (void)state;
    float ones[n_numbers], x[n_numbers], got[n_numbers];
    owi_rng rng;
    owi_rng_init(&rng, 1, 0);
    for (size_t n = 0; set_at(n) != NULL; n++)
        for (size_t round = 0; round < 20 * ow_test_scale(); round++) {
            for (size_t i = 0; i < n_numbers; i++) {
                ones[i] = 1.0f;
                x[i] = (float)(-87.0 + 175.0 * owi_rng_uniform(&rng));
            }
            x[0] = 0.0f, x[1] = 88.0f, x[2] = -86.999f;
            set_at(n)->times_exp(n_numbers, ones, x, got);
            for (size_t i = 0; i < n_numbers; i++) {
                const double want = exp((double)x[i]);
                if (!(fabs(got[i] - want) <= 2.4e-7 * want))
                    fail_msg("%s: exp(%.9g) is %.9g, got %.9g", set_at(n)->name,
                             (double)x[i], want, (double)got[i]);
            }
        }
}

static void exp_is_0_where_it_would_underflow_and_for_nan(void **state)
{
    (void)state;
    const float x[] = {-87.0f, -88.0f, -1e30f, -INFINITY, NAN};
    const float a[] = {1.0f, -1.0f, 1e30f, 5.0f, 5.0f};
    float got[5];
    for (size_t n = 0; set_at(n) != NULL; n++) {
        set_at(n)->times_exp(5, a, x, got);
        for (size_t i = 0; i < 5; i++) assert_true(got[i] == 0.0f);
    }
}

static void log_is_right_to_1e_7_whatever_the_exponent(void **state)
{
    (void)state;
    float x[n_numbers];
    double got[n_numbers], want[n_numbers];
    owi_rng rng;
    owi_rng_init(&rng, 2, 0);
    for (size_t n = 0; set_at(n) != NULL; n++)
        for (size_t round = 0; round < 20 * ow_test_scale(); round++) {
            for (size_t i = 0; i < n_numbers; i++)
                x[i] = (float)exp(-85.0 + 170.0 * owi_rng_uniform(&rng));
            x[0] = 1.0f, x[1] = 1e-37f, x[2] = 0.70710677f, x[3] = 0.70710683f;
            for (size_t i = 0; i < n_numbers; i++) want[i] = log((double)x[i]);
            set_at(n)->log(n_numbers, x, got);
            for (size_t i = 0; i < n_numbers; i++)
                if (!(fabs(got[i] - want[i]) <= 1e-7))
                    fail_msg("%s: log(%.9g) is %.12g, got %.12g", set_at(n)->name,
                             (double)x[i], want[i], got[i]);
        }
}

static void log_of_1_is_0(void **state)
{
    (void)state;
    const float one = 1.0f;
    for (size_t n = 0; set_at(n) != NULL; n++) {
        double got;
        set_at(n)->log(1, &one, &got);
        assert_true(got == 0.0);
    }
}

/* 4000 + 2^-13 is no float, 4000 - 4000 + 2^-13 is. */
static void exponents_lose_nothing_of_tops_hundreds_of_nats_away(void **state)
{
    (void)state;
    const float left[] = {-2000.0f, -INFINITY}, right[] = {-2000.0001220703125f, -1.0f};
    const double offset[] = {-4000.0, -5.0};
    float got[2];
    for (size_t n = 0; set_at(n) != NULL; n++) {
        set_at(n)->exponents(2, left, right, offset, got);
        assert_true(got[0] == -0.0001220703125f);
        assert_true(got[1] == -INFINITY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_right_to_two_units_in_the_last_place),
        cmocka_unit_test(exp_is_0_where_it_would_underflow_and_for_nan),
        cmocka_unit_test(log_is_right_to_1e_7_whatever_the_exponent),
        cmocka_unit_test(log_of_1_is_0),
        cmocka_unit_test(exponents_lose_nothing_of_tops_hundreds_of_nats_away),
    };
    return cmocka_run_group_tests_name("backend/instruction_sets", tests, NULL, NULL);
}
