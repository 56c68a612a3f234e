/* SPDX-License-Identifier: MIT */
/* Classifiers of somebody else: believed only where what they give can be. */
#include "support/ow_test.h"

enum { C = 3, width = 4, n_rows = 5 };

static const double weight[C][width] = {{0.5, -1.0, 0.25, 0.0},
                                        {-0.75, 0.5, 1.0, 2.0},
                                        {0.0, 0.25, -2.0, 1.0}};
static const float rows[n_rows * width] = {0.5f, -1.0f, 2.0f,  0.0f, 1.5f,  NAN,   0.25f,
                                           1.0f, 0.0f,  0.0f,  0.0f, 0.0f,  -3.0f, 2.0f,
                                           NAN,  NAN,   10.0f, 4.0f, -1.0f, 0.5f};

/* What the callback does besides classifying. */
typedef struct {
    bool is_proba, fails, gradient_fails;
    double spoil; /* put in place of row 3, class 1 */
    bool spoils;
    size_t n_calls, most_rows;
} behaviour;

/* log-softmax of W x, missing values as 0. */
static void linear(const float *row, double *log_proba)
{
    double sum = 0.0;
    for (size_t c = 0; c < C; c++) {
        log_proba[c] = 0.0;
        for (size_t j = 0; j < width; j++)
            if (!isnan(row[j])) log_proba[c] += weight[c][j] * (double)row[j];
        sum += exp(log_proba[c]);
    }
    for (size_t c = 0; c < C; c++) log_proba[c] -= log(sum);
}

static bool give_proba(void *user, size_t n, const float *x, double *log_proba)
{
    behaviour *b = user;
    b->n_calls++;
    if (n > b->most_rows) b->most_rows = n;
    for (size_t i = 0; i < n; i++) {
        linear(x + i * width, log_proba + i * C);
        for (size_t c = 0; c < C && b->is_proba; c++)
            log_proba[i * C + c] = exp(log_proba[i * C + c]);
    }
    if (b->spoils && n > 2) log_proba[2 * C + 1] = b->spoil;
    return !b->fails;
}

static bool give_gradient(void *user, size_t n, const float *x, const double *factor,
                          float *gradient)
{
    const behaviour *b = user;
    for (size_t i = 0; i < n; i++) {
        double log_proba[C], sum = 0.0;
        linear(x + i * width, log_proba);
        for (size_t c = 0; c < C; c++) sum += factor[i * C + c];
        for (size_t j = 0; j < width; j++) {
            double g = 0.0;
            for (size_t c = 0; c < C; c++)
                g += (factor[i * C + c] - sum * exp(log_proba[c])) * weight[c][j];
            gradient[i * width + j] = (float)g; /* also where x is missing */
        }
    }
    if (b->spoils && n > 2) gradient[2 * width + 1] = (float)b->spoil;
    return !b->gradient_fails;
}

static ow_callbacks callbacks_of(behaviour *b, bool with_gradient)
{
    return (ow_callbacks){.size = sizeof(ow_callbacks),
                          .user = b,
                          .n_classes = C,
                          .width = width,
                          .log_proba = give_proba,
                          .is_proba = b->is_proba,
                          .gradient = with_gradient ? give_gradient : NULL};
}

static ow_classifier *classifier_of(ow_context *ctx, behaviour *b, bool with_gradient)
{
    const ow_callbacks callbacks = callbacks_of(b, with_gradient);
    ow_classifier *classifier = NULL;
    assert_ok(ow_classifier_from_callbacks(ctx, &callbacks, &classifier));
    return classifier;
}

static void fill_factors(double factor[n_rows * C])
{
    for (size_t i = 0; i < n_rows * C; i++) factor[i] = (double)(i * 5 % 7) - 3.0;
}

static void probabilities_come_as_logarithms_either_way(void **state)
{
    for (int is_proba = 0; is_proba < 2; is_proba++) {
        behaviour b = {.is_proba = is_proba != 0};
        double got[n_rows * C], want[n_rows * C];
        ow_classifier *classifier = classifier_of(ow_test_context(state), &b, false);
        for (size_t i = 0; i < n_rows; i++) linear(rows + i * width, want + i * C);
        assert_ok(ow_classifier_classify(classifier, n_rows, rows, NULL, got));
        assert_close(got, want, n_rows * C, 1e-12);
        assert_int_equal(b.n_calls, 1);
        ow_classifier_free(classifier);
    }
}

/* The differences of a row in one call; 0 where a value is missing, whatever the callback
 * says. */
static void differences_stand_in_for_a_gradient(void **state)
{
    behaviour quiet = {.is_proba = true}, telling = {.is_proba = false};
    ow_classifier *by_differences = classifier_of(ow_test_context(state), &quiet, false);
    ow_classifier *by_gradient = classifier_of(ow_test_context(state), &telling, true);
    double factor[n_rows * C], log_proba[n_rows * C], want_proba[n_rows * C];
    float found[n_rows * width], told[n_rows * width];
    fill_factors(factor);
    assert_ok(ow_classifier_differentiate(by_differences, n_rows, rows, factor, NULL,
                                          log_proba, found));
    assert_int_equal(quiet.n_calls, 1 + n_rows);
    assert_int_equal(quiet.most_rows, 2 * width);
    assert_ok(ow_classifier_differentiate(by_gradient, n_rows, rows, factor, NULL,
                                          want_proba, told));
    assert_int_equal(telling.n_calls, 1);
    assert_close(log_proba, want_proba, n_rows * C, 1e-12);
    for (size_t i = 0; i < n_rows * width; i++) {
        const double got = (double)found[i], want = (double)told[i];
        assert_close(&got, &want, 1, 1e-4);
        if (isnan(rows[i])) assert_true(got == 0.0 && want == 0.0);
    }
    ow_classifier_free(by_differences);
    ow_classifier_free(by_gradient);
}

