/* SPDX-License-Identifier: MIT */
/* The most probable completion: the best of all where they can be counted, and elsewhere
 * nothing better nearby. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "circuit/structure/circuit.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

/* log S(x given c), or for c < 0 the largest log P(c) S(x given c). */
static double value_of(const ow_circuit *circuit, const float *row, int32_t c)
{
    if (c >= 0) return ow_brute_log_class(circuit, (size_t)c, row);
    double best = -INFINITY;
    for (size_t y = 0; y < circuit->spec.n_classes; y++)
        best = fmax(best, ow_brute_log_class(circuit, y, row) + circuit->log_prior[y]);
    return best;
}

static void check_exact(const ow_circuit *circuit, ow_evaluator *evaluator, size_t pattern,
                        int32_t c)
{
    const size_t d = circuit->spec.n_columns;
    float row[ow_most_discrete], completed[ow_most_discrete];
    bool fixed[ow_most_discrete], exact = false;
    int32_t found = c;
    for (size_t j = 0; j < d; j++) {
        fixed[j] = (pattern >> j & 1) != 0;
        row[j] = fixed[j] ? (float)((pattern + j) % circuit->leaves[j].n_levels) : NAN;
    }
    memcpy(completed, row, d * sizeof *row);
    assert_ok(ow_evaluator_complete(evaluator, 1, &how, completed, &found, &exact));
    assert_true(exact);
    for (size_t j = 0; j < d; j++)
        assert_true(fixed[j] ? completed[j] == row[j] : !isnan(completed[j]));

    double best = -INFINITY;
    ow_first_levels(d, fixed, row);
    do best = fmax(best, value_of(circuit, row, c));
    while (ow_next_levels(circuit->leaves, d, fixed, row));
    assert_true(c < 0 ? found >= 0 : found == c);
    const double got = ow_brute_log_class(circuit, (size_t)found, completed) +
                       (c < 0 ? circuit->log_prior[found] : 0.0);
    assert_close(&got, &best, 1, 1e-5);
}

static void discrete_rows_are_completed_with_the_best_of_all(void **state)
{
    (void)state;
    ow_discrete_case cases[40];
    const size_t n = ow_discrete_cases(cases);
    for (size_t i = 0; i < n; i++) {
        ow_context *ctx = NULL;
        ow_evaluator *evaluator = NULL;
        assert_ok(ow_context_new(NULL, &ctx));
        ow_circuit *circuit = ow_discrete_circuit(ctx, &cases[i], i + 1);
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
        const size_t n_patterns = (size_t)1 << cases[i].d;
        for (size_t pattern = 0; pattern<n_patterns; pattern += cases[i].d> 5 ? 51 : 3)
            for (int32_t c = -1; c < 2; c++) check_exact(circuit, evaluator, pattern, c);
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
        ow_context_free(ctx);
    }
}

/* One component: every column at the mode of its leaf, whatever the depth. */
static void a_single_component_is_completed_with_its_modes(void **state)
{
    (void)state;
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
        for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
             structure++) {
            ow_circuit_spec spec = ow_tiny_spec((ow_structure)structure, depth, 2);
            spec.inputs = spec.sums = spec.repetitions = 1;
            ow_context *ctx = NULL;
            ow_evaluator *evaluator = NULL;
            assert_ok(ow_context_new(NULL, &ctx));
            ow_circuit *circuit = ow_random_circuit(ctx, &spec, 6 + depth);
            assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
            float row[ow_tiny_columns] = {NAN, 0.4f, NAN, NAN, NAN, NAN, 1.0f};
            bool exact = false;
            int32_t c = 1;
            assert_ok(ow_evaluator_complete(evaluator, 1, &how, row, &c, &exact));
            assert_true(exact && row[1] == 0.4f && row[6] == 1.0f);
            const double best = ow_brute_log_class(circuit, 1, row);
            for (size_t j = 0; j < ow_tiny_columns; j++) {
                float changed[ow_tiny_columns];
                memcpy(changed, row, sizeof row);
                const size_t n = circuit->leaves[j].n_levels;
                for (size_t i = 0; i < (n > 0 ? n : 200) && j != 1 && j != 6; i++) {
                    changed[j] = n > 0 ? (float)i : -6.0f + 0.06f * (float)i;
                    if (j == 4 && i < 2) changed[j] = (float)i; /* a mass */
                    assert_true(ow_brute_log_class(circuit, 1, changed) <= best + 1e-6);
                }
            }
            ow_evaluator_free(evaluator);
            ow_circuit_free(circuit);
            ow_context_free(ctx);
        }
}

