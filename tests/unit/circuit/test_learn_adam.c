/* SPDX-License-Identifier: MIT */
/* Adam: the gradient with respect to every parameter, and where it leads. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "circuit/learn/learn.h"
#include "support/test_call.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

/* sum over rows of (1 - s) log S(x, y) + s log P(y given x), constant priors aside: from
 * the definition. */
static double objective(const ow_circuit *circuit, const ow_tiny_rows *rows, double s)
{
    double sum = 0.0;
    for (size_t i = 0; i < rows->array.n_rows; i++) {
        const float *row = rows->rows + i * circuit->spec.n_columns;
        const double joint = ow_brute_log_class(circuit, (size_t)rows->classes[i], row) +
                             circuit->log_prior[rows->classes[i]];
        sum += joint - s * ow_brute_log_density(circuit, row);
    }
    return sum;
}

/* d objective / d logit i of n log-probabilities, by moving it and normalising. */
static double logit_difference(const ow_circuit *circuit, const ow_tiny_rows *rows,
                               double s, size_t n, float *log_p, size_t i)
{
    double value[2];
    float before[64];
    assert_true(n <= 64);
    memcpy(before, log_p, n * sizeof *log_p);
    const double step = 2e-3, p = exp((double)before[i]);
    for (int side = 0; side < 2; side++) {
        const double by = side == 0 ? step : -step;
        const double norm = log(1.0 + p * (exp(by) - 1.0));
        for (size_t k = 0; k < n; k++)
            log_p[k] = (float)((double)before[k] + (k == i ? by : 0.0) - norm);
        value[side] = objective(circuit, rows, s);
    }
    memcpy(log_p, before, n * sizeof *log_p);
    return (value[0] - value[1]) / (2.0 * step);
}

/* d objective / d number, or for a variance d log v; steps are what the floats really move
 * by. */
static double number_difference(const ow_circuit *circuit, const ow_tiny_rows *rows,
                                double s, float *parameter, bool is_variance)
{
    const float before = *parameter;
    double value[2], at[2];
    for (int side = 0; side < 2; side++) {
        const double by = side == 0 ? 2e-3 : -2e-3;
        *parameter = (float)(is_variance ? (double)before * exp(by) : (double)before + by);
        at[side] = is_variance ? log((double)*parameter) : (double)*parameter;
        value[side] = objective(circuit, rows, s);
    }
    *parameter = before;
    return (value[0] - value[1]) / (at[0] - at[1]);
}

static void check_leaves(ow_circuit *circuit, const ow_tiny_rows *rows, double s,
                         const double *gradient)
{
    float *parameter = circuit->leaf;
    for (size_t r = 0; r < circuit->regions.n_copies * circuit->regions.n_regions; r++)
        for (size_t k = 0; k < circuit->spec.inputs; k++)
            for (uint32_t i = circuit->regions.start[r]; i < circuit->regions.start[r + 1];
                 i++) {
                const uint32_t j = circuit->regions.columns[i];
                const ow_leaf *leaf = &circuit->leaves[j];
                const size_t n_features =
                    circuit->feature_start[j + 1] - circuit->feature_start[j];
                const size_t n = leaf->n_masses > 0 ? leaf->n_masses + 1 : leaf->n_levels;
                for (size_t f = 0; f < n_features; f++) {
                    const double want =
                        f < n ? logit_difference(circuit, rows, s, n, parameter, f)
                              : number_difference(circuit, rows, s, parameter + f, f > n);
                    assert_close(&gradient[parameter + f - circuit->leaf], &want, 1, 3e-3);
                }
                parameter += n_features;
            }
}

static void check_weights(ow_circuit *circuit, const ow_tiny_rows *rows, double s,
                          const double *gradient)
{
    for (size_t first = 0, n; first < circuit->n_weights; first += n) {
        n = owi_circuit_sum_size(circuit, first);
        for (size_t i = 0; i < n; i += 3) {
            const double want =
                logit_difference(circuit, rows, s, n, circuit->log_weight + first, i);
            assert_close(&gradient[first + i], &want, 1, 3e-3);
        }
    }
}

/* Every kind of leaf and weight, with gaps, for plain likelihood and for shares of
 * discrimination. */
static void the_gradient_is_the_limit_of_differences(void **state)
{
    (void)state;
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
        for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
             structure++)
            for (int i = 0; i < 3; i++) {
                const double share = (const double[]){0.0, 0.6, 1.0}[i];
                ow_leaf leaves[ow_tiny_columns];
                memcpy(leaves, ow_tiny_leaves, sizeof leaves);
                ow_circuit_spec spec = ow_tiny_spec((ow_structure)structure, depth, 2);
                spec.leaves = leaves;
                spec.repetitions = spec.inputs = 2;
                if (i == 2) { /* a fixed variance once */
                    spec.variance = 0.8;
                    leaves[4] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = 4};
                }
                owi_statistics_sum sums;
                ow_context *ctx = NULL;
                assert_ok(ow_context_new(NULL, &ctx));
                ow_tiny_rows rows = ow_tiny_rows_new(5, 2, 0.2, 3);
                ow_circuit *circuit = ow_random_circuit(ctx, &spec, 9 + depth);
                assert_ok(owi_statistics_init(&sums, ow_test_call(circuit->ctx, &how),
                                              circuit, owi_backend_find("ref"), share));
                owi_statistics_reset(&sums);
                assert_ok(owi_statistics_add(&sums, 5, rows.rows, rows.classes));
                owi_statistics_finish(&sums);
                owi_sums_to_gradient(circuit, &sums);
                check_leaves(circuit, &rows, share, sums.sum + sums.layout.leaf);
                check_weights(circuit, &rows, share, sums.sum + sums.layout.weight);
                owi_statistics_clear(&sums);
                ow_circuit_free(circuit);
                ow_tiny_rows_free(&rows);
                ow_context_free(ctx);
            }
}

