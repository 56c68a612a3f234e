/* SPDX-License-Identifier: MIT */
/* Pull, prior and tilt, chosen by rows held out. */
#include "support/ow_test.h"

#include "base/numeric/rng.h"
#include "circuit/learn/learn.h"

/* A hidden number, which every column tells with a little noise of its own; the first is
 * higher in class 1.  So classes differ by how the first column stands to the others, which
 * components take for independent of them. */
enum { n_columns = 8, n_learned = 160, n_fresh = 1000 };

static void fill(uint64_t seed, size_t n, float *rows, int32_t *classes)
{
    owi_rng rng;
    owi_rng_init(&rng, seed, 0);
    for (size_t i = 0; i < n; i++) {
        classes[i] = (int32_t)(i % 2);
        const double hidden = owi_rng_normal(&rng);
        for (size_t j = 0; j < n_columns; j++)
            rows[i * n_columns + j] = (float)(hidden + 0.3 * owi_rng_normal(&rng));
        rows[i * n_columns] += 0.8f * (float)classes[i];
    }
}

static ow_circuit *circuit_new(ow_context *ctx)
{
    ow_leaf leaves[n_columns];
    for (size_t j = 0; j < n_columns; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = OW_STRUCTURE_PER_CLASS,
                                  .depth = 1,
                                  .repetitions = 2,
                                  .inputs = 2,
                                  .n_classes = 2,
                                  .n_columns = n_columns,
                                  .leaves = leaves,
                                  .same_regions = true};
    ow_circuit *circuit = NULL;
    assert_ok(ow_circuit_new(ctx, &spec, &circuit));
    return circuit;
}

static float learned[n_learned * n_columns], fresh[n_fresh * n_columns];
static int32_t learned_class[n_learned], fresh_class[n_fresh];

/* Learns with everything chosen; returns the log-loss of fresh rows. */
static double learn(ow_context *ctx, ow_pooling *pooling)
{
    ow_row_array array = {n_learned, n_columns, learned, learned_class, 0};
    ow_row_array other = {n_fresh, n_columns, fresh, fresh_class, 0};
    const ow_row_source source = ow_row_source_of_array(&array);
    const ow_row_source others = ow_row_source_of_array(&other);
    ow_circuit *circuit = circuit_new(ctx);
    ow_evaluator *evaluator = NULL;
    ow_learn_options options = ow_test_learn_defaults();
    ow_score score;
    options.passes = 12;
    options.prior_rows = 16.0;
    options.least_variance = 0.01;
    fill(1, n_learned, learned, learned_class);
    fill(2, n_fresh, fresh, fresh_class);
    assert_ok(
        ow_circuit_learn_pooled(circuit, &options, &source, ow_test_seed(1), pooling));
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    assert_ok(ow_circuit_score(evaluator, &others, NULL, &score));
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    return score.log_loss;
}

static void what_independent_leaves_cannot_tell_is_worth_a_tilt(void **state)
{
    ow_pooling tilted = {.size = sizeof tilted, .towards_rows = -1.0};
    ow_pooling untilted = {.size = sizeof untilted, .towards_rows = -1.0, .untilted = true};
    const double with = learn(ow_test_context(state), &tilted);
    const double without = learn(ow_test_context(state), &untilted);
    assert_true(tilted.ridge == 0.25); /* the weakest: columns have to be weighed sharply */
    assert_true(untilted.ridge == 0.0 && untilted.towards_rows > 0.0);
    assert_true(with < without - 0.1);
}

/* Rows that count how often they are read. */
typedef struct {
    ow_row_source rows;
    size_t n_times;
} counted_rows;

static ow_status count_rewind(void *user)
{
    counted_rows *counted = user;
    counted->n_times++;
    return counted->rows.rewind(counted->rows.user);
}

static ow_status next_counted(void *user, size_t max_rows, float *rows, int32_t *classes,
                              size_t *n_rows)
{
    counted_rows *counted = user;
    return counted->rows.next(counted->rows.user, max_rows, rows, classes, n_rows);
}

/* How often n rows are read while everything is chosen. */
static size_t count_readings(ow_context *ctx, size_t n)
{
    ow_row_array array = {n, n_columns, fresh, fresh_class, 0};
    counted_rows counted = {ow_row_source_of_array(&array), 0};
    const ow_row_source source = {&counted, count_rewind, next_counted};
    ow_circuit *circuit = circuit_new(ctx);
    ow_learn_options options = ow_test_learn_defaults();
    ow_pooling pooling = {.size = sizeof pooling, .towards_rows = -1.0, .untilted = true};
    options.passes = 2;
    fill(3, n, fresh, fresh_class);
    assert_ok(
        ow_circuit_learn_pooled(circuit, &options, &source, ow_test_seed(1), &pooling));
    ow_circuit_free(circuit);
    return counted.n_times;
}

static void the_fewer_rows_the_more_divisions(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const size_t once = count_readings(ctx, 600), twice = count_readings(ctx, 400);
    const size_t often = count_readings(ctx, 150), tiny = count_readings(ctx, 20);
    const size_t division = twice - once;
    assert_true(division > once / 2); /* most readings are for choosing */
    assert_int_equal(count_readings(ctx, 900), once);
    assert_int_equal(often, once + 3 * division);
    assert_int_equal(tiny, often);
}

static void what_was_chosen_can_be_given(void **state)
{
    ow_pooling chosen = {.size = sizeof chosen, .towards_rows = -1.0};
    const double once = learn(ow_test_context(state), &chosen);
    ow_pooling given = chosen;
    const double again = learn(ow_test_context(state), &given);
    assert_true(given.towards_rows == chosen.towards_rows && given.ridge == chosen.ridge);
    /* The prior is not among what is given: it is an option. */
    if (chosen.prior_rows == 16.0) assert_close(&again, &once, 1, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(what_independent_leaves_cannot_tell_is_worth_a_tilt),
        ow_test_on_heap(what_was_chosen_can_be_given),
        ow_test_on_heap(the_fewer_rows_the_more_divisions),
    };
    return cmocka_run_group_tests_name("circuit/pooling_choose", tests, NULL, NULL);
}
