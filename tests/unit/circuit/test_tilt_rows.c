/* SPDX-License-Identifier: MIT */
/* Rows with their features and logits, as fitting a tilt wants them. */
#include "support/ow_test.h"
#include "support/tiny_circuits.h"

#include "circuit/learn/tilt_rows.h"
#include "circuit/pass/evaluator.h"
#include "support/test_call.h"

enum {
    n_rows = 1500,
    L = owi_tile_lanes
}; /* more than a block, and no multiple of a tile */

typedef struct {
    ow_context *ctx;
    ow_tiny_rows data;
    ow_circuit *circuit;
    ow_evaluator *evaluator;
    owi_tilt_rows rows;
} bench;

static bench bench_new(double missing)
{
    bench b = {.data = ow_tiny_rows_new(n_rows, 2, missing, 5)};
    const ow_row_source source = ow_row_source_of_array(&b.data.array);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 2);
    assert_ok(ow_context_new(NULL, &b.ctx));
    b.circuit = ow_tiny_circuit(b.ctx, &spec, &b.data);
    assert_ok(ow_evaluator_new(b.circuit, NULL, &b.evaluator));
    assert_ok(owi_tilt_rows_read(&b.rows, ow_test_call(b.evaluator->circuit->ctx, NULL),
                                 b.evaluator, &source));
    return b;
}

static void bench_free(bench *b)
{
    owi_tilt_rows_clear(&b->rows);
    ow_evaluator_free(b->evaluator);
    ow_circuit_free(b->circuit);
    ow_tiny_rows_free(&b->data);
    ow_context_free(b->ctx);
}

static double feature(const bench *b, size_t row, size_t f)
{
    return (double)b->rows.features[(row / L * b->rows.n_features + f) * L + row % L];
}

static void logits_are_the_circuit_s_with_the_shares_of_the_rows(void **state)
{
    (void)state;
    bench b = bench_new(0.0);
    double log_class[2 * n_rows];
    assert_int_equal(b.rows.n_rows, n_rows);
    assert_ok(ow_evaluator_evaluate(b.evaluator, n_rows, b.data.rows, NULL, log_class));
    assert_true(b.rows.class_rows[0] + b.rows.class_rows[1] == n_rows);
    for (size_t i = 0; i < 2 * n_rows; i++)
        log_class[i] += log(b.rows.class_rows[i % 2] / n_rows);
    assert_close(b.rows.logit, log_class, 2 * n_rows, 1e-12);
    assert_memory_equal(b.rows.classes, b.data.classes, n_rows * sizeof *b.data.classes);
    bench_free(&b);
}

static void a_missing_value_counts_as_an_average_one_and_squares_as_nothing(void **state)
{
    (void)state;
    bench b = bench_new(0.2);
    const ow_circuit *circuit = b.circuit;
    size_t n_missing = 0;
    for (size_t i = 0; i < n_rows; i++)
        for (size_t f = 0; f < circuit->n_features; f++) {
            const owi_feature *kind = &circuit->features[f];
            const float x = b.data.rows[i * ow_tiny_columns + kind->column];
            const double got = feature(&b, i, f);
            if (kind->kind == OWI_FEATURE_VARIANCE) {
                assert_true(got == 0.0);
            } else if (isnan(x)) {
                assert_true(got == (double)(float)circuit->average[f]);
                n_missing++;
            } else if (kind->kind == OWI_FEATURE_LEVEL) {
                assert_true(got == ((double)x == (double)kind->index));
            }
        }
    assert_true(n_missing > 1000);
    bench_free(&b);
}

static void the_sums_of_a_class_are_those_of_its_rows(void **state)
{
    (void)state;
    bench b = bench_new(0.1);
    const size_t F = b.rows.n_features;
    for (size_t f = 0; f < F; f++) {
        double sum[2] = {0};
        for (size_t i = 0; i < n_rows; i++) sum[b.data.classes[i]] += feature(&b, i, f);
        assert_close(&b.rows.class_sum[f], &sum[0], 1, 1e-9);
        assert_close(&b.rows.class_sum[F + f], &sum[1], 1, 1e-9);
    }
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logits_are_the_circuit_s_with_the_shares_of_the_rows),
        cmocka_unit_test(a_missing_value_counts_as_an_average_one_and_squares_as_nothing),
        cmocka_unit_test(the_sums_of_a_class_are_those_of_its_rows),
    };
    return cmocka_run_group_tests_name("circuit/tilt_rows", tests, NULL, NULL);
}
