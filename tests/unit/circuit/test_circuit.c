/* SPDX-License-Identifier: MIT */
/* A circuit's own figures: regions, posteriors. */
#include "circuit/structure/circuit.h"
#include "support/ow_test.h"

static ow_circuit *circuit_of(ow_context *ctx, ow_structure structure, size_t n_columns,
                              size_t depth, const double *prior)
{
    ow_leaf leaves[16];
    ow_circuit *circuit = NULL;
    for (size_t j = 0; j < n_columns; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = structure,
                                  .depth = depth,
                                  .repetitions = 3,
                                  .sums = 2,
                                  .inputs = 2,
                                  .n_classes = 3,
                                  .n_columns = n_columns,
                                  .leaves = leaves};
    assert_ok(ow_circuit_new(ctx, &spec, &circuit));
    assert_ok(ow_circuit_set_prior(circuit, prior));
    return circuit;
}

static const double prior[3] = {0.5, 0.3, 0.2};

/* Bayes' rule in linear space, where exp() cannot underflow. */
static void posteriors_follow_bayes_rule(void **state)
{
    ow_circuit *circuit =
        circuit_of(ow_test_context(state), OW_STRUCTURE_SHARED, 4, 1, prior);
    const double log_class[3] = {-2.0, -0.5, -3.5};
    double sum = 0.0, want[3], log_density, posterior[3];
    for (int c = 0; c < 3; c++) sum += want[c] = prior[c] * exp(log_class[c]);
    for (int c = 0; c < 3; c++) want[c] /= sum;
    const double want_density = log(sum);
    ow_circuit_posterior(circuit, 1, log_class, &log_density, posterior);
    assert_close(posterior, want, 3, 1e-14);
    assert_close(&log_density, &want_density, 1, 1e-14);
    ow_circuit_free(circuit);
}

static void posteriors_sum_to_1_however_far_out(void **state)
{
    ow_circuit *circuit =
        circuit_of(ow_test_context(state), OW_STRUCTURE_SHARED, 4, 1, prior);
    const double log_class[6] = {-5e29, -5e29, -5e29, -5e29, -INFINITY, -5e29};
    const double want[6] = {0.5, 0.3, 0.2, 5.0 / 7.0, 0.0, 2.0 / 7.0};
    double posterior[6];
    ow_circuit_posterior(circuit, 2, log_class, NULL, posterior);
    assert_close(posterior, want, 6, 1e-14);
    ow_circuit_free(circuit);
}

static void impossible_evidence_leaves_the_prior(void **state)
{
    ow_circuit *circuit =
        circuit_of(ow_test_context(state), OW_STRUCTURE_SHARED, 4, 1, prior);
    const double log_class[3] = {-INFINITY, -INFINITY, -INFINITY}, minus = -INFINITY;
    double log_density, posterior[3];
    ow_circuit_posterior(circuit, 1, log_class, &log_density, posterior);
    assert_close(posterior, prior, 3, 1e-14);
    assert_close(&log_density, &minus, 1, 0.0);
    ow_circuit_free(circuit);
}

/* 11 columns halved twice: 3, 3, 3 and 2 of them, each column once in each repetition of
 * each copy. */
static void regions_divide_the_columns(void **state)
{
    ow_circuit *circuit =
        circuit_of(ow_test_context(state), OW_STRUCTURE_PER_CLASS, 11, 2, prior);
    for (size_t copy = 0; copy < 3; copy++)
        for (size_t repetition = 0; repetition < 3; repetition++) {
            bool seen[11] = {false};
            for (size_t region = 0; region < 4; region++) {
                size_t n;
                const uint32_t *columns =
                    ow_circuit_region(circuit, copy, repetition, region, &n);
                assert_int_equal(n, region < 3 ? 3 : 2);
                for (size_t i = 0; i < n; i++) {
                    assert_false(seen[columns[i]]);
                    seen[columns[i]] = true;
                }
            }
        }
    ow_circuit_free(circuit);
}

/* A sub-circuit for each class has leaves of its own: which class comes first does not
 * matter. */
static void the_mean_variance_is_that_of_all_classes(void **state)
{
    ow_circuit *circuit =
        circuit_of(ow_test_context(state), OW_STRUCTURE_PER_CLASS, 4, 1, prior);
    const size_t of_class = circuit->n_leaf / 3;
    for (size_t i = 0; i < circuit->n_leaf; i++)
        circuit->leaf[i] = (float)(1 + i / of_class);
    const double got = owi_circuit_mean_variance(circuit), want = 2.0;
    assert_close(&got, &want, 1, 1e-12);
    ow_circuit_free(circuit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(posteriors_follow_bayes_rule),
        ow_test_on_heap(the_mean_variance_is_that_of_all_classes),
        ow_test_on_heap(posteriors_sum_to_1_however_far_out),
        ow_test_on_heap(impossible_evidence_leaves_the_prior),
        ow_test_on_heap(regions_divide_the_columns),
    };
    return cmocka_run_group_tests_name("circuit/circuit", tests, NULL, NULL);
}
