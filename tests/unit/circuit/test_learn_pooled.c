/* SPDX-License-Identifier: MIT */
/* Pool, then adapt: towards the pooled circuit, by as many rows as asked or as held-out
 * rows want. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "circuit/learn/learn.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

static ow_circuit_spec pooled_spec(size_t depth, size_t n_classes)
{
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, depth, n_classes);
    spec.same_regions = true;
    return spec;
}

static ow_learn_options options_for_tables(void)
{
    ow_learn_options options = ow_test_learn_defaults();
    options.passes = 8;
    options.prior_rows = 4.0;
    return options;
}

/* How far apart the sub-circuits of the classes are: the largest difference of a
 * parameter. */
static double distance(const ow_circuit *circuit)
{
    const size_t n = circuit->n_leaf / circuit->regions.n_copies;
    double most = 0.0;
    for (size_t i = n; i < circuit->n_leaf; i++)
        most = fmax(most, fabs((double)circuit->leaf[i] - (double)circuit->leaf[i - n]));
    return most;
}

static void the_more_rows_draw_the_closer_the_classes_are(void **state)
{
    (void)state;
    double before = INFINITY;
    for (int i = 0; i < 4; i++) {
        ow_pooling pooling = {.size = sizeof pooling,
                              .towards_rows = (const double[]){0.0, 10.0, 1000.0, 1e9}[i]};
        ow_context *ctx = NULL;
        ow_circuit *circuit = NULL;
        assert_ok(ow_context_new(NULL, &ctx));
        ow_tiny_rows rows = ow_tiny_rows_new(300, 2, 0.05, 3);
        const ow_row_source source = ow_row_source_of_array(&rows.array);
        const ow_circuit_spec spec = pooled_spec(1, 2);
        const ow_learn_options options = options_for_tables();
        const double asked = pooling.towards_rows;
        assert_ok(ow_circuit_new(ctx, &spec, &circuit));
        assert_ok(
            ow_circuit_learn_pooled(circuit, &options, &source, ow_test_seed(1), &pooling));
        assert_true(pooling.towards_rows == asked && pooling.prior_rows == 4.0);
        const double now = distance(circuit);
        assert_true(now < before);
        if (i == 3) assert_true(now < 1e-4); /* all classes are the pooled one */
        before = now;
        ow_circuit_free(circuit);
        ow_tiny_rows_free(&rows);
        ow_context_free(ctx);
    }
}

static void how_many_is_chosen_and_told(void **state)
{
    (void)state;
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
        ow_pooling pooling = {.size = sizeof pooling, .towards_rows = -1.0};
        ow_context *ctx = NULL;
        ow_circuit *circuit = NULL;
        ow_evaluator *evaluator = NULL;
        ow_score score;
        assert_ok(ow_context_new(NULL, &ctx));
        ow_tiny_rows rows = ow_tiny_rows_new(200, 3, 0.05, 3);
        const ow_row_source source = ow_row_source_of_array(&rows.array);
        const ow_circuit_spec spec = pooled_spec(depth, 3);
        const ow_learn_options options = options_for_tables();
        assert_ok(ow_circuit_new(ctx, &spec, &circuit));
        assert_ok(
            ow_circuit_learn_pooled(circuit, &options, &source, ow_test_seed(1), &pooling));
        assert_true(pooling.towards_rows > 0.0 &&
                    pooling.towards_rows <= 64.0 * sqrt(200.0) + 1.0);
        assert_true(pooling.prior_rows == 1.0 || pooling.prior_rows == 4.0 ||
                    pooling.prior_rows == 16.0);
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
        assert_ok(ow_circuit_score(evaluator, &source, &how, &score));
        assert_true(score.accuracy > 0.5); /* guessing has a third */
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
        ow_tiny_rows_free(&rows);
        ow_context_free(ctx);
    }
}

/* From one row for each class on: nothing to hold out, and still a circuit. */
static void tables_of_a_few_rows_can_be_pooled(void **state)
{
    (void)state;
    static const size_t sizes[] = {2, 3, 5, 12};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int chosen = 0; chosen < 2; chosen++) {
            ow_pooling pooling = {.size = sizeof pooling,
                                  .towards_rows = chosen ? -1.0 : 5.0};
            double log_class[2];
            ow_context *ctx = NULL;
            ow_circuit *circuit = NULL;
            ow_evaluator *evaluator = NULL;
            assert_ok(ow_context_new(NULL, &ctx));
            ow_tiny_rows rows = ow_tiny_rows_new(sizes[i], 2, 0.0, 4);
            rows.classes[0] = 0;
            rows.classes[1] = 1;
            const ow_row_source source = ow_row_source_of_array(&rows.array);
            const ow_circuit_spec spec = pooled_spec(1, 2);
            const ow_learn_options options = options_for_tables();
            assert_ok(ow_circuit_new(ctx, &spec, &circuit));
            assert_ok(ow_circuit_learn_pooled(circuit, &options, &source, ow_test_seed(1),
                                              &pooling));
            assert_true(pooling.towards_rows > 0.0);
            assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
            assert_ok(ow_evaluator_evaluate(evaluator, 1, rows.rows, &how, log_class));
            assert_true(isfinite(log_class[0]) && isfinite(log_class[1]));
            ow_evaluator_free(evaluator);
            ow_circuit_free(circuit);
            ow_tiny_rows_free(&rows);
            ow_context_free(ctx);
        }
}

