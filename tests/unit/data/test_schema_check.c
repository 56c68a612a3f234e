/* SPDX-License-Identifier: MIT */
/* What no schema gets away with.  A correct schema is broken in one place at a time. */
#include "support/ow_test.h"

#include "data/schema/schema_private.h"

/* Columns: 0 integer, 1 ordinal, 2 continuous, 3 categorical; classes a and b. */
static ow_schema *begin(ow_context *ctx)
{
    static const char *const names[] = {"int", "ord", "real", "cat"};
    static const ow_column_type types[] = {OW_TYPE_INTEGER, OW_TYPE_ORDINAL,
                                           OW_TYPE_CONTINUOUS, OW_TYPE_CATEGORICAL};
    ow_schema *schema;
    ow_column *column;
    assert_ok(owi_schema_new(ctx, 4, &schema));
    for (size_t j = 0; j < 4; j++) {
        assert_ok(owi_schema_add_column(schema, names[j], strlen(names[j]), &column));
        column->type = types[j];
        if (j % 2 == 0) owi_column_set_range(column, 1, 9);
        if (j % 2 == 0) column->scaling = OW_SCALE_STANDARD;
        if (j % 2 == 1) assert_ok(owi_schema_add_level(schema, j, "first", 5));
    }
    schema->columns[0].decimals = 0;
    assert_ok(owi_schema_set_label(schema, "label", 5));
    assert_ok(owi_schema_add_class(schema, "a", 1));
    assert_ok(owi_schema_add_class(schema, "b", 1));
    return schema;
}

/* Breaks the schema, and expects this sentence of owi_schema_finish; NULL: none. */
#define EXPECT(sentence, change)                                                           \
    do {                                                                                   \
        ow_test_heap heap;                                                                 \
        ow_test_heap_begin(&heap);                                                         \
        ow_schema *schema = begin(heap.ctx);                                               \
        ow_column *c = schema->columns;                                                    \
        (void)c;                                                                           \
        change;                                                                            \
        const char *expected = sentence;                                                   \
        if (expected == NULL) assert_ok(owi_schema_finish(schema, "s.json: "));            \
        if (expected != NULL)                                                              \
            assert_fails(owi_schema_finish(schema, "s.json: "), OW_ERR_FORMAT, expected);  \
        ow_schema_free(schema);                                                            \
        ow_test_heap_end(&heap);                                                           \
    } while (0)

static void a_whole_schema_passes(void **state)
{
    (void)state;
    EXPECT(NULL, (void)0);
    EXPECT(NULL, c[1].monotone = OW_MONOTONE_UP);
    EXPECT(NULL, owi_column_set_range(&c[2], -3, -3));
    EXPECT(NULL, c[2].scaling = OW_SCALE_LOG1P);
}

static void numbers_need_sound_figures(void **state)
{
    (void)state;
    EXPECT("s.json: column \"int\", field \"range\": the low end is above the high end",
           c[0].low = 10);
    EXPECT("field \"range\": both ends must be finite", c[2].high = INFINITY);
    EXPECT("field \"range\": both ends must be finite", c[2].low = NAN);
    EXPECT("field \"range\": is too wide", (c[2].low = -1e308, c[2].high = 1e308));
    EXPECT("field \"range\": the ends of an integer column must be whole", c[0].low = 1.5);
    EXPECT("field \"mean\": must be a finite", c[2].mean = NAN);
    EXPECT("field \"deviation\": must be a finite number above 0", c[2].deviation = 0);
    EXPECT("field \"deviation\": must be a finite number above 0", c[0].deviation = -1);
    EXPECT("field \"log_mean\": must be a finite", c[2].log_mean = NAN);
    EXPECT("field \"log_deviation\": must be", c[2].log_deviation = 0);
    EXPECT("field \"decimals\": must be from 0 to 17", c[2].decimals = 18);
    EXPECT("field \"decimals\": must be from 0 to 17", c[2].decimals = -2);
    EXPECT("field \"decimals\": must be 0 in an integer", c[0].decimals = 1);
    EXPECT("column \"real\", field \"levels\": only categories have levels",
           assert_ok(owi_schema_add_level(schema, 2, "x", 1)));
}

static void log1p_needs_numbers_from_zero_on(void **state)
{
    (void)state;
    EXPECT("column \"real\", field \"scaling\": log1p needs numbers from 0 on",
           (owi_column_set_range(&c[2], -1, 9), c[2].scaling = OW_SCALE_LOG1P));
    EXPECT("field \"log_mean\": the range begins below 0",
           (owi_column_set_range(&c[2], -1, 9), c[2].log_mean = 0));
}

static void categories_need_levels_and_nothing_of_numbers(void **state)
{
    (void)state;
    EXPECT("field \"levels\": a category needs at least one level",
           c[0].type = OW_TYPE_ORDINAL);
    EXPECT("s.json: column \"cat\": a level is empty",
           assert_ok(owi_schema_add_level(schema, 3, "", 0)));
    EXPECT("column \"ord\", field \"scaling\"", c[1].scaling = OW_SCALE_MINMAX);
    EXPECT("column \"cat\", field \"monotone\": categorical levels have no order",
           c[3].monotone = OW_MONOTONE_DOWN);
}

static void a_word_for_missing_values_is_no_level_and_no_class(void **state)
{
    (void)state;
    EXPECT("s.json: column \"cat\": a level \"?\" is how rows say that a value is missing",
           assert_ok(owi_schema_add_level(schema, 3, "?", 1)));
    EXPECT("a class name \"NaN\" is how rows say",
           assert_ok(owi_schema_add_class(schema, "NaN", 3)));
}

