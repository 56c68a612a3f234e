/* SPDX-License-Identifier: MIT */
/* Schemas made and changed through the API: the same as those of files, with the same
 * checks. */
#include "data/schema/schema_copy.h"
#include "support/ow_test.h"
#include "support/schema_fixture.h"

static const char *const housing[] = {"rent", "own", "free"};
static const char *const income[] = {"low", "middle", "high"};
static const char *const risk[] = {"good", "bad"};

static ow_schema_builder *begin(ow_context *ctx)
{
    ow_schema_builder *builder = NULL;
    assert_ok(ow_schema_builder_new(ctx, NULL, &builder));
    assert_ok(ow_schema_builder_add_number(builder, "age", OW_TYPE_INTEGER, 18, 90, NULL));
    assert_ok(
        ow_schema_builder_add_number(builder, "amount", OW_TYPE_CONTINUOUS, -1, 5, NULL));
    assert_ok(ow_schema_builder_add_category(builder, "housing", OW_TYPE_CATEGORICAL, 3,
                                             housing, NULL));
    assert_ok(ow_schema_builder_add_category(builder, "income", OW_TYPE_ORDINAL, 3, income,
                                             NULL));
    assert_ok(ow_schema_builder_set_label(builder, "risk", 2, risk));
    return builder;
}

static ow_schema *build(ow_schema_builder *builder)
{
    ow_schema *schema = NULL;
    assert_ok(ow_schema_builder_build(builder, &schema));
    ow_schema_builder_free(builder);
    return schema;
}

static void a_schema_from_scratch_is_that_of_its_file(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema_builder *builder = begin(ctx);
    size_t j = 9;
    assert_ok(ow_schema_builder_find(builder, "age", &j));
    assert_int_equal(j, 0);
    assert_ok(ow_schema_builder_set_immutable(builder, 0, true));
    assert_ok(ow_schema_builder_set_monotone(builder, 0, OW_MONOTONE_UP));
    assert_ok(ow_schema_builder_set_scaling(builder, 0, OW_SCALE_LOG1P, true));
    assert_ok(ow_schema_builder_set_decimals(builder, 1, 2));
    assert_ok(ow_schema_builder_set_figures(builder, 1, 1.5, 0.25, NAN, NAN));
    assert_ok(ow_schema_builder_set_monotone(builder, 3, OW_MONOTONE_DOWN));
    ow_schema *made = build(builder);
    ow_schema *read = ow_test_schema(
        ctx,
        "'level_order': 'appearance', 'columns': ["
        "{'name': 'age', 'type': 'integer', 'range': [18, 90], 'immutable': true,"
        " 'monotone': 'up', 'scaling': 'log1p', 'scaling_fixed': true},"
        "{'name': 'amount', 'type': 'continuous', 'range': [-1, 5], 'decimals': 2,"
        " 'mean': 1.5, 'deviation': 0.25},"
        "{'name': 'housing', 'type': 'categorical', 'levels': ['rent', 'own', 'free']},"
        "{'name': 'income', 'type': 'ordinal', 'levels': ['low', 'middle', 'high'],"
        " 'monotone': 'down'}],"
        "'label': {'name': 'risk', 'classes': ['good', 'bad']}");
    ow_test_same_schema(made, read);
    assert_string_equal(ow_schema_column(made, 2)->levels[0], "rent");
    assert_string_equal(ow_schema_class_name(made, 0), "good");
    ow_schema_free(made);
    ow_schema_free(read);
}

static void a_copy_is_the_same_with_counts_and_links(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *copy = NULL;
    ow_schema *schema = ow_test_schema(
        ctx, "'rows': 9, 'linked': [['a', 'b']],"
             "'linked_values': [[[1, 'x'], [2, 'z'], [null, 'z']]],"
             "'columns': [{'name': 'a', 'type': 'integer', 'range': [1, 2], 'missing': 3},"
             "{'name': 'b', 'type': 'categorical', 'levels': ['x', 'z']}],"
             "'label': {'name': 'y', 'classes': ['u', 'v'], 'counts': [4, 5]}");
    assert_ok(owi_schema_copy(ctx, schema, &copy));
    ow_test_same_schema(schema, copy);
    assert_int_equal(ow_schema_class_count(copy, 1), 5);
    assert_int_equal(ow_schema_linked(copy, 1).n_rows, 3);
    assert_int_equal(ow_schema_column(copy, 0)->n_missing, 3);
    ow_schema_free(copy);
    ow_schema_free(schema);
}

