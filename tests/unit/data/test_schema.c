/* SPDX-License-Identifier: MIT */
/* Schemas put together by hand: what they answer. */
#include "support/ow_test.h"

#include "data/schema/schema_private.h"

static ow_status add_texts(ow_schema *schema, size_t column, const char *const *texts)
{
    ow_status status = OW_OK;
    for (; *texts != NULL && status == OW_OK; texts++)
        status = owi_schema_add_level(schema, column, *texts, strlen(*texts));
    return status;
}

/* age (integer 18 to 75), housing (categorical), amount (continuous); label risk. */
static ow_status build(ow_context *ctx, ow_schema **out)
{
    static const char *const housing[] = {"rent", "own", "for free", NULL};
    ow_schema *schema = NULL;
    ow_column *column;

    *out = NULL;
    ow_status status = owi_schema_new(ctx, 3, &schema);
    if (status != OW_OK) goto done;
    status = owi_schema_add_column(schema, "age", 3, &column);
    if (status != OW_OK) goto done;
    owi_column_set_range(column, 18, 75);
    column->type = OW_TYPE_INTEGER;
    column->decimals = 0;
    status = owi_schema_add_column(schema, "housing", 7, &column);
    if (status != OW_OK) goto done;
    column->type = OW_TYPE_CATEGORICAL;
    status = add_texts(schema, 1, housing);
    if (status != OW_OK) goto done;
    status = owi_schema_add_column(schema, "amount", 6, &column);
    if (status != OW_OK) goto done;
    owi_column_set_range(column, -1, 2);
    status = owi_schema_set_label(schema, "risk", 4);
    if (status == OW_OK) status = owi_schema_add_class(schema, "good", 4);
    if (status == OW_OK) status = owi_schema_add_class(schema, "bad", 3);
    if (status == OW_OK) status = owi_schema_finish(schema, "");
    if (status != OW_OK) goto done;
    *out = schema;
    schema = NULL;

done:
    ow_schema_free(schema);
    return status;
}

static void a_schema_answers_by_index_and_by_name(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    size_t column;
    ow_test_heap_begin(&heap);
    assert_ok(build(heap.ctx, &schema));
    assert_int_equal(ow_schema_n_columns(schema), 3);
    assert_int_equal(ow_schema_layout(schema).kind, OW_LAYOUT_TABLE);

    assert_ok(ow_schema_find_column(schema, "housing", &column));
    assert_int_equal(column, 1);
    const ow_column *housing = ow_schema_column(schema, 1);
    assert_string_equal(housing->name, "housing");
    assert_int_equal(housing->n_levels, 3);
    assert_string_equal(housing->levels[2], "for free");
    int32_t found;
    assert_ok(ow_schema_find_level(schema, 1, "own", &found));
    assert_int_equal(found, 1);
    assert_fails(ow_schema_find_level(schema, 1, "Own", &found), OW_ERR_ARGUMENT,
                 "column \"housing\": there is no level \"Own\"; did you mean \"own\"?");
    assert_int_equal(found, -1);
    assert_status(ow_schema_find_level(schema, 0, "own", &found), OW_ERR_ARGUMENT);
    assert_status(ow_schema_find_level(schema, 99, "own", &found), OW_ERR_ARGUMENT);
    assert_null(ow_schema_column(schema, 0)->levels);

    assert_string_equal(ow_schema_label(schema), "risk");
    assert_int_equal(ow_schema_n_classes(schema), 2);
    assert_string_equal(ow_schema_class_name(schema, 1), "bad");
    assert_ok(ow_schema_find_class(schema, "good", &found));
    assert_int_equal(found, 0);
    assert_fails(ow_schema_find_class(schema, "goood", &found), OW_ERR_ARGUMENT,
                 "there is no class \"goood\"; did you mean \"good\"?");
    assert_int_equal(found, OW_NO_CLASS);
    assert_true((int)OW_NO_CLASS != (int)OW_ANY_OTHER_CLASS);
    assert_int_equal(ow_schema_n_rows(schema), 0);
    assert_int_equal(ow_schema_class_count(schema, 1), 0);
    ow_schema_free(schema);
    ow_schema_free(NULL);
    ow_test_heap_end(&heap);
}