static void the_same_bytes_on_any_number_of_threads(void **state)
{
    (void)state;
    float *blocks[3];
    size_t size = 0;
    for (size_t i = 0; i < 3; i++) {
        ow_context *ctx = NULL;
        ow_circuit *circuit = NULL;
        assert_ok(ow_context_new(NULL, &ctx));
        how.threads = (const size_t[]){1, 2, 5}[i];
        ow_tiny_rows rows = ow_tiny_rows_new(150, 2, 0.05, 4);
        const ow_row_source source = ow_row_source_of_array(&rows.array);
        const ow_circuit_spec spec = pooled_spec(2, 2);
        ow_learn_options options = options_for_tables();
        options.passes = 3;
        assert_ok(ow_circuit_new(ctx, &spec, &circuit));
        assert_ok(
            ow_circuit_learn_pooled(circuit, &options, &source, ow_test_seed(1), NULL));
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

static void what_cannot_be_pooled_is_refused(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    ow_circuit *shared = NULL, *own = NULL, *good = NULL;
    ow_pooling pooling = {.size = sizeof pooling, .towards_rows = 5.0};
    assert_ok(ow_context_new(NULL, &ctx));
    ow_tiny_rows rows = ow_tiny_rows_new(20, 2, 0.0, 4);
    const ow_row_source source = ow_row_source_of_array(&rows.array);
    ow_circuit_spec spec = pooled_spec(1, 2);
    assert_ok(ow_circuit_new(ctx, &spec, &good));
    spec.structure = OW_STRUCTURE_SHARED;
    assert_ok(ow_circuit_new(ctx, &spec, &shared));
    spec = pooled_spec(1, 2);
    spec.same_regions = false;
    assert_ok(ow_circuit_new(ctx, &spec, &own));
    ow_learn_options options = options_for_tables();
    assert_fails(ow_circuit_learn_pooled(shared, &options, &source, ow_test_seed(1),
                                         &pooling),
                 OW_ERR_ARGUMENT, "OW_STRUCTURE_PER_CLASS");
    assert_fails(ow_circuit_learn_pooled(own, &options, &source, ow_test_seed(1), &pooling),
                 OW_ERR_ARGUMENT, "same_regions");
    options.learner = OW_LEARN_ADAM;
    assert_fails(ow_circuit_learn_pooled(good, &options, &source, ow_test_seed(1),
                                         &pooling),
                 OW_ERR_ARGUMENT, "OW_LEARN_EM");
    options.learner = OW_LEARN_EM;
    for (size_t i = 0; i < 20; i++) rows.classes[i] = 0;
    assert_fails(ow_circuit_learn_pooled(good, &options, &source, ow_test_seed(1),
                                         &pooling),
                 OW_ERR_ARGUMENT, "class 1 has no training rows");
    ow_circuit_free(good);
    ow_circuit_free(shared);
    ow_circuit_free(own);
    ow_tiny_rows_free(&rows);
    ow_context_free(ctx);
}

static ow_status pool(ow_context *ctx, void *user)
{
    (void)user;
    ow_tiny_rows rows = ow_tiny_rows_new(16, 2, 0.0, 4);
    const ow_row_source source = ow_row_source_of_array(&rows.array);
    ow_circuit_spec spec = pooled_spec(1, 2);
    spec.repetitions = 1;
    ow_learn_options options = options_for_tables();
    options.passes = 1;
    ow_pooling pooling = {.size = sizeof pooling, .towards_rows = 5.0, .ridge = 1.0};
    ow_circuit *circuit = NULL;
    ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    if (status == OW_OK)
        status =
            ow_circuit_learn_pooled(circuit, &options, &source, ow_test_seed(1), &pooling);
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(pool, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_more_rows_draw_the_closer_the_classes_are),
        cmocka_unit_test(how_many_is_chosen_and_told),
        cmocka_unit_test(tables_of_a_few_rows_can_be_pooled),
        cmocka_unit_test(the_same_bytes_on_any_number_of_threads),
        cmocka_unit_test(what_cannot_be_pooled_is_refused),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/learn_pooled", tests, NULL, NULL);
}
