/* SPDX-License-Identifier: MIT */
/* Values of rows as texts, and which of them differ. */
#include "explaining/row_values.h"
#include "support/schema_fixture.h"

#define COLUMNS                                                                            \
    "'columns': [{'name': 'age', 'type': 'integer', 'range': [18, 75]},"                   \
    "{'name': 'job', 'type': 'categorical', 'levels': ['none', '\\u001bsome']},"           \
    "{'name': 'size', 'type': 'continuous', 'range': [-1, 1.5]}]"

static void assert_text(char *got, const char *want)
{
    assert_string_equal(got, want);
    free(got);
}

static void values_are_printed_as_the_schema_has_them(void **state)
{
    ow_schema *schema = ow_test_schema(ow_test_context(state), COLUMNS);
    assert_text(row_value_text(schema, 0, 30.0), "30");
    assert_text(row_value_text(schema, 1, 1.0), "\x1bsome");
    assert_text(row_value_text(schema, 1, NAN), "");
    assert_text(row_value_shown(schema, 1, 1.0), "\\x1bsome");
    assert_text(row_value_shown(schema, 2, NAN), "(missing)");
    ow_schema_free(schema);
}

static void a_missing_value_is_like_another_and_unlike_any_value(void **state)
{
    (void)state;
    assert_false(row_value_differs(30.0, 30.0));
    assert_false(row_value_differs(NAN, NAN));
    assert_true(row_value_differs(30.0, 31.0));
    assert_true(row_value_differs(NAN, 1.0));
    assert_true(row_value_differs(1.0, NAN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(values_are_printed_as_the_schema_has_them),
        ow_test_on_heap(a_missing_value_is_like_another_and_unlike_any_value),
    };
    return cmocka_run_group_tests_name("row_values", tests, NULL, NULL);
}
