/* SPDX-License-Identifier: MIT */
/* Second answers: the same as a call of its own with that probability, and only where the
 * first answer is less sure. */
#include "support/explain_fixture.h"

enum { n_rows = 40 };

static ow_explanation *explain(const ow_test_model *m, const char *method,
                               const ow_explain_options *options, const double *values,
                               size_t n)
{
    ow_explainer *explainer = ow_test_explainer(m, method);
    ow_explanation *explanation = NULL;
    assert_ok(
        ow_explainer_explain(explainer, NULL, options, n, values, NULL, &explanation));
    ow_explainer_free(explainer);
    return explanation;
}

static void is_the_answer_of_a_call_with_that_probability(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explain_options options = ow_test_explain_defaults(), second = options;
    static const char *const methods[] = {"guided", "two-step", "nearest"};
    options.n_answers = 2;
    options.surer_proba = second.least_proba = 0.8;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        ow_explanation *both = explain(&m, methods[k], &options, m.values, n_rows);
        size_t n_surer = 0;
        for (size_t i = 0; i < n_rows; i++) {
            const ow_outcome *got = ow_explanation_outcome(both, i);
            if (got->kind != OW_OUTCOME_FOUND) {
                assert_null(got->surer);
                continue;
            }
            const double proba = got->answers[0]->proba[got->target];
            assert_true((got->surer == NULL) == (proba >= 0.8 - 0.005));
            if (got->surer == NULL) continue;
            n_surer++;
            second.target = got->target;
            second.first_row = i;
            ow_explanation *alone =
                explain(&m, methods[k], &second, m.values + i * m.n_columns, 1);
            const ow_outcome *want = ow_explanation_outcome(alone, 0);
            assert_null(want->surer);
            assert_int_equal(got->surer->kind, want->kind);
            assert_int_equal(got->surer->n_answers, want->n_answers);
            if (want->n_answers > 0)
                assert_memory_equal(got->surer->answers[0]->values,
                                    want->answers[0]->values, m.n_columns * sizeof(double));
            if (want->kind == OW_OUTCOME_FOUND)
                assert_true(got->surer->answers[0]->proba[got->target] >= 0.8);
            ow_explanation_free(alone);
        }
        assert_true(n_surer > 2); /* most answers of two-step are that sure at once */
        ow_explanation_free(both);
    }
    ow_test_model_free(&m);
}

static void the_first_answers_are_those_of_a_call_without(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explain_options options = ow_test_explain_defaults();
    ow_explanation *want = explain(&m, "guided", &options, m.values, n_rows);
    options.surer_proba = 0.9;
    ow_explanation *got = explain(&m, "guided", &options, m.values, n_rows);
    for (size_t i = 0; i < n_rows; i++) {
        const ow_outcome *a = ow_explanation_outcome(got, i);
        const ow_outcome *b = ow_explanation_outcome(want, i);
        assert_null(b->surer);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->n_answers, b->n_answers);
        for (size_t k = 0; k < a->n_answers; k++)
            assert_memory_equal(a->answers[k]->values, b->answers[k]->values,
                                m.n_columns * sizeof(double));
    }
    ow_explanation_free(got);
    ow_explanation_free(want);
    ow_test_model_free(&m);
}

static void probabilities_that_cannot_be(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explainer *explainer = ow_test_explainer(&m, "nearest");
    ow_explanation *explanation;
    ow_explain_options options = ow_test_explain_defaults();
    options.surer_proba = 1.5;
    assert_fails(
        ow_explainer_explain(explainer, NULL, &options, 1, m.values, NULL, &explanation),
        OW_ERR_ARGUMENT, "the surer probability: expected a number from 0 to 1, got 1.5");
    options.surer_proba = 0.9;
    options.most_proba = 0.8;
    assert_fails(ow_explainer_explain(explainer, NULL, &options, 1, m.values, NULL,
                                      &explanation),
                 OW_ERR_ARGUMENT, "the surer probability is above the largest one");
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(is_the_answer_of_a_call_with_that_probability),
        ow_test_on_heap(the_first_answers_are_those_of_a_call_without),
        ow_test_on_heap(probabilities_that_cannot_be),
    };
    return cmocka_run_group_tests_name("explain/surer", tests, NULL, NULL);
}
