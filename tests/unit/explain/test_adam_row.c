/* SPDX-License-Identifier: MIT */
#include "support/ow_test.h"

#include "explain/descent/adam_row.h"

/* The formulas as they are printed, in double. */
static void steps_are_those_of_the_formulas(void **state)
{
    (void)state;
    float x[] = {1.0f, -2.0f}, first[2] = {0}, second[2] = {0};
    double want[] = {1.0, -2.0}, m[2] = {0}, v[2] = {0};
    for (uint64_t t = 1; t <= 20; t++) {
        const float gradient[] = {2.0f * x[0], sinf((float)t)};
        const double g[] = {2.0 * want[0], (double)sinf((float)t)};
        const owi_adam_bias bias = owi_adam_bias_of(t);
        owi_adam_row(2, gradient, 0.1, &bias, first, second, x);
        for (size_t j = 0; j < 2; j++) {
            m[j] = 0.9 * m[j] + 0.1 * g[j];
            v[j] = 0.999 * v[j] + 0.001 * g[j] * g[j];
            want[j] -= 0.1 * m[j] / (1.0 - pow(0.9, (double)t)) /
                       (sqrt(v[j] / (1.0 - pow(0.999, (double)t))) + 1e-8);
            const double got = (double)x[j];
            assert_close(&got, &want[j], 1, 1e-5);
        }
    }
}

static void the_first_step_has_the_length_of_the_rate(void **state)
{
    (void)state;
    const float gradient[] = {1e-3f, -50.0f, 0.0f};
    float x[] = {0.0f, 0.0f, 7.0f}, first[3] = {0}, second[3] = {0};
    const owi_adam_bias bias = owi_adam_bias_of(1);
    owi_adam_row(3, gradient, 0.5, &bias, first, second, x);
    const double got[] = {(double)x[0], (double)x[1], (double)x[2]};
    const double want[] = {-0.5, 0.5, 7.0};
    assert_close(got, want, 3, 1e-4);
}

static void it_reaches_the_minimum_of_a_parabola(void **state)
{
    (void)state;
    float x = 4.0f, first = 0.0f, second = 0.0f;
    for (uint64_t t = 1; t <= 2000; t++) {
        const float gradient = 2.0f * (x - 1.0f);
        const owi_adam_bias bias = owi_adam_bias_of(t);
        owi_adam_row(1, &gradient, 0.05, &bias, &first, &second, &x);
    }
    const double got = (double)x, want = 1.0;
    assert_close(&got, &want, 1, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_formulas),
        cmocka_unit_test(the_first_step_has_the_length_of_the_rate),
        cmocka_unit_test(it_reaches_the_minimum_of_a_parabola),
    };
    return cmocka_run_group_tests_name("explain/adam_row", tests, NULL, NULL);
}
