/* SPDX-License-Identifier: MIT */
/* A density times exp(beta . features) is a circuit again. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "circuit/structure/circuit.h"
#include "circuit/structure/tilt.h"

enum { n_rows = 40, most_features = 32 };

typedef struct {
    ow_context *ctx;
    ow_tiny_rows rows;
    ow_circuit *circuit;
    ow_evaluator *evaluator;
} bench;

static bench bench_new(size_t depth, double variance)
{
    bench b = {.rows = ow_tiny_rows_new(n_rows, 2, 0.0, 5)};
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, depth, 2);
    ow_leaf plain[ow_tiny_columns];
    if (variance > 0.0) { /* which point masses cannot have */
        memcpy(plain, ow_tiny_leaves, sizeof plain);
        for (size_t j = 0; j < ow_tiny_columns; j++)
            if (plain[j].kind == OW_LEAF_POINT_MASSES)
                plain[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = plain[j].group};
        spec.leaves = plain;
        spec.variance = variance;
    }
    assert_ok(ow_context_new(NULL, &b.ctx));
    b.circuit = ow_tiny_circuit(b.ctx, &spec, &b.rows);
    assert_true(b.circuit->n_features <= most_features);
    assert_ok(ow_evaluator_new(b.circuit, NULL, &b.evaluator));
    return b;
}

static void bench_free(bench *b)
{
    ow_evaluator_free(b->evaluator);
    ow_circuit_free(b->circuit);
    ow_tiny_rows_free(&b->rows);
    ow_context_free(b->ctx);
}

static void fill_beta(const ow_circuit *circuit, double size, double *beta)
{
    for (size_t f = 0; f < circuit->n_features; f++)
        beta[f] = size * sin(1.0 + 3.0 * (double)f);
}

/* beta . phi(x), from what the features are said to be. */
static double score_of(const ow_circuit *circuit, const double *beta, const float *row)
{
    double sum = 0.0;
    for (size_t f = 0; f < circuit->n_features; f++) {
        const owi_feature *feature = &circuit->features[f];
        const ow_leaf *leaf = &circuit->leaves[feature->column];
        const double x = (double)row[feature->column];
        bool is_mass = false;
        for (size_t m = 0; m < leaf->n_masses; m++) is_mass |= x == (double)leaf->masses[m];
        switch (feature->kind) {
        case OWI_FEATURE_LEVEL:
            sum += beta[f] * (x == (double)feature->index);
            break;
        case OWI_FEATURE_MASS:
            sum += beta[f] * (x == (double)leaf->masses[feature->index]);
            break;
        case OWI_FEATURE_SLAB:
            sum += beta[f] * !is_mass;
            break;
        case OWI_FEATURE_NUMBER:
        case OWI_FEATURE_MEAN:
            if (!is_mass) sum += beta[f] * (x - (double)circuit->shift[feature->column]);
            break;
        case OWI_FEATURE_VARIANCE:
            break;
        }
    }
    return sum;
}

static void every_density_is_multiplied_and_stays_a_density(void **state)
{
    (void)state;
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
        for (size_t fixed = 0; fixed < 2; fixed++) {
            bench b = bench_new(depth, fixed ? 0.7 : 0.0);
            double beta[most_features], before[2 * n_rows], after[2 * n_rows], log_norm,
                all[2];
            float nothing[ow_tiny_columns];
            fill_beta(b.circuit, 0.8, beta);
            assert_ok(
                ow_evaluator_evaluate(b.evaluator, n_rows, b.rows.rows, NULL, before));
            assert_ok(owi_circuit_tilt(b.circuit, 1, beta, &log_norm));
            owi_circuit_prepare(NULL, b.circuit);
            assert_ok(ow_evaluator_evaluate(b.evaluator, n_rows, b.rows.rows, NULL, after));
            for (size_t i = 0; i < n_rows; i++) {
                before[2 * i + 1] +=
                    score_of(b.circuit, beta, b.rows.rows + i * ow_tiny_columns) - log_norm;
            }
            assert_close(after, before, 2 * n_rows, 1e-4); /* class 0 as it was */
            for (size_t j = 0; j < ow_tiny_columns; j++) nothing[j] = NAN;
            assert_ok(ow_evaluator_evaluate(b.evaluator, 1, nothing, NULL, all));
            assert_true(fabs(all[0]) < 1e-5 && fabs(all[1]) < 1e-5);
            bench_free(&b);
        }
}

static void no_tilt_changes_nothing(void **state)
{
    (void)state;
    bench b = bench_new(1, 0.0);
    double beta[most_features] = {0}, before[2 * n_rows], after[2 * n_rows], log_norm;
    assert_ok(ow_evaluator_evaluate(b.evaluator, n_rows, b.rows.rows, NULL, before));
    assert_ok(owi_circuit_tilt(b.circuit, 0, beta, &log_norm));
    owi_circuit_prepare(NULL, b.circuit);
    assert_ok(ow_evaluator_evaluate(b.evaluator, n_rows, b.rows.rows, NULL, after));
    assert_close(after, before, 2 * n_rows, 1e-5);
    assert_true(fabs(log_norm) < 1e-5);
    bench_free(&b);
}

/* E[phi] of the tilted class is d log Z / d beta. */
static void expected_features_are_the_slope_of_the_norm(void **state)
{
    (void)state;
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
        for (size_t fixed = 0; fixed < 2; fixed++) {
            const double variance = fixed ? 0.7 : 0.0, h = 1e-3;
            bench b = bench_new(depth, variance);
            double beta[most_features], expected[most_features], norm[2], slope, unused;
            fill_beta(b.circuit, 0.5, beta);
            const size_t F = b.circuit->n_features;
            assert_ok(owi_circuit_tilt(b.circuit, 1, beta, &unused));
            assert_ok(owi_circuit_expected_features(b.circuit, 1, expected));
            for (size_t f = 0; f < F; f++) {
                for (size_t side = 0; side < 2; side++) {
                    bench other = bench_new(depth, variance);
                    double moved[most_features];
                    memcpy(moved, beta, sizeof moved);
                    moved[f] += side == 0 ? -h : h;
                    assert_ok(owi_circuit_tilt(other.circuit, 1, moved, &norm[side]));
                    bench_free(&other);
                }
                slope = (norm[1] - norm[0]) / (2.0 * h);
                assert_close(&expected[f], &slope, 1, 1e-4);
            }
            bench_free(&b);
        }
}

static ow_status tilt(ow_context *ctx, void *user)
{
    (void)user;
    double beta[most_features] = {0.5}, expected[most_features], log_norm;
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 2, 2);
    ow_circuit *circuit = NULL;
    ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    if (status == OW_OK) status = owi_circuit_tilt(circuit, 0, beta, &log_norm);
    if (status == OW_OK) status = owi_circuit_expected_features(circuit, 0, expected);
    ow_circuit_free(circuit);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(tilt, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_density_is_multiplied_and_stays_a_density),
        cmocka_unit_test(no_tilt_changes_nothing),
        cmocka_unit_test(expected_features_are_the_slope_of_the_norm),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/tilt", tests, NULL, NULL);
}
