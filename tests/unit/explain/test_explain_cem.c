/* SPDX-License-Identifier: MIT */
/* cem: on a plane where the least change is known, and on a table of applicants. */
#include "support/image_model.h"
#include "support/model_fixture.h"
#include "support/plane_model.h"

/* The classes meet at x0 = 2; log P(1)/P(0) = 4 x0 - 8. */
static const double two_means[][2] = {{0.0, 0.0}, {4.0, 0.0}};
static const double origin[] = {0.0, 0.0};

typedef struct {
    ow_model *model;
    ow_explainer *explainer;
    ow_explanation *explanation;
    const ow_counterfactual *answer;
} run;

static run explain(ow_context *ctx, size_t n_classes, const double means[][2],
                   const char *preset, const char *parameters, int32_t target,
                   const double *query)
{
    run r = {.model = ow_test_plane(ctx, n_classes, means)};
    r.explainer = ow_test_method(r.model, "cem", preset, parameters);
    r.explanation = ow_test_explain(r.explainer, NULL, target, 1, query);
    r.answer = ow_test_first_answer(r.explanation);
    return r;
}

static void end(run *r)
{
    ow_explanation_free(r->explanation);
    ow_explainer_free(r->explainer);
    ow_model_free(r->model);
}

/* beta |delta| + delta^2 grows with delta, so the least change ends at the boundary. */
static void a_negative_adds_the_least_that_crosses_the_boundary(void **state)
{
    run r = explain(ow_test_context(state), 2, two_means, NULL,
                    "gamma=0 rounds=5 steps=300 one-sided=no", 1, origin);
    assert_true(r.answer->valid);
    assert_true(r.answer->values[0] > 2.0 && r.answer->values[0] < 2.05);
    assert_true(r.answer->values[1] == 0.0);
    end(&r);
}

static void the_papers_settings_reach_another_class(void **state)
{
    run r = explain(ow_test_context(state), 2, two_means, "paper", "gamma=0 steps=200", 1,
                    origin);
    assert_true(r.answer->valid);
    assert_true(r.answer->values[0] > 2.0 && r.answer->values[0] < 2.6);
    end(&r);
}

/* The rate never falls, so that the nearest answer is found early; what is looked for after
 * it is saved, each row by itself. */
static void a_row_that_finds_nothing_nearer_ends(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const char all[] = "gamma=0 steps=3000 patience=0";
    static const char some[] = "gamma=0 steps=3000 patience=400";
    run whole = explain(ctx, 2, two_means, "paper", all, 1, origin);
    run early = explain(ctx, 2, two_means, "paper", some, 1, origin);
    assert_memory_equal(early.answer->values, whole.answer->values,
                        2 * sizeof *whole.answer->values);
    assert_true(whole.answer->n_gradient >= 3000);
    assert_true(early.answer->n_gradient >= 400 && early.answer->n_gradient < 1500);

    const double three[] = {1.0, 0.3, 0.0, 0.0, -3.0, 1.0};
    ow_explanation *together = ow_test_explain(early.explainer, NULL, 1, 3, three);
    const ow_counterfactual *second = ow_explanation_outcome(together, 1)->answers[0];
    assert_memory_equal(second->values, early.answer->values, 2 * sizeof *second->values);
    assert_int_equal(second->n_gradient, early.answer->n_gradient);
    ow_explanation_free(together);
    end(&whole);
    end(&early);
}

/* kappa nats beyond it: 4 x0 - 8 >= 2 from x0 = 2.5 on. */
static void a_margin_is_kept(void **state)
{
    run r = explain(ow_test_context(state), 2, two_means, NULL,
                    "gamma=0 kappa=2 rounds=5 steps=300 one-sided=no", 1, origin);
    assert_true(r.answer->values[0] >= 2.5 && r.answer->values[0] < 2.6);
    end(&r);
}

/* The value that says nothing is near x0 = 2, the middle of the model's samples: from there
 * the class may be left at x0 < 2. */
static void a_positive_keeps_the_least_that_keeps_the_class(void **state)
{
    run r = explain(ow_test_context(state), 2, two_means, NULL,
                    "mode=positive gamma=0 rounds=5 steps=300", 1, origin);
    assert_int_equal(r.answer->predicted, 0);
    assert_true(r.answer->values[0] > 1.7 && r.answer->values[0] < 2.0);
    end(&r);
}

