/* SPDX-License-Identifier: MIT */
/* The tilt that makes a circuit the better classifier. */
#include "support/ow_test.h"
#include "support/tiny_circuits.h"

#include "base/numeric/rng.h"
#include "circuit/learn/tilt_fit.h"
#include "circuit/pass/evaluator.h"
#include "support/test_call.h"

/* Rows of two classes: `n_copies` columns that are the same number over again, 1 apart, and
 * an ordered category that does not matter. */
enum { n_copies = 5, n_columns = n_copies + 1, n_rows = 600 };
typedef struct {
    float rows[n_rows * n_columns];
    int32_t classes[n_rows];
    ow_row_array array;
} copies;

static void copies_fill(copies *data, uint64_t seed)
{
    owi_rng rng;
    owi_rng_init(&rng, seed, 0);
    for (size_t i = 0; i < n_rows; i++) {
        data->classes[i] = (int32_t)(i % 2);
        const float x = (float)(owi_rng_normal(&rng) + (double)data->classes[i]);
        for (size_t j = 0; j < n_copies; j++) data->rows[i * n_columns + j] = x;
        data->rows[i * n_columns + n_copies] = (float)owi_rng_below(&rng, 3);
    }
    data->array = (ow_row_array){n_rows, n_columns, data->rows, data->classes, 0};
}

/* Naive Bayes: one component for each class, which counts every copy. */
static ow_circuit *naive_bayes(ow_context *ctx, const ow_row_source *source)
{
    static const ow_leaf leaves[n_columns] = {
        {.kind = OW_LEAF_GAUSSIAN, .group = 0},
        {.kind = OW_LEAF_GAUSSIAN, .group = 1},
        {.kind = OW_LEAF_GAUSSIAN, .group = 2},
        {.kind = OW_LEAF_GAUSSIAN, .group = 3},
        {.kind = OW_LEAF_GAUSSIAN, .group = 4},
        {.kind = OW_LEAF_CATEGORICAL, .n_levels = 3, .group = 5, .ordered = true}};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = OW_STRUCTURE_PER_CLASS,
                                  .repetitions = 1,
                                  .inputs = 1,
                                  .n_classes = 2,
                                  .n_columns = n_columns,
                                  .leaves = leaves};
    const ow_learn_options options = ow_test_learn_defaults();
    ow_circuit *circuit = NULL;
    assert_ok(ow_circuit_new(ctx, &spec, &circuit));
    assert_ok(ow_circuit_start(circuit, source, ow_test_seed(1)));
    assert_ok(ow_circuit_learn(circuit, &options, source, NULL, NULL, NULL));
    return circuit;
}

static ow_score score_of(const ow_circuit *circuit, const ow_row_source *source)
{
    ow_evaluator *evaluator = NULL;
    ow_score score;
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    assert_ok(ow_circuit_score(evaluator, source, NULL, &score));
    ow_evaluator_free(evaluator);
    return score;
}

/* Fits and tilts; coefficients has owi_tilt_size entries, 0 to begin with. */
static void tilt(ow_circuit *circuit, const ow_row_source *source, double ridge,
                 double *coefficients)
{
    ow_evaluator *evaluator = NULL;
    ow_circuit *trial = NULL;
    owi_tilt_rows rows;
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    assert_ok(ow_circuit_new(circuit->ctx, &circuit->spec, &trial));
    assert_ok(owi_tilt_rows_read(&rows, ow_test_call(evaluator->circuit->ctx, NULL),
                                 evaluator, source));
    assert_ok(owi_tilt_fit(&rows, circuit, trial, ridge, coefficients));
    assert_ok(owi_tilt_apply(NULL, circuit, coefficients, circuit));
    owi_tilt_rows_clear(&rows);
    ow_circuit_free(trial);
    ow_evaluator_free(evaluator);
}

enum { most_coefficients = 2 * (2 * n_copies + 3 + n_columns) };

static void what_is_said_five_times_counts_once(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static copies learned, fresh;
    double coefficients[most_coefficients] = {0};
    copies_fill(&learned, 1);
    copies_fill(&fresh, 2);
    const ow_row_source source = ow_row_source_of_array(&learned.array);
    const ow_row_source others = ow_row_source_of_array(&fresh.array);
    ow_circuit *circuit = naive_bayes(ctx, &source);
    assert_int_equal(owi_tilt_size(circuit), most_coefficients);
    const ow_score before = score_of(circuit, &others);
    tilt(circuit, &source, 1.0, coefficients);
    const ow_score after = score_of(circuit, &others);
    /* Of one normal number 1 apart the best log-loss is 0.58; five of them are far too
     * sure. */
    assert_true(before.log_loss > 0.8);
    assert_true(after.log_loss < 0.61);
    assert_true(after.accuracy > 0.66);
    /* Of the order of the category nothing is made, and the other columns have none. */
    const size_t F = circuit->n_features;
    for (size_t j = 0; j < n_copies; j++) assert_true(coefficients[F + j] == 0.0);
    assert_true(fabs(coefficients[F + n_copies]) < 0.2);
    ow_circuit_free(circuit);
}

