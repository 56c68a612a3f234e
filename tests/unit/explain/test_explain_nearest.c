/* SPDX-License-Identifier: MIT */
/* The nearest known row, found by looking at all of them. */
#include "support/explain_fixture.h"

enum { n_asked = 30 };

/* The nearest row of the target class by ow_model_distance, where nothing is forbidden. */
static void the_answer_is_the_nearest_row_of_the_class(void **state)
{
    ow_test_model m = ow_test_credit_model(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explainer *explainer = ow_test_explainer(&m, "nearest");
    ow_explanation *explanation = NULL;
    ow_predictor *predictor = NULL;
    const ow_explain_options options = ow_test_explain_defaults();
    int32_t *classes = calloc(m.n_rows, sizeof *classes);
    const ow_predictions wanted = {.size = sizeof wanted, .classes = classes};
    assert_ok(ow_predictor_new(m.model, NULL, &predictor));
    assert_ok(ow_predictor_predict(predictor, m.n_rows, m.values, NULL, &wanted));
    assert_ok(ow_explainer_explain(explainer, NULL, &options, n_asked, m.values, NULL,
                                   &explanation));
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        const double *query = m.values + i * m.n_columns;
        double least = INFINITY;
        for (size_t r = 0; r < m.n_rows; r++)
            if (classes[r] == outcome->target)
                least = fmin(
                    least,
                    ow_model_distance(m.model, query, m.values + r * m.n_columns).gower);
        assert_int_equal(outcome->kind, OW_OUTCOME_FOUND);
        assert_close(&outcome->answers[0]->distance.gower, &least, 1, 1e-12);
    }
    ow_explanation_free(explanation);
    free(classes);
    ow_predictor_free(predictor);
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

static void immutable_columns_are_kept_and_other_rows_are_tried(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_constraints *rules = ow_test_rules(&m, "immutable income; immutable school");
    size_t n_found[2] = {0};
    for (size_t k = 0; k < 2; k++) {
        ow_explainer *explainer = ow_test_explainer(&m, "nearest");
        ow_explanation *explanation = NULL;
        ow_explain_options options = ow_test_explain_defaults();
        options.explain_failure = false;
        assert_ok(ow_explainer_set(explainer, "tries", k == 0 ? "1" : "100"));
        assert_ok(ow_explainer_explain(explainer, rules, &options, n_asked, m.values, NULL,
                                       &explanation));
        for (size_t i = 0; i < n_asked; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            n_found[k] += outcome->kind == OW_OUTCOME_FOUND;
            assert_true(outcome->answers[0]->values[0] == m.values[i * m.n_columns]);
        }
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
    }
    assert_true(n_found[0] < n_found[1]);
    ow_constraints_free(rules);
    ow_test_model_free(&m);
}

static void sparse_answers_change_less_and_are_still_valid(void **state)
{
    ow_test_model m = ow_test_credit_model(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explainer *explainer = ow_test_explainer(&m, "nearest");
    ow_explanation *whole = NULL, *sparse = NULL;
    const ow_explain_options options = ow_test_explain_defaults();
    assert_ok(
        ow_explainer_explain(explainer, NULL, &options, n_asked, m.values, NULL, &whole));
    assert_ok(ow_explainer_set(explainer, "sparse", "yes"));
    assert_ok(
        ow_explainer_explain(explainer, NULL, &options, n_asked, m.values, NULL, &sparse));
    size_t l0[2] = {0};
    for (size_t i = 0; i < n_asked; i++) {
        const ow_counterfactual *a = ow_explanation_outcome(whole, i)->answers[0];
        const ow_counterfactual *b = ow_explanation_outcome(sparse, i)->answers[0];
        assert_true(a->valid && b->valid);
        assert_true(b->distance.l0 <= a->distance.l0);
        l0[0] += a->distance.l0;
        l0[1] += b->distance.l0;
        for (size_t j = 0; j < m.n_columns;
             j++) /* each value is the query's or the row's */
            assert_true(b->values[j] == a->values[j] ||
                        b->values[j] == m.values[i * m.n_columns + j]);
    }
    assert_true(2 * l0[1] < l0[0]);
    ow_explanation_free(whole);
    ow_explanation_free(sparse);
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

/* A row whose change of income is small is nearer where income is dear. */
static void what_a_change_costs_counts_in_the_distance(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explainer *explainer = ow_test_explainer(&m, "nearest");
    ow_constraints *rules = ow_test_rules(&m, "");
    const ow_explain_options options = ow_test_explain_defaults();
    double moved[2] = {0};
    for (size_t k = 0; k < 2; k++) {
        ow_explanation *explanation = NULL;
        if (k == 1) assert_ok(ow_constraints_cost(rules, "income", OW_MONOTONE_NONE, 20));
        assert_ok(ow_explainer_explain(explainer, rules, &options, n_asked, m.values, NULL,
                                       &explanation));
        for (size_t i = 0; i < n_asked; i++)
            moved[k] += fabs(ow_explanation_outcome(explanation, i)->answers[0]->values[0] -
                             m.values[i * m.n_columns]);
        ow_explanation_free(explanation);
    }
    assert_true(moved[1] < 0.5 * moved[0]);
    ow_constraints_free(rules);
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

static void several_answers_differ(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explainer *explainer = ow_test_explainer(&m, "nearest");
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    options.n_answers = 3;
    assert_ok(ow_explainer_explain(explainer, NULL, &options, n_asked, m.values, NULL,
                                   &explanation));
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        assert_int_equal(outcome->n_answers, 3);
        for (size_t a = 0; a < 3; a++)
            for (size_t b = 0; b < a; b++)
                assert_memory_not_equal(outcome->answers[a]->values,
                                        outcome->answers[b]->values,
                                        m.n_columns * sizeof(double));
    }
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

static void without_known_rows_the_models_samples_serve(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    const ow_explain_options options = ow_test_explain_defaults();
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = m.model},
                               "nearest", &explainer));
    assert_ok(ow_explainer_explain(explainer, NULL, &options, n_asked, m.values, NULL,
                                   &explanation));
    size_t n_found = 0;
    for (size_t i = 0; i < n_asked; i++)
        n_found += ow_explanation_outcome(explanation, i)->kind == OW_OUTCOME_FOUND;
    assert_true(n_found >= n_asked - 2);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(the_answer_is_the_nearest_row_of_the_class),
        ow_test_on_heap(immutable_columns_are_kept_and_other_rows_are_tried),
        ow_test_on_heap(sparse_answers_change_less_and_are_still_valid),
        ow_test_on_heap(what_a_change_costs_counts_in_the_distance),
        ow_test_on_heap(several_answers_differ),
        ow_test_on_heap(without_known_rows_the_models_samples_serve),
    };
    return cmocka_run_group_tests_name("explain/nearest", tests, NULL, NULL);
}
