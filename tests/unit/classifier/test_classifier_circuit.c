/* SPDX-License-Identifier: MIT */
/* A circuit as a classifier: its posterior, and the gradient of it. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "circuit/structure/circuit.h"

/* More rows than a block of those whose factors sum differently. */
enum { d = ow_tiny_columns, C = 3, width = 11, n_rows = 300 };

typedef struct {
    ow_context *ctx;
    ow_circuit *circuit;
    ow_classifier *classifier;
    ow_tiny_rows rows;
    float *soft;
} fixture;

static void init(fixture *f, ow_structure structure)
{
    const ow_circuit_spec spec = ow_tiny_spec(structure, 1, C);
    *f = (fixture){.rows = ow_tiny_rows_new(n_rows, C, 0.1, 8)};
    assert_ok(ow_context_new(NULL, &f->ctx));
    f->circuit = ow_random_circuit(f->ctx, &spec, 3);
    assert_ok(ow_classifier_from_circuit(f->circuit, NULL, &f->classifier));
    assert_int_equal(ow_classifier_n_classes(f->classifier), C);
    assert_int_equal(ow_classifier_width(f->classifier), width);
    f->soft = calloc(n_rows * width, sizeof *f->soft);
    ow_circuit_soften(f->circuit, n_rows, f->rows.rows, f->soft);
}

static void clear(fixture *f)
{
    ow_classifier_free(f->classifier);
    ow_circuit_free(f->circuit);
    ow_context_free(f->ctx);
    ow_tiny_rows_free(&f->rows);
    free(f->soft);
}

/* log P(c given x) of a soft row by the definition. */
static void define(const ow_circuit *circuit, const double *at, double *log_proba)
{
    double log_class[C], log_density;
    for (size_t c = 0; c < C; c++) log_class[c] = ow_brute_log_class_soft(circuit, c, at);
    ow_circuit_posterior(circuit, 1, log_class, &log_density, NULL);
    for (size_t c = 0; c < C; c++)
        log_proba[c] = log_class[c] + circuit->log_prior[c] - log_density;
}

static double weigh(const ow_circuit *circuit, const double *at, const double *factor)
{
    double log_proba[C], sum = 0.0;
    define(circuit, at, log_proba);
    for (size_t c = 0; c < C; c++) sum += factor[c] * log_proba[c];
    return sum;
}

static void probabilities_are_the_posterior(void **state)
{
    (void)state;
    for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
         structure++) {
        static double got[n_rows * C], want[n_rows * C];
        fixture f;
        init(&f, (ow_structure)structure);
        for (size_t i = 0; i < n_rows; i++) {
            double at[width];
            for (size_t e = 0; e < width; e++) at[e] = (double)f.soft[i * width + e];
            define(f.circuit, at, want + i * C);
        }
        assert_ok(ow_classifier_classify(f.classifier, n_rows, f.soft, NULL, got));
        assert_close(got, want, n_rows * C, 1e-5);
        clear(&f);
    }
}

/* Factors that sum to the same in all rows (as those of one class, or of odds) and
 * others. */
static void gradients_are_the_limits_of_differences(void **state)
{
    (void)state;
    static const char *const what[] = {"one class", "odds", "any"};
    for (size_t which = 0; which < 3; which++) {
        static double factor[n_rows * C], log_proba[n_rows * C], alone[n_rows * C];
        static float gradient[n_rows * width], quiet[n_rows * width];
        fixture f;
        init(&f, OW_STRUCTURE_PER_CLASS);
        for (size_t i = 0; i < n_rows; i++)
            for (size_t c = 0; c < C; c++)
                factor[i * C + c] = which == 2         ? (double)(i * 7 % 5 + c) - 2.0
                                    : c == i % C       ? 1.0
                                    : c == (i + 1) % C ? which == 1 ? -1.0 : 0.0
                                                       : 0.0;
        assert_ok(ow_classifier_differentiate(f.classifier, n_rows, f.soft, factor, NULL,
                                              log_proba, gradient));
        assert_ok(ow_classifier_classify(f.classifier, n_rows, f.soft, NULL, alone));
        assert_close(log_proba, alone, n_rows * C, 1e-12);
        assert_ok(ow_classifier_differentiate(f.classifier, n_rows, f.soft, factor, NULL,
                                              NULL, quiet));
        for (size_t i = 0; i < n_rows; i += 13) {
            double at[width];
            for (size_t e = 0; e < width; e++) at[e] = (double)f.soft[i * width + e];
            for (size_t e = 0; e < width; e++) {
                const double x = at[e], step = 1e-5;
                const bool is_mass = e == 7 && (x == 0.0 || x == 1.0);
                double want = 0.0;
                const double got[2] = {(double)gradient[i * width + e],
                                       (double)quiet[i * width + e]};
                if (!isnan(x) && !is_mass) {
                    at[e] = x + step;
                    want = weigh(f.circuit, at, factor + i * C);
                    at[e] = x - step;
                    want = (want - weigh(f.circuit, at, factor + i * C)) / (2.0 * step);
                    at[e] = x;
                }
                if (fabs(got[0] - want) > 2e-4) print_error("%s\n", what[which]);
                assert_close(&got[0], &want, 1, 2e-4);
                assert_close(&got[1], &want, 1, 2e-4);
            }
        }
        clear(&f);
    }
}

static void unknown_backends_and_missing_arguments_are_named(void **state)
{
    (void)state;
    fixture f;
    ow_classifier *classifier = NULL;
    init(&f, OW_STRUCTURE_SHARED);
    assert_fails(ow_classifier_from_circuit(f.circuit, "abacus", &classifier),
                 OW_ERR_UNSUPPORTED, "no backend abacus");
    assert_null(classifier);
    assert_fails(ow_classifier_classify(f.classifier, 1, f.soft, NULL, NULL),
                 OW_ERR_ARGUMENT, "log_proba");
    assert_fails(ow_classifier_differentiate(f.classifier, 1, f.soft, NULL, NULL, NULL,
                                             f.soft),
                 OW_ERR_ARGUMENT, "factor");
    assert_ok(ow_classifier_classify(f.classifier, 0, NULL, NULL, NULL));
    assert_ok(ow_classifier_differentiate(f.classifier, 0, NULL, NULL, NULL, NULL, NULL));
    ow_classifier_free(NULL);
    clear(&f);
}

static ow_status build(ow_context *ctx, void *user)
{
    const fixture *f = user;
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, C);
    static double log_proba[n_rows * C], factor[n_rows * C];
    static float gradient[n_rows * width];
    ow_circuit *circuit = NULL;
    ow_classifier *classifier = NULL;
    for (size_t i = 0; i < n_rows; i++) factor[i * C + i % C] = (double)i;
    ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    if (status == OW_OK) status = ow_classifier_from_circuit(circuit, NULL, &classifier);
    if (status == OW_OK)
        status = ow_classifier_differentiate(classifier, n_rows, f->soft, factor, NULL,
                                             log_proba, gradient);
    else
        assert_null(classifier);
    ow_classifier_free(classifier);
    ow_circuit_free(circuit);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    fixture f;
    init(&f, OW_STRUCTURE_PER_CLASS);
    ow_test_sweep(build, &f);
    clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_are_the_posterior),
        cmocka_unit_test(gradients_are_the_limits_of_differences),
        cmocka_unit_test(unknown_backends_and_missing_arguments_are_named),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("classifier/classifier_circuit", tests, NULL, NULL);
}
