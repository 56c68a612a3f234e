/* SPDX-License-Identifier: MIT */
/* Expressions and conditions: what they mean, and what they say about mistakes. */
#include "base/memory/alloc.h"
#include "data/expression/condition.h"
#include "data/expression/expression.h"
#include "support/schema_fixture.h"

#define COLUMNS                                                                            \
    "'columns': [{'name': 'a', 'type': 'continuous', 'range': [0, 9]}, "                   \
    "{'name': 'b', 'type': 'continuous', 'range': [0, 9]}, "                               \
    "{'name': 'education-num', 'type': 'integer', 'range': [1, 16]}, "                     \
    "{'name': 'town', 'type': 'categorical', 'levels': ['Aachen', 'x = y', 'up']}, "       \
    "{'name': 'size', 'type': 'ordinal', 'levels': ['S', 'M', 'L']}, "                     \
    "{'name': 'log', 'type': 'integer', 'range': [1, 16]}]"

static const double row[6] = {2, 3, 13, 1, 1, 7};

static double value_of(ow_context *ctx, const ow_schema *schema, const char *text)
{
    owi_expression *expression = NULL;
    assert_ok(owi_expression_parse(ctx, schema, text, &expression));
    const double value = owi_expression_value(expression, row);
    owi_free(ctx, expression);
    return value;
}

static void expressions_have_the_usual_meaning(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"a", 2},
                 {"1 + 2 * 3", 7},
                 {"(1 + 2) * 3", 9},
                 {"2 ^ 3 ^ 2", 512},
                 {"-a ^ 2", -4},
                 {"2 ^ -1", 0.5},
                 {"8 / 2 / 2", 2},
                 {"8 - 2 - 2", 4},
                 {"- - a", 2},
                 {"+a--b", 5},
                 {"`education-num` - 3", 10},
                 {"\"education-num\"-3", 10},
                 {"log", 7},
                 {"log(exp(a))", 2},
                 {"log + log (1)", 7},
                 {"min(a, b, 1)", 1},
                 {"max(a, b)", 3},
                 {"round(a / b, 2)", 0.67},
                 {"round(a / b)", 1},
                 {"round(1234, -2)", 1200},
                 {"1.5e3", 1500},
                 {"1200 * a / (b + 1)", 600},
                 {".5", 0.5}};
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double got = value_of(ctx, schema, cases[i].text);
        assert_close(&got, &cases[i].value, 1, 1e-12);
    }
    assert_true(isnan(value_of(ctx, schema, "1 / (a - 2)")));
    assert_true(isnan(value_of(ctx, schema, "max(1, log(0 - a))")));
    ow_schema_free(schema);
}

static void mistakes_are_told_with_their_place(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {{"", "character 1: expected a number"},
                 {"a +", "character 4: expected a number"},
                 {"a b", "character 3: expected an operator"},
                 {"(a", "character 1: the closing bracket is missing"},
                 {"a)", "character 2: this bracket was not opened"},
                 {"c + 1", "character 1: there is no column \"c\""},
                 {"1 + town", "character 5: this column is a category"},
                 {"sin(a)", "character 1: there is no such function"},
                 {"log(a, b)", "character 1: the function has another number"},
                 {"min(a)", "character 1: the function has another number"},
                 {"a, b", "character 2: a comma can only stand"},
                 {"1.2.3", "character 1: this is no number"},
                 {"`a", "character 1: the closing quote is missing"},
                 {"\xC3\xA9 + 1", "character 1: there is no column"},
                 {"a $ b", "character 3: expected an operator"}};
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS);
    owi_expression *expression;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_fails(owi_expression_parse(ctx, schema, cases[i].text, &expression),
                     OW_ERR_ARGUMENT, cases[i].says);
        assert_null(expression);
    }
    char deep[600];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_fails(owi_expression_parse(ctx, schema, deep, &expression), OW_ERR_ARGUMENT,
                 "nested too deeply");
    for (size_t i = 0; i + 1 < sizeof deep; i++) deep[i] = i % 2 == 0 ? 'a' : '+';
    assert_fails(owi_expression_parse(ctx, schema, deep, &expression), OW_ERR_ARGUMENT,
                 "too long");
    ow_schema_free(schema);
}

