/* SPDX-License-Identifier: MIT */
/* What training does where nothing is said: doc/method.md, "Defaults". */
#include "model/train/train_rules.h"
#include "support/ow_test.h"

#include <stdio.h>

/* From its text. */
static ow_schema *schema_of(ow_context *ctx, const char *text)
{
    ow_schema *schema = NULL;
    assert_ok(ow_schema_parse(ctx, text, strlen(text), "schema", &schema));
    return schema;
}

static const char two_numbers[] =
    "{\"schema_version\": \"1.0\", \"label\": {\"name\": \"y\", \"classes\": [\"a\", "
    "\"b\"]}, \"columns\": ["
    "{\"name\": \"u\", \"type\": \"continuous\", \"range\": [0, 1]}, "
    "{\"name\": \"v\", \"type\": \"continuous\", \"range\": [0, 1]}]}";
static const char one_number[] =
    "{\"schema_version\": \"1.0\", \"label\": {\"name\": \"y\", \"classes\": [\"a\", "
    "\"b\"]}, \"columns\": ["
    "{\"name\": \"u\", \"type\": \"continuous\", \"range\": [0, 1]}]}";

static owi_train_rules rules_for(void **state, const ow_train_options *options, size_t n)
{
    ow_schema *schema = schema_of(ow_test_context(state), two_numbers);
    const owi_train_rules rules = owi_train_rules_for(options, schema, n, 7);
    ow_schema_free(schema);
    return rules;
}

static void a_small_table_gets_a_small_circuit_and_few_passes(void **state)
{
    const ow_train_options options = ow_test_train_defaults();
    const owi_train_rules rules = rules_for(state, &options, 700);
    assert_int_equal(rules.circuit.depth, 1);
    assert_int_equal(rules.circuit.repetitions, 8);
    assert_int_equal(rules.circuit.inputs, 8);
    assert_int_equal(rules.circuit.seed, 7);
    assert_true(rules.circuit.variance == 0.0); /* learned */
    assert_true(rules.pooled && rules.circuit.same_regions && rules.empirical_prior);
    assert_int_equal(rules.learn.passes, 12);
    assert_int_equal(rules.learn.batch, 0);
    assert_true(rules.learn.prior_rows == 16.0 && rules.learn.least_variance == 0.01);
    assert_true(rules.tune.passes == 0 && rules.held_out == 0.0);
}

static void more_rows_have_more_components_weaker_priors_and_a_tuning(void **state)
{
    static const struct {
        size_t n_rows, inputs, passes, batch, tuning;
        double prior_rows;
    } cases[] = {{1999, 8, 12, 0, 0, 16.0},      {2000, 8, 12, 0, 0, 4.0},
                 {4999, 8, 12, 0, 0, 4.0},       {5000, 8, 30, 0, 12, 4.0},
                 {20000, 8, 30, 0, 12, 4.0},     {20001, 16, 30, 0, 12, 4.0},
                 {200000, 16, 30, 0, 12, 4.0},   {200001, 16, 6, 8192, 12, 4.0},
                 {2000000, 16, 3, 8192, 3, 4.0}, {50000000, 16, 2, 8192, 2, 4.0}};
    const ow_train_options options = ow_test_train_defaults();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const owi_train_rules rules = rules_for(state, &options, cases[i].n_rows);
        assert_int_equal(rules.circuit.inputs, cases[i].inputs);
        assert_int_equal(rules.learn.passes, cases[i].passes);
        assert_int_equal(rules.learn.batch, cases[i].batch);
        assert_true(rules.learn.prior_rows == cases[i].prior_rows);
        assert_int_equal(rules.tune.passes, cases[i].tuning);
        assert_true((rules.held_out > 0.0) == (cases[i].tuning > 0));
        if (cases[i].tuning == 0) continue;
        assert_true(rules.tune.learner == OW_LEARN_ADAM);
        assert_true(rules.tune.discriminative == 0.9);
    }
}

static void the_paper_s_way_is_not_pooled_and_has_unit_variance(void **state)
{
    ow_train_options options = ow_test_train_defaults();
    options.leaves = OW_LEAVES_GAUSSIAN;
    const owi_train_rules rules = rules_for(state, &options, 5000);
    assert_true(!rules.pooled && !rules.empirical_prior);
    assert_true(rules.circuit.variance == 1.0);
    assert_int_equal(rules.circuit.repetitions, 19);
    assert_int_equal(rules.circuit.inputs, 20);
    assert_int_equal(rules.learn.passes, 12);
    assert_int_equal(rules.learn.batch, 2048);
    assert_true(rules.learn.prior_rows == 0.0 && rules.learn.pseudo_count == 1e-8);
    assert_int_equal(rules.tune.passes, 0);
    assert_int_equal(rules_for(state, &options, 4095).learn.batch, 0);
}