/* One component: the optimum is the rows' own mean, variance and shares. */
static void it_reaches_the_optimum_where_that_is_known(void **state)
{
    (void)state;
    enum { n = 400 };
    ow_context *ctx = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 0, 1);
    spec.inputs = 1;
    ow_tiny_rows rows = ow_tiny_rows_new(n, 1, 0.0, 3);
    ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
    const ow_row_source source = ow_row_source_of_array(&rows.array);
    ow_learn_options options = ow_test_learn_defaults();
    options.learner = OW_LEARN_ADAM;
    options.batch = n;
    for (int i = 0; i < 3; i++) { /* ever shorter steps */
        options.rate = (const double[]){0.05, 0.005, 0.0005}[i];
        options.passes = 300;
        assert_ok(ow_circuit_learn(circuit, &options, &source, NULL, &how, NULL));
    }
    const float *parameter = circuit->leaf;
    for (size_t j = 0; j < ow_tiny_columns; j++) {
        const ow_leaf *leaf = &circuit->leaves[j];
        double sum = 0.0, square = 0.0, n_numbers = 0.0, count[4] = {0};
        for (size_t i = 0; i < n; i++) {
            const double x = (double)rows.rows[i * ow_tiny_columns + j];
            size_t level = leaf->n_levels > 0 ? (size_t)x : 0;
            while (leaf->n_masses > 0 && level < leaf->n_masses &&
                   x != (double)leaf->masses[level])
                level++;
            count[level] += 1.0 / n;
            if (leaf->n_levels > 0 || (leaf->n_masses > 0 && level < leaf->n_masses))
                continue;
            n_numbers += 1.0;
            sum += x;
            square += x * x;
        }
        const size_t n_shares = leaf->n_masses > 0 ? leaf->n_masses + 1 : leaf->n_levels;
        for (size_t i = 0; i < n_shares; i++) {
            const double got = exp((double)*parameter++);
            assert_close(&got, &count[i], 1, 2e-3);
        }
        if (leaf->n_levels > 0) continue;
        const double mean = sum / n_numbers, variance = square / n_numbers - mean * mean;
        const double got[2] = {(double)parameter[0], (double)parameter[1]};
        const double want[2] = {mean, variance};
        assert_close(got, want, 2, 5e-3);
        parameter += 2;
    }
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
    ow_context_free(ctx);
}

/* Learning for the class alone lowers the log-loss that learning the density has left. */
static void a_discriminative_share_lowers_the_log_loss(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    ow_score before, after;
    assert_ok(ow_context_new(NULL, &ctx));
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 3);
    ow_tiny_rows rows = ow_tiny_rows_new(600, 3, 0.05, 5);
    ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
    const ow_row_source source = ow_row_source_of_array(&rows.array);
    ow_learn_options options = ow_test_learn_defaults();
    options.passes = 10;
    assert_ok(ow_circuit_learn(circuit, &options, &source, NULL, &how, NULL));
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    assert_ok(ow_circuit_score(evaluator, &source, &how, &before));
    options.learner = OW_LEARN_ADAM;
    options.discriminative = 0.95;
    options.batch = 100;
    assert_ok(ow_circuit_learn(circuit, &options, &source, NULL, &how, NULL));
    assert_ok(ow_circuit_score(evaluator, &source, &how, &after));
    assert_true(after.log_loss < before.log_loss - 0.01);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
    ow_context_free(ctx);
}

static void the_same_bytes_on_any_number_of_threads(void **state)
{
    (void)state;
    float *blocks[3];
    size_t size = 0;
    for (size_t i = 0; i < 3; i++) {
        ow_context *ctx = NULL;
        assert_ok(ow_context_new(NULL, &ctx));
        how.threads = (const size_t[]){1, 2, 5}[i];
        ow_tiny_rows rows = ow_tiny_rows_new(5000, 2, 0.05, 4);
        const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 2, 2);
        ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
        const ow_row_source source = ow_row_source_of_array(&rows.array);
        ow_learn_options options = ow_test_learn_defaults();
        options.learner = OW_LEARN_ADAM;
        options.discriminative = 0.5;
        options.passes = 2;
        options.batch = 2100;
        assert_ok(ow_circuit_learn(circuit, &options, &source, NULL, &how, NULL));
        size = (circuit->n_leaf + circuit->n_weights) * sizeof(float);
        blocks[i] = malloc(size);
        assert_non_null(blocks[i]);
        memcpy(blocks[i], circuit->block, size);
        ow_circuit_free(circuit);
        ow_tiny_rows_free(&rows);
        ow_context_free(ctx);
    }
    for (size_t i = 1; i < 3; i++) assert_memory_equal(blocks[i], blocks[0], size);
    for (size_t i = 0; i < 3; i++) free(blocks[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_is_the_limit_of_differences),
        cmocka_unit_test(it_reaches_the_optimum_where_that_is_known),
        cmocka_unit_test(a_discriminative_share_lowers_the_log_loss),
        cmocka_unit_test(the_same_bytes_on_any_number_of_threads),
    };
    return cmocka_run_group_tests_name("circuit/learn_adam", tests, NULL, NULL);
}
