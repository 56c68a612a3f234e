/* SPDX-License-Identifier: MIT */
/* The choice between random halves and trees: trees where columns follow each other, and
 * what is chosen is what would have been trained without a choice. */
#include "support/ow_test.h"

typedef struct {
    ow_reader *reader;
    ow_schema *schema;
} table;

/* A walk of six columns, each of which is mostly its left neighbour's value: along a chain
 * of dependences the table is simple, in halves it is not. */
static table walk(ow_context *ctx)
{
    static char text[1 << 15];
    static const char levels[] = "abcd";
    size_t length = (size_t)snprintf(text, sizeof text, "u,v,w,x,y,z,class\n");
    uint32_t random = 7;
    table t = {0};
    for (size_t i = 0; i < 400; i++) {
        size_t level = i % 4;
        for (size_t j = 0; j < 6; j++) {
            random = random * 1664525u + 1013904223u;
            if (random >> 16 < 13000) level = (random >> 8) % 4; /* one in five */
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "%c,", levels[level]);
        }
        random = random * 1664525u + 1013904223u;
        length += (size_t)snprintf(text + length, sizeof text - length, "%s\n",
                                   (level < 2) != (random >> 16 < 13000) ? "low" : "high");
    }
    assert_ok(ow_reader_open_memory(ctx, text, length, "walk.csv", NULL, &t.reader));
    assert_ok(ow_schema_infer(
        t.reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "class"},
        NULL, &t.schema));
    return t;
}

static void end(table *t)
{
    ow_schema_free(t->schema);
    ow_reader_free(t->reader);
}

static ow_model *train(table *t, const ow_train_options *options)
{
    ow_model *model = NULL;
    assert_ok(ow_model_train(t->reader, t->schema, options, NULL, &model));
    return model;
}

static bool has_trees(const ow_model *model)
{
    return ow_circuit_get_spec(ow_model_circuit(model))->parents != NULL;
}

static void assert_same_bytes(const ow_model *a, const ow_model *b)
{
    char one[OW_SHA256_SIZE], two[OW_SHA256_SIZE];
    assert_ok(ow_model_sha256(a, one));
    assert_ok(ow_model_sha256(b, two));
    assert_string_equal(one, two);
}

static void trees_are_chosen_where_columns_follow_each_other(void **state)
{
    table t = walk(ow_test_context(state));
    ow_train_options options = ow_test_train_defaults();
    options.regions = OW_REGIONS_AUTO;
    options.passes = 6;
    ow_model *chosen = train(&t, &options);
    assert_true(has_trees(chosen));
    options.regions = OW_REGIONS_TREE;
    ow_model *asked = train(&t, &options);
    assert_same_bytes(chosen, asked);
    options.regions = OW_REGIONS_RANDOM;
    ow_model *random = train(&t, &options);
    assert_false(has_trees(random));
    const double gain = ow_model_report(chosen)->test.log_density -
                        ow_model_report(random)->test.log_density;
    assert_true(gain > 0.05);
    ow_model_free(random);
    ow_model_free(asked);
    ow_model_free(chosen);
    end(&t);
}

static void sizes_that_are_given_are_those_of_halves(void **state)
{
    table t = walk(ow_test_context(state));
    ow_train_options options = ow_test_train_defaults();
    options.passes = 2;
    options.inputs = 2;
    options.regions = OW_REGIONS_AUTO;
    ow_model *chosen = train(&t, &options);
    options.regions = OW_REGIONS_RANDOM;
    ow_model *random = train(&t, &options);
    assert_false(has_trees(chosen));
    assert_same_bytes(chosen, random);
    ow_model_free(random);
    ow_model_free(chosen);
    end(&t);
}

/* A payment that follows from an amount and a term of few values, rounded. */
static table loans(ow_context *ctx)
{
    static char text[1 << 15];
    static const double terms[] = {12, 24, 36, 60};
    size_t length = (size_t)snprintf(text, sizeof text, "amount,term,payment,age,class\n");
    uint32_t random = 3;
    table t = {0};
    for (size_t i = 0; i < 600; i++) {
        random = random * 1664525u + 1013904223u;
        const double amount = exp(7.0 + 2.0 * (random >> 8) / (double)(1 << 24));
        const double term = terms[(random >> 4) % 4];
        random = random * 1664525u + 1013904223u;
        const bool paid = amount / term < 40.0 + (random >> 16) / 1000.0;
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%.2f,%.0f,%.2f,%u,%s\n",
                             amount, term, 1.1 * amount / term, 20 + (random >> 20) % 50,
                             paid ? "paid" : "late");
    }
    assert_ok(ow_reader_open_memory(ctx, text, length, "loans.csv", NULL, &t.reader));
    assert_ok(ow_schema_infer(
        t.reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "class"},
        NULL, &t.schema));
    return t;
}

static void numbers_that_follow_from_others_lie_on_a_sheet(void **state)
{
    ow_context *ctx = ow_test_context(state);
    table t = loans(ctx);
    ow_train_options options = ow_test_train_defaults();
    options.regions = OW_REGIONS_TREE;
    options.passes = 6;
    ow_model *model = train(&t, &options), *read = NULL;
    const ow_circuit_spec *spec = ow_circuit_get_spec(ow_model_circuit(model));
    assert_int_equal(spec->n_sheets, 1);
    const ow_sheet *sheet = &spec->sheets[0];
    assert_int_equal(sheet->n_terms, 3);
    assert_true(sheet->spread < 1e-3); /* a cent of the payment */
    for (size_t i = 1; i < 3; i++)
        assert_true(fabs(fabs(sheet->terms[i].factor) - 1) < 0.01);
    /* The payment or the amount has no leaf. */
    size_t n_follow = 0;
    for (size_t j = 0; j < 4; j++)
        n_follow += ow_model_column_leaf(model, j) == OW_COLUMN_LEAF_FOLLOWS;
    assert_int_equal(n_follow, 1);

    options.regions = OW_REGIONS_RANDOM;
    ow_model *random = train(&t, &options);
    assert_int_equal(ow_circuit_get_spec(ow_model_circuit(random))->n_sheets, 0);
    assert_true(ow_model_report(model)->test.log_density >
                ow_model_report(random)->test.log_density + 2.0);

    char *bytes = NULL;
    size_t size;
    assert_ok(ow_model_format(model, &bytes, &size));
    assert_ok(ow_model_parse(ctx, bytes, size, "loans.ow", &read));
    assert_same_bytes(model, read);
    ow_bytes_free(bytes);
    ow_model_free(read);
    ow_model_free(random);
    ow_model_free(model);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(trees_are_chosen_where_columns_follow_each_other),
        ow_test_on_heap(sizes_that_are_given_are_those_of_halves),
        ow_test_on_heap(numbers_that_follow_from_others_lie_on_a_sheet),
    };
    return cmocka_run_group_tests_name("model/choose_structure", tests, NULL, NULL);
}
