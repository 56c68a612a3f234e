/* SPDX-License-Identifier: MIT */
/* From figures of rows to figures of methods, by hand: two methods, two seeds, four
 * rows. */
#include "support/ow_test.h"

#include "evaluate/evaluation.h"

enum { n_rows = 4 };

/* Row 0 is of the target class already.  Method 0 solves all three queries; method 1 solves
 * query 2 with the first seed and queries 1 and 2 with the second. */
static const bool solved[2][2][n_rows] = {{{0, 1, 1, 1}, {0, 0, 1, 0}},
                                          {{0, 1, 1, 1}, {0, 1, 1, 0}}};

static void fill(ow_evaluation *e, size_t seed, size_t method)
{
    owi_run *run = owi_evaluation_run(e, seed, method);
    run->complete = true;
    for (size_t i = 0; i < n_rows; i++) {
        const bool valid = solved[seed][method][i];
        double *figures = run->figures + i * OWI_N_METRICS;
        run->rows[i].kind = i == 0  ? OW_OUTCOME_ALREADY_TARGET
                            : valid ? OW_OUTCOME_FOUND
                                    : OW_OUTCOME_NOT_FOUND;
        run->rows[i].valid = valid;
        run->rows[i].answered = i > 0;
        if (i == 0) continue;
        figures[OWI_VALIDITY_TARGET] = valid;
        figures[OWI_TIME_MEAN] = (double)i;
        if (valid) figures[OWI_L1] = (double)(10 * i + 100 * seed);
    }
    run->whole[OWI_COLLAPSE] = 0.5 + (double)seed;
}

static ow_evaluation *make(ow_context *ctx)
{
    ow_evaluation *e = NULL;
    assert_ok(owi_evaluation_new(ctx, 2, 2, n_rows, &e));
    for (size_t seed = 0; seed < 2; seed++)
        for (size_t method = 0; method < 2; method++) fill(e, seed, method);
    return e;
}

static void assert_figure(const ow_evaluation *e, size_t method, size_t metric,
                          ow_figure want)
{
    const ow_figure got = ow_evaluation_figure(e, method, metric);
    assert_close(&got.mean, &want.mean, 1, 1e-12);
    assert_close(&got.deviation, &want.deviation, 1, 1e-12);
    assert_close(&got.common_mean, &want.common_mean, 1, 1e-12);
    assert_close(&got.common_deviation, &want.common_deviation, 1, 1e-12);
}

static void missing_answers_count_as_failures_and_never_shorten_a_distance(void **state)
{
    ow_evaluation *e = make(ow_test_context(state));
    assert_ok(owi_summarize(e));
    const double half_apart = sqrt(0.5); /* of 1 between two seeds */

    /* Shares are of the three queries; over the common ones they are 1. */
    assert_figure(e, 0, OWI_VALIDITY_TARGET, (ow_figure){1.0, 0.0, 1.0, 0.0});
    assert_figure(e, 1, OWI_VALIDITY_TARGET, (ow_figure){0.5, half_apart / 3.0, 1.0, 0.0});
    /* Method 0: rows 1, 2, 3 are 10, 20, 30 and 110, 120, 130; common: 20, and 110 with
     * 120. */
    assert_figure(e, 0, OWI_L1,
                  (ow_figure){70.0, 100.0 * half_apart, 67.5, 95.0 * half_apart});
    assert_figure(e, 1, OWI_L1,
                  (ow_figure){67.5, 95.0 * half_apart, 67.5, 95.0 * half_apart});
    assert_figure(e, 0, OWI_COLLAPSE, (ow_figure){1.0, half_apart, NAN, NAN});
    assert_figure(e, 0, OWI_GOWER, (ow_figure){NAN, NAN, NAN, NAN});
    ow_evaluation_free(e);
}