/* The other class lies below: x0 must fall, by the paper's settings and by those that only
 * let it add. */
static void what_gets_smaller_is_kept(void **state)
{
    const double below[][2] = {{0.0, 0.0}, {-4.0, 0.0}};
    run r =
        explain(ow_test_context(state), 2, below, "paper", "gamma=0 steps=200", 1, origin);
    assert_true(r.answer->valid);
    assert_true(r.answer->values[0] < -2.0 && r.answer->values[0] > -2.6);
    end(&r);
    /* Nothing is near -2; from -1.9 down to -2.3 is farther from it than before. */
    const double query[] = {-1.9, 0.0};
    r = explain(ow_test_context(state), 2, below, NULL, "gamma=0 rounds=5 steps=300", 1,
                query);
    assert_true(r.answer->valid);
    assert_true(r.answer->values[0] < -2.0);
    end(&r);
}

/* From 0 up to the value that says nothing would take away: nothing may happen before it is
 * passed. */
static void a_negative_does_not_take_away(void **state)
{
    run r = explain(ow_test_context(state), 2, two_means, NULL, "gamma=0 rounds=2 steps=50",
                    1, origin);
    assert_true(r.answer->values[0] == 0.0 || r.answer->values[0] >= 3.9);
    end(&r);
}

/* Class 1 is nearer; class 2 is asked for. */
static void any_other_class_will_do_only_where_that_is_said(void **state)
{
    const double three[][2] = {{0.0, 0.0}, {3.0, 0.0}, {0.0, 6.0}};
    run r = explain(ow_test_context(state), 3, three, NULL,
                    "aim=any gamma=0 rounds=3 steps=300 one-sided=no", 2, origin);
    assert_int_equal(r.answer->predicted, 1);
    assert_false(r.answer->valid);
    end(&r);
    r = explain(ow_test_context(state), 3, three, NULL,
                "gamma=0 rounds=3 steps=300 one-sided=no", 2, origin);
    assert_int_equal(r.answer->predicted, 2);
    assert_true(r.answer->valid);
    end(&r);
}

