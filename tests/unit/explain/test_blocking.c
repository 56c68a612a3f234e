/* SPDX-License-Identifier: MIT */
/* Rows without an answer: who is to blame. */
#include "support/explain_fixture.h"

/* Explains the first rows whose prediction is "no" under these rules, and counts who is
 * named. */
typedef struct {
    size_t n, n_found, n_named, n_wanted, n_infeasible, n_density, n_not_flipped;
} tally;

static tally explain(const ow_test_model *m, const char *rules_text,
                     ow_explain_options options, const char *wanted)
{
    ow_explainer *explainer = ow_test_explainer(m, "nearest");
    ow_constraints *rules = ow_test_rules(m, rules_text);
    ow_explanation *explanation = NULL;
    tally t = {0};
    assert_ok(ow_schema_find_class(ow_model_schema(m->model), "yes", &options.target));
    assert_ok(ow_explainer_explain(explainer, rules, &options, 60, m->values, NULL,
                                   &explanation));
    for (size_t i = 0; i < 60; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        if (outcome->kind == OW_OUTCOME_ALREADY_TARGET) continue;
        t.n++;
        t.n_found += outcome->kind == OW_OUTCOME_FOUND;
        t.n_infeasible += outcome->reason == OW_REASON_CONSTRAINTS_INFEASIBLE;
        t.n_density += outcome->kind == OW_OUTCOME_NOT_FOUND &&
                       outcome->reason == OW_REASON_DENSITY_UNREACHABLE;
        t.n_not_flipped += outcome->reason == OW_REASON_NOT_FLIPPED;
        if (outcome->blocking == NULL) continue;
        t.n_named++;
        t.n_wanted += wanted != NULL && strcmp(outcome->blocking, wanted) == 0;
    }
    ow_explanation_free(explanation);
    ow_constraints_free(rules);
    ow_explainer_free(explainer);
    return t;
}

static void one_constraint_that_forbids_everything_is_named_as_it_was_given(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    static const char *const cases[][2] = {
        {"vary town", "vary town"},
        {"vary size; vary town", "vary size,town"},
        {"range income=0:1; range age=18:18; vary income; vary age; vary town", NULL},
        {"vary income; range income=-4:-3", "range income=-4:-3"},
        {"vary income; range income=:-3", "range income=:-3"},
        {"vary age; monotone age=down", "monotone age=down"},
        {"vary town; allow town=Bonn|Celle", "vary town"},
        {"vary income; rule income not up", "rule income not up"},
        {"vary income; derive debt = 1000 * income", "derive debt = 1000 * income"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const tally t = explain(&m, cases[i][0], ow_test_explain_defaults(), cases[i][1]);
        assert_true(t.n > 10 && t.n_found < t.n);
        assert_int_equal(t.n_found + t.n_infeasible + t.n_not_flipped, t.n);
        assert_true(cases[i][1] == NULL || t.n_wanted > 0);
    }
    ow_test_model_free(&m);
}

static void several_that_forbid_everything_together_have_no_name(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    const tally t = explain(&m,
                            "immutable income; immutable age; immutable school; immutable "
                            "debt; immutable dependents; max-changes 1",
                            ow_test_explain_defaults(), NULL);
    assert_true(t.n_infeasible > t.n_named);
    ow_test_model_free(&m);
}

static void the_probability_and_the_density_are_named_too(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explain_options options = ow_test_explain_defaults();
    options.least_proba = 0.99999;
    tally t = explain(&m, NULL, options, "prob 0.99999:1");
    assert_true(t.n_wanted > 0 && t.n_not_flipped == t.n - t.n_found);
    options = ow_test_explain_defaults();
    options.density_required = true;
    options.density_quantile = 1.0;
    t = explain(&m, NULL, options, "min-density q100");
    assert_true(t.n_density == t.n && t.n_wanted == t.n);
    ow_test_model_free(&m);
}

static void nobody_is_looked_for_unless_asked(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explain_options options = ow_test_explain_defaults();
    options.explain_failure = false;
    const tally t = explain(&m, "vary town", options, NULL);
    assert_true(t.n_not_flipped > 0 && t.n_named == 0 && t.n_infeasible == 0);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(one_constraint_that_forbids_everything_is_named_as_it_was_given),
        ow_test_on_heap(several_that_forbid_everything_together_have_no_name),
        ow_test_on_heap(the_probability_and_the_density_are_named_too),
        ow_test_on_heap(nobody_is_looked_for_unless_asked),
    };
    return cmocka_run_group_tests_name("explain/blocking", tests, NULL, NULL);
}
