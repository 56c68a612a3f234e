/* SPDX-License-Identifier: MIT */
/* What an explainer keeps from one call for the next: whoever asks again, with the same
 * constraints or others, other settings or another target, gets the answers of an explainer
 * that was never asked before. */
#include "explain/core/explainer_private.h"
#include "support/explain_fixture.h"
#include "support/plane_model.h"

enum { n_rows = 12 };

/* What is asked one after the other: again, other columns frozen, the first ones again. */
static const struct {
    const char *rules;
    int32_t target;
} questions[] = {
    {"", 0},
    {"", 1},
    {"immutable age", 1},
    {"range debt=0:10; monotone age=up", 1},
    {"immutable age", 0},
    {"max-changes 2", 0},
    {"", 0},
};
enum { n_questions = sizeof questions / sizeof *questions };

static ow_explanation *ask(ow_explainer *explainer, const ow_test_model *m, size_t question)
{
    ow_constraints *rules = ow_test_rules(m, questions[question].rules);
    ow_explanation *explanation =
        ow_test_explain(explainer, rules, questions[question].target, n_rows, m->values);
    ow_constraints_free(rules); /* nothing of it is needed any longer */
    return explanation;
}

static void assert_same(const ow_explanation *got, const ow_explanation *want,
                        size_t n_columns)
{
    for (size_t i = 0; i < n_rows; i++) {
        const ow_outcome *a = ow_explanation_outcome(got, i);
        const ow_outcome *b = ow_explanation_outcome(want, i);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->reason, b->reason);
        assert_int_equal(a->target, b->target);
        assert_int_equal(a->n_answers, b->n_answers);
        for (size_t k = 0; k < a->n_answers; k++) {
            assert_memory_equal(a->answers[k]->values, b->answers[k]->values,
                                n_columns * sizeof(double));
            assert_int_equal(a->answers[k]->dense, b->answers[k]->dense);
        }
    }
}

static void asking_again_is_like_asking_for_the_first_time(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        const char *method = ow_method_get(k)->name;
        ow_explainer *asked_often = ow_test_explainer(&m, method);
        for (size_t q = 0; q < n_questions; q++) {
            ow_explainer *fresh = ow_test_explainer(&m, method);
            ow_explanation *got = ask(asked_often, &m, q), *want = ask(fresh, &m, q);
            assert_same(got, want, m.n_columns);
            ow_explanation_free(got);
            ow_explanation_free(want);
            ow_explainer_free(fresh);
        }
        ow_explainer_free(asked_often);
    }
    ow_test_model_free(&m);
}

/* What was prepared for one setting is not used for another. */
static void other_settings_are_heard_at_once(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    static const struct {
        const char *method, *name, *values[3];
    } settings[] = {
        {"nearest", "sparse", {"no", "yes", "no"}},
        {"face", "neighbours", {"5", "30", "5"}},
        {"wachter", "steps", {"3", "60", "3"}},
    };
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        ow_explainer *asked_often = ow_test_explainer(&m, settings[s].method);
        for (size_t v = 0; v < 3; v++) {
            ow_explainer *fresh = ow_test_explainer(&m, settings[s].method);
            assert_ok(
                ow_explainer_set(asked_often, settings[s].name, settings[s].values[v]));
            assert_ok(ow_explainer_set(fresh, settings[s].name, settings[s].values[v]));
            ow_explanation *got = ask(asked_often, &m, 2), *want = ask(fresh, &m, 2);
            assert_same(got, want, m.n_columns);
            ow_explanation_free(got);
            ow_explanation_free(want);
            ow_explainer_free(fresh);
        }
        ow_explainer_free(asked_often);
    }
    ow_test_model_free(&m);
}

/* The rows that are known change with the background, and with them what is prepared. */
static void another_background_is_heard_at_once(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    const size_t sizes[] = {m.n_rows, 100, m.n_rows};
    const char *const methods[] = {"nearest", "face", "guided"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        ow_explainer *asked_often = ow_test_explainer(&m, methods[k]);
        for (size_t s = 0; s < 3; s++) {
            ow_explainer *fresh = ow_test_explainer(&m, methods[k]);
            assert_ok(ow_explainer_set_background(asked_often, sizes[s], m.values));
            assert_ok(ow_explainer_set_background(fresh, sizes[s], m.values));
            ow_explanation *got = ask(asked_often, &m, 2), *want = ask(fresh, &m, 2);
            assert_same(got, want, m.n_columns);
            ow_explanation_free(got);
            ow_explanation_free(want);
            ow_explainer_free(fresh);
        }
        ow_explainer_free(asked_often);
    }
    ow_test_model_free(&m);
}

/* A call that fails may leave behind what was prepared; a call with another seed must not
 * take it up. */
static void another_seed_is_heard_after_a_failure(void **state)
{
    ow_test_heap *heap = *state;
    ow_test_model m = ow_test_applicants(heap->ctx, OW_LEAVES_AUTO);
    ow_constraints *rules = ow_test_rules(&m, "immutable age");
    for (size_t n = 0; n < 12; n++) {
        ow_explainer *explainer = ow_test_explainer(&m, "cem");
        ow_explanation *explanation = NULL;
        assert_ok(ow_explainer_explain(explainer, NULL, NULL, 1, m.values, ow_test_seed(1),
                                       &explanation));
        ow_explanation_free(explanation);
        heap->n_allowed = n;
        assert_status(ow_explainer_explain(explainer, rules, NULL, 1, m.values,
                                           ow_test_seed(1), &explanation),
                      OW_ERR_MEMORY);
        heap->n_allowed = SIZE_MAX;
        explainer->preparation_seconds = -1.0; /* until it is prepared anew */
        assert_ok(ow_explainer_explain(explainer, rules, NULL, 1, m.values, ow_test_seed(2),
                                       &explanation));
        assert_true(ow_explainer_preparation_seconds(explainer) >= 0.0);
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
    }
    ow_constraints_free(rules);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(asking_again_is_like_asking_for_the_first_time),
        ow_test_on_heap(other_settings_are_heard_at_once),
        ow_test_on_heap(another_background_is_heard_at_once),
        ow_test_on_heap(another_seed_is_heard_after_a_failure),
    };
    return cmocka_run_group_tests_name("explain/session", tests, NULL, NULL);
}
