/* SPDX-License-Identifier: MIT */
/* What answers say of themselves, by hand. */
#include "support/made_answers.h"

static void assert_column(const ow_made_answers *made, owi_metric_index metric,
                          const double want[ow_made_rows])
{
    for (size_t i = 0; i < ow_made_rows; i++) {
        const double got = ow_made_figure(made, i, metric);
        assert_close(&got, &want[i], 1, 1e-12);
    }
}

static void
a_missing_answer_is_a_failure_and_a_row_of_the_class_already_is_no_query(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    made.answers[1].valid_before_repair = true;
    made.answers[0].percentile = 25.0;
    made.answers[1].percentile = 80.0;
    made.answers[0].dense = true;
    assert_ok(owi_outcome_figures(&made.all, made.figures));
    assert_column(&made, OWI_VALIDITY_TARGET, (double[]){1, 0, 0, NAN});
    assert_column(&made, OWI_VALIDITY_ANY, (double[]){1, 0, 0, NAN});
    assert_column(&made, OWI_VALIDITY_TARGET_RAW, (double[]){0, 1, 0, NAN});
    assert_column(&made, OWI_COVERAGE, (double[]){1, 1, 0, NAN});
    assert_column(&made, OWI_ACTIONABLE, (double[]){1, 0, 0, NAN});
    assert_column(&made, OWI_PLAUSIBLE_25, (double[]){1, 0, 0, NAN});
    assert_column(&made, OWI_PLAUSIBLE_50, (double[]){0, 0, 0, NAN});
    assert_column(&made, OWI_DENSE, (double[]){1, 0, 0, NAN});
    ow_made_answers_end(&made);
}

static void another_class_than_the_target_is_valid_as_any(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    made.answers[1].predicted =
        1; /* of the class, but with less than the probability asked for */
    assert_ok(owi_outcome_figures(&made.all, made.figures));
    assert_column(&made, OWI_VALIDITY_TARGET, (double[]){1, 0, 0, NAN});
    assert_column(&made, OWI_VALIDITY_ANY, (double[]){1, 1, 0, NAN});
    ow_made_answers_end(&made);
}

static void
distances_and_densities_are_those_of_valid_answers_passes_and_times_of_all(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    for (size_t i = 0; i < 2; i++) {
        made.answers[i].distance =
            (ow_distance){.l0 = 2, .l1 = 1.5, .l2 = 1.1, .linf = 1.0, .gower = 0.3};
        made.answers[i].log_density = -7.0;
        made.answers[i].log_density_target = -6.0;
        made.answers[i].percentile = 40.0;
        made.answers[i].n_gradient = 3 + i;
        made.answers[i].n_forward = 5 + i;
        made.answers[i].seconds = 0.002;
        made.answers[i].violations = i;
    }
    assert_ok(owi_outcome_figures(&made.all, made.figures));
    assert_column(&made, OWI_L0, (double[]){2, NAN, NAN, NAN});
    assert_column(&made, OWI_L1, (double[]){1.5, NAN, NAN, NAN});
    assert_column(&made, OWI_L2, (double[]){1.1, NAN, NAN, NAN});
    assert_column(&made, OWI_LINF, (double[]){1, NAN, NAN, NAN});
    assert_column(&made, OWI_GOWER, (double[]){0.3, NAN, NAN, NAN});
    assert_column(&made, OWI_LOG_DENSITY, (double[]){-7, NAN, NAN, NAN});
    assert_column(&made, OWI_LOG_DENSITY_TARGET, (double[]){-6, NAN, NAN, NAN});
    assert_column(&made, OWI_DENSITY_PERCENTILE, (double[]){40, NAN, NAN, NAN});
    assert_column(&made, OWI_GRADIENT_PASSES, (double[]){3, 4, NAN, NAN});
    assert_column(&made, OWI_FORWARD_PASSES, (double[]){5, 6, NAN, NAN});
    assert_column(&made, OWI_TIME_MEAN, (double[]){2, 2, NAN, NAN});
    assert_column(&made, OWI_VIOLATIONS, (double[]){0, 1, NAN, NAN});
    ow_made_answers_end(&made);
}

static void a_valid_answer_that_breaks_a_constraint_is_not_actionable(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    made.answers[0].violations = 1;
    assert_ok(owi_outcome_figures(&made.all, made.figures));
    assert_column(&made, OWI_ACTIONABLE, (double[]){0, 0, 0, NAN});
    ow_made_answers_end(&made);
}

/* x and y by their MAD, 3; the category and the linked pair one each; years are 16 or 9
 * with MAD 0, so by their range, 7. */
static void
numbers_count_by_their_median_deviation_or_range_and_categories_once(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    made.values[0][OW_MADE_X] = 7.0;
    made.values[0][OW_MADE_COLOUR] = 2.0;
    made.values[0][OW_MADE_SCHOOL] = 0.0;
    made.values[0][OW_MADE_YEARS] = 16.0;
    assert_ok(owi_outcome_figures(&made.all, made.figures));
    assert_column(&made, OWI_MAD_L1, (double[]){6.0 / 3.0 + 3.0, NAN, NAN, NAN});

    made.values[0][OW_MADE_X] = NAN; /* a gap on one side only is one */
    made.queries[0][OW_MADE_Y] = made.values[0][OW_MADE_Y] = NAN;
    assert_ok(owi_outcome_figures(&made.all, made.figures));
    assert_column(&made, OWI_MAD_L1, (double[]){4.0, NAN, NAN, NAN});
    ow_made_answers_end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(
            a_missing_answer_is_a_failure_and_a_row_of_the_class_already_is_no_query),
        ow_test_on_heap(another_class_than_the_target_is_valid_as_any),
        ow_test_on_heap(
            distances_and_densities_are_those_of_valid_answers_passes_and_times_of_all),
        ow_test_on_heap(a_valid_answer_that_breaks_a_constraint_is_not_actionable),
        ow_test_on_heap(
            numbers_count_by_their_median_deviation_or_range_and_categories_once),
    };
    return cmocka_run_group_tests_name("evaluate/outcome_figures", tests, NULL, NULL);
}
