/* SPDX-License-Identifier: MIT */
#include "support/plane_model.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

/* One leaf region with a component for each class, which has that component alone. */
static void write_circuit(size_t n_classes, const double means[][2], char *text,
                          size_t size)
{
    char mean[256] = "", variance[128] = "", weights[256] = "", prior[64] = "";
    for (size_t c = 0; c < n_classes; c++) {
        const char *comma = c > 0 ? "," : "";
        size_t n = strlen(mean);
        snprintf(mean + n, sizeof mean - n, "%s[%.17g,%.17g]", comma, means[c][0],
                 means[c][1]);
        n = strlen(variance);
        snprintf(variance + n, sizeof variance - n, "%s[1,1]", comma);
        n = strlen(prior);
        snprintf(prior + n, sizeof prior - n, "%s%.17g", comma, 1.0 / (double)n_classes);
        n = strlen(weights);
        snprintf(weights + n, sizeof weights - n, "%s[", comma);
        for (size_t k = 0; k < n_classes; k++) {
            n = strlen(weights);
            snprintf(weights + n, sizeof weights - n, "%s%d", k > 0 ? "," : "", k == c);
        }
        n = strlen(weights);
        snprintf(weights + n, sizeof weights - n, "]");
    }
    snprintf(text, size,
             "{\"format\":\"ratspn-vectors-1\",\"d\":2,\"C\":%zu,\"D\":0,\"R\":1,\"S\":0,"
             "\"I\":%zu,\"class_prior\":[%s],\"regions\":[{\"scope\":[0,1],"
             "\"mean\":[%s],\"var\":[%s]}],\"root\":{\"partitions\":[{\"children\":[0],"
             "\"weights\":[%s]}]}}",
             n_classes, n_classes, prior, mean, variance, weights);
}

ow_status ow_test_plane_new(ow_context *ctx, size_t n_classes, const double means[][2],
                            ow_model **out)
{
    char text[2048];
    const char *path = ow_test_path("plane.json", 7);
    write_circuit(n_classes, means, text, sizeof text);
    ow_test_write_file(path, text, strlen(text));
    return ow_model_import(ctx, path, &how, out);
}

ow_model *ow_test_plane(ow_context *ctx, size_t n_classes, const double means[][2])
{
    ow_model *model = NULL;
    assert_ok(ow_test_plane_new(ctx, n_classes, means, &model));
    return model;
}

ow_explainer *ow_test_method(ow_model *model, const char *method, const char *preset,
                             const char *parameters)
{
    ow_explainer *explainer = NULL;
    char text[512];
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = model},
                               method, &explainer));
    if (preset != NULL) assert_ok(ow_explainer_preset(explainer, preset));
    snprintf(text, sizeof text, "%s", parameters);
    for (char *name = strtok(text, " "); name != NULL; name = strtok(NULL, " ")) {
        char *value = strchr(name, '=');
        assert_non_null(value);
        *value = '\0';
        assert_ok(ow_explainer_set(explainer, name, value + 1));
    }
    return explainer;
}

ow_explanation *ow_test_explain(ow_explainer *explainer, const ow_constraints *constraints,
                                int32_t target, size_t n, const double *rows)
{
    ow_explain_options options = ow_test_explain_defaults();
    ow_explanation *explanation = NULL;
    options.target = target;
    options.explain_failure = false;
    assert_ok(ow_explainer_explain(explainer, constraints, &options, n, rows, &how,
                                   &explanation));
    return explanation;
}

const ow_counterfactual *ow_test_first_answer(const ow_explanation *explanation)
{
    const ow_outcome *outcome = ow_explanation_outcome(explanation, 0);
    assert_int_equal(outcome->n_answers, 1);
    return outcome->answers[0];
}

/* tolerance 0: the same bytes. */
static void assert_same_encoded(const ow_explanation *a, size_t row,
                                const ow_explanation *b, size_t other, size_t width,
                                double tolerance)
{
    const ow_outcome *one = ow_explanation_outcome(a, row);
    const ow_outcome *two = ow_explanation_outcome(b, other);
    assert_int_equal(one->kind, two->kind);
    assert_int_equal(one->n_answers, two->n_answers);
    for (size_t j = 0; one->n_answers > 0 && j < width; j++) {
        const double want = (double)one->answers[0]->soft[j];
        const double got = (double)two->answers[0]->soft[j];
        assert_close(&got, &want, 1, tolerance);
    }
}

void ow_test_same_answers(ow_explainer *explainer, size_t width, size_t n, size_t n_columns,
                          const double *rows)
{
    static const size_t threads[] = {2, 5};
    how.threads = 1;
    ow_explanation *want = ow_test_explain(explainer, NULL, OW_ANY_OTHER_CLASS, n, rows);
    for (size_t t = 0; t < 2; t++) {
        how.threads = threads[t];
        ow_explanation *got = ow_test_explain(explainer, NULL, OW_ANY_OTHER_CLASS, n, rows);
        for (size_t i = 0; i < n; i++) assert_same_encoded(want, i, got, i, width, 0.0);
        ow_explanation_free(got);
    }
    for (size_t i = 0; i < n; i += 7) {
        ow_explanation *got =
            ow_test_explain(explainer, NULL, OW_ANY_OTHER_CLASS, 1, rows + i * n_columns);
        assert_same_encoded(want, i, got, 0, width, 1e-3);
        ow_explanation_free(got);
    }
    ow_explanation_free(want);
    how.threads = 0;
}
