/* SPDX-License-Identifier: MIT */
/* Two steps that can be worked out by hand, and those of the circuits of
 * tests/golden/circuits. */
#include <jansson.h>

#include "explain/core/explainer_private.h"
#include "model/model_private.h"
#include "support/explain_fixture.h"
#include "support/test_call.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

/* ---- By hand ---- */

/* Two columns, and two classes that are one Gaussian of variance v around (-1, 0) and (1,
 * 2) each. */
static const double means[2][2] = {{-1.0, 0.0}, {1.0, 2.0}};

static ow_model *two_gaussians(ow_context *ctx, double v)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"format\": \"ratspn-vectors-1\", \"d\": 2, \"C\": 2, \"D\": 1, \"R\": 1, "
             "\"S\": 0, \"I\": 2, \"class_prior\": [0.5, 0.5], \"regions\": ["
             "{\"id\": 0, \"rep\": 0, \"depth\": 1, \"path\": \"0\", \"scope\": [0], "
             "\"kind\": \"leaf\", \"mean\": [[-1], [1]], \"var\": [[%g], [%g]]}, "
             "{\"id\": 1, \"rep\": 0, \"depth\": 1, \"path\": \"1\", \"scope\": [1], "
             "\"kind\": \"leaf\", \"mean\": [[0], [2]], \"var\": [[%g], [%g]]}], "
             "\"root\": {\"partitions\": [{\"children\": [0, 1], \"weights\": "
             "[[[1, 0], [0, 0]], [[0, 0], [0, 1]]]}]}}",
             v, v, v, v);
    ow_model *model = NULL;
    const char *path = ow_test_path("two.json", 0);
    ow_test_write_file(path, text, strlen(text));
    how.threads = 1;
    assert_ok(ow_model_import(ctx, path, &how, &model));
    return model;
}

/* P(1 given x) of the two Gaussians. */
static double proba_of_second(const double *x, double v)
{
    double log_odds = 0.0;
    for (size_t j = 0; j < 2; j++)
        log_odds += ((x[j] - means[0][j]) * (x[j] - means[0][j]) -
                     (x[j] - means[1][j]) * (x[j] - means[1][j])) /
                    (2.0 * v);
    return 1.0 / (1.0 + exp(-log_odds));
}

/* u = x + e1 (mu_t - mu_y)/v, x' = u + e2 (E[mu given u] - u)/v. */
static void both_steps_are_those_of_two_gaussians(void **state)
{
    const double variances[] = {1.0, 0.25}, x[2] = {-1.5, 0.25};
    for (size_t k = 0; k < 2; k++) {
        const double v = variances[k];
        ow_model *model = two_gaussians(ow_test_context(state), v);
        ow_explainer *explainer = NULL;
        ow_explanation *explanation = NULL;
        ow_explain_options options = ow_test_explain_defaults();
        options.target = 1;
        assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                       .model = model},
                                   "two-step", &explainer));
        assert_ok(
            ow_explainer_explain(explainer, NULL, &options, 1, x, &how, &explanation));
        const ow_outcome *outcome = ow_explanation_outcome(explanation, 0);
        assert_int_equal(outcome->predicted, 0);
        assert_int_equal(outcome->kind, OW_OUTCOME_FOUND);
        const ow_counterfactual *answer = outcome->answers[0];
        double u[2], want[2], got[2];
        for (size_t j = 0; j < 2; j++) u[j] = x[j] + 10.0 * (means[1][j] - means[0][j]);
        const double p = proba_of_second(u, v);
        for (size_t j = 0; j < 2; j++) want[j] = (1.0 - p) * means[0][j] + p * means[1][j];
        for (size_t j = 0; j < 2; j++) got[j] = answer->intermediate[j];
        assert_close(got, u, 2, 1e-5);
        for (size_t j = 0; j < 2; j++) got[j] = answer->soft[j];
        assert_close(got, want, 2, 1e-5);
        assert_int_equal(answer->n_gradient, 2);
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
        ow_model_free(model);
    }
}

static void a_column_that_may_not_change_stays_bit_for_bit(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = two_gaussians(ctx, 1.0);
    ow_constraints *rules = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    const double x[2] = {-1.2345678, 0.1};
    assert_ok(ow_constraints_new(ctx, ow_model_schema(model), &rules));
    assert_ok(ow_constraints_immutable(rules, "x0"));
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = model},
                               "two-step", &explainer));
    assert_ok(ow_explainer_explain(explainer, rules, &options, 1, x, &how, &explanation));
    const ow_counterfactual *answer = ow_explanation_outcome(explanation, 0)->answers[0];
    const float kept = (float)x[0];
    assert_memory_equal(answer->values, x, sizeof *x);
    assert_memory_equal(answer->soft, &kept, sizeof kept);
    assert_true(answer->values[1] != x[1]);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_constraints_free(rules);
    ow_model_free(model);
}

