/* SPDX-License-Identifier: MIT */
/* Relations and rules of schemas: written, read back, copied, followed. */
#include "data/schema/schema_copy.h"
#include "data/schema/schema_relations.h"
#include "otherwise/schema_builder.h"
#include "support/schema_fixture.h"

#define COLUMNS                                                                            \
    "'rules': ['year not down', 'decade = `70s` => income < 5'], 'columns': ["             \
    "{'name': 'income', 'type': 'continuous', 'range': [1, 9], 'decimals': 1}, "           \
    "{'name': 'payment', 'type': 'continuous', 'range': [1, 9], 'decimals': 2, "           \
    "'nearly': 'income ^ 2 / rate', 'nearly_within': [0.9, 1.2]}, "                        \
    "{'name': 'rate', 'type': 'continuous', 'range': [1, 9], 'decimals': 1}, "             \
    "{'name': 'dti', 'type': 'continuous', 'range': [-5, 99], 'decimals': 1, "             \
    "'derived': '100 * payment / income'}, "                                               \
    "{'name': 'year', 'type': 'integer', 'range': [1970, 1985]}, "                         \
    "{'name': 'decade', 'type': 'categorical', 'levels': ['70s', '80s'], 'follows': "      \
    "{'column': 'year', 'values': [[1980, '80s'], [1971, '70s']]}}]"

static void relations_are_written_read_and_copied(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS), *again, *copy;
    char *text;
    assert_int_equal(ow_schema_n_relations(schema), 3);
    assert_int_equal(ow_schema_n_rules(schema), 2);
    assert_int_equal(ow_schema_relation(schema, 0)->column, 1);
    assert_int_equal(ow_schema_relation(schema, 0)->n_parents, 2);
    assert_ok(ow_schema_format(schema, &text));
    assert_non_null(strstr(text, "\"schema_version\": \"1.1\""));
    assert_ok(ow_schema_parse(ctx, text, strlen(text), "again", &again));
    ow_test_same_schema(schema, again);
    assert_ok(owi_schema_copy(ctx, schema, &copy));
    ow_test_same_schema(schema, copy);
    ow_bytes_free(text);
    ow_schema_free(schema);
    ow_schema_free(again);
    ow_schema_free(copy);
}

static void what_follows_is_computed(void **state)
{
    ow_schema *schema = ow_test_schema(ow_test_context(state), COLUMNS);
    const owi_dependency *near = owi_schema_dependency(schema, 0),
                         *derived = owi_schema_dependency(schema, 1),
                         *follows = owi_schema_dependency(schema, 2);
    const double query[6] = {2, 4.4, 1, 70, 1971, 0};
    double values[6];
    memcpy(values, query, sizeof values);
    assert_true(owi_dependency_value(near, schema, query, values) == 4.4);
    assert_true(owi_dependency_value(derived, schema, query, values) == 70); /* as it is */
    values[2] = 2; /* the query is 1.1 times the formula, and stays so */
    assert_true(owi_dependency_value(near, schema, query, values) == 2.2);
    const double odd[6] = {2, 8, 1, 70, 1971, 0}; /* twice the formula: 1.2 times at most */
    assert_true(owi_dependency_value(near, schema, odd, values) == 2.4);
    assert_true(owi_dependency_value(near, schema, odd, odd) == 8); /* nothing moves */
    values[1] = 2.2;
    assert_true(owi_dependency_value(derived, schema, query, values) == 110);
    values[4] = 1980;
    assert_true(owi_dependency_value(follows, schema, query, values) == 1);
    values[4] = 1975; /* no row had it */
    assert_true(isnan(owi_dependency_value(follows, schema, query, values)));
    values[2] = 0;
    assert_true(isnan(owi_dependency_value(near, schema, query, values)));
    ow_schema_free(schema);
}

static void what_follows_without_a_query(void **state)
{
    ow_schema *schema = ow_test_schema(ow_test_context(state), COLUMNS);
    const owi_dependency *near = owi_schema_dependency(schema, 0),
                         *follows = owi_schema_dependency(schema, 2);
    double values[6] = {2, 8, 3, 70, 1980, 0};
    assert_true(owi_dependency_exact(near, schema, values) == 1.33);
    assert_true(owi_dependency_exact(follows, schema, values) == 1);
    values[2] = NAN;
    values[4] = 1975;
    assert_true(isnan(owi_dependency_exact(near, schema, values)));
    assert_true(isnan(owi_dependency_exact(follows, schema, values)));
    ow_schema_free(schema);
}

