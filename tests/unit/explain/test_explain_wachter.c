/* SPDX-License-Identifier: MIT */
/* wachter: on a plane where the boundary is known, and on a table of applicants. */
#include "support/model_fixture.h"
#include "support/plane_model.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

/* The classes meet at x0 = 2; log P(1)/P(0) = 4 x0 - 8. */
static const double two_means[][2] = {{0.0, 0.0}, {4.0, 0.0}};
static const double origin[] = {0.0, 0.0};

static void check_x0(ow_context *ctx, const char *preset, const char *parameters,
                     double low, double high)
{
    ow_model *model = ow_test_plane(ctx, 2, two_means);
    ow_explainer *explainer = ow_test_method(model, "wachter", preset, parameters);
    ow_explanation *explanation = ow_test_explain(explainer, NULL, 1, 1, origin);
    const ow_counterfactual *answer = ow_test_first_answer(explanation);
    assert_true(answer->valid);
    assert_true(answer->values[0] > low && answer->values[0] < high);
    assert_true(answer->values[1] == 0.0);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_model_free(model);
}

static void the_answer_is_just_beyond_the_boundary(void **state)
{
    check_x0(ow_test_context(state), NULL, "", 2.0, 2.05);
}

/* P(1) >= 0.95 from 4 x0 - 8 = log 19 on, which is x0 = 2.736. */
static void the_reference_reaches_the_probability_that_is_wanted(void **state)
{
    check_x0(ow_test_context(state), "reference", "", 2.736, 2.85);
}

static void the_papers_settings_reach_the_class(void **state)
{
    check_x0(ow_test_context(state), "paper", "", 2.0, 2.2);
}

/* The first step of Adam has the length of the rate, 3.  Going on, a large lambda draws the
 * row back over the boundary, which it passes nearer to the query. */
static void the_nearest_hit_counts_and_not_the_first(void **state)
{
    check_x0(ow_test_context(state), NULL, "search=no lambda=2 rate=3 settle=0", 2.99,
             3.01);
    check_x0(ow_test_context(state), NULL, "search=no lambda=2 rate=3 settle=30", 2.0, 2.9);
}

/* A larger weight of the distance never ends farther away. */
static void more_steps_of_the_search_bring_the_answer_nearer(void **state)
{
    check_x0(ow_test_context(state), NULL, "hit=probability rounds=0", 2.736, 4.0);
    check_x0(ow_test_context(state), NULL, "hit=probability rounds=12", 2.736, 2.78);
}

static void numbers_stay_in_their_range_even_where_that_forbids_an_answer(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = ow_test_plane(ctx, 2, two_means);
    ow_explainer *explainer = ow_test_method(model, "wachter", NULL, "rate=10 decay=no");
    for (int forbids = 0; forbids < 2; forbids++) {
        const double high = forbids ? 1.5 : 2.5;
        ow_constraints *rules = NULL;
        assert_ok(ow_constraints_new(ctx, ow_model_schema(model), &rules));
        assert_ok(ow_constraints_range(rules, "x0", -1.0, high));
        ow_explanation *explanation = ow_test_explain(explainer, rules, 1, 1, origin);
        const ow_counterfactual *answer = ow_test_first_answer(explanation);
        assert_true(answer->valid == !forbids);
        assert_true((double)answer->soft[0] <= high);
        assert_int_equal(answer->violations, 0);
        assert_true((ow_explanation_outcome(explanation, 0)->reason ==
                     OW_REASON_NOT_FLIPPED) == forbids);
        ow_explanation_free(explanation);
        ow_constraints_free(rules);
    }
    ow_explainer_free(explainer);
    ow_model_free(model);
}