/* ---- The known circuits ---- */

static void numbers(const json_t *object, const char *name, size_t n, double *out)
{
    const json_t *array = json_object_get(object, name);
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++) out[i] = json_number_value(json_array_get(array, i));
}

static void set_number(ow_explainer *explainer, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    assert_ok(ow_explainer_set(explainer, name, text));
}

static void assert_floats(const float *got, const json_t *one, const char *name, size_t d,
                          double tolerance)
{
    double want[64], numbers_got[64];
    numbers(one, name, d, want);
    for (size_t j = 0; j < d; j++) numbers_got[j] = got[j];
    assert_close(numbers_got, want, d, tolerance);
}

/* The classes of a case are given, and its y need not be the predicted one: the method is
 * called as the driver calls it. */
static void check_case(ow_explainer *explainer, const json_t *one, const char *x_prime,
                       double tolerance)
{
    const ow_model *model = explainer->model;
    const size_t d = ow_model_soft_width(model);
    const int32_t y = (int32_t)json_integer_value(json_object_get(one, "y"));
    const int32_t t = (int32_t)json_integer_value(json_object_get(one, "y_target"));
    const ow_explain_options options = ow_test_explain_defaults();
    const uint64_t number = 0;
    double values[64], log_proba[8] = {0};
    float soft[64], encoded[64], intermediate[64];
    owi_answer answer = {.soft = encoded, .intermediate = intermediate};
    numbers(one, "x", d, values);
    ow_model_soften(model, 1, values, soft);
    const owi_queries queries = {.n_rows = 1,
                                 .number = &number,
                                 .values = values,
                                 .soft = soft,
                                 .log_proba = log_proba,
                                 .origin = &y,
                                 .target = &t};
    explainer->call = ow_test_call(explainer->ctx, &how);
    assert_ok(owi_session_ready(explainer, NULL, &options));
    assert_ok(explainer->impl->explain_block(&explainer->session.problem,
                                             explainer->settings, explainer->session.state,
                                             &queries, &answer));
    assert_true(answer.given && answer.has_intermediate);
    assert_floats(intermediate, one, "u", d, tolerance);
    assert_floats(encoded, one, x_prime, d, tolerance);
}

/* The same through the front door, where y is what the circuit predicts. */
static void check_call(ow_explainer *explainer, const json_t *one, const char *x_prime,
                       double tolerance, size_t *n_checked)
{
    const size_t d = ow_model_soft_width(explainer->model);
    ow_explain_options options = ow_test_explain_defaults();
    ow_explanation *explanation = NULL;
    double values[64];
    numbers(one, "x", d, values);
    options.target = (int32_t)json_integer_value(json_object_get(one, "y_target"));
    options.explain_failure = false;
    assert_ok(
        ow_explainer_explain(explainer, NULL, &options, 1, values, &how, &explanation));
    const ow_outcome *outcome = ow_explanation_outcome(explanation, 0);
    if (outcome->predicted == json_integer_value(json_object_get(one, "y"))) {
        assert_floats(outcome->answers[0]->intermediate, one, "u", d, tolerance);
        assert_floats(outcome->answers[0]->soft, one, x_prime, d, tolerance);
        ++*n_checked;
    }
    ow_explanation_free(explanation);
}

static void steps_of_the_known_circuits(void **state)
{
    static const char *const files[] = {"a_d4_D1", "b_d8_D2", "c_d16_D1_var",
                                        "g_d40_D1_underflow32"};
    size_t n_checked = 0;
    for (size_t k = 0; k < 4; k++)
        for (int raw = 0; raw < 2; raw++) {
            const double tolerance = files[k][0] == 'g' ? 1e-3 : 1e-4;
            char path[128];
            ow_model *model = NULL;
            ow_explainer *explainer = NULL;
            snprintf(path, sizeof path, "tests/golden/circuits/%s.json", files[k]);
            json_t *document = json_load_file(path, 0, NULL);
            assert_non_null(document);
            assert_ok(ow_model_import(ow_test_context(state), path, &how, &model));
            assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                           .model = model},
                                       "two-step", &explainer));
            set_number(explainer, "class-step",
                       json_number_value(json_object_get(document, "eps1")));
            set_number(explainer, "density-step",
                       json_number_value(json_object_get(document, "eps2")));
            assert_ok(ow_explainer_set(explainer, "density-gradient", raw ? "raw" : "log"));
            const json_t *cases = json_object_get(document, "cases");
            for (size_t i = 0; i < json_array_size(cases); i++) {
                const json_t *one = json_array_get(cases, i);
                const char *x_prime = raw ? "x_prime_raw" : "x_prime";
                check_case(explainer, one, x_prime, tolerance);
                check_call(explainer, one, x_prime, tolerance, &n_checked);
            }
            ow_explainer_free(explainer);
            ow_model_free(model);
            json_decref(document);
        }
    assert_true(n_checked >= 20);
}