static void what_changes_takes_its_link_away(void **state)
{
    static const size_t pair[] = {0, 3}, other[] = {1, 2};
    static const double together[] = {20, 0, 30, 2}, wrong[] = {20, 3};
    static const char *const two[] = {"much", "little"};
    ow_context *ctx = ow_test_context(state);
    ow_schema_builder *builder = begin(ctx);
    assert_fails(ow_schema_builder_link(builder, 2, pair, 1, wrong), OW_ERR_ARGUMENT,
                 "combination 1: 3 is no value of income");
    assert_ok(ow_schema_builder_link(builder, 2, pair, 2, together));
    assert_ok(ow_schema_builder_link(builder, 2, other, 0, NULL));
    assert_fails(ow_schema_builder_link(builder, 2, pair, 0, NULL), OW_ERR_ARGUMENT,
                 "link");
    ow_schema *schema = build(builder);
    assert_int_equal(ow_schema_n_links(schema), 2);
    assert_true(ow_schema_linked(schema, 1).values[3] == 2.0);

    assert_ok(ow_schema_builder_new(ctx, schema, &builder));
    assert_ok(ow_schema_builder_set_category(builder, 3, OW_TYPE_ORDINAL, 2, two));
    assert_ok(ow_schema_builder_set_number(builder, 0, OW_TYPE_CONTINUOUS, 0.5, 9));
    ow_schema *changed = build(builder);
    assert_int_equal(ow_schema_n_links(changed), 1);
    assert_int_equal(ow_schema_column(changed, 1)->link, 1);
    assert_int_equal(ow_schema_column(changed, 0)->link, 0);
    assert_string_equal(ow_schema_column(changed, 3)->levels[0], "much");
    assert_int_equal(ow_schema_column(changed, 0)->type, OW_TYPE_CONTINUOUS);

    assert_ok(ow_schema_builder_new(ctx, changed, &builder));
    assert_ok(ow_schema_builder_remove(builder, 1));
    ow_schema *fewer = build(builder);
    assert_int_equal(ow_schema_n_columns(fewer), 3);
    assert_int_equal(ow_schema_n_links(fewer), 0);
    assert_string_equal(ow_schema_column(fewer, 1)->name, "housing");
    ow_schema_free(fewer);
    ow_schema_free(changed);
    ow_schema_free(schema);
}

static void images_have_a_layout(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema_builder *builder = NULL;
    ow_schema *schema = NULL;
    assert_ok(ow_schema_builder_new(ctx, NULL, &builder));
    assert_ok(ow_schema_builder_set_layout(builder, (ow_layout){OW_LAYOUT_IMAGE, 1, 2, 1}));
    assert_ok(ow_schema_builder_add_number(builder, "x0", OW_TYPE_INTEGER, 0, 255, NULL));
    assert_fails(ow_schema_builder_build(builder, &schema), OW_ERR_FORMAT,
                 "layout: 1 x 2 x 1 is not the number of columns, 1");
    assert_ok(ow_schema_builder_add_number(builder, "x1", OW_TYPE_INTEGER, 0, 255, NULL));
    schema = build(builder);
    assert_int_equal(ow_schema_column(schema, 1)->scaling, OW_SCALE_MINMAX);
    ow_schema_free(schema);
}

