/* SPDX-License-Identifier: MIT */
/* Samples are distributed as the circuit says, whole rows and completions; seeds are fixed,
 * so nothing here is a matter of luck. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "circuit/structure/circuit.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { most_cells = 1 << 12 };

/* A chi-square of this many degrees of freedom exceeds this once in ten thousand times
 * (Wilson and Hilferty). */
static double critical(size_t freedom)
{
    const double k = (double)freedom, a = 2.0 / (9.0 * k);
    return k * pow(1.0 - a + 3.72 * sqrt(a), 3.0);
}

/* Counts against probabilities; cells that expect fewer than 5 are taken together. */
static void check_counts(size_t n_cells, const size_t *count, const double *probability,
                         size_t n)
{
    double chi = 0.0, rest = 0.0, rest_count = 0.0;
    size_t used = 0;
    for (size_t i = 0; i < n_cells; i++) {
        const double expected = probability[i] * (double)n;
        if (expected < 5.0) {
            rest += expected;
            rest_count += (double)count[i];
            continue;
        }
        chi += pow((double)count[i] - expected, 2.0) / expected;
        used++;
    }
    if (rest > 1.0) {
        chi += pow(rest_count - rest, 2.0) / rest;
        used++;
    } else {
        assert_true(rest_count <= 12.0);
    }
    if (used > 1 && chi > critical(used - 1))
        print_error("chi-square %g, %zu cells\n", chi, used);
    assert_true(used < 2 || chi <= critical(used - 1));
}

/* Completions of `given` in n rows, against their exact conditional probabilities.  c < 0:
 * the class is drawn too, and counted with the row. */
static void check_completions(const ow_circuit *circuit, ow_evaluator *evaluator,
                              const float *given, int32_t c, size_t n)
{
    const size_t d = circuit->spec.n_columns;
    static size_t count[most_cells];
    static double probability[most_cells];
    float *rows = malloc(n * d * sizeof *rows), row[ow_most_discrete];
    int32_t *classes = malloc(n * sizeof *classes);
    bool fixed[ow_most_discrete];
    assert_true(rows != NULL && classes != NULL);
    for (size_t i = 0; i < n; i++) {
        memcpy(rows + i * d, given, d * sizeof *given);
        classes[i] = c;
    }
    assert_ok(ow_evaluator_sample(evaluator, n, ow_test_seed(17), rows, classes));

    memset(count, 0, sizeof count);
    for (size_t i = 0; i < n; i++) {
        size_t cell = 0, size = 1;
        for (size_t j = 0; j < d; j++) {
            if (!isnan(given[j])) assert_true(rows[i * d + j] == given[j]);
            cell += size * (size_t)rows[i * d + j];
            size *= circuit->leaves[j].n_levels;
        }
        assert_true(c < 0 ? classes[i] == 0 || classes[i] == 1 : classes[i] == c);
        count[2 * cell + (size_t)classes[i]]++;
    }
    double total = 0.0;
    size_t n_cells = 1;
    for (size_t j = 0; j < d; j++) {
        fixed[j] = !isnan(given[j]);
        n_cells *= circuit->leaves[j].n_levels;
    }
    assert_true(2 * n_cells <= most_cells);
    memset(probability, 0, sizeof probability);
    memcpy(row, given, d * sizeof *row);
    ow_first_levels(d, fixed, row);
    do {
        size_t cell = 0, size = 1;
        for (size_t j = 0; j < d; j++) {
            cell += size * (size_t)row[j];
            size *= circuit->leaves[j].n_levels;
        }
        for (size_t y = 0; y < 2; y++) {
            if (c >= 0 && (size_t)c != y) continue;
            const double prior = c < 0 ? circuit->log_prior[y] : 0.0;
            total += probability[2 * cell + y] =
                exp(ow_brute_log_class(circuit, y, row) + prior);
        }
    } while (ow_next_levels(circuit->leaves, d, fixed, row));
    for (size_t i = 0; i < 2 * n_cells; i++) probability[i] /= total;
    check_counts(2 * n_cells, count, probability, n);
    free(classes);
    free(rows);
}

