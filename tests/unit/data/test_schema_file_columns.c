/* SPDX-License-Identifier: MIT */
/* The columns of a schema file, as people may have left them. */
#include "support/ow_test.h"

static ow_status parse(ow_context *ctx, const char *columns, ow_schema **schema)
{
    char text[2000];
    const int n = snprintf(text, sizeof text,
                           "{\"schema_version\": \"1.0\", \"rows\": 9, %s}", columns);
    return ow_schema_parse(ctx, text, (size_t)n, "s.json", schema);
}

static void fails(const char *columns, const char *sentence)
{
    ow_test_heap heap;
    ow_schema *schema;
    ow_test_heap_begin(&heap);
    assert_fails(parse(heap.ctx, columns, &schema), OW_ERR_FORMAT, sentence);
    assert_null(schema);
    ow_test_heap_end(&heap);
}

/* One column with these fields behind its name. */
static void column_fails(const char *fields, const char *sentence)
{
    char columns[1000];
    snprintf(columns, sizeof columns, "\"columns\": [{\"name\": \"age\", %s}]", fields);
    fails(columns, sentence);
}

static void what_is_left_out_has_its_default(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    ow_test_heap_begin(&heap);
    assert_ok(
        parse(heap.ctx,
              "\"columns\": [{\"name\": \"a\", \"type\": \"integer\", \"range\": [0, 12]},"
              "{\"type\": \"continuous\", \"range\": [-1, 1], \"name\": \"b\"},"
              "{\"name\": \"c\", \"type\": \"ordinal\", \"levels\": [\"x\", \"y\"]}]",
              &schema));
    const ow_column *a = ow_schema_column(schema, 0), *b = ow_schema_column(schema, 1),
                    *c = ow_schema_column(schema, 2);
    assert_true(a->low == 0 && a->high == 12 && a->mean == 6 && a->decimals == 0);
    assert_true(fabs(a->deviation - sqrt(12)) < 1e-12 && isfinite(a->log_mean));
    assert_int_equal(a->scaling, OW_SCALE_STANDARD);
    assert_true(!a->immutable && a->monotone == OW_MONOTONE_NONE && a->link == 0);
    assert_int_equal(b->decimals, -1);
    assert_true(isnan(b->log_mean) && isnan(b->log_deviation));
    assert_int_equal(c->scaling, OW_SCALE_NONE);
    assert_int_equal(c->n_levels, 2);
    assert_int_equal(c->n_missing, 0);
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static void one_object_describes_every_pixel(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_schema *schema;
    ow_test_heap_begin(&heap);
    assert_ok(
        parse(heap.ctx,
              "\"layout\": {\"kind\": \"map\", \"shape\": [2, 3, 4]}, \"every_column\": "
              "{\"type\": \"continuous\", \"range\": [0, 5], \"missing\": 3}",
              &schema));
    assert_int_equal(ow_schema_n_columns(schema), 24);
    assert_int_equal(ow_schema_layout(schema).channels, 4);
    for (size_t j = 0; j < 24; j++) {
        char name[8];
        const ow_column *c = ow_schema_column(schema, j);
        snprintf(name, sizeof name, "x%zu", j);
        assert_string_equal(c->name, name);
        assert_true(c->high == 5 && c->scaling == OW_SCALE_MINMAX && c->n_missing == 3);
    }
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static void what_is_wrong_with_a_column_is_named(void **state)
{
    (void)state;
    column_fails("\"range\": [1, 2]", "s.json: column \"age\", field \"type\": expected");
    column_fails(
        "\"type\": \"int\", \"range\": [1, 2]",
        "s.json: column \"age\", field \"type\": expected \"continuous\", \"integer\", "
        "\"categorical\" or \"ordinal\", got \"int\"");
    column_fails("\"type\": \"integer\"",
                 "field \"range\": expected two numbers [low, high], got nothing");
    column_fails("\"type\": \"integer\", \"range\": [1]", "expected two numbers");
    column_fails("\"type\": \"integer\", \"range\": [1, \"2\"]",
                 "field \"range\": expected a number, got \"2\"");
    column_fails(
        "\"type\": \"integer\", \"range\": [3, 2]",
        "s.json: column \"age\", field \"range\": the low end is above the high end");
    column_fails("\"type\": \"integer\", \"range\": [1, 2], \"levels\": []",
                 "field \"levels\": is for categories, and the type is integer");
    column_fails("\"type\": \"ordinal\", \"levels\": [\"a\"], \"mean\": 1",
                 "field \"mean\": is for numbers, and the type is ordinal");
    column_fails("\"type\": \"ordinal\"",
                 "field \"levels\": expected a list of texts, got nothing");
    column_fails("\"type\": \"ordinal\", \"levels\": [\"a\", 1]",
                 "field \"levels\": expected a text, got 1");
    column_fails("\"type\": \"ordinal\", \"levels\": []", "needs at least one level");
    column_fails("\"type\": \"ordinal\", \"levels\": [\"a\", \"b\", \"a\"]",
                 "s.json: column \"age\": the level \"a\" stands there twice");
    column_fails("\"type\": \"ordinal\", \"levels\": [\"\"]",
                 "s.json: column \"age\": a level is empty");
    column_fails("\"type\": \"integer\", \"range\": [1, 2], \"imutable\": true",
                 "there is no field \"imutable\"; did you mean \"immutable\"?");
    column_fails("\"type\": \"integer\", \"range\": [1, 2], \"immutable\": 1",
                 "field \"immutable\": expected true or false, got 1");
    column_fails(
        "\"type\": \"integer\", \"range\": [1, 2], \"monotone\": \"upwards\"",
        "field \"monotone\": expected \"none\", \"up\" or \"down\", got \"upwards\"");
    column_fails("\"type\": \"continuous\", \"range\": [1, 2], \"decimals\": 18",
                 "field \"decimals\": expected a whole number from 0 to 17, got 18");
    column_fails(
        "\"type\": \"continuous\", \"range\": [1, 2], \"scaling\": \"log\"",
        "field \"scaling\": expected \"none\", \"minmax\", \"standard\" or \"log1p\"");
    column_fails("\"type\": \"continuous\", \"range\": [1, 2], \"missing\": 10",
                 "field \"missing\": expected a whole number from 0 to 9, got 10");
    column_fails("\"type\": \"integer\", \"range\": [1, 2], \"range\": [1, 2]",
                 "duplicate object key");
}

static void columns_need_names_of_their_own(void **state)
{
    (void)state;
    fails("\"columns\": [{\"type\": \"integer\"}]",
          "s.json: column 1 of the list, field \"name\": expected the column's name");
    fails("\"columns\": [7]",
          "s.json: column 1 of the list, expected an object {...}, got 7");
    fails("\"columns\": [{\"name\": \"a\", \"type\": \"integer\", \"range\": [1, 2]},"
          "{\"name\": \"a\", \"type\": \"integer\", \"range\": [1, 2]}]",
          "s.json: two columns are named \"a\"");
    fails("\"columns\": []", "s.json: no columns");
}

static void every_column_is_for_pixels_alone(void **state)
{
    (void)state;
#define IMAGE "\"layout\": {\"kind\": \"image\", \"shape\": [2, 2]}, \"every_column\": "
    fails("\"every_column\": {\"type\": \"integer\", \"range\": [1, 2]}",
          "field \"every_column\": is for images and maps");
    fails(IMAGE "{\"name\": \"a\", \"type\": \"integer\", \"range\": [1, 2]}",
          "every_column: has no field \"name\"");
    fails(IMAGE "{\"type\": \"categorical\"}",
          "every_column, field \"type\": expected \"continuous\" or \"integer\", got "
          "\"categorical\"");
    fails(IMAGE "{\"type\": \"integer\", \"range\": [1, 2]}, \"columns\": []",
          "expected it or \"columns\", got both");
    fails(IMAGE "{\"type\": \"integer\", \"range\": [1, 2], \"missing\": [1]}",
          "every_column, field \"missing\": expected one count for each column");
    fails(IMAGE "{\"type\": \"integer\", \"range\": [1, 2], \"missing\": [1, 2, 3, 10]}",
          "every_column, field \"missing\": expected a whole number from 0 to 9, got 10");
    fails(IMAGE "3", "every_column, expected an object");
    fails(IMAGE "{\"type\": \"integer\", \"range\": [2, 1]}",
          "column \"x0\", field \"range\": the low end is above the high end");
#undef IMAGE
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_has_its_default),
        cmocka_unit_test(one_object_describes_every_pixel),
        cmocka_unit_test(what_is_wrong_with_a_column_is_named),
        cmocka_unit_test(columns_need_names_of_their_own),
        cmocka_unit_test(every_column_is_for_pixels_alone),
    };
    return cmocka_run_group_tests_name("data/schema_file_columns", tests, NULL, NULL);
}
