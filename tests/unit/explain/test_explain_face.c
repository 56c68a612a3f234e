/* SPDX-License-Identifier: MIT */
/* face: on a plane where the ways are known by hand, and on a table of applicants. */
#include "support/model_fixture.h"
#include "support/plane_model.h"

/* The classes meet at x0 = 2; log P(1)/P(0) = 4 x0 - 8. */
static const double two_means[][2] = {{0.0, 0.0}, {4.0, 0.0}};
static const double origin[] = {0.0, 0.0};

/* A chain from the query to (3, 0), and beside it the nearer (2.2, 1.6) with a friend of
 * its own. */
static const double chain[][2] = {{0.9, 0.0}, {1.7, 0.0}, {2.4, 0.0},
                                  {3.0, 0.0}, {2.2, 1.6}, {2.3, 1.6}};
enum { n_chain = sizeof chain / sizeof *chain };

typedef struct {
    ow_model *model;
    ow_explainer *explainer;
    ow_explanation *explanation;
    const ow_outcome *outcome;
} journey;

static journey travel(ow_context *ctx, const ow_constraints *rules, const char *parameters,
                      size_t n, const double rows[][2])
{
    journey j = {.model = ow_test_plane(ctx, 2, two_means)};
    j.explainer = ow_test_method(j.model, "face", NULL, parameters);
    assert_ok(ow_explainer_set_background(j.explainer, n, rows[0]));
    j.explanation = ow_test_explain(j.explainer, rules, 1, 1, origin);
    j.outcome = ow_explanation_outcome(j.explanation, 0);
    return j;
}

static void end(journey *j)
{
    ow_explanation_free(j->explanation);
    ow_explainer_free(j->explainer);
    ow_model_free(j->model);
}

static void assert_at(const double *values, double x0, double x1)
{
    const double want[] = {x0, x1};
    assert_close(values, want, 2, 0.0);
}

/* Every row with its nearest: the query enters at (0.9, 0), and the chain leads on. */
static void the_way_along_the_rows_is_returned(void **state)
{
    journey j =
        travel(ow_test_context(state), NULL, "neighbours=1 directed=yes", n_chain, chain);
    assert_int_equal(j.outcome->n_answers, 1);
    const ow_counterfactual *answer = j.outcome->answers[0];
    assert_true(answer->valid);
    assert_at(answer->values, 2.4, 0.0);
    assert_int_equal(answer->n_path, 4);
    assert_at(answer->path, 0.0, 0.0);
    assert_at(answer->path + 2, 0.9, 0.0);
    assert_at(answer->path + 4, 1.7, 0.0);
    assert_at(answer->path + 6, 2.4, 0.0);
    end(&j);
}

/* With all rows joined the straight way is the cheapest, and it ends at the row that is
 * nearest. */
static void joined_with_all_it_is_the_nearest_row_of_the_class(void **state)
{
    journey j = travel(ow_test_context(state), NULL, "neighbours=6", n_chain, chain);
    assert_at(j.outcome->answers[0]->values, 2.4, 0.0);
    assert_int_equal(j.outcome->answers[0]->n_path, 2);
    end(&j);
}

/* 2.4 has P(1) = 0.83, 3 has 0.98. */
static void ends_have_the_probability_and_the_density_that_is_asked(void **state)
{
    journey j = travel(ow_test_context(state), NULL, "neighbours=2 probability=0.95",
                       n_chain, chain);
    assert_at(j.outcome->answers[0]->values, 3.0, 0.0);
    end(&j);
    /* log S at (3, 0) is -log 4 pi - 0.5 and more, at (2.4, 0) 0.7 less, (2.2, 1.6) less
     * again. */
    j = travel(ow_test_context(state), NULL, "neighbours=2 density=-3.2", n_chain, chain);
    assert_at(j.outcome->answers[0]->values, 3.0, 0.0);
    end(&j);
    j = travel(ow_test_context(state), NULL, "neighbours=2 probability=0.999999", n_chain,
               chain);
    assert_int_equal(j.outcome->n_answers, 0);
    assert_int_equal(j.outcome->reason, OW_REASON_NO_PATH);
    end(&j);
}