/* A missing number alone: the highest point of a mixture in one dimension, found on a fine
 * grid too. */
static void a_missing_number_goes_to_the_highest_point(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++)
        for (int fixed = 0; fixed < 2; fixed++) {
            ow_leaf leaves[ow_tiny_columns];
            memcpy(leaves, ow_tiny_leaves, sizeof leaves);
            ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 2);
            spec.leaves = leaves;
            if (fixed) {
                leaves[4] = leaves[0];
                leaves[4].group = 4;
                spec.variance = 0.8;
            }
            ow_context *ctx = NULL;
            ow_evaluator *evaluator = NULL;
            assert_ok(ow_context_new(NULL, &ctx));
            ow_circuit *circuit = ow_random_circuit(ctx, &spec, seed);
            assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
            float row[ow_tiny_columns] = {NAN, 0.4f, 1.0f, 0.0f, 2.5f, 1.0f, 1.0f};
            bool exact = true;
            int32_t c = 0;
            assert_ok(ow_evaluator_complete(evaluator, 1, &how, row, &c, &exact));
            assert_false(exact);
            const double got = ow_brute_log_class(circuit, 0, row);
            double best = -INFINITY;
            for (int i = -600; i <= 600; i++) {
                row[0] = (float)i * 1e-2f;
                best = fmax(best, ow_brute_log_class(circuit, 0, row));
            }
            assert_true(got >= best - 1e-5);
            ow_evaluator_free(evaluator);
            ow_circuit_free(circuit);
            ow_context_free(ctx);
        }
}

/* Of what is left to search no sample of the circuit is better, nor is any change of a
 * level. */
static void no_sample_beats_what_the_search_finds(void **state)
{
    (void)state;
    enum { n_samples = 400 };
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
        for (uint64_t seed = 1; seed <= 4; seed++) {
            const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, depth, 3);
            const float given[ow_tiny_columns] = {NAN, 1.0f, NAN, NAN, NAN, 2.0f, NAN};
            static float samples[n_samples * ow_tiny_columns];
            static double log_class[n_samples * 3];
            static int32_t classes[n_samples];
            float row[2 * ow_tiny_columns];
            int32_t found[2] = {-1, 2};
            bool exact[2];
            ow_context *ctx = NULL;
            ow_evaluator *evaluator = NULL;
            assert_ok(ow_context_new(NULL, &ctx));
            ow_circuit *circuit = ow_random_circuit(ctx, &spec, seed);
            assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
            memcpy(row, given, sizeof given);
            memcpy(row + ow_tiny_columns, given, sizeof given);
            assert_ok(ow_evaluator_complete(evaluator, 2, &how, row, found, exact));
            assert_true(!exact[0] && !exact[1] && found[1] == 2);
            const double free_value = ow_brute_log_class(circuit, (size_t)found[0], row) +
                                      circuit->log_prior[found[0]];
            const double class_value =
                ow_brute_log_class(circuit, 2, row + ow_tiny_columns);
            assert_true(free_value >= class_value + circuit->log_prior[2] - 1e-5);

            for (size_t i = 0; i < n_samples; i++) {
                memcpy(samples + i * ow_tiny_columns, given, sizeof given);
                classes[i] = i % 2 == 0 ? 2 : -1;
            }
            assert_ok(ow_evaluator_sample(evaluator, n_samples, ow_test_seed(seed), samples,
                                          classes));
            assert_ok(
                ow_evaluator_evaluate(evaluator, n_samples, samples, &how, log_class));
            for (size_t i = 0; i < n_samples; i++) {
                assert_true(log_class[3 * i + 2] <= class_value + 1e-5);
                for (size_t c = 0; c < 3; c++)
                    assert_true(log_class[3 * i + c] + circuit->log_prior[c] <=
                                free_value + 1e-5);
            }
            ow_evaluator_free(evaluator);
            ow_circuit_free(circuit);
            ow_context_free(ctx);
        }
}

