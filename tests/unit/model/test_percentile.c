/* SPDX-License-Identifier: MIT */
/* Percentiles: ranks by counting, and rows with gaps against the marginals of all
 * samples. */
#include "support/ow_test.h"

#include "model/percentile.h"
#include "support/test_call.h"

enum { d = 4 };

static void a_rank_counts_what_is_below_and_half_of_what_is_equal(void **state)
{
    (void)state;
    const float sorted[] = {-INFINITY, -9.0f, -5.0f, -5.0f, -5.0f, -1.0f, 0.0f, 3.0f};
    const double x[] = {-INFINITY, -20.0, -9.0, -7.0, -5.0, -1.0, 0.0, 2.0, 3.0, 4.0};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        double halves = 0.0;
        for (size_t k = 0; k < 8; k++)
            halves += (double)sorted[k] < x[i]    ? 2.0
                      : (double)sorted[k] == x[i] ? 1.0
                                                  : 0.0;
        const double want = 100.0 * halves / 16.0, got = owi_percentile_of(sorted, 8, x[i]);
        assert_close(&got, &want, 1, 1e-12);
    }
    assert_true(isnan(owi_percentile_of(NULL, 0, 1.0)));
}

static void rounding_does_not_part_equal_densities(void **state)
{
    (void)state;
    const float sorted[] = {-700.001f, -700.0f, -699.999f};
    const double got = owi_percentile_of(sorted, 3, -700.0005), half = 50.0;
    assert_close(&got, &half, 1, 0.0);
}

/* Gaps of the row as bits. */
static void make_gaps(float row[d], unsigned gaps)
{
    for (size_t j = 0; j < d; j++)
        if (gaps >> j & 1) row[j] = NAN;
}

/* The same by counting: the marginals of the class's samples one by one. */
static double by_counting(const ow_model *model, ow_evaluator *evaluator, unsigned gaps,
                          size_t class_index, double log_class)
{
    size_t n, below = 0;
    const float *samples = ow_model_samples(model, class_index, &n);
    for (size_t i = 0; i < n; i++) {
        float row[d];
        double both[2];
        memcpy(row, samples + i * d, sizeof row);
        make_gaps(row, gaps);
        assert_ok(ow_evaluator_evaluate(evaluator, 1, row, NULL, both));
        below += both[class_index] < log_class;
    }
    return 100.0 * (double)below / (double)n;
}

static void rows_with_gaps_rank_among_samples_with_the_same_gaps(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = NULL;
    ow_evaluator *evaluator = NULL;
    owi_gap_percentiles *percentiles = NULL;
    assert_ok(ow_model_import(ctx, "tests/golden/circuits/a_d4_D1.json", NULL, &model));
    assert_ok(ow_evaluator_new(ow_model_circuit(model), NULL, &evaluator));
    /* Room for fewer than there are, so that some are forgotten and made again. */
    assert_ok(owi_gap_percentiles_new(model, evaluator, 3, &percentiles));
    for (unsigned turn = 0; turn < 6; turn++) {
        const unsigned gaps = 1 + turn * 3 % 14;
        const size_t c = turn % 2;
        float row[d] = {0.3f * (float)turn - 1.0f, 0.5f, -0.2f * (float)turn, 1.0f};
        double both[2], got, again;
        make_gaps(row, gaps);
        assert_ok(ow_evaluator_evaluate(evaluator, 1, row, NULL, both));
        assert_ok(owi_gap_percentile(ow_test_call(ctx, NULL), percentiles, row, c, both[c],
                                     &got));
        const double want = by_counting(model, evaluator, gaps, c, both[c]);
        assert_true(fabs(got - want) < 0.06); /* one of 2000 samples may be a tie */
        assert_ok(owi_gap_percentile(ow_test_call(ctx, NULL), percentiles, row, c, both[c],
                                     &again));
        assert_close(&again, &got, 1, 0.0);
    }
    owi_gap_percentiles_free(percentiles);
    ow_evaluator_free(evaluator);
    ow_model_free(model);
}

static void a_row_of_gaps_alone_is_in_the_middle(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const double values[2 * d] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}, half = 50.0;
    double percentile[2];
    const ow_predictions wanted = {.size = sizeof wanted, .percentile = percentile};
    ow_model *model = NULL;
    ow_predictor *predictor = NULL;
    assert_ok(ow_model_import(ctx, "tests/golden/circuits/a_d4_D1.json", NULL, &model));
    assert_ok(ow_predictor_new(model, NULL, &predictor));
    assert_ok(ow_predictor_predict(predictor, 2, values, NULL, &wanted));
    for (size_t i = 0; i < 2; i++) assert_close(&percentile[i], &half, 1, 0.0);
    ow_predictor_free(predictor);
    ow_model_free(model);
}

typedef struct {
    char *bytes;
    size_t size;
} model_file;

static ow_status predict_a_gap(ow_context *ctx, void *user)
{
    const model_file *file = user;
    ow_model *model = NULL;
    ow_predictor *predictor = NULL;
    double percentile;
    const ow_predictions wanted = {.size = sizeof wanted, .percentile = &percentile};
    const double values[d] = {0.0, NAN, 1.0, NAN};
    ow_status status = ow_model_parse(ctx, file->bytes, file->size, "a.ow", &model);
    if (status == OW_OK) status = ow_predictor_new(model, NULL, &predictor);
    if (status == OW_OK) status = ow_predictor_predict(predictor, 1, values, NULL, &wanted);
    ow_predictor_free(predictor);
    ow_model_free(model);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    ow_context *ctx = ow_test_context(state);
    model_file file;
    ow_model *model = NULL;
    assert_ok(ow_model_import(ctx, "tests/golden/circuits/a_d4_D1.json", NULL, &model));
    assert_ok(ow_model_format(model, &file.bytes, &file.size));
    ow_test_sweep(predict_a_gap, &file);
    ow_bytes_free(file.bytes);
    ow_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_counts_what_is_below_and_half_of_what_is_equal),
        cmocka_unit_test(rounding_does_not_part_equal_densities),
        ow_test_on_heap(rows_with_gaps_rank_among_samples_with_the_same_gaps),
        ow_test_on_heap(a_row_of_gaps_alone_is_in_the_middle),
        ow_test_on_heap(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("model/percentile", tests, NULL, NULL);
}
