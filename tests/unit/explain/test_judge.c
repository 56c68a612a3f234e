/* SPDX-License-Identifier: MIT */
/* Validity and margins, against their definitions. */
#include "support/ow_test.h"

#include "base/numeric/rng.h"
#include "explain/core/explainer.h"
#include "model/model_private.h"

/* A problem without cut-offs. */
static const owi_problem *problem_of(const ow_explain_options *options, size_t n_classes)
{
    static const ow_model model;
    static owi_problem problem;
    problem = (owi_problem){.options = options, .model = &model, .n_classes = n_classes};
    return &problem;
}

static void a_margin_is_above_zero_where_the_class_is_valid(void **state)
{
    (void)state;
    static const double ends[][2] = {
        {0.0, 1.0}, {0.7, 1.0}, {0.0, 0.6}, {0.45, 0.8}, {0.3, 1.0}};
    owi_rng rng;
    owi_rng_init(&rng, 1, 1);
    size_t n_valid = 0;
    for (size_t i = 0; i < 5000; i++) {
        const size_t n_classes = 2 + i % 3;
        double proba[4], log_proba[4];
        owi_rng_dirichlet(&rng, 0.7, n_classes, proba);
        for (size_t c = 0; c < n_classes; c++) log_proba[c] = log(proba[c]);
        ow_explain_options options = ow_test_explain_defaults();
        options.least_proba = ends[i % 5][0];
        options.most_proba = ends[i % 5][1];
        const int32_t t = (int32_t)owi_rng_below(&rng, n_classes);
        bool best = true;
        for (size_t c = 0; c < n_classes; c++)
            best &= c == (size_t)t || proba[t] > proba[c];
        const bool want =
            best && proba[t] >= options.least_proba && proba[t] <= options.most_proba;
        assert_int_equal(owi_is_valid(problem_of(&options, n_classes), log_proba, t), want);
        assert_int_equal(owi_margin(problem_of(&options, n_classes), log_proba, t) > 0.0,
                         want);
        n_valid += want;
    }
    assert_true(n_valid > 500);
}

static void margins_are_differences_of_logarithms_and_log_odds(void **state)
{
    (void)state;
    const double log_proba[3] = {log(0.2), log(0.7), log(0.1)};
    ow_explain_options options = ow_test_explain_defaults();
    const double plain = log(0.7 / 0.2), odds = log(0.7 / 0.3), asked = log(0.6 / 0.4);
    double margin = owi_margin(problem_of(&options, 3), log_proba, 1);
    assert_close(&margin, &plain, 1, 1e-12);
    options.least_proba = 0.6;
    const double want = odds - asked;
    margin = owi_margin(problem_of(&options, 3), log_proba, 1);
    assert_close(&margin, &want, 1, 1e-12);
}

static void ties_are_not_valid_and_impossible_rows_have_no_margin(void **state)
{
    (void)state;
    const double tie[2] = {log(0.5), log(0.5)};
    const double impossible[2] = {-INFINITY, -INFINITY};
    const ow_explain_options options = ow_test_explain_defaults();
    assert_false(owi_is_valid(problem_of(&options, 2), tie, 1));
    assert_true(owi_margin(problem_of(&options, 2), tie, 1) == 0.0);
    assert_false(owi_is_valid(problem_of(&options, 2), impossible, 1));
    assert_true(owi_margin(problem_of(&options, 2), impossible, 1) == -INFINITY);
    assert_int_equal(owi_most_probable(2, tie, -1), 0);
    assert_int_equal(owi_most_probable(2, tie, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_margin_is_above_zero_where_the_class_is_valid),
        cmocka_unit_test(margins_are_differences_of_logarithms_and_log_odds),
        cmocka_unit_test(ties_are_not_valid_and_impossible_rows_have_no_margin),
    };
    return cmocka_run_group_tests_name("explain/judge", tests, NULL, NULL);
}