/* Each is a rule of schema files; the draft stays, and is built once it is mended. */
static void the_rules_of_schema_files_hold(void **state)
{
    static const char *const twice[] = {"a", "a"}, *const missing[] = {"a", "NA"};
    ow_schema_builder *builder = begin(ow_test_context(state));
    ow_schema *schema = NULL;
    size_t j;
    assert_ok(ow_schema_builder_set_decimals(builder, 0, 3));
    assert_fails(ow_schema_builder_build(builder, &schema), OW_ERR_FORMAT,
                 "column \"age\", field \"decimals\": must be 0 in an integer column");
    assert_ok(ow_schema_builder_set_decimals(builder, 0, 0));
    assert_ok(ow_schema_builder_set_scaling(builder, 1, OW_SCALE_LOG1P, false));
    assert_fails(ow_schema_builder_build(builder, &schema), OW_ERR_FORMAT,
                 "column \"amount\", field \"scaling\": log1p needs numbers from 0 on");
    assert_ok(ow_schema_builder_set_number(builder, 1, OW_TYPE_CONTINUOUS, 0, 5));
    assert_ok(ow_schema_builder_set_monotone(builder, 2, OW_MONOTONE_UP));
    assert_fails(
        ow_schema_builder_build(builder, &schema), OW_ERR_FORMAT,
        "column \"housing\", field \"monotone\": categorical levels have no order");
    assert_ok(ow_schema_builder_set_monotone(builder, 2, OW_MONOTONE_NONE));
    assert_ok(ow_schema_builder_set_category(builder, 2, OW_TYPE_CATEGORICAL, 2, twice));
    assert_fails(ow_schema_builder_build(builder, &schema), OW_ERR_FORMAT,
                 "column \"housing\": the level \"a\" stands there twice");
    assert_ok(ow_schema_builder_set_category(builder, 2, OW_TYPE_CATEGORICAL, 2, missing));
    assert_fails(ow_schema_builder_build(builder, &schema), OW_ERR_FORMAT,
                 "\"NA\" is how rows say that a value is missing");
    assert_ok(ow_schema_builder_set_category(builder, 2, OW_TYPE_CATEGORICAL, 3, housing));
    assert_ok(ow_schema_builder_add_number(builder, "age", OW_TYPE_INTEGER, 0, 1, &j));
    assert_fails(ow_schema_builder_build(builder, &schema), OW_ERR_FORMAT,
                 "two columns are named \"age\"");
    assert_ok(ow_schema_builder_remove(builder, j));
    assert_ok(ow_schema_builder_set_label(builder, "risk", 1, risk));
    assert_fails(ow_schema_builder_build(builder, &schema), OW_ERR_FORMAT,
                 "1 classes, expected two or more");
    assert_null(schema);
    assert_ok(ow_schema_builder_set_label(builder, NULL, 0, NULL));
    assert_fails(ow_schema_builder_find(builder, "hausing", &j), OW_ERR_ARGUMENT,
                 "\"housing\"");
    assert_status(ow_schema_builder_set_immutable(builder, 4, true), OW_ERR_ARGUMENT);
    schema = build(builder);
    assert_null(ow_schema_label(schema));
    ow_schema_free(schema);
}

static ow_status build_all(ow_context *ctx, void *user)
{
    static const size_t pair[] = {0, 1};
    static const double together[] = {20, 0};
    ow_schema_builder *builder = NULL;
    ow_schema *schema = NULL, *copy = NULL;
    (void)user;
    ow_status status = ow_schema_builder_new(ctx, NULL, &builder);
    if (status == OW_OK)
        status = ow_schema_builder_add_number(builder, "a", OW_TYPE_INTEGER, 18, 90, NULL);
    if (status == OW_OK)
        status =
            ow_schema_builder_add_category(builder, "b", OW_TYPE_ORDINAL, 3, income, NULL);
    if (status == OW_OK)
        status = ow_schema_builder_set_category(builder, 1, OW_TYPE_ORDINAL, 2, income);
    if (status == OW_OK) status = ow_schema_builder_link(builder, 2, pair, 1, together);
    if (status == OW_OK) status = ow_schema_builder_set_label(builder, "risk", 2, risk);
    if (status == OW_OK) status = ow_schema_builder_build(builder, &schema);
    ow_schema_builder_free(builder);
    if (status == OW_OK) status = owi_schema_copy(ctx, schema, &copy);
    ow_schema_free(copy);
    ow_schema_free(schema);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(build_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_schema_from_scratch_is_that_of_its_file),
        ow_test_on_heap(a_copy_is_the_same_with_counts_and_links),
        ow_test_on_heap(what_changes_takes_its_link_away),
        ow_test_on_heap(images_have_a_layout),
        ow_test_on_heap(the_rules_of_schema_files_hold),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("data/schema_builder", tests, NULL, NULL);
}
