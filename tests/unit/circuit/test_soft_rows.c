/* SPDX-License-Identifier: MIT */
/* Soft rows against rows at whole levels, and against the definition between them. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "backend/backend.h"
#include "base/numeric/rng.h"
#include "circuit/structure/circuit.h"

/* Numbers 1, 1; levels 3, 2; point masses 1; number 1; levels 2. */
enum { d = ow_tiny_columns, C = 3, width = 11, most_rows = 70, n_mixes = 3 };

typedef struct {
    ow_context *ctx;
    ow_circuit *circuit;
    ow_evaluator *evaluator;
    ow_tiny_rows rows;
    float soft[most_rows * width];
} fixture;

static void init(fixture *f, ow_structure structure, size_t depth, double variance,
                 double missing)
{
    ow_leaf leaves[d];
    ow_circuit_spec spec = ow_tiny_spec(structure, depth, C);
    memcpy(leaves, ow_tiny_leaves, sizeof leaves);
    if (variance > 0.0) leaves[4] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = 4};
    spec.leaves = leaves;
    spec.variance = variance;
    *f = (fixture){.rows = ow_tiny_rows_new(most_rows, C, missing, 6)};
    assert_ok(ow_context_new(NULL, &f->ctx));
    f->circuit = ow_random_circuit(f->ctx, &spec, 31 + depth);
    assert_ok(ow_evaluator_new(f->circuit, NULL, &f->evaluator));
    assert_int_equal(ow_circuit_soft_width(f->circuit), width);
    ow_circuit_soften(f->circuit, most_rows, f->rows.rows, f->soft);
}

static void clear(fixture *f)
{
    ow_evaluator_free(f->evaluator);
    ow_circuit_free(f->circuit);
    ow_context_free(f->ctx);
    ow_tiny_rows_free(&f->rows);
}

/* Shares that are none of the levels' own, also below 0 and above 1; what is missing stays
 * so. */
static void blur(fixture *f)
{
    owi_rng rng;
    owi_rng_init(&rng, 9, 0);
    for (size_t j = 0; j < d; j++) {
        size_t first;
        const size_t n = ow_circuit_soft_span(f->circuit, j, &first);
        for (size_t i = 0; i < most_rows && n > 1; i++)
            for (size_t k = 0; k < n; k++)
                f->soft[i * width + first + k] +=
                    (float)(0.3 * owi_rng_normal(&rng)); /* NaN stays NaN */
    }
}

static void spans_lie_side_by_side(void **state)
{
    (void)state;
    static const size_t spans[d] = {1, 1, 3, 2, 1, 1, 2};
    fixture f;
    init(&f, OW_STRUCTURE_SHARED, 1, 0.0, 0.2);
    size_t at = 0, first;
    for (size_t j = 0; j < d; at += spans[j++]) {
        assert_int_equal(ow_circuit_soft_span(f.circuit, j, &first), spans[j]);
        assert_int_equal(first, at);
    }
    for (size_t i = 0; i < most_rows * d; i++) {
        const size_t n = ow_circuit_soft_span(f.circuit, i % d, &first);
        const float x = f.rows.rows[i], *entry = f.soft + i / d * width + first;
        for (size_t k = 0; k < n; k++) {
            const bool is_level = i % d == 2 || i % d == 3 || i % d == 6;
            if (isnan(x))
                assert_true(isnan(entry[k]));
            else
                assert_true(entry[k] == (is_level ? (x == (float)k ? 1.0f : 0.0f) : x));
        }
    }
    clear(&f);
}

static void whole_levels_have_the_density_of_rows_to_the_bit(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 5, 23, 24, 64, 65, most_rows};
    for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
         structure++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int gaps = 0; gaps < 2; gaps++) {
                double rows[most_rows * C], soft[most_rows * C];
                fixture f;
                init(&f, (ow_structure)structure, i % 3, i % 2 == 0 ? 0.0 : 0.6,
                     gaps ? 0.2 : 0.0);
                assert_ok(
                    ow_evaluator_evaluate(f.evaluator, sizes[i], f.rows.rows, NULL, rows));
                assert_ok(
                    ow_evaluator_evaluate_soft(f.evaluator, sizes[i], f.soft, NULL, soft));
                assert_memory_equal(rows, soft, sizes[i] * C * sizeof *rows);
                /* And rows after soft rows are rows again. */
                assert_ok(
                    ow_evaluator_evaluate(f.evaluator, sizes[i], f.rows.rows, NULL, soft));
                assert_memory_equal(rows, soft, sizes[i] * C * sizeof *rows);
                clear(&f);
            }
}