static void discrete_rows_come_as_often_as_they_are_probable(void **state)
{
    (void)state;
    ow_discrete_case cases[40];
    const size_t n = ow_discrete_cases(cases);
    for (size_t i = 0; i < n; i++) {
        float given[ow_most_discrete];
        ow_context *ctx = NULL;
        ow_evaluator *evaluator = NULL;
        assert_ok(ow_context_new(NULL, &ctx));
        ow_circuit *circuit = ow_discrete_circuit(ctx, &cases[i], i + 1);
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
        for (size_t j = 0; j < cases[i].d; j++) given[j] = NAN;
        check_completions(circuit, evaluator, given, -1, 8000);
        check_completions(circuit, evaluator, given, 1, 4000);
        for (size_t j = 0; j < cases[i].d; j += 2)
            given[j] = (float)(j % circuit->leaves[j].n_levels);
        check_completions(circuit, evaluator, given, -1, 4000);
        check_completions(circuit, evaluator, given, 0, 4000);
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
        ow_context_free(ctx);
    }
}

/* Weights of 1e-40 and evidence that only they fit: linear sums of floats are 0 here. */
static void evidence_that_only_tiny_weights_explain_is_completed_rightly(void **state)
{
    (void)state;
    const ow_discrete_case one = {OW_STRUCTURE_SHARED, 1, 5};
    const float given[5] = {NAN, 2.0f, NAN, 1.0f, NAN};
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit *circuit = ow_discrete_circuit(ctx, &one, 4);
    for (size_t i = 0; i < circuit->n_weights; i++) circuit->log_weight[i] -= 92.0f;
    owi_circuit_prepare(NULL, circuit);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    check_completions(circuit, evaluator, given, -1, 8000);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

/* A mixture of two Gaussians with a slab and a mass: mean, variance and shares are
 * known. */
static void numbers_have_the_moments_of_the_mixture(void **state)
{
    (void)state;
    enum { n = 40000 };
    const float masses[1] = {7.0f};
    const ow_leaf leaves[2] = {
        {.kind = OW_LEAF_GAUSSIAN, .group = 0},
        {.kind = OW_LEAF_POINT_MASSES, .n_masses = 1, .masses = masses, .group = 1}};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .repetitions = 1,
                                  .inputs = 2,
                                  .n_classes = 1,
                                  .n_columns = 2,
                                  .leaves = leaves};
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit *circuit = ow_random_circuit(ctx, &spec, 1);
    /* mean, variance; log P(mass), log P(slab), mean, variance */
    const float parameters[2][6] = {{-1.0f, 0.25f, logf(0.3f), logf(0.7f), 2.0f, 0.5f},
                                    {3.0f, 4.0f, logf(0.8f), logf(0.2f), -2.0f, 2.0f}};
    memcpy(circuit->leaf, parameters, sizeof parameters);
    circuit->log_weight[0] = logf(0.4f);
    circuit->log_weight[1] = logf(0.6f);
    owi_circuit_prepare(NULL, circuit);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));

    static float rows[2 * n];
    double sum = 0.0, square = 0.0, n_mass = 0.0, slab = 0.0;
    for (size_t i = 0; i < 2 * n; i++) rows[i] = NAN;
    assert_ok(ow_evaluator_sample(evaluator, n, ow_test_seed(5), rows, NULL));
    for (size_t i = 0; i < n; i++) {
        sum += rows[2 * i];
        square += (double)rows[2 * i] * rows[2 * i];
        if (rows[2 * i + 1] == 7.0f)
            n_mass += 1.0;
        else
            slab += rows[2 * i + 1];
    }
    /* 0.4 * -1 + 0.6 * 3; E x^2 = 0.4 (0.25 + 1) + 0.6 (4 + 9); sd of the mean 0.0126. */
    const double got[4] = {sum / n, square / n, n_mass / n, slab / n};
    const double want[4] = {1.4, 8.3, 0.4 * 0.3 + 0.6 * 0.8,
                            0.4 * 0.7 * 2.0 + 0.6 * 0.2 * -2.0};
    assert_close(got, want, 4, 0.04);

    /* Given the first column, the second comes from the first component with probability
     * g. */
    for (size_t i = 0; i < n; i++) {
        rows[2 * i] = 0.0f;
        rows[2 * i + 1] = NAN;
    }
    assert_ok(ow_evaluator_sample(evaluator, n, ow_test_seed(6), rows, NULL));
    n_mass = 0.0;
    for (size_t i = 0; i < n; i++) n_mass += rows[2 * i + 1] == 7.0f;
    const double first = 0.4 * exp(-0.5 * 1.0 / 0.25) / 0.5;
    const double second = 0.6 * exp(-0.5 * 9.0 / 4.0) / 2.0;
    const double g = first / (first + second), share = n_mass / n;
    const double want_share = g * 0.3 + (1.0 - g) * 0.8;
    assert_close(&share, &want_share, 1, 0.01);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