static void every_immutable_column_stays_bit_for_bit(void **state)
{
    static const char *const immutable[] = {"age", "town", "dependents"};
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    ow_explainer *explainer =
        ow_test_method(m.model, "wachter", NULL, "rounds=2 steps=100");
    ow_constraints *rules = NULL;
    size_t columns[3], n_valid = 0;
    assert_ok(ow_constraints_new(ctx, ow_model_schema(m.model), &rules));
    for (size_t k = 0; k < 3; k++) {
        assert_ok(ow_constraints_immutable(rules, immutable[k]));
        assert_ok(
            ow_schema_find_column(ow_model_schema(m.model), immutable[k], &columns[k]));
    }
    ow_explanation *explanation =
        ow_test_explain(explainer, rules, OW_ANY_OTHER_CLASS, 40, m.values);
    for (size_t i = 0; i < 40; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        assert_int_equal(outcome->n_answers, 1);
        n_valid += outcome->answers[0]->valid;
        for (size_t k = 0; k < 3; k++)
            assert_memory_equal(&outcome->answers[0]->values[columns[k]],
                                &m.values[i * m.n_columns + columns[k]], sizeof(double));
    }
    assert_true(n_valid > 20);
    ow_explanation_free(explanation);
    ow_constraints_free(rules);
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

/* Where only a category may change, and it decides. */
static void a_category_alone_can_be_moved(void **state)
{
    ow_context *ctx = ow_test_context(state);
    char csv[4096] = "colour,noise,fruit\n";
    for (size_t i = 0, n = strlen(csv); i < 120; i++)
        n += (size_t)snprintf(csv + n, sizeof csv - n, "%s,%zu.%zu,%s\n",
                              i % 3 == 0   ? "red"
                              : i % 3 == 1 ? "green"
                                           : "blue",
                              i * 37 % 11, i * 13 % 10, i % 3 == 0 ? "cherry" : "plum");
    static const ow_leaf_choice leaves[] = {OW_LEAVES_AUTO, OW_LEAVES_GAUSSIAN};
    static const char *const presets[] = {NULL, "paper", "reference"};
    for (size_t l = 0; l < 2; l++) {
        ow_train_options train = ow_test_train_defaults();
        train.leaves = leaves[l];
        train.test_share = 0.0;
        train.repetitions = 2;
        train.inputs = 3;
        ow_test_model m = ow_test_model_from_csv(ctx, csv, "fruit", NULL, &train);
        for (size_t p = 0; p < 3; p++) {
            ow_explainer *explainer = ow_test_method(m.model, "wachter", presets[p], "");
            ow_constraints *rules = NULL;
            assert_ok(ow_constraints_new(ctx, ow_model_schema(m.model), &rules));
            assert_ok(ow_constraints_vary(rules, "colour"));
            ow_explanation *explanation =
                ow_test_explain(explainer, rules, OW_ANY_OTHER_CLASS, 1, m.values);
            const ow_counterfactual *answer = ow_test_first_answer(explanation);
            /* The paper's way ends between the levels, which repair may put back. */
            assert_true(answer->valid_before_repair);
            assert_true(answer->soft[2] < 0.9f);
            if (p != 1) {
                assert_true(answer->valid);
                assert_true(answer->values[0] != m.values[0]);
            }
            assert_true(answer->values[1] == m.values[1]);
            ow_explanation_free(explanation);
            ow_constraints_free(rules);
            ow_explainer_free(explainer);
        }
        ow_test_model_free(&m);
    }
}

static void answers_are_the_same_on_any_threads_and_in_any_company(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    ow_explainer *explainer =
        ow_test_method(m.model, "wachter", NULL, "search=no steps=12");
    ow_test_same_answers(explainer, ow_model_soft_width(m.model), 70, m.n_columns,
                         m.values);
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

static void time_that_is_up_is_the_reason(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = ow_test_plane(ctx, 2, two_means);
    ow_explainer *explainer =
        ow_test_method(model, "wachter", NULL, "rate=0.000001 steps=1000000 search=no");
    ow_explain_options options = ow_test_explain_defaults();
    ow_explanation *explanation = NULL;
    how.time_limit = 0.02;
    assert_ok(
        ow_explainer_explain(explainer, NULL, &options, 1, origin, &how, &explanation));
    assert_int_equal(ow_explanation_outcome(explanation, 0)->reason, OW_REASON_TIME_LIMIT);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_model_free(model);
}

static ow_status make_and_explain(ow_context *ctx, void *user)
{
    (void)user;
    ow_model *model = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    ow_status status = ow_test_plane_new(ctx, 2, two_means, &model);
    if (status == OW_OK)
        status = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                      .model = model},
                                  "wachter", &explainer);
    if (status == OW_OK) status = ow_explainer_set(explainer, "steps", "2");
    if (status == OW_OK)
        status =
            ow_explainer_explain(explainer, NULL, &options, 1, origin, &how, &explanation);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_model_free(model);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(make_and_explain, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(the_answer_is_just_beyond_the_boundary),
        ow_test_on_heap(the_reference_reaches_the_probability_that_is_wanted),
        ow_test_on_heap(the_papers_settings_reach_the_class),
        ow_test_on_heap(the_nearest_hit_counts_and_not_the_first),
        ow_test_on_heap(more_steps_of_the_search_bring_the_answer_nearer),
        ow_test_on_heap(numbers_stay_in_their_range_even_where_that_forbids_an_answer),
        ow_test_on_heap(every_immutable_column_stays_bit_for_bit),
        ow_test_on_heap(a_category_alone_can_be_moved),
        ow_test_on_heap(answers_are_the_same_on_any_threads_and_in_any_company),
        ow_test_on_heap(time_that_is_up_is_the_reason),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("explain/explain_wachter", tests, NULL, NULL);
}