static void copy_row(const fixture *f, size_t i, double *at)
{
    for (size_t e = 0; e < width; e++) at[e] = (double)f->soft[i * width + e];
}

static void between_levels_log_probabilities_are_mixed(void **state)
{
    (void)state;
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
        double got[most_rows * C], want[most_rows * C], at[width];
        fixture f;
        init(&f, OW_STRUCTURE_PER_CLASS, depth, 0.0, 0.2);
        blur(&f);
        for (size_t i = 0; i < most_rows; i++)
            for (size_t c = 0; c < C; c++) {
                copy_row(&f, i, at);
                want[i * C + c] = ow_brute_log_class_soft(f.circuit, c, at);
            }
        assert_ok(ow_evaluator_evaluate_soft(f.evaluator, most_rows, f.soft, NULL, got));
        assert_close(got, want, most_rows * C, 1e-5);
        clear(&f);
    }
}

/* sum_c factor[c] log S(x given c) + density log S(x). */
static double mixed(const ow_circuit *circuit, const double *at, const double *factor,
                    double density)
{
    double sum = 0.0, log_class[C], log_density;
    for (size_t c = 0; c < C; c++) {
        log_class[c] = ow_brute_log_class_soft(circuit, c, at);
        if (factor != NULL) sum += factor[c] * log_class[c];
    }
    ow_circuit_posterior(circuit, 1, log_class, &log_density, NULL);
    return sum + density * log_density;
}

static void differences(const fixture *f, size_t i, const double *factor, double density,
                        double *gradient)
{
    double at[width];
    copy_row(f, i, at);
    for (size_t e = 0; e < width; e++) {
        const double x = at[e], step = 1e-5;
        const bool is_mass =
            e == 7 && f->circuit->leaves[4].n_masses > 0 && (at[e] == 0.0 || at[e] == 1.0);
        gradient[e] = 0.0;
        if (isnan(x) || is_mass) continue;
        at[e] = x + step;
        gradient[e] = mixed(f->circuit, at, factor, density) / (2.0 * step);
        at[e] = x - step;
        gradient[e] -= mixed(f->circuit, at, factor, density) / (2.0 * step);
        at[e] = x;
    }
}

/* In batches and alone, all sub-circuits and only those that a mix needs. */
static void gradients_are_the_limits_of_differences(void **state)
{
    (void)state;
    enum { n = 26 };
    static double factor[n * C], want[n_mixes * n * width], got[n_mixes * n * width];
    static float gradients[n_mixes * n * width];
    double log_class[n * C], alone[n * C];
    for (size_t i = 0; i < n; i++) factor[i * C + i % C] = (double)(i % 5) - 2.5;
    const ow_mix mixes[n_mixes] = {{factor, 0.0}, {NULL, 1.0}, {factor, -0.7}};
    for (size_t which = 0; which < 12; which++) {
        fixture f;
        init(&f, which % 2 == 0 ? OW_STRUCTURE_PER_CLASS : OW_STRUCTURE_SHARED, which % 3,
             which < 6 ? 0.0 : 0.6, 0.15);
        blur(&f);
        for (size_t m = 0; m < n_mixes; m++)
            for (size_t i = 0; i < n; i++)
                differences(&f, i, m == 1 ? NULL : factor + i * C, mixes[m].density_factor,
                            want + (m * n + i) * width);
        assert_ok(ow_evaluator_differentiate_soft(f.evaluator, n, f.soft, n_mixes, mixes,
                                                  NULL, log_class, gradients));
        for (size_t i = 0; i < n_mixes * n * width; i++) got[i] = (double)gradients[i];
        assert_close(got, want, n_mixes * n * width, 5e-5);
        assert_ok(ow_evaluator_evaluate_soft(f.evaluator, n, f.soft, NULL, alone));
        assert_memory_equal(log_class, alone, sizeof alone);
        for (size_t rows = 1; rows <= n; rows += n - 1) {
            assert_ok(ow_evaluator_differentiate_soft(f.evaluator, rows, f.soft, 1, mixes,
                                                      NULL, NULL, gradients));
            for (size_t i = 0; i < rows * width; i++) got[i] = (double)gradients[i];
            assert_close(got, want, rows * width, 5e-5);
        }
        clear(&f);
    }
}

