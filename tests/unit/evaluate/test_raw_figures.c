/* SPDX-License-Identifier: MIT */
/* Answers before repair, by hand. */
#include "support/made_answers.h"

static void a_class_reached_before_repair_counts_even_if_repair_loses_it(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    made.values[1][OW_MADE_SCHOOL] = 0.0; /* as the method made it */
    ow_made_answers_soften(&made);
    made.values[1][OW_MADE_SCHOOL] = 1.0; /* after repair          */
    assert_ok(owi_raw_figures(&made.all, made.figures));
    const double got[4] = {ow_made_figure(&made, 0, OWI_VALIDITY_ANY_RAW),
                           ow_made_figure(&made, 1, OWI_VALIDITY_ANY_RAW),
                           ow_made_figure(&made, 2, OWI_VALIDITY_ANY_RAW),
                           ow_made_figure(&made, 3, OWI_VALIDITY_ANY_RAW)};
    assert_close(got, ((double[]){0, 1, 0, NAN}), 4, 0.0);
    ow_made_answers_end(&made);
}

/* colour, school and years are three groups of shares: the sums of their changes are 0.5,
 * -0.25 and 0. */
static void the_balance_is_the_mean_of_the_absolute_sums_over_the_groups(void **state)
{
    ow_made_answers made;
    size_t first, width;
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_model_soft_span(made.trained.model, OW_MADE_COLOUR, &first, &width);
    assert_int_equal(width, 3);
    made.encoded[0][first] += 0.75f;
    made.encoded[0][first + 2] -= 0.25f;
    ow_model_soft_span(made.trained.model, OW_MADE_SCHOOL, &first, &width);
    assert_int_equal(width, 2);
    made.encoded[0][first + 1] -= 0.25f;
    ow_model_soft_span(made.trained.model, OW_MADE_YEARS, &first, &width);
    assert_int_equal(width, 2);
    made.encoded[0][first] -= 1.0f;
    made.encoded[0][first + 1] += 1.0f;
    ow_model_soft_span(made.trained.model, OW_MADE_X, &first, &width);
    assert_int_equal(width, 1);
    made.encoded[0][first] += 3.0f; /* no group */
    assert_ok(owi_raw_figures(&made.all, made.figures));
    const double got[3] = {ow_made_figure(&made, 0, OWI_ONEHOT_BALANCE),
                           ow_made_figure(&made, 1, OWI_ONEHOT_BALANCE),
                           ow_made_figure(&made, 2, OWI_ONEHOT_BALANCE)};
    assert_close(got, ((double[]){0.25, 0.0, NAN}), 3, 1e-7);
    ow_made_answers_end(&made);
}

static void a_group_that_the_query_lacks_is_left_out(void **state)
{
    ow_made_answers made;
    size_t first, width;
    ow_made_answers_begin(ow_test_context(state), &made);
    made.queries[0][OW_MADE_COLOUR] = made.values[0][OW_MADE_COLOUR] = NAN;
    ow_made_answers_soften(&made);
    ow_model_soft_span(made.trained.model, OW_MADE_SCHOOL, &first, &width);
    made.encoded[0][first] += 1.0f;
    assert_ok(owi_raw_figures(&made.all, made.figures));
    const double got = ow_made_figure(&made, 0, OWI_ONEHOT_BALANCE);
    assert_close(&got, &(double){0.5}, 1, 1e-7);
    ow_made_answers_end(&made);
}

static ow_status measure(ow_context *ctx, void *user)
{
    ow_made_answers *made = user;
    made->all.ctx = ctx;
    return owi_raw_figures(&made->all, made->figures);
}

static void failing_allocations_leave_nothing_behind(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_test_sweep(measure, &made);
    ow_made_answers_end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_class_reached_before_repair_counts_even_if_repair_loses_it),
        ow_test_on_heap(the_balance_is_the_mean_of_the_absolute_sums_over_the_groups),
        ow_test_on_heap(a_group_that_the_query_lacks_is_left_out),
        ow_test_on_heap(failing_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("evaluate/raw_figures", tests, NULL, NULL);
}
