/* SPDX-License-Identifier: MIT */
/* EM never lowers what it maximises, whatever the leaves, the structure, the gaps and the
 * priors. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "circuit/learn/learn.h"
#include "support/test_call.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

typedef struct {
    ow_structure structure;
    size_t depth;
    double missing, prior_rows, variance;
} em_case;

static const em_case cases[] = {
    {OW_STRUCTURE_PER_CLASS, 1, 0.0, 0.0, 0.0},
    {OW_STRUCTURE_SHARED, 1, 0.0, 0.0, 0.0},
    {OW_STRUCTURE_PER_CLASS, 2, 0.2, 3.0, 0.0},
    {OW_STRUCTURE_SHARED, 2, 0.2, 3.0, 0.0},
    {OW_STRUCTURE_SHARED, 0, 0.1, 1.0, 0.0},
    {OW_STRUCTURE_PER_CLASS, ow_tree_depth, 0.0, 0.0, 0.0},
    {OW_STRUCTURE_SHARED, ow_tree_depth, 0.2, 3.0, 0.0},
};

/* Full-batch passes, with the penalised likelihood before each update. */
static void likelihood_rises(const em_case *one)
{
    enum { n_rows = 300, n_passes = 12 };
    ow_context *ctx = NULL;
    owi_learner learner;
    ow_score score;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_tiny_rows rows = ow_tiny_rows_new(n_rows, 2, one->missing, 11);
    ow_circuit_spec spec = ow_tiny_spec(one->structure, one->depth, 2);
    ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
    const ow_row_source source = ow_row_source_of_array(&rows.array);
    ow_learn_options options = ow_test_learn_defaults();
    options.backend = "ref";
    options.prior_rows = one->prior_rows;
    options.pseudo_count = 1e-3;
    assert_ok(owi_learner_init(&learner, ow_test_call(circuit->ctx, &how), circuit,
                               &options, NULL, 0.0));

    double before = -INFINITY, first = 0.0;
    for (size_t pass = 0; pass < n_passes; pass++) {
        const double penalty = owi_log_prior(circuit, &learner.prior);
        assert_ok(owi_learner_pass(&learner, &source, &score));
        const double now = score.log_density_class * n_rows + penalty;
        if (pass == 1) first = now;
        if (now < before - 1e-6 * fabs(before))
            print_error("depth %zu, pass %zu: %.9g after %.9g\n", one->depth, pass, now,
                        before);
        assert_true(now >= before - 1e-6 * fabs(before));
        before = now;
    }
    assert_true(before > first + 1.0); /* it does learn something */
    owi_learner_clear(&learner);
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
    ow_context_free(ctx);
}

static void full_em_never_lowers_the_penalised_likelihood(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) likelihood_rises(&cases[i]);
}

/* The parameter block after learning with so many threads. */
static float *learned(size_t n_threads, size_t batch, size_t depth, size_t *size)
{
    ow_context *ctx = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    how.threads = n_threads;
    ow_tiny_rows rows = ow_tiny_rows_new(5000, 3, 0.05, 4);
    ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, depth, 3);
    ow_circuit *circuit = ow_tiny_circuit(ctx, &spec, &rows);
    const ow_row_source source = ow_row_source_of_array(&rows.array);
    ow_learn_options options = ow_test_learn_defaults();
    options.passes = 3;
    options.batch = batch;
    assert_ok(ow_circuit_learn(circuit, &options, &source, NULL, &how, NULL));
    *size = (circuit->n_leaf + circuit->n_weights) * sizeof(float);
    float *block = malloc(*size);
    assert_non_null(block);
    memcpy(block, circuit->block, *size);
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
    ow_context_free(ctx);
    return block;
}

static void the_same_bytes_on_any_number_of_threads(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        const size_t batch = i % 2 * 1500, depth = i < 2 ? 2 : ow_tree_depth;
        size_t size;
        float *one = learned(1, batch, depth, &size);
        for (size_t n_threads = 2; n_threads <= 5; n_threads += 3) {
            float *more = learned(n_threads, batch, depth, &size);
            assert_memory_equal(one, more, size);
            free(more);
        }
        free(one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_em_never_lowers_the_penalised_likelihood),
        cmocka_unit_test(the_same_bytes_on_any_number_of_threads),
    };
    return cmocka_run_group_tests_name("circuit/learn_em", tests, NULL, NULL);
}