static void soft_rows_of_numbers_are_rows(void **state)
{
    (void)state;
    const ow_leaf leaves[2] = {{.kind = OW_LEAF_GAUSSIAN},
                               {.kind = OW_LEAF_GAUSSIAN, .group = 1}};
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, C);
    const float rows[8] = {0.5f, -1.0f, NAN, 2.0f, 3.0f, NAN, 0.25f, 0.125f};
    float soft[8], gradient[8], gradient_soft[8];
    double log_class[4 * C], log_soft[4 * C];
    const ow_mix mix = {NULL, 1.0};
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    spec.leaves = leaves;
    spec.n_columns = 2;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit *circuit = ow_random_circuit(ctx, &spec, 1);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    assert_int_equal(ow_circuit_soft_width(circuit), 2);
    ow_circuit_soften(circuit, 4, rows, soft);
    assert_memory_equal(rows, soft, sizeof soft);
    assert_ok(
        ow_evaluator_differentiate(evaluator, 4, rows, 1, &mix, NULL, log_class, gradient));
    assert_ok(ow_evaluator_differentiate_soft(evaluator, 4, soft, 1, &mix, NULL, log_soft,
                                              gradient_soft));
    assert_memory_equal(log_class, log_soft, sizeof log_soft);
    assert_memory_equal(gradient, gradient_soft, sizeof gradient);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

/* Its row is level 0, its soft row the share 1. */
static void a_category_of_one_level_has_a_share_too(void **state)
{
    (void)state;
    const ow_leaf leaf = {.kind = OW_LEAF_CATEGORICAL, .n_levels = 1};
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 0, C);
    const float row = 0.0f;
    float soft = -1.0f;
    double log_class[C], log_soft[C];
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    spec.leaves = &leaf;
    spec.n_columns = 1;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit *circuit = ow_random_circuit(ctx, &spec, 1);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    ow_circuit_soften(circuit, 1, &row, &soft);
    assert_true(soft == 1.0f);
    assert_ok(ow_evaluator_evaluate(evaluator, 1, &row, NULL, log_class));
    assert_ok(ow_evaluator_evaluate_soft(evaluator, 1, &soft, NULL, log_soft));
    assert_memory_equal(log_class, log_soft, sizeof log_soft);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

static void infinite_shares_are_named_and_huge_ones_give_numbers(void **state)
{
    (void)state;
    static float gradients[most_rows * width];
    static double factor[most_rows * C], log_class[most_rows * C];
    const ow_mix mix = {factor, 0.0};
    fixture f;
    init(&f, OW_STRUCTURE_PER_CLASS, 1, 0.0, 0.0);
    for (size_t i = 0; i < most_rows; i++) factor[i * C + i % C] = 1.0;
    f.soft[66 * width + 3] = 3e38f;
    f.soft[67 * width + 4] = -3e38f;
    assert_ok(ow_evaluator_evaluate_soft(f.evaluator, most_rows, f.soft, NULL, log_class));
    for (size_t i = 0; i < most_rows * C; i++) assert_true(!isnan(log_class[i]));
    f.soft[66 * width + 3] = INFINITY;
    assert_fails(
        ow_evaluator_evaluate_soft(f.evaluator, most_rows, f.soft, NULL, log_class),
        OW_ERR_NUMERIC, "row 67, column 2: expected the share of level 1, got infinity");
    assert_fails(ow_evaluator_differentiate_soft(f.evaluator, most_rows, f.soft, 1, &mix,
                                                 NULL, NULL, gradients),
                 OW_ERR_NUMERIC,
                 "row 67, column 2: expected the share of level 1, got infinity");
    f.soft[66 * width + 3] = 0.0f;
    f.soft[8] = INFINITY;
    assert_fails(ow_evaluator_evaluate_soft(f.evaluator, most_rows, f.soft, NULL,
                                            log_class),
                 OW_ERR_NUMERIC, "row 1, column 5: expected a number, got infinity");
    clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_lie_side_by_side),
        cmocka_unit_test(whole_levels_have_the_density_of_rows_to_the_bit),
        cmocka_unit_test(between_levels_log_probabilities_are_mixed),
        cmocka_unit_test(gradients_are_the_limits_of_differences),
        cmocka_unit_test(soft_rows_of_numbers_are_rows),
        cmocka_unit_test(a_category_of_one_level_has_a_share_too),
        cmocka_unit_test(infinite_shares_are_named_and_huge_ones_give_numbers),
    };
    return cmocka_run_group_tests_name("circuit/soft_rows", tests, NULL, NULL);
}
