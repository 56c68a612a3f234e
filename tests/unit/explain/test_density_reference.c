/* SPDX-License-Identifier: MIT */
/* Thresholds against their definition, row by row. */
#include "base/numeric/sorted.h"
#include "explain/core/density_reference.h"
#include "support/explain_fixture.h"
#include "support/test_call.h"

/* log S(row on some columns given c), by masking values. */
static double log_class_on(const ow_test_model *m, ow_evaluator *evaluator,
                           const double *row, const bool *keep, size_t c)
{
    double values[16], log_class[2];
    float encoded[64];
    for (size_t j = 0; j < m->n_columns; j++) values[j] = keep[j] ? row[j] : NAN;
    ow_model_encode(m->model, 1, values, encoded);
    assert_ok(ow_evaluator_evaluate(evaluator, 1, encoded, NULL, log_class));
    return log_class[c];
}

/* quantile_q(c_i) + log S(x on M and I given t), as density_reference.h has it, over rows
 * in original units. */
static double by_hand(const ow_test_model *m, ow_evaluator *evaluator, const bool *frozen,
                      size_t n, const double *rows, const double *query, size_t t, double q)
{
    bool has[16], fixed[16];
    double *c = calloc(n, sizeof *c);
    for (size_t j = 0; j < m->n_columns; j++) {
        has[j] = !isnan(query[j]);
        fixed[j] = has[j] && frozen[j];
    }
    for (size_t i = 0; i < n; i++)
        c[i] = log_class_on(m, evaluator, rows + i * m->n_columns, has, t) -
               log_class_on(m, evaluator, rows + i * m->n_columns, fixed, t);
    owi_sort_numbers(c, n);
    const double threshold =
        owi_quantile(c, n, q) + log_class_on(m, evaluator, query, fixed, t);
    free(c);
    return threshold;
}

static void thresholds_are_conditional_on_what_cannot_change(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_evaluator *evaluator = NULL;
    owi_density_reference *reference = NULL;
    const bool frozen[2][16] = {{false}, {false, true, false, false, true}};
    assert_ok(ow_evaluator_new(ow_model_circuit(m.model), NULL, &evaluator));
    for (size_t k = 0; k < 2; k++) {
        double queries[3][16], got[3];
        const int32_t targets[3] = {0, 1, 1};
        for (size_t i = 0; i < 3; i++)
            memcpy(queries[i], m.values + i * m.n_columns, sizeof queries[i]);
        queries[1][1] = queries[2][0] = queries[2][5] = NAN;
        assert_ok(
            owi_density_reference_new(m.model, NULL, frozen[k], 0, NULL, NULL, &reference));
        for (size_t i = 0; i < 3; i++) {
            const size_t t = (size_t)targets[i];
            size_t n;
            const float *samples = ow_model_samples(m.model, t, &n);
            double *rows = calloc(n * m.n_columns, sizeof *rows);
            ow_model_decode(m.model, n, samples, rows);
            assert_ok(owi_density_thresholds(ow_test_call(ow_test_context(state), NULL),
                                             reference, 1, queries[i], &targets[i], 0.25,
                                             &got[i]));
            const double want =
                by_hand(&m, evaluator, frozen[k], n, rows, queries[i], t, 0.25);
            /* Decoding rounds the samples' numbers. */
            assert_close(&got[i], &want, 1, 0.02);
            free(rows);
        }
        owi_density_reference_free(reference);
    }
    ow_evaluator_free(evaluator);
    ow_test_model_free(&m);
}

static void background_rows_of_the_class_come_before_samples(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    const bool frozen[16] = {false, true};
    const size_t n = 50;
    ow_evaluator *evaluator = NULL;
    owi_density_reference *reference = NULL;
    int32_t predicted[50], targets[2] = {1, 0};
    double got[2], queries[2][16], some[50 * 16];
    size_t n_some = 0;
    assert_ok(ow_evaluator_new(ow_model_circuit(m.model), NULL, &evaluator));
    for (size_t i = 0; i < n; i++) {
        predicted[i] = i % 3 == 0 ? 1 : 7; /* none of class 0 */
        if (i % 3 == 0)
            memcpy(some + m.n_columns * n_some++, m.values + i * m.n_columns,
                   m.n_columns * sizeof *some);
    }
    for (size_t i = 0; i < 2; i++)
        memcpy(queries[i], m.values + 7 * m.n_columns, m.n_columns * sizeof(double));
    assert_ok(owi_density_reference_new(m.model, NULL, frozen, n, m.values, predicted,
                                        &reference));
    assert_ok(owi_density_thresholds(ow_test_call(ow_test_context(state), NULL), reference,
                                     1, queries[0], targets, 0.5, got));
    const double want = by_hand(&m, evaluator, frozen, n_some, some, queries[0], 1, 0.5);
    assert_close(got, &want, 1, 1e-4);
    assert_ok(owi_density_thresholds(ow_test_call(ow_test_context(state), NULL), reference,
                                     1, queries[1], targets + 1, 0.5, got + 1));
    assert_true(isfinite(got[1])); /* from the samples */
    owi_density_reference_free(reference);
    ow_evaluator_free(evaluator);
    ow_test_model_free(&m);
}

/* More patterns of gaps than are remembered, forwards and backwards: the same
 * thresholds. */
static void patterns_may_be_forgotten(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    const bool frozen[16] = {false};
    owi_density_reference *reference = NULL;
    double first[128], again[128], query[16];
    const int32_t target = 1;
    assert_ok(owi_density_reference_new(m.model, NULL, frozen, 0, NULL, NULL, &reference));
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < 100; k++) {
            const size_t bits = pass == 0 ? k : 99 - k;
            memcpy(query, m.values, sizeof query);
            for (size_t j = 0; j < 7; j++)
                if (bits >> j & 1) query[j] = NAN;
            assert_ok(owi_density_thresholds(ow_test_call(ow_test_context(state), NULL),
                                             reference, 1, query, &target, 0.25,
                                             (pass == 0 ? first : again) + bits));
        }
    assert_memory_equal(first, again, 100 * sizeof *first);
    owi_density_reference_free(reference);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(thresholds_are_conditional_on_what_cannot_change),
        ow_test_on_heap(background_rows_of_the_class_come_before_samples),
        ow_test_on_heap(patterns_may_be_forgotten),
    };
    return cmocka_run_group_tests_name("explain/density_reference", tests, NULL, NULL);
}
