/* SPDX-License-Identifier: MIT */
/* Values as people read them. */
#include "support/ow_test.h"

#include "data/schema/schema_private.h"

static ow_schema *build(ow_context *ctx)
{
    ow_schema *schema;
    ow_column *column;
    assert_ok(owi_schema_new(ctx, 4, &schema));
    assert_ok(owi_schema_add_column(schema, "int", 3, &column));
    column->type = OW_TYPE_INTEGER;
    column->decimals = 0;
    assert_ok(owi_schema_add_column(schema, "price", 5, &column));
    column->decimals = 2;
    assert_ok(owi_schema_add_column(schema, "any", 3, &column));
    assert_ok(owi_schema_add_column(schema, "cat", 3, &column));
    column->type = OW_TYPE_CATEGORICAL;
    assert_ok(owi_schema_add_level(schema, 3, "no account", 10));
    assert_ok(owi_schema_add_level(schema, 3, "below 0", 7));
    assert_ok(owi_schema_finish(schema, ""));
    return schema;
}

static void prints(const ow_schema *schema, size_t column, double value, const char *want)
{
    char text[64];
    assert_int_equal(ow_schema_print_value(schema, column, value, text, sizeof text),
                     strlen(want));
    assert_string_equal(text, want);
}

static void numbers_have_the_digits_of_their_column_and_levels_their_names(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    ow_schema *schema = build(heap.ctx);
    prints(schema, 0, 42, "42");
    prints(schema, 0, 9007199254740991, "9007199254740991");
    prints(schema, 0, -0.0, "0");
    prints(schema, 1, 1.5, "1.50");
    prints(schema, 1, 0.1 + 0.2, "0.30");
    prints(schema, 2, 0.1 + 0.2, "0.30000000000000004");
    prints(schema, 3, 0, "no account");
    prints(schema, 3, 1, "below 0");
    prints(schema, 3, 2, "");
    prints(schema, 3, -1, "");
    for (size_t column = 0; column < 4; column++) prints(schema, column, NAN, "");
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

static void a_text_too_long_is_cut_and_its_length_told(void **state)
{
    (void)state;
    ow_test_heap heap;
    char text[5] = "....";
    ow_test_heap_begin(&heap);
    ow_schema *schema = build(heap.ctx);
    assert_int_equal(ow_schema_print_value(schema, 3, 0, text, sizeof text), 10);
    assert_string_equal(text, "no a");
    assert_int_equal(ow_schema_print_value(schema, 3, 0, NULL, 0), 10);
    assert_int_equal(ow_schema_print_value(schema, 0, 1e300, text, sizeof text), 301);
    assert_string_equal(text, "1000");
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_the_digits_of_their_column_and_levels_their_names),
        cmocka_unit_test(a_text_too_long_is_cut_and_its_length_told),
    };
    return cmocka_run_group_tests_name("data/schema_print", tests, NULL, NULL);
}