static void a_column_that_is_not_there_is_answered_with_the_nearest_spelling(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    size_t column;
    ow_test_heap_begin(&heap);
    assert_ok(build(heap.ctx, &schema));
    assert_fails(ow_schema_find_column(schema, "amuont", &column), OW_ERR_ARGUMENT,
                 "there is no column \"amuont\"; did you mean \"amount\"?");
    assert_fails(ow_schema_find_column(schema, "zzzz", &column), OW_ERR_ARGUMENT,
                 "there is no column \"zzzz\"");
    assert_null(strstr(ow_error_message(), "did you mean"));
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static void nothing_may_stand_there_twice(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    ow_column *column;
    ow_test_heap_begin(&heap);
    assert_ok(owi_schema_new(heap.ctx, 2, &schema));
    assert_ok(owi_schema_add_column(schema, "age", 3, &column));
    assert_fails(owi_schema_add_column(schema, "age", 3, &column), OW_ERR_FORMAT,
                 "two columns are named \"age\"");
    assert_null(column);
    assert_ok(owi_schema_add_level(schema, 0, "own", 3));
    assert_fails(owi_schema_add_level(schema, 0, "own", 3), OW_ERR_FORMAT,
                 "column \"age\": the level \"own\" stands there twice");
    assert_ok(owi_schema_add_class(schema, "good", 4));
    assert_fails(owi_schema_add_class(schema, "good", 4), OW_ERR_FORMAT,
                 "the class \"good\" stands there twice");
    assert_ok(owi_schema_add_column(schema, "sex", 3, &column));
    assert_fails(owi_schema_add_column(schema, "more", 4, &column), OW_ERR_FORMAT,
                 "more than 2 columns");
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static void a_range_alone_gives_the_figures_of_an_even_spread(void **state)
{
    (void)state;
    ow_column column = {0};
    owi_column_set_range(&column, 0, 10);

    /* The same by adding up: the middles of a million equal cells. */
    enum { n = 1000000 };
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        const double x = 10.0 * (i + 0.5) / n;
        sum += x;
        squares += x * x;
    }
    const double want[] = {sum / n, sqrt(squares / n - sum / n * sum / n)};
    assert_close(&column.mean, &want[0], 1, 1e-6);
    assert_close(&column.deviation, &want[1], 1, 1e-6);
    assert_true(column.log_mean > 0 && column.log_deviation > 0);
    owi_column_set_range(&column, -1, -1);
    assert_true(column.deviation == 1.0 && isnan(column.log_mean));
}

static void the_names_are_those_of_the_schema_file(void **state)
{
    (void)state;
    assert_string_equal(ow_column_type_name(OW_TYPE_CONTINUOUS), "continuous");
    assert_string_equal(ow_column_type_name(OW_TYPE_INTEGER), "integer");
    assert_string_equal(ow_column_type_name(OW_TYPE_CATEGORICAL), "categorical");
    assert_string_equal(ow_column_type_name(OW_TYPE_ORDINAL), "ordinal");
    assert_null(ow_column_type_name((ow_column_type)4));
    assert_string_equal(ow_scaling_name(OW_SCALE_NONE), "none");
    assert_string_equal(ow_scaling_name(OW_SCALE_MINMAX), "minmax");
    assert_string_equal(ow_scaling_name(OW_SCALE_STANDARD), "standard");
    assert_string_equal(ow_scaling_name(OW_SCALE_LOG1P), "log1p");
    assert_null(ow_scaling_name((ow_scaling)4));
    assert_string_equal(ow_monotone_name(OW_MONOTONE_NONE), "none");
    assert_string_equal(ow_monotone_name(OW_MONOTONE_UP), "up");
    assert_string_equal(ow_monotone_name(OW_MONOTONE_DOWN), "down");
    assert_null(ow_monotone_name((ow_monotone)3));
}

static ow_status build_and_free(ow_context *ctx, void *user)
{
    (void)user;
    ow_schema *schema;
    const ow_status status = build(ctx, &schema);
    assert_int_equal(schema == NULL, status != OW_OK);
    ow_schema_free(schema);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    ow_test_sweep(build_and_free, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schema_answers_by_index_and_by_name),
        cmocka_unit_test(a_column_that_is_not_there_is_answered_with_the_nearest_spelling),
        cmocka_unit_test(nothing_may_stand_there_twice),
        cmocka_unit_test(a_range_alone_gives_the_figures_of_an_even_spread),
        cmocka_unit_test(the_names_are_those_of_the_schema_file),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("data/schema", tests, NULL, NULL);
}
