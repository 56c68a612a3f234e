/* SPDX-License-Identifier: MIT */
/* Images: pixels stay whole and in the range of all of them, distances are in units of that
 * range. */
#include "support/explain_fixture.h"
#include "support/image_model.h"

enum { n_pixels = ow_test_n_pixels, n_asked = 30 };

static void pixels_are_whole_and_in_the_range_of_all(void **state)
{
    ow_test_model m = ow_test_images(ow_test_context(state));
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        ow_explainer *explainer = ow_test_explainer(&m, ow_method_get(k)->name);
        ow_constraints *rules = ow_test_rules(&m, "immutable x5");
        ow_explanation *explanation = NULL;
        const ow_explain_options options = ow_test_explain_defaults();
        size_t n_found = 0;
        assert_ok(ow_explainer_explain(explainer, rules, &options, n_asked, m.values, NULL,
                                       &explanation));
        for (size_t i = 0; i < n_asked; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            const double *query = m.values + i * n_pixels;
            n_found += outcome->kind == OW_OUTCOME_FOUND;
            if (outcome->n_answers == 0) continue;
            const ow_counterfactual *answer = outcome->answers[0];
            double l2 = 0.0;
            for (size_t j = 0; j < n_pixels; j++) {
                const double x = answer->values[j], change = (x - query[j]) / 255.0;
                assert_true(x >= 0.0 && x <= 255.0 && x == floor(x));
                l2 += change * change;
            }
            l2 = sqrt(l2);
            assert_close(&answer->distance.l2, &l2, 1, 1e-9);
            assert_true(answer->values[5] == query[5]);
            assert_int_equal(answer->violations, 0);
        }
        /* face finds no rows between bright and dark that share the pixel, and cem only
         * adds. */
        const char *name = ow_method_get(k)->name;
        if (strcmp(name, "face") != 0 && strcmp(name, "cem") != 0)
            assert_true(n_found >= n_asked / 2);
        ow_explanation_free(explanation);
        ow_constraints_free(rules);
        ow_explainer_free(explainer);
    }
    ow_test_model_free(&m);
}

/* Of many rows the verdict before repair is mostly known without a pass, of one it is not.
 * Steps towards the class alone leave the range of pixels, so that repair moves some rows
 * far enough for another decision. */
static void many_rows_are_judged_as_each_alone(void **state)
{
    enum { n_steps = 30 };
    ow_test_model m = ow_test_images(ow_test_context(state));
    const ow_explain_options options = ow_test_explain_defaults();
    size_t n_valid = 0, n_differ = 0, n_answers = 0;
    for (size_t s = 0; s < n_steps; s++) {
        char step[32];
        snprintf(step, sizeof step, "%.3f", 0.02 * pow(1.15, (double)s));
        ow_explainer *many = ow_test_explainer(&m, "two-step");
        ow_explainer *alone = ow_test_explainer(&m, "two-step");
        ow_explanation *of_many = NULL;
        assert_ok(ow_explainer_set(many, "density-step", "0"));
        assert_ok(ow_explainer_set(alone, "density-step", "0"));
        assert_ok(ow_explainer_set(many, "class-step", step));
        assert_ok(ow_explainer_set(alone, "class-step", step));
        assert_ok(ow_explainer_explain(many, NULL, &options, ow_test_n_images, m.values,
                                       NULL, &of_many));
        for (size_t i = 0; i < ow_test_n_images; i++) {
            ow_explanation *of_one = NULL;
            assert_ok(ow_explainer_explain(alone, NULL, &options, 1,
                                           m.values + i * n_pixels, NULL, &of_one));
            const ow_outcome *a = ow_explanation_outcome(of_many, i);
            const ow_outcome *b = ow_explanation_outcome(of_one, 0);
            assert_int_equal(a->n_answers, b->n_answers);
            assert_int_equal(a->answers[0]->valid, b->answers[0]->valid);
            assert_int_equal(a->answers[0]->valid_before_repair,
                             b->answers[0]->valid_before_repair);
            n_valid += a->answers[0]->valid_before_repair;
            n_differ += a->answers[0]->valid_before_repair != a->answers[0]->valid;
            n_answers++;
            ow_explanation_free(of_one);
        }
        ow_explanation_free(of_many);
        ow_explainer_free(alone);
        ow_explainer_free(many);
    }
    assert_true(n_valid > 0 && n_valid < n_answers && n_differ > 0);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(pixels_are_whole_and_in_the_range_of_all),
        ow_test_on_heap(many_rows_are_judged_as_each_alone),
    };
    return cmocka_run_group_tests_name("explain/images", tests, NULL, NULL);
}
