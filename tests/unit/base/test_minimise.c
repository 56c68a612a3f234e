/* SPDX-License-Identifier: MIT */
/* Downhill to the least value. */
#include "support/ow_test.h"

#include "base/error.h"
#include "base/numeric/minimise.h"

enum { n_numbers = 12 };

/* sum_i w_i (x_i - t_i)^2 / 2 with weights from 1 to 1000: the least is 0, at t. */
typedef struct {
    double weight[n_numbers], target[n_numbers];
    size_t n_calls, fails_at;
} bowl;

static ow_status bowl_slope(void *user, const double *x, double *value, double *gradient)
{
    bowl *b = user;
    if (++b->n_calls == b->fails_at) return owi_fail(OW_ERR_NUMERIC, "no slope here");
    *value = 0.0;
    for (size_t i = 0; i < n_numbers; i++) {
        const double by = x[i] - b->target[i];
        *value += 0.5 * b->weight[i] * by * by;
        gradient[i] = b->weight[i] * by;
    }
    return OW_OK;
}

static bowl bowl_new(void)
{
    bowl b = {.fails_at = 0};
    for (size_t i = 0; i < n_numbers; i++) {
        b.weight[i] = pow(10.0, 3.0 * (double)i / (n_numbers - 1));
        b.target[i] = sin((double)i) * 5.0;
    }
    return b;
}

/* (1 - x)^2 + 100 (y - x^2)^2: a bent valley with its least at (1, 1). */
static ow_status valley_slope(void *user, const double *x, double *value, double *gradient)
{
    (void)user;
    const double a = 1.0 - x[0], b = x[1] - x[0] * x[0];
    *value = a * a + 100.0 * b * b;
    gradient[0] = -2.0 * a - 400.0 * x[0] * b;
    gradient[1] = 200.0 * b;
    return OW_OK;
}

static void the_bottom_of_a_long_bowl_is_found(void **state)
{
    bowl b = bowl_new();
    double x[n_numbers] = {0};
    assert_ok(
        owi_minimise(ow_test_context(state), bowl_slope, &b, n_numbers, 200, 1e-14, x));
    assert_close(x, b.target, n_numbers, 1e-5);
    assert_true(b.n_calls < 150); /* going straight down would take thousands */
}

static void a_bent_valley_is_followed_to_its_end(void **state)
{
    double x[2] = {-1.2, 1.0};
    const double want[2] = {1.0, 1.0};
    assert_ok(owi_minimise(ow_test_context(state), valley_slope, NULL, 2, 200, 1e-16, x));
    assert_close(x, want, 2, 1e-5);
}

static void no_step_leads_up(void **state)
{
    double before = INFINITY, value, gradient[2];
    for (size_t most = 0; most < 30; most++) {
        double x[2] = {-1.2, 1.0};
        assert_ok(
            owi_minimise(ow_test_context(state), valley_slope, NULL, 2, most, 0.0, x));
        assert_ok(valley_slope(NULL, x, &value, gradient));
        assert_true(value <= before);
        if (most == 0) assert_true(x[0] == -1.2 && x[1] == 1.0);
        before = value;
    }
}

static void at_the_bottom_nothing_moves(void **state)
{
    bowl b = bowl_new();
    double x[n_numbers];
    memcpy(x, b.target, sizeof x);
    assert_ok(owi_minimise(ow_test_context(state), bowl_slope, &b, n_numbers, 20, 0.0, x));
    assert_memory_equal(x, b.target, sizeof x);
    assert_int_equal(b.n_calls, 1);
}

static void a_small_gain_is_the_end(void **state)
{
    bowl b = bowl_new();
    double x[n_numbers] = {0};
    assert_ok(owi_minimise(ow_test_context(state), bowl_slope, &b, n_numbers, 200, 1e9, x));
    assert_true(b.n_calls < 30);
}

static void a_slope_that_fails_leaves_the_point_before_it(void **state)
{
    bowl whole = bowl_new(), cut = bowl_new();
    double x[n_numbers] = {0}, value[2], gradient[n_numbers];
    cut.fails_at = 8;
    assert_fails(owi_minimise(ow_test_context(state), bowl_slope, &cut, n_numbers, 50, 0.0,
                              x),
                 OW_ERR_NUMERIC, "no slope here");
    assert_ok(bowl_slope(&whole, x, &value[0], gradient));
    memset(x, 0, sizeof x);
    assert_ok(bowl_slope(&whole, x, &value[1], gradient));
    assert_true(value[0] < value[1]);
}

static ow_status find_bottom(ow_context *ctx, void *user)
{
    (void)user;
    bowl b = bowl_new();
    double x[n_numbers] = {0};
    return owi_minimise(ctx, bowl_slope, &b, n_numbers, 5, 0.0, x);
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(find_bottom, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(the_bottom_of_a_long_bowl_is_found),
        ow_test_on_heap(a_bent_valley_is_followed_to_its_end),
        ow_test_on_heap(no_step_leads_up),
        ow_test_on_heap(at_the_bottom_nothing_moves),
        ow_test_on_heap(a_small_gain_is_the_end),
        ow_test_on_heap(a_slope_that_fails_leaves_the_point_before_it),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("base/minimise", tests, NULL, NULL);
}