static void a_torn_graph_has_no_way_across(void **state)
{
    const double rows[][2] = {{0.1, 0.0}, {0.2, 0.0}, {3.0, 0.0}, {3.1, 0.0}};
    for (int directed = 0; directed < 2; directed++) {
        journey j =
            travel(ow_test_context(state), NULL,
                   directed ? "neighbours=1 directed=yes" : "neighbours=1", 4, rows);
        assert_int_equal(j.outcome->kind, OW_OUTCOME_NOT_FOUND);
        assert_int_equal(j.outcome->reason, OW_REASON_NO_PATH);
        end(&j);
    }
}

/* (1.2, 0) is the nearest of (2.5, 0), but its own nearest is (0.9, 0). */
static void undirected_steps_lead_back_too(void **state)
{
    const double rows[][2] = {{0.9, 0.0}, {1.2, 0.0}, {2.5, 0.0}};
    journey j = travel(ow_test_context(state), NULL, "neighbours=1 directed=yes", 3, rows);
    assert_int_equal(j.outcome->reason, OW_REASON_NO_PATH);
    end(&j);
    j = travel(ow_test_context(state), NULL, "neighbours=1", 3, rows);
    assert_at(j.outcome->answers[0]->values, 2.5, 0.0);
    assert_int_equal(j.outcome->answers[0]->n_path, 4);
    end(&j);
}

static ow_constraints *rules_of(ow_context *ctx, const ow_model *model)
{
    ow_constraints *rules = NULL;
    assert_ok(ow_constraints_new(ctx, ow_model_schema(model), &rules));
    return rules;
}

/* The way through (1, 1) is barred where x1 is immutable or may only fall; the rows on the
 * axis are farther apart. */
static void every_step_keeps_what_is_immutable_and_goes_the_way_it_may(void **state)
{
    const double rows[][2] = {{1.0, 1.0}, {2.1, 1.0}, {1.0, 0.0}, {5.0, 0.0}, {2.1, -3.0}};
    ow_context *ctx = ow_test_context(state);
    ow_model *model = ow_test_plane(ctx, 2, two_means);
    const struct {
        bool immutable;
        ow_monotone x1;
        double x[2];
    } cases[] = {{false, OW_MONOTONE_NONE, {2.1, 1.0}},
                 {true, OW_MONOTONE_NONE, {5.0, 0.0}},
                 {false, OW_MONOTONE_DOWN, {2.1, -3.0}},
                 {false, OW_MONOTONE_UP, {2.1, 1.0}}};
    for (size_t c = 0; c < 4; c++) {
        ow_constraints *rules = rules_of(ctx, model);
        if (cases[c].immutable) assert_ok(ow_constraints_immutable(rules, "x1"));
        if (cases[c].x1 != OW_MONOTONE_NONE)
            assert_ok(ow_constraints_monotone(rules, "x1", cases[c].x1));
        journey j = travel(ctx, rules, "neighbours=3", 5, rows);
        assert_int_equal(j.outcome->n_answers, 1);
        assert_at(j.outcome->answers[0]->values, cases[c].x[0], cases[c].x[1]);
        assert_int_equal(j.outcome->answers[0]->violations, 0);
        end(&j);
        ow_constraints_free(rules);
    }
    ow_constraints *rules = rules_of(ctx, model);
    assert_ok(ow_constraints_immutable(rules, "x0"));
    assert_ok(ow_constraints_immutable(rules, "x1"));
    journey j = travel(ctx, rules, "neighbours=3", 5, rows);
    assert_int_equal(j.outcome->reason, OW_REASON_NO_PATH);
    end(&j);
    ow_constraints_free(rules);
    ow_model_free(model);
}

static void the_cheapest_k_ends_are_the_k_answers(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = ow_test_plane(ctx, 2, two_means);
    ow_explainer *explainer = ow_test_method(model, "face", NULL, "neighbours=6");
    ow_explain_options options = ow_test_explain_defaults();
    ow_explanation *explanation = NULL;
    options.n_answers = 3;
    assert_ok(ow_explainer_set_background(explainer, n_chain, chain[0]));
    assert_ok(
        ow_explainer_explain(explainer, NULL, &options, 1, origin, NULL, &explanation));
    const ow_outcome *outcome = ow_explanation_outcome(explanation, 0);
    assert_int_equal(outcome->n_answers, 3);
    for (size_t a = 0; a < 3; a++) /* in whatever order they are shown; (3, 0) costs more */
        assert_true(outcome->answers[a]->values[0] < 2.5);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_model_free(model);
}