static void a_probability_of_0_has_a_gradient_that_is_a_number(void **state)
{
    behaviour b = {.is_proba = true, .spoils = true, .spoil = 0.0};
    ow_classifier *classifier = classifier_of(ow_test_context(state), &b, false);
    const float row[width] = {-40.0f, 0.0f, -40.0f, -200.0f};
    const double factor[C] = {0.0, 1.0, 0.0};
    float gradient[width];
    assert_ok(
        ow_classifier_differentiate(classifier, 1, row, factor, NULL, NULL, gradient));
    for (size_t j = 0; j < width; j++) assert_true(isfinite(gradient[j]));
    ow_classifier_free(classifier);
}

static void what_cannot_be_is_named(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const struct {
        behaviour b;
        const char *text;
    } cases[] = {
        {{.fails = true}, "the classifier failed on 5 rows"},
        {{.spoils = true, .spoil = NAN}, "NaN for the probability of class 1 in row 3"},
        {{.spoils = true, .is_proba = true, .spoil = NAN},
         "NaN for the probability of class 1 in row 3"},
        {{.spoils = true, .is_proba = true, .spoil = -0.5},
         "gave -0.5 for the probability of class 1 in row 3, expected 0 to 1"},
        {{.spoils = true, .is_proba = true, .spoil = 2.0}, "of row 3 sum to 2"},
        {{.spoils = true, .spoil = INFINITY}, "of row 3 sum to inf, expected 1"},
    };
    double log_proba[n_rows * C], factor[n_rows * C];
    float gradient[n_rows * width];
    fill_factors(factor);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        behaviour b = cases[i].b;
        ow_classifier *classifier = classifier_of(ctx, &b, false);
        assert_fails(ow_classifier_classify(classifier, n_rows, rows, NULL, log_proba),
                     OW_ERR_NUMERIC, cases[i].text);
        assert_status(ow_classifier_differentiate(classifier, n_rows, rows, factor, NULL,
                                                  NULL, gradient),
                      OW_ERR_NUMERIC);
        ow_classifier_free(classifier);
    }
}

static void a_gradient_that_cannot_be_is_named(void **state)
{
    ow_context *ctx = ow_test_context(state);
    double factor[n_rows * C];
    float gradient[n_rows * width];
    behaviour fails = {.gradient_fails = true};
    behaviour spoils = {.spoils = true, .spoil = INFINITY};
    ow_classifier *failing = classifier_of(ctx, &fails, true);
    ow_classifier *spoiling = classifier_of(ctx, &spoils, true);
    fill_factors(factor);
    assert_fails(ow_classifier_differentiate(failing, n_rows, rows, factor, NULL, NULL,
                                             gradient),
                 OW_ERR_NUMERIC, "the classifier's gradient failed on 5 rows");
    assert_fails(ow_classifier_differentiate(spoiling, n_rows, rows, factor, NULL, NULL,
                                             gradient),
                 OW_ERR_NUMERIC, "the classifier's gradient in row 3, entry 1 is inf");
    ow_classifier_free(failing);
    ow_classifier_free(spoiling);
}

/* In differences the number is that of the caller's row. */
static void differences_name_the_callers_row(void **state)
{
    behaviour b = {.spoils = true, .spoil = NAN};
    ow_classifier *classifier = classifier_of(ow_test_context(state), &b, false);
    double factor[n_rows * C];
    float gradient[n_rows * width];
    fill_factors(factor);
    assert_fails(ow_classifier_differentiate(classifier, n_rows, rows, factor, NULL, NULL,
                                             gradient),
                 OW_ERR_NUMERIC, "class 1 in row 1");
    ow_classifier_free(classifier);
}

static void callbacks_need_a_function_and_sizes(void **state)
{
    behaviour b = {0};
    ow_classifier *classifier = NULL;
    ow_callbacks callbacks = callbacks_of(&b, false);
    callbacks.log_proba = NULL;
    assert_fails(ow_classifier_from_callbacks(ow_test_context(state), &callbacks,
                                              &classifier),
                 OW_ERR_ARGUMENT, "log_proba");
    callbacks = callbacks_of(&b, false);
    callbacks.width = 0;
    assert_fails(ow_classifier_from_callbacks(ow_test_context(state), &callbacks,
                                              &classifier),
                 OW_ERR_ARGUMENT, "width");
    assert_null(classifier);
}

static ow_status build(ow_context *ctx, void *user)
{
    behaviour b = {0};
    const ow_callbacks callbacks = callbacks_of(&b, false);
    ow_classifier *classifier = NULL;
    double factor[n_rows * C];
    float gradient[n_rows * width];
    (void)user;
    fill_factors(factor);
    ow_status status = ow_classifier_from_callbacks(ctx, &callbacks, &classifier);
    if (status == OW_OK)
        status = ow_classifier_differentiate(classifier, n_rows, rows, factor, NULL, NULL,
                                             gradient);
    else
        assert_null(classifier);
    ow_classifier_free(classifier);
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
        ow_test_on_heap(probabilities_come_as_logarithms_either_way),
        ow_test_on_heap(differences_stand_in_for_a_gradient),
        ow_test_on_heap(a_probability_of_0_has_a_gradient_that_is_a_number),
        ow_test_on_heap(what_cannot_be_is_named),
        ow_test_on_heap(a_gradient_that_cannot_be_is_named),
        ow_test_on_heap(differences_name_the_callers_row),
        ow_test_on_heap(callbacks_need_a_function_and_sizes),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("classifier/classifier_callbacks", tests, NULL,
                                       NULL);
}
