/* SPDX-License-Identifier: MIT */
/* The call: every row an outcome that is true, whatever the method, the threads and the
 * blocks. */
#include "support/explain_fixture.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

static const size_t n_asked = 40;

/* What an explanation says, but for times. */
static void assert_same_outcome(const ow_test_model *m, const ow_outcome *a,
                                const ow_outcome *b)
{
    assert_non_null(a);
    const size_t width = ow_model_soft_width(m->model);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->reason, b->reason);
    assert_int_equal(a->predicted, b->predicted);
    assert_int_equal(a->target, b->target);
    assert_memory_equal(&a->log_density, &b->log_density, sizeof a->log_density);
    assert_memory_equal(&a->percentile, &b->percentile, sizeof a->percentile);
    assert_true((a->blocking == NULL) == (b->blocking == NULL));
    if (a->blocking != NULL) assert_string_equal(a->blocking, b->blocking);
    assert_int_equal(a->n_answers, b->n_answers);
    for (size_t k = 0; k < a->n_answers; k++) {
        const ow_counterfactual *x = a->answers[k], *y = b->answers[k];
        assert_memory_equal(x->values, y->values, m->n_columns * sizeof(double));
        assert_memory_equal(x->soft, y->soft, width * sizeof(float));
        assert_memory_equal(x->proba, y->proba, 2 * sizeof(double));
        assert_memory_equal(&x->log_density, &y->log_density, sizeof x->log_density);
        assert_int_equal(x->n_gradient, y->n_gradient);
        assert_int_equal(x->n_forward, y->n_forward);
    }
}

/* Every method on the applicants, with a background, an immutable column, and two answers
 * wanted. */
static ow_explanation *explain_all(ow_test_model *m, const char *method, size_t n_threads,
                                   size_t first, size_t n)
{
    ow_explain_options options = ow_test_explain_defaults();
    ow_constraints *rules = ow_test_rules(m, "immutable age");
    ow_explainer *explainer = ow_test_explainer(m, method);
    ow_explanation *explanation = NULL;
    options.n_answers = 2;
    options.first_row = first;
    how.threads = n_threads;
    assert_ok(ow_explainer_explain(explainer, rules, &options, n,
                                   m->values + first * m->n_columns, &how, &explanation));
    ow_explainer_free(explainer);
    ow_constraints_free(rules);
    return explanation;
}

static void the_same_answers_on_any_number_of_threads(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        const char *method = ow_method_get(k)->name;
        ow_explanation *one = explain_all(&m, method, 1, 0, n_asked);
        for (size_t n_threads = 2; n_threads <= 5; n_threads += 3) {
            ow_explanation *more = explain_all(&m, method, n_threads, 0, n_asked);
            for (size_t i = 0; i < n_asked; i++)
                assert_same_outcome(&m, ow_explanation_outcome(one, i),
                                    ow_explanation_outcome(more, i));
            ow_explanation_free(more);
        }
        ow_explanation_free(one);
        one = explain_all(&m, method, 1, 0, 1); /* more threads than rows */
        ow_explanation *many = explain_all(&m, method, 64, 0, 1);
        assert_same_outcome(&m, ow_explanation_outcome(one, 0),
                            ow_explanation_outcome(many, 0));
        ow_explanation_free(many);
        ow_explanation_free(one);
    }
    ow_test_model_free(&m);
}

/* Few rows go through the circuit one by one, more of them side by side: floats differ in
 * their last bits. */
static void assert_close_outcome(const ow_test_model *m, const ow_outcome *a,
                                 const ow_outcome *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->reason, b->reason);
    assert_int_equal(a->target, b->target);
    assert_int_equal(a->n_answers, b->n_answers);
    assert_close(&a->log_density, &b->log_density, 1, 1e-5);
    for (size_t k = 0; k < a->n_answers; k++) {
        const ow_counterfactual *x = a->answers[k], *y = b->answers[k];
        for (size_t j = 0; j < ow_model_soft_width(m->model); j++) {
            const double got = x->soft[j], want = y->soft[j];
            assert_close(&got, &want, 1, 1e-3);
        }
        assert_close(&x->log_density_target, &y->log_density_target, 1, 1e-2);
    }
}

static void the_same_answers_whichever_rows_are_asked_for_together(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    const size_t parts[] = {1, 2, 7, 30};
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        const char *method = ow_method_get(k)->name;
        ow_explanation *all = explain_all(&m, method, 1, 0, n_asked);
        for (size_t p = 0, first = 0; p < 4; first += parts[p++]) {
            ow_explanation *part = explain_all(&m, method, 1, first, parts[p]);
            for (size_t i = 0; i < parts[p]; i++)
                assert_close_outcome(&m, ow_explanation_outcome(all, first + i),
                                     ow_explanation_outcome(part, i));
            ow_explanation_free(part);
        }
        ow_explanation_free(all);
    }
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(the_same_answers_on_any_number_of_threads),
        ow_test_on_heap(the_same_answers_whichever_rows_are_asked_for_together),
    };
    return cmocka_run_group_tests_name("explain/explain", tests, NULL, NULL);
}