/* ---- Somebody else's classifier ---- */

/* log-odds of class 1: x0 + x1 - 1; the gradient of f0 log P(0) + f1 log P(1). */
static bool logistic(void *user, size_t n_rows, const float *rows, double *log_proba)
{
    (void)user;
    for (size_t i = 0; i < n_rows; i++) {
        const double odds = (double)rows[2 * i] + (double)rows[2 * i + 1] - 1.0;
        log_proba[2 * i] = -log1p(exp(odds));
        log_proba[2 * i + 1] = -log1p(exp(-odds));
    }
    return true;
}

/* From (-1.5, 0.25), d/dx [log P(1) - log P(0)] is (1, 1) wherever x is. */
static void with_a_foreign_classifier_the_first_step_follows_its_log_odds(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = two_gaussians(ctx, 1.0);
    ow_classifier *classifier = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    const double x[2] = {-1.5, 0.25};
    options.explain_failure = false;
    assert_ok(ow_classifier_from_callbacks(ctx,
                                           &(ow_callbacks){.size = sizeof(ow_callbacks),
                                                           .n_classes = 2,
                                                           .width = 2,
                                                           .log_proba = logistic},
                                           &classifier));
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = model,
                                                   .classifier = classifier},
                               "two-step", &explainer));
    assert_ok(ow_explainer_set(explainer, "class-step", "3"));
    assert_ok(ow_explainer_explain(explainer, NULL, &options, 1, x, &how, &explanation));
    const ow_outcome *outcome = ow_explanation_outcome(explanation, 0);
    const double u[2] = {1.5, 3.25}, p = proba_of_second(u, 1.0);
    double want[2], got[2];
    for (size_t j = 0; j < 2; j++) got[j] = outcome->answers[0]->intermediate[j];
    assert_close(got, u, 2, 1e-3);
    for (size_t j = 0; j < 2; j++) want[j] = (1.0 - p) * means[0][j] + p * means[1][j];
    for (size_t j = 0; j < 2; j++) got[j] = outcome->answers[0]->soft[j];
    assert_close(got, want, 2, 1e-3);
    assert_int_equal(outcome->kind, OW_OUTCOME_FOUND);
    const double odds = want[0] + want[1] - 1.0, proba = 1.0 / (1.0 + exp(-odds));
    assert_close(&outcome->answers[0]->proba[1], &proba, 1, 1e-3);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_classifier_free(classifier);
    ow_model_free(model);
}

static ow_status explain_two_gaussians(ow_context *ctx, void *user)
{
    ow_model *model = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    const ow_explain_options options = ow_test_explain_defaults();
    const double x[4] = {-1.5, 0.25, 1.0, 2.0};
    how.threads = 1;
    ow_status status = ow_model_import(ctx, user, &how, &model);
    if (status == OW_OK)
        status = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                      .model = model},
                                  "two-step", &explainer);
    if (status == OW_OK) status = ow_explainer_set(explainer, "density-step", "0.5");
    if (status == OW_OK)
        status = ow_explainer_explain(explainer, NULL, &options, 2, x, &how, &explanation);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_model_free(model);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    ow_model_free(two_gaussians(ow_test_context(state), 1.0)); /* writes the file */
    ow_test_sweep(explain_two_gaussians, (void *)(uintptr_t)ow_test_path("two.json", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(both_steps_are_those_of_two_gaussians),
        ow_test_on_heap(a_column_that_may_not_change_stays_bit_for_bit),
        ow_test_on_heap(steps_of_the_known_circuits),
        ow_test_on_heap(with_a_foreign_classifier_the_first_step_follows_its_log_odds),
        ow_test_on_heap(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("explain/two_step", tests, NULL, NULL);
}
