/* SPDX-License-Identifier: MIT */
/* Densities: against the definition, and against what any distribution must fulfil. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "backend/backend.h"
#include "circuit/structure/circuit.h"

/* Every leaf kind in eight columns, of which three are halved unequally. */
static ow_circuit_spec mixed_spec(ow_leaf leaves[8], ow_structure structure, size_t depth,
                                  size_t d)
{
    memcpy(leaves, ow_tiny_leaves, sizeof ow_tiny_leaves);
    leaves[7] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .log_cell = 1.3, .group = 7};
    return (ow_circuit_spec){.size = sizeof(ow_circuit_spec),
                             .structure = structure,
                             .depth = depth == ow_tree_depth ? 0 : depth,
                             .parents = depth == ow_tree_depth ? ow_tree_parents(d) : NULL,
                             .repetitions = 2,
                             .sums = 2,
                             .inputs = depth > 2 ? 2 : 3,
                             .n_classes = 3,
                             .n_columns = d,
                             .leaves = leaves,
                             .seed = 9};
}

static void evaluation_is_the_definition_on_every_backend(void **state)
{
    (void)state;
    static const struct {
        size_t d, depth;
    } sizes[] = {{1, 0},
                 {7, 0},
                 {2, 1},
                 {7, 1},
                 {5, 2},
                 {7, 2},
                 {8, 3},
                 {1, ow_tree_depth},
                 {2, ow_tree_depth},
                 {7, ow_tree_depth},
                 {8, ow_tree_depth}};
    enum { n_rows = 30 };
    ow_tiny_rows rows = ow_tiny_rows_new(n_rows, 3, 0.15, 2);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
             structure++) {
            const size_t d = sizes[i].d;
            ow_leaf leaves[8];
            float packed[n_rows * 8];
            double want[n_rows * 3], got[n_rows * 3];
            ow_context *ctx = NULL;
            assert_ok(ow_context_new(NULL, &ctx));
            const ow_circuit_spec spec =
                mixed_spec(leaves, (ow_structure)structure, sizes[i].depth, d);
            ow_circuit *circuit = ow_random_circuit(ctx, &spec, i + 1);
            assert_int_equal(circuit->spec.depth,
                             sizes[i].depth == ow_tree_depth ? 0 : sizes[i].depth);
            for (size_t row = 0; row < n_rows; row++) {
                for (size_t j = 0; j < d; j++)
                    packed[row * d + j] =
                        rows.rows[row * ow_tiny_columns + j % ow_tiny_columns];
                for (size_t c = 0; c < 3; c++)
                    want[row * 3 + c] = ow_brute_log_class(circuit, c, packed + row * d);
            }
            for (size_t b = 0; owi_backend_get(b) != NULL; b++) {
                ow_evaluator *evaluator = NULL;
                assert_ok(ow_evaluator_new(circuit, owi_backend_get(b)->name, &evaluator));
                assert_ok(ow_evaluator_evaluate(evaluator, n_rows, packed, NULL, got));
                assert_close(got, want, n_rows * 3, 1e-5);
                assert_ok(ow_evaluator_evaluate(evaluator, 3, packed, NULL, got));
                assert_close(got, want, 3 * 3, 1e-5);
                ow_evaluator_free(evaluator);
            }
            ow_circuit_free(circuit);
            ow_context_free(ctx);
        }
    ow_tiny_rows_free(&rows);
}

typedef struct {
    ow_context *ctx;
    ow_circuit *circuit;
    ow_evaluator *evaluator;
    ow_discrete_case one;
} discrete;

static void for_each_discrete(void (*body)(const discrete *one))
{
    ow_discrete_case cases[40];
    const size_t n = ow_discrete_cases(cases);
    for (size_t i = 0; i < n; i++) {
        discrete one = {.one = cases[i]};
        assert_ok(ow_context_new(NULL, &one.ctx));
        one.circuit = ow_discrete_circuit(one.ctx, &cases[i], i + 1);
        assert_ok(ow_evaluator_new(one.circuit, NULL, &one.evaluator));
        body(&one);
        ow_evaluator_free(one.evaluator);
        ow_circuit_free(one.circuit);
        ow_context_free(one.ctx);
    }
}

/* The probabilities of all rows that agree with `row` in the fixed columns: two classes,
 * then all. */
static void add_up(const discrete *one, const bool *fixed, const float *from,
                   double sums[3])
{
    float row[ow_most_discrete];
    sums[0] = sums[1] = sums[2] = 0.0;
    memcpy(row, from, one->one.d * sizeof *row);
    ow_first_levels(one->one.d, fixed, row);
    do {
        double log_class[2], log_density;
        assert_ok(ow_evaluator_evaluate(one->evaluator, 1, row, NULL, log_class));
        ow_circuit_posterior(one->circuit, 1, log_class, &log_density, NULL);
        sums[0] += exp(log_class[0]);
        sums[1] += exp(log_class[1]);
        sums[2] += exp(log_density);
    } while (ow_next_levels(one->circuit->leaves, one->one.d, fixed, row));
}