static void the_same_rows_for_the_same_seed_on_any_number_of_threads(void **state)
{
    (void)state;
    enum { n = 300 };
    static float rows[4][n * ow_tiny_columns];
    static int32_t classes[4][n];
    for (size_t i = 0; i < 4; i++) {
        ow_context *ctx = NULL;
        ow_evaluator *evaluator = NULL;
        assert_ok(ow_context_new(NULL, &ctx));
        how.threads = (const size_t[]){1, 2, 5, 1}[i];
        ow_tiny_rows given = ow_tiny_rows_new(n, 2, 0.5, 6);
        const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 2, 2);
        ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &given);
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
        memcpy(rows[i], given.rows, sizeof rows[i]);
        memset(classes[i], -1, sizeof classes[i]);
        assert_ok(ow_evaluator_sample(evaluator, n, ow_test_seed(i < 3 ? 1 : 2), rows[i],
                                      classes[i]));
        for (size_t k = 0; k < n * ow_tiny_columns; k++) assert_true(!isnan(rows[i][k]));
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
        ow_tiny_rows_free(&given);
        ow_context_free(ctx);
    }
    for (size_t i = 1; i < 3; i++) {
        assert_memory_equal(rows[i], rows[0], sizeof rows[0]);
        assert_memory_equal(classes[i], classes[0], sizeof classes[0]);
    }
    assert_memory_not_equal(rows[3], rows[0], sizeof rows[0]);
}

static void what_cannot_be_is_not_completed(void **state)
{
    (void)state;
    const ow_discrete_case one = {OW_STRUCTURE_SHARED, 1, 3};
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit *circuit = ow_discrete_circuit(ctx, &one, 4);
    for (size_t i = 0; i < circuit->n_weights / 2; i++) circuit->log_weight[i] = -INFINITY;
    owi_circuit_prepare(NULL, circuit);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    float row[6] = {NAN, NAN, 1.0f, NAN, NAN, 1.0f};
    int32_t classes[2] = {1, 0};
    assert_fails(ow_evaluator_sample(evaluator, 2, ow_test_seed(1), row, classes),
                 OW_ERR_NUMERIC, "row 2");
    assert_true(isnan(row[3]) && isnan(row[4]) && row[5] == 1.0f);
    for (size_t i = 0; i < 20; i++) { /* the impossible class is never drawn */
        float empty[3] = {NAN, NAN, NAN};
        int32_t drawn = -1;
        assert_ok(ow_evaluator_sample(evaluator, 1, ow_test_seed(i), empty, &drawn));
        assert_int_equal(drawn, 1);
    }
    classes[0] = 2;
    assert_fails(ow_evaluator_sample(evaluator, 2, ow_test_seed(1), row, classes),
                 OW_ERR_ARGUMENT, "row 1: class 2, expected 0 to 1 or -1");
    assert_status(ow_evaluator_sample(evaluator, 1, ow_test_seed(1), NULL, NULL),
                  OW_ERR_ARGUMENT);
    assert_ok(ow_evaluator_sample(evaluator, 0, ow_test_seed(1), NULL, NULL));
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discrete_rows_come_as_often_as_they_are_probable),
        cmocka_unit_test(evidence_that_only_tiny_weights_explain_is_completed_rightly),
        cmocka_unit_test(numbers_have_the_moments_of_the_mixture),
        cmocka_unit_test(the_same_rows_for_the_same_seed_on_any_number_of_threads),
        cmocka_unit_test(what_cannot_be_is_not_completed),
    };
    return cmocka_run_group_tests_name("circuit/query_sample", tests, NULL, NULL);
}