static void numbers_that_name_nothing_are_found(void **state)
{
    (void)state;
    EXPECT("column \"int\", field \"type\"", c[0].type = (ow_column_type)9);
    EXPECT("column \"int\", field \"scaling\"", c[0].scaling = (ow_scaling)9);
    EXPECT("column \"int\", field \"monotone\"", c[0].monotone = (ow_monotone)9);
}

static void a_label_is_no_column_and_has_two_classes(void **state)
{
    (void)state;
    EXPECT("s.json: \"cat\" is the label and cannot be one of the columns",
           assert_ok(owi_schema_set_label(schema, "cat", 3)));
    EXPECT("the label column's name is empty",
           assert_ok(owi_schema_set_label(schema, "", 0)));
    EXPECT("a class name is empty", assert_ok(owi_schema_add_class(schema, "", 0)));
}

static void classes_without_a_label_are_an_error_and_so_is_one_class(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    ow_column *column;
    ow_test_heap_begin(&heap);
    assert_ok(owi_schema_new(heap.ctx, 1, &schema));
    assert_ok(owi_schema_add_column(schema, "age", 3, &column));
    assert_ok(owi_schema_add_class(schema, "a", 1));
    assert_fails(owi_schema_finish(schema, "s: "), OW_ERR_FORMAT,
                 "s: there are classes but no label column");
    assert_ok(owi_schema_set_label(schema, "risk", 4));
    assert_fails(owi_schema_finish(schema, "s: "), OW_ERR_FORMAT,
                 "s: label \"risk\": 1 classes, expected two or more");
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static void texts_must_be_utf8(void **state)
{
    (void)state;
    EXPECT("s.json: column \"cat\": a level \"caf\\xe9\" is not UTF-8; convert the file",
           assert_ok(owi_schema_add_level(schema, 3, "caf\xE9", 4)));
    EXPECT("a class name \"\\xff\" is not UTF-8",
           assert_ok(owi_schema_add_class(schema, "\xFF", 1)));
    EXPECT("the label column's name \"\\xff\" is not UTF-8",
           assert_ok(owi_schema_set_label(schema, "\xFF", 1)));
    EXPECT("a column's name \"\\xe4ge\" is not UTF-8", c[0].name = "\xE4ge");
    EXPECT(NULL, assert_ok(owi_schema_add_level(schema, 3, "caf\xC3\xA9", 5)));
}

static void columns_must_all_be_there(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    ow_column *column;
    ow_test_heap_begin(&heap);
    assert_ok(owi_schema_new(heap.ctx, 2, &schema));
    assert_ok(owi_schema_add_column(schema, "age", 3, &column));
    assert_fails(owi_schema_finish(schema, "s: "), OW_ERR_FORMAT,
                 "s: 1 columns, expected 2");
    ow_schema_free(schema);
    assert_fails(owi_schema_new(heap.ctx, (size_t)owi_max_columns + 1, &schema),
                 OW_ERR_FORMAT, "1048577 columns, expected at most 1048576");
    assert_ok(owi_schema_new(heap.ctx, 0, &schema));
    assert_fails(owi_schema_finish(schema, "s: "), OW_ERR_FORMAT, "s: no columns");
    ow_schema_free(schema);
    assert_ok(owi_schema_new(heap.ctx, 1, &schema));
    assert_ok(owi_schema_add_column(schema, "", 0, &column));
    assert_fails(owi_schema_finish(schema, "s: "), OW_ERR_FORMAT, "name is empty");
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static void a_layout_has_as_many_cells_as_there_are_columns(void **state)
{
    (void)state;
    EXPECT(NULL, schema->layout = ((ow_layout){OW_LAYOUT_IMAGE, 2, 2, 1}));
    EXPECT(NULL, schema->layout = ((ow_layout){OW_LAYOUT_MAP, 1, 2, 2}));
    EXPECT("layout: 2 x 3 x 1 is not the number of columns, 4",
           schema->layout = ((ow_layout){OW_LAYOUT_IMAGE, 2, 3, 1}));
    EXPECT("layout: an image has 1 channel, got 2",
           schema->layout = ((ow_layout){OW_LAYOUT_IMAGE, 2, 1, 2}));
    EXPECT("is not the number of columns",
           schema->layout = ((ow_layout){OW_LAYOUT_MAP, SIZE_MAX, 2, 2}));
}

static void a_link_ties_two_columns_at_least(void **state)
{
    (void)state;
    EXPECT(NULL, c[0].link = c[3].link = 1);
    EXPECT("column \"real\" is linked with no other",
           (c[0].link = c[3].link = 1, c[2].link = 2));
    EXPECT("column \"int\" is linked with no other", c[0].link = c[1].link = SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_schema_passes),
        cmocka_unit_test(numbers_need_sound_figures),
        cmocka_unit_test(log1p_needs_numbers_from_zero_on),
        cmocka_unit_test(categories_need_levels_and_nothing_of_numbers),
        cmocka_unit_test(a_word_for_missing_values_is_no_level_and_no_class),
        cmocka_unit_test(numbers_that_name_nothing_are_found),
        cmocka_unit_test(a_label_is_no_column_and_has_two_classes),
        cmocka_unit_test(classes_without_a_label_are_an_error_and_so_is_one_class),
        cmocka_unit_test(texts_must_be_utf8),
        cmocka_unit_test(columns_must_all_be_there),
        cmocka_unit_test(a_layout_has_as_many_cells_as_there_are_columns),
        cmocka_unit_test(a_link_ties_two_columns_at_least),
    };
    return cmocka_run_group_tests_name("data/schema_check", tests, NULL, NULL);
}