static void check_sum_to_one(const discrete *one)
{
    const float row[ow_most_discrete] = {0};
    const double ones[3] = {1.0, 1.0, 1.0};
    double sums[3];
    add_up(one, NULL, row, sums);
    assert_close(sums, ones, 3, 1e-5);
}

static void the_probabilities_of_all_rows_sum_to_one(void **state)
{
    (void)state;
    for_each_discrete(check_sum_to_one);
}

/* Every pattern of missing values, for small circuits; a third of them for large ones. */
static void check_marginals(const discrete *one)
{
    const size_t d = one->one.d;
    for (size_t pattern = 0; pattern<(size_t)1 << d; pattern += d> 5 ? 37 : 1) {
        float row[ow_most_discrete];
        bool fixed[ow_most_discrete];
        double sums[3], log_class[2], got[3];
        for (size_t j = 0; j < d; j++) {
            fixed[j] = (pattern >> j & 1) != 0;
            row[j] =
                fixed[j] ? (float)((pattern + j) % one->circuit->leaves[j].n_levels) : NAN;
        }
        add_up(one, fixed, row, sums);
        assert_ok(ow_evaluator_evaluate(one->evaluator, 1, row, NULL, log_class));
        ow_circuit_posterior(one->circuit, 1, log_class, &got[2], NULL);
        for (size_t c = 0; c < 3; c++) {
            if (c < 2) got[c] = log_class[c];
            sums[c] = log(sums[c]);
        }
        assert_close(got, sums, 3, 1e-5);
    }
}

static void a_marginal_is_the_joint_summed_over_what_is_missing(void **state)
{
    (void)state;
    for_each_discrete(check_marginals);
}

/* Simpson's rule; a Gaussian of variance 0.3 or more is smooth at this step. */
static double integral(ow_evaluator *evaluator, size_t column, size_t d, size_t c)
{
    enum { n = 4000 };
    const double low = -30.0, step = 60.0 / n;
    static float rows[(n + 1) * 8];
    static double log_class[(n + 1) * 3];
    double sum = 0.0;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j < d; j++)
            rows[i * d + j] = j == column ? (float)(low + step * (double)i + 1e-4) : NAN;
    assert_ok(ow_evaluator_evaluate(evaluator, n + 1, rows, NULL, log_class));
    for (size_t i = 0; i <= n; i++) {
        const double weight = i == 0 || i == n ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        sum += weight * exp(log_class[i * 3 + c]) * step / 3.0;
    }
    return sum;
}

static void one_column_alone_integrates_to_one(void **state)
{
    (void)state;
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
        ow_leaf leaves[8];
        ow_context *ctx = NULL;
        ow_evaluator *evaluator = NULL;
        assert_ok(ow_context_new(NULL, &ctx));
        const ow_circuit_spec spec = mixed_spec(leaves, OW_STRUCTURE_SHARED, depth, 8);
        ow_circuit *circuit = ow_random_circuit(ctx, &spec, 77);
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
        for (size_t c = 0; c < 3; c++)
            for (size_t j = 0; j < 8; j++) {
                const ow_leaf *leaf = &leaves[j];
                const double one = 1.0;
                double whole = 0.0, log_class[3];
                float row[8] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
                const bool levels =
                    leaf->kind == OW_LEAF_CATEGORICAL || leaf->kind == OW_LEAF_BERNOULLI;
                const size_t n = levels ? circuit->leaves[j].n_levels : leaf->n_masses;
                for (size_t i = 0; i < n; i++) {
                    row[j] = levels ? (float)i : leaf->masses[i];
                    assert_ok(ow_evaluator_evaluate(evaluator, 1, row, NULL, log_class));
                    whole += exp(log_class[c]);
                }
                if (!levels) whole += integral(evaluator, j, 8, c) * exp(-leaf->log_cell);
                assert_close(&whole, &one, 1, 1e-5);
            }
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
        ow_context_free(ctx);
    }
}

/* Weights are floats: their exponentials sum to 1 within 1e-6. */
static void nothing_known_is_certain(void **state)
{
    (void)state;
    for (size_t b = 0; owi_backend_get(b) != NULL; b++)
        for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 3)) {
            enum { n_rows = 20 };
            ow_leaf leaves[8];
            float rows[n_rows * 8];
            double got[n_rows * 3];
            static const double zeros[n_rows * 3];
            ow_context *ctx = NULL;
            ow_evaluator *evaluator = NULL;
            assert_ok(ow_context_new(NULL, &ctx));
            const ow_circuit_spec spec =
                mixed_spec(leaves, OW_STRUCTURE_PER_CLASS, depth, 8);
            ow_circuit *circuit = ow_random_circuit(ctx, &spec, 5);
            assert_ok(ow_evaluator_new(circuit, owi_backend_get(b)->name, &evaluator));
            for (size_t i = 0; i < n_rows * 8; i++) rows[i] = NAN;
            assert_ok(ow_evaluator_evaluate(evaluator, n_rows, rows, NULL, got));
            assert_close(got, zeros, n_rows * 3, 1e-5);
            ow_evaluator_free(evaluator);
            ow_circuit_free(circuit);
            ow_context_free(ctx);
        }
}