static void a_heavier_penalty_makes_a_smaller_tilt(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static copies learned;
    double before = INFINITY;
    copies_fill(&learned, 1);
    const ow_row_source source = ow_row_source_of_array(&learned.array);
    for (size_t i = 0; i < 4; i++) {
        double coefficients[most_coefficients] = {0}, size = 0.0;
        ow_circuit *circuit = naive_bayes(ctx, &source);
        tilt(circuit, &source, (const double[]){1.0, 16.0, 256.0, 1e9}[i], coefficients);
        for (size_t k = 0; k < most_coefficients; k++)
            size += coefficients[k] * coefficients[k];
        assert_true(size < before);
        before = size;
        ow_circuit_free(circuit);
    }
    assert_true(before < 1e-8);
}

/* The objective written out, at the result and beside it. */
static double objective(const ow_circuit *base, const ow_row_source *source, double ridge,
                        const double *coefficients)
{
    ow_circuit *tilted = NULL;
    double sum = 0.0;
    assert_ok(ow_circuit_new(base->ctx, &base->spec, &tilted));
    assert_ok(owi_tilt_apply(NULL, base, coefficients, tilted));
    const ow_score score = score_of(tilted, source);
    for (size_t k = 0; k < owi_tilt_size(base); k++)
        sum += 0.5 * ridge * coefficients[k] * coefficients[k];
    ow_circuit_free(tilted);
    return sum + (double)score.n_rows *
                     (score.log_loss - owi_density_worth * score.log_density_class);
}

static void no_coefficient_can_be_moved_for_the_better(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const double ridge = 2.0;
    ow_tiny_rows data = ow_tiny_rows_new(150, 3, 0.0, 6);
    const ow_row_source source = ow_row_source_of_array(&data.array);
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 3);
    ow_leaf leaves[ow_tiny_columns];
    memcpy(leaves, ow_tiny_leaves, sizeof leaves);
    for (size_t j = 0; j < ow_tiny_columns; j++)
        leaves[j].ordered = leaves[j].kind == OW_LEAF_CATEGORICAL;
    spec.leaves = leaves;
    ow_circuit *base = ow_tiny_circuit(ctx, &spec, &data), *tilted = NULL;
    double shares[3];
    for (size_t c = 0; c < 3; c++) shares[c] = base->class_rows[c] / 150.0;
    assert_ok(ow_circuit_set_prior(base, shares));
    assert_ok(ow_circuit_new(ctx, &spec, &tilted));

    ow_evaluator *evaluator = NULL;
    owi_tilt_rows rows;
    const size_t n = owi_tilt_size(base);
    double *coefficients = calloc(n, sizeof *coefficients);
    assert_non_null(coefficients);
    const double start = objective(base, &source, ridge, coefficients);
    assert_ok(ow_evaluator_new(base, NULL, &evaluator));
    assert_ok(owi_tilt_rows_read(&rows, ow_test_call(evaluator->circuit->ctx, NULL),
                                 evaluator, &source));
    for (size_t again = 0; again < 6; again++) /* it stops where gains are small */
        assert_ok(owi_tilt_fit(&rows, base, tilted, ridge, coefficients));
    const double least = objective(base, &source, ridge, coefficients);
    assert_true(least < start - 1.0);
    for (size_t k = 0; k < n; k++)
        for (double by = -0.3; by < 0.5; by += 0.6) {
            coefficients[k] += by;
            assert_true(objective(base, &source, ridge, coefficients) > least - 0.02);
            coefficients[k] -= by;
        }
    free(coefficients);
    owi_tilt_rows_clear(&rows);
    ow_evaluator_free(evaluator);
    ow_circuit_free(tilted);
    ow_circuit_free(base);
    ow_tiny_rows_free(&data);
}

static ow_status fit(ow_context *ctx, void *user)
{
    (void)user;
    ow_tiny_rows data = ow_tiny_rows_new(12, 2, 0.1, 6);
    const ow_row_source source = ow_row_source_of_array(&data.array);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 2);
    ow_circuit *base = NULL, *trial = NULL;
    ow_evaluator *evaluator = NULL;
    owi_tilt_rows rows = {.ctx = ctx};
    double coefficients[128] = {0};
    ow_status status = ow_circuit_new(ctx, &spec, &base);
    if (status == OW_OK) status = ow_circuit_new(ctx, &spec, &trial);
    if (status == OW_OK) status = ow_circuit_start(base, &source, ow_test_seed(1));
    if (status == OW_OK) status = ow_evaluator_new(base, NULL, &evaluator);
    if (status == OW_OK)
        status = owi_tilt_rows_read(&rows, ow_test_call(evaluator->circuit->ctx, NULL),
                                    evaluator, &source);
    if (status == OW_OK) status = owi_tilt_fit(&rows, base, trial, 1.0, coefficients);
    if (status == OW_OK) status = owi_tilt_apply(NULL, base, coefficients, base);
    owi_tilt_rows_clear(&rows);
    ow_evaluator_free(evaluator);
    ow_circuit_free(trial);
    ow_circuit_free(base);
    ow_tiny_rows_free(&data);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(fit, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(what_is_said_five_times_counts_once),
        ow_test_on_heap(a_heavier_penalty_makes_a_smaller_tilt),
        ow_test_on_heap(no_coefficient_can_be_moved_for_the_better),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/tilt_fit", tests, NULL, NULL);
}