static void mistakes_are_told(void **state)
{
    static const struct {
        const char *field, *says;
    } cases[] = {{"'derived': 'b +'",
                  "column \"a\", field \"derived\": column \"a\": \"b +\""},
                 {"'derived': 'a + b'", "names the column itself"},
                 {"'derived': '3'", "names no other column"},
                 {"'derived': 'b', 'nearly': 'b'", "two relations"},
                 {"'nearly': 'b'", "would follow itself"},
                 {"'nearly': 'b', 'nearly_within': [1.1, 1.2]", "ratios around 1"},
                 {"'nearly': 'b', 'nearly_within': [-1, -1]", "differences around 0"},
                 {"'nearly': 'b', 'nearly_within': [1]", "two numbers"},
                 {"'follows': {'column': 'c', 'values': []}", "there is no column \"c\""},
                 {"'follows': {'column': 'b', 'values': [[1]]}", "pairs"},
                 {"'follows': {'column': 'b', 'values': [[1, 2], [1, 3]]}", "twice"}};
    ow_context *ctx = ow_test_context(state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        ow_schema *schema;
        snprintf(
            text, sizeof text,
            "{'schema_version': '1.1', 'columns': [{'name': 'a', 'type': 'integer', "
            "'range': [0, 9], %s}, {'name': 'b', 'type': 'integer', 'range': [0, 9]%s}]}",
            cases[i].field, i == 4 ? ", 'derived': 'a'" : "");
        for (char *c = text; *c != '\0'; c++)
            if (*c == '\'') *c = '"';
        assert_fails(ow_schema_parse(ctx, text, strlen(text), "f", &schema), OW_ERR_FORMAT,
                     i == 0 ? "field" : cases[i].says);
        assert_null(schema);
    }
}

static void drafts_gain_and_lose_relations(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS), *made;
    ow_schema_builder *builder;
    assert_ok(ow_schema_builder_new(ctx, schema, &builder));
    assert_ok(ow_schema_builder_remove(builder, 2)); /* rate */
    assert_ok(ow_schema_builder_build(builder, &made));
    assert_int_equal(ow_schema_n_relations(made), 2); /* the near one is gone */
    assert_int_equal(ow_schema_n_rules(made), 2);
    ow_schema_free(made);
    assert_ok(ow_schema_builder_derive(builder, 1, OW_RELATION_DERIVED, "income + 1"));
    assert_ok(ow_schema_builder_add_rule(builder, "income not up"));
    assert_ok(ow_schema_builder_build(builder, &made));
    assert_int_equal(ow_schema_n_relations(made), 3);
    assert_int_equal(ow_schema_n_rules(made), 3);
    ow_schema_free(made);
    assert_ok(ow_schema_builder_derive(builder, 1, OW_RELATION_DERIVED, "dti"));
    assert_fails(ow_schema_builder_build(builder, &made), OW_ERR_FORMAT,
                 "would follow itself");
    assert_ok(ow_schema_builder_drop_relations(builder));
    assert_ok(ow_schema_builder_build(builder, &made));
    assert_int_equal(ow_schema_n_relations(made) + ow_schema_n_rules(made), 0);
    ow_schema_free(made);
    ow_schema_builder_free(builder);
    ow_schema_free(schema);
}

static ow_status copy_in(ow_context *ctx, void *user)
{
    ow_schema *copy = NULL;
    const ow_status status = owi_schema_copy(ctx, user, &copy);
    ow_schema_free(copy);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    ow_schema *schema = ow_test_schema(ow_test_context(state), COLUMNS);
    ow_test_sweep(copy_in, schema);
    ow_schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(relations_are_written_read_and_copied),
        ow_test_on_heap(what_follows_is_computed),
        ow_test_on_heap(what_follows_without_a_query),
        ow_test_on_heap(mistakes_are_told),
        ow_test_on_heap(drafts_gain_and_lose_relations),
        ow_test_on_heap(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("data/schema_relations", tests, NULL, NULL);
}