/* 2^13 completions are more than are tried: here the search finds the best of them. */
static void too_many_completions_are_searched(void **state)
{
    (void)state;
    enum { d = 13 };
    ow_leaf leaves[d];
    for (size_t j = 0; j < d; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_BERNOULLI, .group = j};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .depth = 2,
                                  .repetitions = 2,
                                  .sums = 2,
                                  .inputs = 3,
                                  .n_classes = 1,
                                  .n_columns = d,
                                  .leaves = leaves};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        static float all[(1 << d) * d];
        static double log_class[1 << d];
        float row[d];
        bool exact = true;
        double got, best = -INFINITY;
        ow_context *ctx = NULL;
        ow_evaluator *evaluator = NULL;
        assert_ok(ow_context_new(NULL, &ctx));
        ow_circuit *circuit = ow_random_circuit(ctx, &spec, seed);
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
        for (size_t j = 0; j < d; j++) row[j] = NAN;
        assert_ok(ow_evaluator_complete(evaluator, 1, &how, row, NULL, &exact));
        assert_false(exact);
        for (size_t i = 0; i < (size_t)1 << d; i++)
            for (size_t j = 0; j < d; j++) all[i * d + j] = (float)(i >> j & 1);
        assert_ok(ow_evaluator_evaluate(evaluator, (size_t)1 << d, all, &how, log_class));
        for (size_t i = 0; i < (size_t)1 << d; i++) best = fmax(best, log_class[i]);
        assert_ok(ow_evaluator_evaluate(evaluator, 1, row, &how, &got));
        assert_close(&got, &best, 1, 1e-5);

        row[0] = NAN; /* 2^12 of them are tried */
        for (size_t j = 1; j < d; j++) row[j] = j == 5 ? 1.0f : NAN;
        assert_ok(ow_evaluator_complete(evaluator, 1, &how, row, NULL, &exact));
        assert_true(exact && row[5] == 1.0f);
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
        ow_context_free(ctx);
    }
}

static void many_rows_are_completed_as_each_alone(void **state)
{
    (void)state;
    enum { n = 90 };
    ow_tiny_rows given = ow_tiny_rows_new(n, 3, 0.4, 6);
    static float rows[3][n * ow_tiny_columns];
    static int32_t classes[3][n];
    static bool exact[3][n];
    static double values[3][n];
    for (size_t i = 0; i < 3; i++) {
        ow_context *ctx = NULL;
        ow_evaluator *evaluator = NULL;
        assert_ok(ow_context_new(NULL, &ctx));
        how.threads = (const size_t[]){1, 5, 1}[i];
        const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 2, 3);
        ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &given);
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
        memcpy(rows[i], given.rows, sizeof rows[i]);
        for (size_t k = 0; k < n; k++) classes[i][k] = k % 4 == 3 ? -1 : (int32_t)k % 4;
        if (i < 2)
            assert_ok(
                ow_evaluator_complete(evaluator, n, &how, rows[i], classes[i], exact[i]));
        for (size_t k = 0; k < n && i == 2; k++)
            assert_ok(ow_evaluator_complete(evaluator, 1, &how,
                                            rows[i] + k * ow_tiny_columns, &classes[i][k],
                                            &exact[i][k]));
        for (size_t k = 0; k < n; k++)
            values[i][k] = ow_brute_log_class(circuit, (size_t)classes[i][k],
                                              rows[i] + k * ow_tiny_columns);
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
        ow_context_free(ctx);
    }
    for (size_t k = 0; k < n * ow_tiny_columns; k++) {
        const float before = given.rows[k];
        assert_true(isnan(before) ? !isnan(rows[0][k]) : rows[0][k] == before);
    }
    assert_memory_equal(rows[1], rows[0], sizeof rows[0]);
    assert_memory_equal(classes[1], classes[0], sizeof classes[0]);
    assert_memory_equal(exact[1], exact[0], sizeof exact[0]);
    assert_memory_equal(classes[2], classes[0], sizeof classes[0]);
    assert_memory_equal(exact[2], exact[0], sizeof exact[0]);
    /* Alone a row is summed in another order: as probable, if not at the same place to the
     * last digit. */
    assert_close(values[2], values[0], n, 1e-4);
    ow_tiny_rows_free(&given);
}

