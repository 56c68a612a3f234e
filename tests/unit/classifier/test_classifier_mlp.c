/* SPDX-License-Identifier: MIT */
/* A network as a classifier: the softmax of its outputs, and gradients by differences. */
#include "support/ow_test.h"
#include "support/tiny_networks.h"

#include "classifier/classifier_mlp.h"

enum { width = 6, C = 3, n_rows = 90 };

static void define(const owi_mlp *mlp, const double *parameters, const double *row,
                   double *log_proba)
{
    double sum = 0.0;
    ow_brute_network(mlp, parameters, row, log_proba);
    for (size_t c = 0; c < C; c++) sum += exp(log_proba[c]);
    for (size_t c = 0; c < C; c++) log_proba[c] -= log(sum);
}

static double weigh(const owi_mlp *mlp, const double *parameters, const double *row,
                    const double *factor)
{
    double log_proba[C], sum = 0.0;
    define(mlp, parameters, row, log_proba);
    for (size_t c = 0; c < C; c++) sum += factor[c] * log_proba[c];
    return sum;
}

static void probabilities_and_gradients_are_those_of_the_definition(void **state)
{
    static double parameters[200], got[n_rows * C], alone[n_rows * C], factor[n_rows * C];
    static float gradient[n_rows * width];
    const size_t hidden = 9;
    float *rows = ow_random_floats(n_rows * width, 0.1, 2);
    owi_mlp *mlp =
        ow_random_network(ow_test_context(state), OWI_MLP_CLASSES, width, 1, &hidden, C, 3);
    ow_classifier *classifier = NULL;
    ow_copy_parameters(mlp, parameters);
    assert_ok(owi_classifier_from_mlp(mlp, NULL, &classifier));
    assert_int_equal(ow_classifier_n_classes(classifier), C);
    assert_int_equal(ow_classifier_width(classifier), width);
    for (size_t i = 0; i < n_rows * C; i++) factor[i] = (double)(i * 5 % 7) - 3.0;
    assert_ok(
        ow_classifier_differentiate(classifier, n_rows, rows, factor, NULL, got, gradient));
    assert_ok(ow_classifier_classify(classifier, n_rows, rows, NULL, alone));
    assert_memory_equal(got, alone, sizeof got);
    for (size_t i = 0; i < n_rows; i++) {
        double row[width], log_proba[C];
        for (size_t j = 0; j < width; j++) row[j] = (double)rows[i * width + j];
        define(mlp, parameters, row, log_proba);
        assert_close(got + i * C, log_proba, C, 1e-5);
        for (size_t j = 0; j < width; j++) {
            const double x = row[j], step = 1e-6, found = (double)gradient[i * width + j];
            double want = 0.0;
            if (!isnan(x)) {
                row[j] = x + step;
                want = weigh(mlp, parameters, row, factor + i * C);
                row[j] = x - step;
                want = (want - weigh(mlp, parameters, row, factor + i * C)) / (2.0 * step);
                row[j] = x;
            }
            assert_close(&found, &want, 1, 1e-3);
        }
    }
    ow_classifier_free(classifier);
    owi_mlp_free(mlp);
    free(rows);
}

static ow_status build(ow_context *ctx, void *user)
{
    owi_mlp_spec spec;
    owi_mlp *mlp = NULL;
    ow_classifier *classifier = NULL;
    (void)user;
    (void)owi_mlp_spec_fill(&spec, OWI_MLP_CLASSES, width, 0, NULL, C);
    ow_status status = owi_mlp_new(ctx, &spec, &mlp);
    if (status == OW_OK) status = owi_classifier_from_mlp(mlp, NULL, &classifier);
    assert_true((classifier != NULL) == (status == OW_OK));
    ow_classifier_free(classifier);
    owi_mlp_free(mlp);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(build, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(probabilities_and_gradients_are_those_of_the_definition),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("classifier/classifier_mlp", tests, NULL, NULL);
}