static void categories_move_and_what_is_immutable_does_not(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    ow_explainer *explainer =
        ow_test_method(m.model, "cem", NULL, "rounds=2 steps=60 rate=0.05 c=20 gamma=0");
    ow_constraints *rules = NULL;
    size_t n_school = 0, school, age;
    assert_ok(ow_schema_find_column(ow_model_schema(m.model), "school", &school));
    assert_ok(ow_schema_find_column(ow_model_schema(m.model), "age", &age));
    assert_ok(ow_constraints_new(ctx, ow_model_schema(m.model), &rules));
    assert_ok(ow_constraints_immutable(rules, "age"));
    assert_ok(ow_constraints_immutable(rules, "income"));
    ow_explanation *explanation =
        ow_test_explain(explainer, rules, OW_ANY_OTHER_CLASS, 60, m.values);
    for (size_t i = 0; i < 60; i++) {
        const ow_counterfactual *answer =
            ow_explanation_outcome(explanation, i)->answers[0];
        const double *query = m.values + i * m.n_columns;
        assert_memory_equal(&answer->values[0], &query[0], sizeof *query);
        assert_memory_equal(&answer->values[age], &query[age], sizeof *query);
        assert_int_equal(answer->violations, 0);
        n_school += answer->valid && answer->values[school] != query[school];
    }
    assert_true(n_school > 5);
    ow_explanation_free(explanation);
    ow_constraints_free(rules);
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

static void answers_are_the_same_on_any_threads_and_in_any_company(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    for (size_t adam = 0; adam < 2; adam++) {
        ow_explainer *explainer = ow_test_method(
            m.model, "cem", adam ? "paper" : NULL,
            "rounds=2 steps=4 c=100 autoencoder-passes=20 autoencoder-rate=0.01");
        assert_ok(ow_explainer_set_background(explainer, 200, m.values));
        ow_test_same_answers(explainer, ow_model_soft_width(m.model), 40, m.n_columns,
                             m.values);
        ow_explainer_free(explainer);
    }
    ow_test_model_free(&m);
}

/* Images are multiplied only where they differ from their query: the verdict, which looks
 * at them whole, finds all of another class. */
static void images_end_beyond_the_boundary_on_any_threads_and_in_any_company(void **state)
{
    enum { n = 70 };
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_images(ctx);
    const size_t width = ow_model_soft_width(m.model);
    ow_explainer *explainer =
        ow_test_method(m.model, "cem", "reference", "gamma=0 rounds=3 steps=60 rate=0.05");
    ow_test_same_answers(explainer, width, n, m.n_columns, m.values);
    ow_explanation *explanation =
        ow_test_explain(explainer, NULL, OW_ANY_OTHER_CLASS, n, m.values);
    for (size_t i = 0; i < n; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        assert_int_equal(outcome->n_answers, 1);
        assert_true(outcome->answers[0]->valid_before_repair);
    }
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

static void the_autoencoders_error_is_told_and_one_that_learns_nothing_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = ow_test_plane(ctx, 2, two_means);
    ow_test_log log;
    ow_explain_options options = ow_test_explain_defaults();
    ow_explanation *explanation = NULL;
    ow_test_log_attach(&log, ctx, OW_LOG_INFO);
    ow_explainer *explainer =
        ow_test_method(model, "cem", NULL,
                       "rounds=1 steps=5 autoencoder-rate=0.01 autoencoder-passes=5");
    assert_ok(
        ow_explainer_explain(explainer, NULL, &options, 1, origin, NULL, &explanation));
    assert_non_null(strstr(log.text, "autoencoder"));
    assert_true(ow_explainer_preparation_seconds(explainer) > 0.0);
    ow_explanation_free(explanation);

    assert_ok(ow_explainer_set(explainer, "autoencoder-rate", "1e9"));
    assert_fails(ow_explainer_explain(explainer, NULL, &options, 1, origin, NULL,
                                      &explanation),
                 OW_ERR_NUMERIC, "does not converge");
    assert_null(explanation);
    ow_explainer_free(explainer);
    ow_model_free(model);
}

static ow_status make_and_explain(ow_context *ctx, void *user)
{
    static const double rows[][2] = {{0.0, 0.0}, {4.0, 0.1}, {3.0, 0.5}, {1.0, -0.5}};
    (void)user;
    ow_model *model = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    ow_status status = ow_test_plane_new(ctx, 2, two_means, &model);
    if (status == OW_OK)
        status = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                      .model = model},
                                  "cem", &explainer);
    if (status == OW_OK) status = ow_explainer_set(explainer, "steps", "2");
    if (status == OW_OK) status = ow_explainer_set(explainer, "rounds", "1");
    if (status == OW_OK) status = ow_explainer_set_background(explainer, 4, rows[0]);
    if (status == OW_OK) status = ow_explainer_set(explainer, "autoencoder-rate", "0.1");
    if (status == OW_OK) status = ow_explainer_set(explainer, "autoencoder-passes", "20");
    if (status == OW_OK)
        status =
            ow_explainer_explain(explainer, NULL, &options, 1, origin, NULL, &explanation);
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
        ow_test_on_heap(a_negative_adds_the_least_that_crosses_the_boundary),
        ow_test_on_heap(the_papers_settings_reach_another_class),
        ow_test_on_heap(a_row_that_finds_nothing_nearer_ends),
        ow_test_on_heap(a_margin_is_kept),
        ow_test_on_heap(a_positive_keeps_the_least_that_keeps_the_class),
        ow_test_on_heap(what_gets_smaller_is_kept),
        ow_test_on_heap(a_negative_does_not_take_away),
        ow_test_on_heap(any_other_class_will_do_only_where_that_is_said),
        ow_test_on_heap(categories_move_and_what_is_immutable_does_not),
        ow_test_on_heap(answers_are_the_same_on_any_threads_and_in_any_company),
        ow_test_on_heap(images_end_beyond_the_boundary_on_any_threads_and_in_any_company),
        ow_test_on_heap(the_autoencoders_error_is_told_and_one_that_learns_nothing_refused),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("explain/explain_cem", tests, NULL, NULL);
}
