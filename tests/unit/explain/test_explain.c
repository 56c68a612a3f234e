/* SPDX-License-Identifier: MIT */
/* The call: every row an outcome that is true, whatever the method, the threads and the blocks. */
#include "support/model_fixture.h"

#include "base/rng.h"

static void every_method_keeps_the_constraints_and_tells_the_truth(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    const ow_method *method;
    for (size_t k = 0; (method = ow_method_get(k)) != NULL; k++) {
        ow_explainer *explainer = NULL;
        ow_explanation *explanation = NULL;
        ow_explain_options options = ow_explain_defaults();
        assert_ok(ow_explainer_new(&(ow_explain_model){.model = m.model}, method->name,
                                   &explainer));
        assert_ok(ow_explainer_set_background(explainer, m.n_rows, m.values));
        assert_ok(ow_explain(explainer, NULL, &options, 64, m.values, &explanation));
        size_t n_found = 0;
        for (size_t i = 0; i < 64; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            n_found += outcome->kind == OW_FOUND;
            if (outcome->n_answers == 0) continue;
            assert_int_equal(outcome->answers[0].violations, 0);
        }
        printf("%s: %zu of 64 found\n", method->name, n_found);
        assert_true(n_found > 32);
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
    }
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(every_method_keeps_the_constraints_and_tells_the_truth),
    };
    return cmocka_run_group_tests_name("explain/explain", tests, NULL, NULL);
}