static void what_cannot_be_is_not_completed(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 1, 2);
    ow_circuit *circuit = ow_random_circuit(ctx, &spec, 4);
    for (size_t i = 0; i < circuit->n_weights / 2; i++) circuit->log_weight[i] = -INFINITY;
    owi_circuit_prepare(NULL, circuit);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));

    float row[ow_tiny_columns] = {0.0f, 0.0f, NAN, 0.0f, 0.0f, 0.0f, 0.0f};
    int32_t c = 0;
    assert_fails(ow_evaluator_complete(evaluator, 1, &how, row, &c, NULL), OW_ERR_NUMERIC,
                 "row 1");
    assert_true(isnan(row[2]));
    row[0] = NAN;
    assert_fails(ow_evaluator_complete(evaluator, 1, &how, row, &c, NULL), OW_ERR_NUMERIC,
                 "row 1");
    assert_true(isnan(row[0]) && isnan(row[2]));
    c = -1;
    assert_ok(ow_evaluator_complete(evaluator, 1, &how, row, &c, NULL));
    assert_int_equal(c, 1);
    c = 2;
    assert_fails(ow_evaluator_complete(evaluator, 1, &how, row, &c, NULL), OW_ERR_ARGUMENT,
                 "class 2");
    row[3] = 0.5f;
    assert_fails(ow_evaluator_complete(evaluator, 1, &how, row, NULL, NULL), OW_ERR_NUMERIC,
                 "row 1, column 3: expected a level from 0 to 1, got 0.5");
    assert_status(ow_evaluator_complete(evaluator, 1, &how, NULL, NULL, NULL),
                  OW_ERR_ARGUMENT);
    assert_ok(ow_evaluator_complete(evaluator, 0, &how, NULL, NULL, NULL));
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

static ow_status make_and_use(ow_context *ctx, void *user)
{
    (void)user;
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 2, 2);
    float row[ow_tiny_columns] = {NAN, 0.0f, NAN, 0.0f, 0.0f, 0.0f, 0.0f};
    ow_circuit *circuit = NULL;
    ow_evaluator *evaluator = NULL;
    ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    if (status == OW_OK) status = ow_evaluator_new(circuit, NULL, &evaluator);
    if (status == OW_OK)
        status = ow_evaluator_complete(evaluator, 1, &how, row, NULL, NULL);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(make_and_use, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discrete_rows_are_completed_with_the_best_of_all),
        cmocka_unit_test(a_single_component_is_completed_with_its_modes),
        cmocka_unit_test(a_missing_number_goes_to_the_highest_point),
        cmocka_unit_test(no_sample_beats_what_the_search_finds),
        cmocka_unit_test(too_many_completions_are_searched),
        cmocka_unit_test(many_rows_are_completed_as_each_alone),
        cmocka_unit_test(what_cannot_be_is_not_completed),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/query_mpe", tests, NULL, NULL);
}
