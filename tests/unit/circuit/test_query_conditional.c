/* SPDX-License-Identifier: MIT */
/* Conditionals of discrete circuits against joint over marginal, both added up by hand. */
#include "support/ow_test.h"
#include "support/random_circuits.h"

#include "circuit/structure/circuit.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

/* log of the sum of exp(log S) over all completions of the columns that are not fixed;
 * class SIZE_MAX: of S(x). */
static double summed(const ow_circuit *circuit, size_t c, const bool *fixed,
                     const float *from)
{
    float row[ow_most_discrete];
    double sum = 0.0;
    memcpy(row, from, circuit->spec.n_columns * sizeof *row);
    ow_first_levels(circuit->spec.n_columns, fixed, row);
    do {
        sum += exp(c == SIZE_MAX ? ow_brute_log_density(circuit, row)
                                 : ow_brute_log_class(circuit, c, row));
    } while (ow_next_levels(circuit->leaves, circuit->spec.n_columns, fixed, row));
    return log(sum);
}

/* Every third column is evidence, every fifth missing, the others asked for. */
static void a_conditional_is_joint_over_marginal(void **state)
{
    (void)state;
    ow_discrete_case cases[40];
    const size_t n = ow_discrete_cases(cases);
    for (size_t i = 0; i < n; i++) {
        const size_t d = cases[i].d;
        ow_context *ctx = NULL;
        ow_evaluator *evaluator = NULL;
        assert_ok(ow_context_new(NULL, &ctx));
        ow_circuit *circuit = ow_discrete_circuit(ctx, &cases[i], i + 1);
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));

        float row[ow_most_discrete];
        bool evidence[ow_most_discrete], there[ow_most_discrete];
        for (size_t j = 0; j < d; j++) {
            evidence[j] = j % 3 == 0;
            there[j] = j % 5 != 4;
            row[j] = there[j] ? (float)(j % circuit->leaves[j].n_levels) : NAN;
        }
        double got[2], got_density, want;
        assert_ok(
            ow_evaluator_condition(evaluator, 1, row, evidence, &how, got, &got_density));
        for (size_t c = 0; c < 2; c++) {
            want = summed(circuit, c, there, row) - summed(circuit, c, evidence, row);
            assert_close(&got[c], &want, 1, 1e-5);
        }
        want = summed(circuit, SIZE_MAX, there, row) -
               summed(circuit, SIZE_MAX, evidence, row);
        assert_close(&got_density, &want, 1, 1e-5);
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
        ow_context_free(ctx);
    }
}

/* With class 0 impossible the density is that of class 1; with both impossible there is
 * nothing left. */
static void impossible_evidence_leaves_nothing_probable(void **state)
{
    (void)state;
    const ow_discrete_case one = {OW_STRUCTURE_SHARED, 1, 5};
    const bool evidence[5] = {true, false, true, false, false};
    float row[5] = {1.0f, 2.0f, 0.0f, NAN, 1.0f};
    const double none = -INFINITY;
    double log_class[2], log_density;
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit *circuit = ow_discrete_circuit(ctx, &one, 3);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    const size_t half = circuit->n_weights / 2;

    for (size_t i = 0; i < half; i++) circuit->log_weight[i] = -INFINITY;
    owi_circuit_prepare(NULL, circuit);
    assert_ok(
        ow_evaluator_condition(evaluator, 1, row, evidence, &how, log_class, &log_density));
    assert_close(&log_class[0], &none, 1, 0.0);
    assert_true(isfinite(log_class[1]));
    assert_close(&log_density, &log_class[1], 1, 1e-6);

    for (size_t i = half; i < 2 * half; i++) circuit->log_weight[i] = -INFINITY;
    owi_circuit_prepare(NULL, circuit);
    assert_ok(
        ow_evaluator_condition(evaluator, 1, row, evidence, &how, log_class, &log_density));
    assert_close(&log_class[1], &none, 1, 0.0);
    assert_close(&log_density, &none, 1, 0.0);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

/* Nothing asked for is certain; without evidence it is the density itself; and many rows
 * are like one. */
static void the_ends_of_the_range(void **state)
{
    (void)state;
    enum { n_rows = 150, d = 5 };
    const ow_discrete_case one = {OW_STRUCTURE_PER_CLASS, 2, d};
    const bool all[d] = {true, true, true, true, true}, none[d] = {false};
    const bool some[d] = {false, true, false, false, true};
    static float rows[n_rows * d];
    static double got[n_rows * 2], got_density[n_rows], want[n_rows * 2],
        want_density[n_rows];
    static const double zeros[n_rows * 2];
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    how.threads = 2;
    ow_circuit *circuit = ow_discrete_circuit(ctx, &one, 3);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < d; j++)
            rows[i * d + j] = (i + j) % 7 == 0
                                  ? NAN
                                  : (float)((i / (j + 1)) % circuit->leaves[j].n_levels);

    assert_ok(ow_evaluator_condition(evaluator, n_rows, rows, all, &how, got, got_density));
    assert_close(got, zeros, 2 * n_rows, 0.0);
    assert_close(got_density, zeros, n_rows, 0.0);
    assert_ok(
        ow_evaluator_condition(evaluator, n_rows, rows, none, &how, got, got_density));
    assert_ok(ow_evaluator_evaluate(evaluator, n_rows, rows, &how, want));
    ow_circuit_posterior(circuit, n_rows, want, want_density, NULL);
    assert_close(got, want, 2 * n_rows, 1e-6);
    assert_close(got_density, want_density, n_rows, 1e-6);
    assert_ok(ow_evaluator_condition(evaluator, n_rows, rows, some, &how, got, NULL));
    for (size_t i = 0; i < n_rows; i++) {
        double single_class[2], single;
        assert_ok(ow_evaluator_condition(evaluator, 1, rows + i * d, some, &how,
                                         single_class, &single));
        assert_close(got + 2 * i, single_class, 2, 1e-5);
    }
    assert_ok(ow_evaluator_condition(evaluator, 0, NULL, some, &how, NULL, NULL));
    assert_status(ow_evaluator_condition(evaluator, 1, rows, NULL, &how, got, NULL),
                  OW_ERR_ARGUMENT);
    rows[n_rows * d - 1] = 2.0f;
    assert_fails(ow_evaluator_condition(evaluator, n_rows, rows, none, &how, got, NULL),
                 OW_ERR_NUMERIC, "row 150, column 4");
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

static ow_status make_and_use(ow_context *ctx, void *user)
{
    (void)user;
    const bool evidence[2] = {true, false};
    const float row[2] = {1.0f, 2.0f};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .repetitions = 1,
                                  .inputs = 2,
                                  .n_classes = 1,
                                  .n_columns = 2,
                                  .leaves = ow_discrete_leaves()};
    ow_circuit *circuit = NULL;
    ow_evaluator *evaluator = NULL;
    double got;
    ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    if (status == OW_OK) status = ow_evaluator_new(circuit, NULL, &evaluator);
    if (status == OW_OK)
        status = ow_evaluator_condition(evaluator, 1, row, evidence, &how, &got, NULL);
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
        cmocka_unit_test(a_conditional_is_joint_over_marginal),
        cmocka_unit_test(impossible_evidence_leaves_nothing_probable),
        cmocka_unit_test(the_ends_of_the_range),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/query_conditional", tests, NULL, NULL);
}
