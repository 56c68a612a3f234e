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

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(trees_are_chosen_where_columns_follow_each_other),
        ow_test_on_heap(sizes_that_are_given_are_those_of_halves),
    };
    return cmocka_run_group_tests_name("model/choose_structure", tests, NULL, NULL);
}