static void what_is_cut_off_is_refused_or_means_something(void **state)
{
    static const char whole[] = "1200 * `education-num` / max(a, round(b, 2)) ^ -1.5e1";
    static const char rule[] = "size up and town != `x = y` => a >= 2.5 and b not down";
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS);
    for (size_t n = 0; n < sizeof whole; n++) {
        owi_expression *expression;
        char *text = owi_copy_text(ctx, whole, n);
        const ow_status status = owi_expression_parse(ctx, schema, text, &expression);
        assert_true(status == OW_OK || status == OW_ERR_ARGUMENT);
        if (status == OW_OK) (void)owi_expression_value(expression, row);
        owi_free(ctx, expression);
        owi_free(ctx, text);
    }
    for (size_t n = 0; n < sizeof rule; n++) {
        owi_condition *condition;
        char *text = owi_copy_text(ctx, rule, n);
        const ow_status status = owi_condition_parse(ctx, schema, text, &condition);
        assert_true(status == OW_OK || status == OW_ERR_ARGUMENT);
        owi_free(ctx, condition);
        owi_free(ctx, text);
    }
    ow_schema_free(schema);
}

static bool holds(ow_context *ctx, const ow_schema *schema, const char *text, size_t column,
                  double to)
{
    owi_condition *condition = NULL;
    double values[6];
    memcpy(values, row, sizeof values);
    values[column] = to;
    assert_ok(owi_condition_parse(ctx, schema, text, &condition));
    assert_true(owi_condition_holds(condition, row, row));
    const bool result = owi_condition_holds(condition, row, values);
    owi_free(ctx, condition);
    return result;
}

static void conditions_mean_what_they_say(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS);
    assert_false(holds(ctx, schema, "a not down", 0, 1));
    assert_true(holds(ctx, schema, "a not down", 0, 3));
    assert_false(holds(ctx, schema, "a not up", 0, 3));
    assert_false(holds(ctx, schema, "a up", 0, 1));
    assert_false(holds(ctx, schema, "a same", 0, 1));
    assert_true(holds(ctx, schema, "a changed => b = 3", 0, 1));
    assert_false(holds(ctx, schema, "a changed => b != 3", 0, 1));
    assert_false(holds(ctx, schema, "size up => education-num up", 4, 2));
    assert_true(holds(ctx, schema, "size up => education-num up", 4, 0));
    assert_false(holds(ctx, schema, "size = L => town = Aachen", 4, 2));
    assert_true(holds(ctx, schema, "size = L => town = `x = y`", 4, 2));
    assert_true(
        holds(ctx, schema, "town = up => a < 3 and a <= 2 and a > 1 and a >= 2", 3, 2));
    assert_false(holds(ctx, schema, "town = up => a < 2", 3, 2));
    assert_true(holds(ctx, schema, "town = up and a > 5 => b = 0", 3, 2));
    ow_schema_free(schema);
}

static void conditions_that_are_none_are_told(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {{"", "expected COLUMN up"},
                 {"a", "expected COLUMN up"},
                 {"a up =>", "expected COLUMN up"},
                 {"c up", "there is no column \"c\""},
                 {"town up", "the column is categorical"},
                 {"town < Aachen", "the column is categorical"},
                 {"town = Bonn", "there is no level \"Bonn\""},
                 {"a = x", "expected a number"}};
    ow_context *ctx = ow_test_context(state);
    ow_schema *schema = ow_test_schema(ctx, COLUMNS);
    owi_condition *condition;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_fails(owi_condition_parse(ctx, schema, cases[i].text, &condition),
                     OW_ERR_ARGUMENT, cases[i].says);
        assert_null(condition);
    }
    ow_schema_free(schema);
}

static void names_are_quoted_where_needed(void **state)
{
    static const char *const names[] = {"a", "education-num", "x`y", "1st", "two words"};
    ow_context *ctx = ow_test_context(state);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *written = owi_write_column_name(ctx, names[i]);
        char *read = owi_unquote(ctx, written, strlen(written));
        assert_string_equal(read, names[i]);
        owi_free(ctx, written);
        owi_free(ctx, read);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(expressions_have_the_usual_meaning),
        ow_test_on_heap(mistakes_are_told_with_their_place),
        ow_test_on_heap(what_is_cut_off_is_refused_or_means_something),
        ow_test_on_heap(conditions_mean_what_they_say),
        ow_test_on_heap(conditions_that_are_none_are_told),
        ow_test_on_heap(names_are_quoted_where_needed),
    };
    return cmocka_run_group_tests_name("data/expression", tests, NULL, NULL);
}