static void without_known_rows_it_says_so(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = ow_test_plane(ctx, 2, two_means);
    ow_explainer *explainer = ow_test_method(model, "face", NULL, "");
    ow_explain_options options = ow_test_explain_defaults();
    ow_explanation *explanation = NULL;
    assert_fails(ow_explainer_explain(explainer, NULL, &options, 1, origin, NULL,
                                      &explanation),
                 OW_ERR_ARGUMENT, "background");
    assert_null(explanation);
    assert_fails(ow_explainer_set(explainer, "neighbours", "0"), OW_ERR_ARGUMENT, "1");
    assert_fails(ow_explainer_set(explainer, "weights", "hops"), OW_ERR_ARGUMENT,
                 "distance");
    ow_explainer_free(explainer);
    ow_model_free(model);
}

/* Rows with gaps and categories, random immutables: every answer is a row that was seen,
 * and nothing is broken. */
static void on_tables_answers_are_known_rows_that_break_nothing(void **state)
{
    static const char *const weights[] = {"weights=distance", "weights=knn", "weights=kde",
                                          "weights=circuit"};
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    ow_constraints *rules = rules_of(ctx, m.model);
    assert_ok(ow_constraints_immutable(rules, "town"));
    assert_ok(ow_constraints_immutable(rules, "dependents"));
    assert_ok(ow_constraints_monotone(rules, "age", OW_MONOTONE_UP));
    for (size_t w = 0; w < 4; w++) {
        ow_explainer *explainer = ow_test_method(m.model, "face", NULL, weights[w]);
        size_t n_found = 0;
        assert_ok(ow_explainer_set_background(explainer, 300, m.values));
        ow_explanation *explanation = ow_test_explain(explainer, rules, OW_ANY_OTHER_CLASS,
                                                      30, m.values + 300 * m.n_columns);
        for (size_t i = 0; i < 30; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            if (outcome->n_answers == 0) continue;
            const ow_counterfactual *answer = outcome->answers[0];
            assert_int_equal(answer->violations, 0);
            assert_true(answer->n_path >= 2);
            n_found += answer->valid;
            for (size_t p = 1; p < answer->n_path; p++) {
                const double *a = answer->path + (p - 1) * m.n_columns;
                assert_true(isnan(a[1]) || isnan(a[1 + m.n_columns]) ||
                            a[1 + m.n_columns] >= a[1]);
            }
        }
        assert_true(n_found > 5);
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
    }
    ow_constraints_free(rules);
    ow_test_model_free(&m);
}

static void answers_are_the_same_on_any_threads_and_in_any_company(void **state)
{
    static const char *const weights[] = {"weights=distance", "weights=kde",
                                          "weights=circuit"};
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    for (size_t w = 0; w < 3; w++) {
        ow_explainer *explainer = ow_test_method(m.model, "face", NULL, weights[w]);
        assert_ok(ow_explainer_set_background(explainer, 200, m.values));
        ow_test_same_answers(explainer, ow_model_soft_width(m.model), 40, m.n_columns,
                             m.values + 200 * m.n_columns);
        ow_explainer_free(explainer);
    }
    ow_test_model_free(&m);
}

static ow_status make_and_explain(ow_context *ctx, void *user)
{
    ow_model *model = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    options.density_required = true;
    options.density_quantile = 0.0;
    ow_status status = ow_test_plane_new(ctx, 2, two_means, &model);
    if (status == OW_OK)
        status = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                      .model = model},
                                  "face", &explainer);
    if (status == OW_OK) status = ow_explainer_set(explainer, "weights", user);
    if (status == OW_OK) status = ow_explainer_set_background(explainer, n_chain, chain[0]);
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
    char circuit[] = "circuit";
    (void)state;
    ow_test_sweep(make_and_explain, circuit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(the_way_along_the_rows_is_returned),
        ow_test_on_heap(joined_with_all_it_is_the_nearest_row_of_the_class),
        ow_test_on_heap(ends_have_the_probability_and_the_density_that_is_asked),
        ow_test_on_heap(a_torn_graph_has_no_way_across),
        ow_test_on_heap(undirected_steps_lead_back_too),
        ow_test_on_heap(every_step_keeps_what_is_immutable_and_goes_the_way_it_may),
        ow_test_on_heap(the_cheapest_k_ends_are_the_k_answers),
        ow_test_on_heap(without_known_rows_it_says_so),
        ow_test_on_heap(on_tables_answers_are_known_rows_that_break_nothing),
        ow_test_on_heap(answers_are_the_same_on_any_threads_and_in_any_company),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("explain/explain_face", tests, NULL, NULL);
}