static void what_is_given_is_kept(void **state)
{
    ow_train_options options = ow_test_train_defaults();
    options.depth = 3;
    options.repetitions = 2;
    options.inputs = 5;
    options.sums = 4;
    options.passes = 9;
    options.batch = 100;
    options.variance = 0.5;
    options.prior = OW_PRIOR_UNIFORM;
    options.discriminative = 0.4;
    const owi_train_rules rules = rules_for(state, &options, 300);
    assert_int_equal(rules.circuit.depth, 3);
    assert_int_equal(rules.circuit.repetitions, 2);
    assert_int_equal(rules.circuit.inputs, 5);
    assert_int_equal(rules.circuit.sums, 4);
    assert_int_equal(rules.learn.passes, 9);
    assert_int_equal(rules.learn.batch, 100);
    assert_true(rules.circuit.variance == 0.5 && !rules.empirical_prior);
    assert_true(rules.tune.passes > 0 && rules.tune.discriminative == 0.4);
}

static void to_describe_alone_needs_no_tuning(void **state)
{
    ow_train_options options = ow_test_train_defaults();
    options.discriminative = 0.0;
    const owi_train_rules rules = rules_for(state, &options, 50000);
    assert_true(rules.tune.passes == 0 && rules.held_out == 0.0);
}

static void adam_and_shared_structure_are_not_pooled(void **state)
{
    ow_train_options options = ow_test_train_defaults();
    options.structure = OW_STRUCTURE_SHARED;
    assert_true(!rules_for(state, &options, 300).pooled);
    options = ow_test_train_defaults();
    options.learner = OW_LEARN_ADAM;
    options.discriminative = 0.7;
    const owi_train_rules rules = rules_for(state, &options, 300);
    assert_true(!rules.pooled && rules.tune.passes == 0);
    assert_true(rules.learn.discriminative == 0.7);
    assert_true(rules.held_out == 0.1); /* Adam is stopped by rows that it has not seen */
}

/* A table of n numbers. */
static ow_schema *wide_schema(ow_context *ctx, size_t n)
{
    char text[4096];
    size_t at = (size_t)snprintf(text, sizeof text,
                                 "{\"schema_version\": \"1.0\", \"label\": {\"name\": "
                                 "\"y\", \"classes\": [\"a\", \"b\"]}, \"columns\": [");
    for (size_t j = 0; j < n; j++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "%s{\"name\": \"c%zu\", \"type\": \"continuous\", "
                               "\"range\": [0, 1]}",
                               j > 0 ? ", " : "", j);
    (void)snprintf(text + at, sizeof text - at, "]}");
    return schema_of(ctx, text);
}

static void trees_have_fewer_states_where_rows_are_few_and_columns_many(void **state)
{
    static const struct {
        size_t n_rows, n_columns, states;
    } cases[] = {{499, 3, 8},   {500, 3, 16},   {500, 15, 16},   {500, 16, 8},
                 {1999, 30, 8}, {2000, 30, 16}, {100000, 30, 16}};
    ow_train_options options = ow_test_train_defaults();
    options.regions = OW_REGIONS_TREE;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ow_schema *schema = wide_schema(ow_test_context(state), cases[i].n_columns);
        const owi_train_rules rules =
            owi_train_rules_for(&options, schema, cases[i].n_rows, 1);
        assert_int_equal(rules.circuit.inputs, cases[i].states);
        assert_true(rules.trees && rules.circuit.repetitions == 1);
        ow_schema_free(schema);
    }
}

static void one_column_cannot_be_halved(void **state)
{
    ow_train_options options = ow_test_train_defaults();
    ow_schema *schema = schema_of(ow_test_context(state), one_number);
    assert_int_equal(owi_train_rules_for(&options, schema, 100, 1).circuit.depth, 0);
    options.depth = 2; /* asked for: it is cut with a warning where the circuit is made */
    assert_int_equal(owi_train_rules_for(&options, schema, 100, 1).circuit.depth, 2);
    ow_schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_small_table_gets_a_small_circuit_and_few_passes),
        ow_test_on_heap(more_rows_have_more_components_weaker_priors_and_a_tuning),
        ow_test_on_heap(the_paper_s_way_is_not_pooled_and_has_unit_variance),
        ow_test_on_heap(what_is_given_is_kept),
        ow_test_on_heap(to_describe_alone_needs_no_tuning),
        ow_test_on_heap(adam_and_shared_structure_are_not_pooled),
        ow_test_on_heap(trees_have_fewer_states_where_rows_are_few_and_columns_many),
        ow_test_on_heap(one_column_cannot_be_halved),
    };
    return cmocka_run_group_tests_name("model/train_rules", tests, NULL, NULL);
}