/* Whatever finite numbers come in, and whatever weights are 0: never NaN, and -infinity
 * only for a class without weights. */
static void no_row_is_not_a_number(void **state)
{
    (void)state;
    static const float extremes[] = {3e38f, -3e38f, 1e20f, -1e15f, 1e-30f, 0.0f, NAN};
    enum { n_extremes = sizeof extremes / sizeof *extremes, n_rows = 40 };
    for (size_t b = 0; owi_backend_get(b) != NULL; b++)
        for (int fixed = 0; fixed < 2; fixed++) {
            ow_leaf leaves[8];
            float rows[n_rows * 8], gradients[n_rows * 8];
            double got[n_rows * 3], log_density[n_rows], posterior[n_rows * 3];
            ow_context *ctx = NULL;
            ow_evaluator *evaluator = NULL;
            assert_ok(ow_context_new(NULL, &ctx));
            ow_circuit_spec spec = mixed_spec(leaves, OW_STRUCTURE_SHARED, 2, 8);
            if (fixed) {
                spec.variance = 0.5;
                leaves[4].kind = OW_LEAF_GAUSSIAN;
            }
            ow_circuit *circuit = ow_random_circuit(ctx, &spec, 5);
            const size_t root = owi_circuit_root_offset(circuit, 0);
            const size_t each = (circuit->n_weights - root) / 3;
            for (size_t i = 0; i < each; i++) circuit->log_weight[root + i] = -INFINITY;
            owi_circuit_prepare(NULL, circuit);
            assert_ok(ow_evaluator_new(circuit, owi_backend_get(b)->name, &evaluator));
            for (size_t i = 0; i < n_rows * 8; i++) {
                const ow_leaf *leaf = &circuit->leaves[i % 8];
                const float x = extremes[(i * 5 + i / 8) % n_extremes];
                rows[i] = leaf->n_levels > 0 && !isnan(x) ? (float)(i % leaf->n_levels) : x;
            }
            const ow_mix mix = {NULL, 1.0};
            assert_ok(ow_evaluator_differentiate(evaluator, n_rows, rows, 1, &mix, NULL,
                                                 got, gradients));
            ow_circuit_posterior(circuit, n_rows, got, log_density, posterior);
            for (size_t i = 0; i < n_rows; i++) {
                assert_true(got[3 * i] == -INFINITY && posterior[3 * i] == 0.0);
                assert_true(isfinite(got[3 * i + 1]) && isfinite(got[3 * i + 2]));
                assert_true(isfinite(log_density[i]));
                for (size_t j = 0; j < 8; j++) assert_true(isfinite(gradients[8 * i + j]));
            }
            ow_evaluator_free(evaluator);
            ow_circuit_free(circuit);
            ow_context_free(ctx);
        }
}

/* Few rows are run one by one and many in tiles, in the same buffers; small circuits have
 * the least room in them. */
static void a_row_comes_out_alike_in_a_batch_of_any_size(void **state)
{
    (void)state;
    enum { n_rows = 70, d = ow_tiny_columns };
    static float all[n_rows * d], some[n_rows * d];
    static double want[n_rows * d], got[n_rows * d];
    const ow_mix density = {NULL, 1.0};
    ow_tiny_rows rows = ow_tiny_rows_new(n_rows, 2, 0.15, 2);
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 2, 2);
    spec.inputs = spec.sums = 1;
    spec.repetitions = 3;
    ow_circuit *circuit = ow_random_circuit(ctx, &spec, 5);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));

    assert_ok(ow_evaluator_differentiate(evaluator, n_rows, rows.rows, 1, &density, NULL,
                                         NULL, all));
    for (size_t i = 0; i < n_rows * d; i++) want[i] = (double)all[i];
    for (size_t n = 1; n < n_rows; n++) {
        assert_ok(ow_evaluator_differentiate(evaluator, n, rows.rows, 1, &density, NULL,
                                             NULL, some));
        for (size_t i = 0; i < n * d; i++) got[i] = (double)some[i];
        assert_close(got, want, n * d, 1e-5);
    }

    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
    ow_tiny_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluation_is_the_definition_on_every_backend),
        cmocka_unit_test(the_probabilities_of_all_rows_sum_to_one),
        cmocka_unit_test(a_marginal_is_the_joint_summed_over_what_is_missing),
        cmocka_unit_test(one_column_alone_integrates_to_one),
        cmocka_unit_test(nothing_known_is_certain),
        cmocka_unit_test(no_row_is_not_a_number),
        cmocka_unit_test(a_row_comes_out_alike_in_a_batch_of_any_size),
    };
    return cmocka_run_group_tests_name("circuit/pass", tests, NULL, NULL);
}