static void numbers_of_queries_are_means_over_the_seeds(void **state)
{
    ow_evaluation *e = make(ow_test_context(state));
    assert_ok(owi_summarize(e));
    const ow_standing first = *ow_evaluation_standing(e, 0),
                      second = *ow_evaluation_standing(e, 1);
    assert_int_equal(ow_evaluation_get_info(e)->n_already_target, 1);
    assert_int_equal(first.n_seeds, 2);
    const double got[] = {first.n_answered, first.n_valid,   first.n_common,
                          second.n_valid,   second.n_common, second.n_answered};
    const double want[] = {3.0, 3.0, 1.5, 1.5, 1.5, 3.0};
    assert_close(got, want, 6, 1e-12);
    ow_evaluation_free(e);
}

static void a_method_that_was_cancelled_stands_in_nobodys_way(void **state)
{
    ow_evaluation *e = make(ow_test_context(state));
    owi_evaluation_run(e, 0, 1)->complete = false;
    owi_evaluation_run(e, 1, 1)->complete = false;
    assert_ok(owi_summarize(e));
    assert_int_equal(ow_evaluation_standing(e, 1)->n_seeds, 0);
    assert_close(&(double){ow_evaluation_standing(e, 0)->n_common}, &(double){3.0}, 1, 0.0);
    assert_figure(e, 1, OWI_L1, (ow_figure){NAN, NAN, NAN, NAN});
    assert_false(ow_evaluation_row(e, 1, 1, 2).complete);
    assert_true(ow_evaluation_row(e, 1, 0, 2).complete);
    assert_true(ow_evaluation_row(e, 1, 0, 2).figures[OWI_L1] == 120.0);
    ow_evaluation_free(e);
}

static void
one_seed_has_no_deviation_and_an_infinite_row_makes_an_infinite_mean(void **state)
{
    ow_evaluation *e = NULL;
    assert_ok(owi_evaluation_new(ow_test_context(state), 1, 1, n_rows, &e));
    fill(e, 0, 0);
    owi_evaluation_run(e, 0, 0)->figures[2 * OWI_N_METRICS + OWI_LOG_DENSITY] = -INFINITY;
    owi_evaluation_run(e, 0, 0)->figures[3 * OWI_N_METRICS + OWI_LOG_DENSITY] = -5.0;
    assert_ok(owi_summarize(e));
    assert_figure(e, 0, OWI_L1, (ow_figure){20.0, NAN, 20.0, NAN});
    assert_figure(e, 0, OWI_LOG_DENSITY, (ow_figure){-INFINITY, NAN, -INFINITY, NAN});
    ow_evaluation_free(e);
}

static void times_have_a_median_and_a_95th_percentile(void **state)
{
    ow_evaluation *e = make(ow_test_context(state));
    owi_run *run = owi_evaluation_run(e, 0, 0);
    assert_ok(owi_summarize_times(ow_test_context(state), n_rows, run));
    assert_close(&run->whole[OWI_TIME_MEDIAN], &(double){2.0}, 1, 1e-12);
    assert_close(&run->whole[OWI_TIME_P95], &(double){2.9}, 1, 1e-12);
    ow_evaluation_free(e);
}

/* ---- Memory ---- */

static ow_status make_and_summarize(ow_context *ctx, void *user)
{
    ow_evaluation *e = NULL;
    (void)user;
    ow_status status = owi_evaluation_new(ctx, 2, 2, n_rows, &e);
    if (status == OW_OK) status = owi_summarize(e);
    ow_evaluation_free(e);
    return status;
}

static void failing_allocations_leave_nothing_behind(void **state)
{
    (void)state;
    ow_test_sweep(make_and_summarize, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(missing_answers_count_as_failures_and_never_shorten_a_distance),
        ow_test_on_heap(numbers_of_queries_are_means_over_the_seeds),
        ow_test_on_heap(a_method_that_was_cancelled_stands_in_nobodys_way),
        ow_test_on_heap(
            one_seed_has_no_deviation_and_an_infinite_row_makes_an_infinite_mean),
        ow_test_on_heap(times_have_a_median_and_a_95th_percentile),
        cmocka_unit_test(failing_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("evaluate/summary", tests, NULL, NULL);
}
