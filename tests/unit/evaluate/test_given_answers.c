/* SPDX-License-Identifier: MIT */
/* Answers made elsewhere: judged like those of a method, but never repaired. */
#include "support/made_answers.h"

static ow_call how = {.size = sizeof how};
static ow_explain_options to_yes;

static ow_experiment ask(const ow_test_trained *trained)
{
    to_yes = ow_test_explain_defaults();
    to_yes.target = 1;
    ow_experiment experiment = ow_test_experiment_defaults();
    experiment.model = trained->model;
    experiment.options = &to_yes;
    experiment.n_queries = experiment.n_known = ow_table_n_rows(trained->table);
    experiment.queries = experiment.known = ow_table_row(trained->table, 0);
    experiment.known_classes = ow_table_classes(trained->table);
    return experiment;
}

/* What the method `nearest` answers, as an array. */
static void answer(const ow_test_trained *trained, double values[48][ow_made_columns],
                   bool answered[48])
{
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    const double *rows = ow_table_row(trained->table, 0);
    const ow_explain_model parts = {.size = sizeof parts, .model = trained->model};
    assert_ok(ow_explainer_new(&parts, "nearest", &explainer));
    assert_ok(ow_explainer_set_background(explainer, 48, rows));
    assert_ok(ow_explainer_explain(explainer, NULL, &to_yes, 48, rows, &how, &explanation));
    for (size_t i = 0; i < 48; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        answered[i] = outcome->n_answers > 0;
        if (answered[i]) memcpy(values[i], outcome->answers[0]->values, sizeof values[i]);
    }
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
}

static bool is_of_work(size_t metric)
{
    return ow_metric_get(metric)->is_time || metric == OWI_GRADIENT_PASSES ||
           metric == OWI_FORWARD_PASSES || metric == OWI_STABILITY;
}

static void a_methods_answers_given_as_rows_get_the_methods_figures(void **state)
{
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    static double values[48][ow_made_columns];
    bool answered[48];
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_experiment experiment = ask(&made.trained);
    answer(&made.trained, values, answered);
    const ow_contestant nearest = {.method = "nearest"};
    const ow_given_answers given = {"theirs", values[0], answered};
    experiment.methods = &nearest;
    experiment.n_methods = 1;
    experiment.given = &given;
    experiment.n_given = 1;
    assert_ok(ow_experiment_run(&experiment, &how, &evaluation));
    assert_int_equal(ow_evaluation_get_info(evaluation)->n_methods, 2);
    assert_string_equal(ow_evaluation_standing(evaluation, 1)->name, "theirs");
    assert_int_equal(ow_evaluation_standing(evaluation, 1)->n_settings, 0);
    size_t n_equal = 0;
    for (size_t k = 0; ow_metric_get(k) != NULL; k++) {
        const ow_figure method = ow_evaluation_figure(evaluation, 0, k);
        const ow_figure rows = ow_evaluation_figure(evaluation, 1, k);
        if (is_of_work(k)) {
            assert_true(isnan(rows.mean));
        } else if (!isnan(method.mean)) {
            if (rows.mean != method.mean)
                fail_msg("%s: %.17g and %.17g", ow_metric_get(k)->name, rows.mean,
                         method.mean);
            assert_true(isnan(method.common_mean) ||
                        rows.common_mean == method.common_mean);
            n_equal++;
        }
    }
    assert_true(n_equal > 20);
    ow_evaluation_free(evaluation);
    ow_made_answers_end(&made);
}

/* Linked columns that come apart would be put together in a method's answer. */
static void what_they_break_is_counted_and_not_mended(void **state)
{
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    static double values[48][ow_made_columns];
    bool answered[48];
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_experiment experiment = ask(&made.trained);
    answer(&made.trained, values, answered);
    size_t n = 0;
    for (size_t i = 0; i < 48; i++) {
        if (!answered[i]) continue;
        values[i][OW_MADE_YEARS] = 1.0 - values[i][OW_MADE_YEARS];
        n++;
    }
    assert_true(n > 10);
    const ow_given_answers given = {"theirs", values[0], answered};
    experiment.given = &given;
    experiment.n_given = 1;
    assert_ok(ow_experiment_run(&experiment, &how, &evaluation));
    assert_true(ow_evaluation_figure(evaluation, 0, OWI_VIOLATIONS).mean >= 1.0);
    assert_true(ow_evaluation_figure(evaluation, 0, OWI_ACTIONABLE).mean == 0.0);
    ow_evaluation_free(evaluation);
    ow_made_answers_end(&made);
}

static void a_query_without_an_answer_counts_against_them(void **state)
{
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    static double values[48][ow_made_columns];
    const bool none[48] = {false};
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_experiment experiment = ask(&made.trained);
    values[0][0] = INFINITY; /* is not looked at */
    const ow_given_answers given = {"theirs", values[0], none};
    experiment.given = &given;
    experiment.n_given = 1;
    assert_ok(ow_experiment_run(&experiment, &how, &evaluation));
    assert_true(ow_evaluation_figure(evaluation, 0, OWI_COVERAGE).mean == 0.0);
    assert_true(ow_evaluation_figure(evaluation, 0, OWI_VALIDITY_TARGET).mean == 0.0);
    ow_evaluation_free(evaluation);
    ow_made_answers_end(&made);
}

static void values_that_no_row_can_have_are_an_error_that_names_the_row(void **state)
{
    ow_made_answers made;
    ow_evaluation *evaluation = NULL;
    static double values[48][ow_made_columns];
    ow_made_answers_begin(ow_test_context(state), &made);
    ow_experiment experiment = ask(&made.trained);
    values[3][OW_MADE_COLOUR] = 7.0;
    const ow_given_answers given = {"theirs", values[0], NULL};
    experiment.given = &given;
    experiment.n_given = 1;
    assert_int_equal(ow_experiment_run(&experiment, &how, &evaluation), OW_ERR_ARGUMENT);
    assert_string_equal(ow_error_message(),
                        "the answer to row 4, column \"colour\": expected the number of "
                        "one of its 3 levels, from 0 on, got 7");
    assert_null(evaluation);
    ow_made_answers_end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_methods_answers_given_as_rows_get_the_methods_figures),
        ow_test_on_heap(what_they_break_is_counted_and_not_mended),
        ow_test_on_heap(a_query_without_an_answer_counts_against_them),
        ow_test_on_heap(values_that_no_row_can_have_are_an_error_that_names_the_row),
    };
    return cmocka_run_group_tests_name("evaluate/given_answers", tests, NULL, NULL);
}
