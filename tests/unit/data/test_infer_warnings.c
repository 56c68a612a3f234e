/* SPDX-License-Identifier: MIT */
/* What people are told about their columns. */
#include "support/ow_test.h"

#include "data/infer/infer_warnings.h"
#include "data/schema/schema_private.h"

/* What is said about a column whose row i (from 0) has make(i) in it. */
typedef struct {
    ow_test_heap heap;
    ow_test_log log;
    owi_column_stats stats;
} column;

static void begin(column *c, size_t n, void (*make)(size_t i, char *text, size_t size),
                  bool is_category)
{
    ow_test_heap_begin(&c->heap);
    ow_test_log_attach(&c->log, c->heap.ctx, OW_LOG_INFO);
    owi_column_stats_begin(&c->stats, c->heap.ctx, "x", is_category, 1000);
    for (size_t i = 0; i < n; i++) {
        char text[32];
        int32_t id;
        make(i, text, sizeof text);
        assert_ok(owi_column_stats_add(
            &c->stats, &(owi_cell){.text = text, .length = strlen(text)}, &id));
    }
    owi_column_stats_finish(&c->stats);
}

static void end(column *c, const char *want)
{
    assert_string_equal(c->log.text, want);
    owi_column_stats_clear(&c->stats);
    ow_test_heap_end(&c->heap);
}

static void expect_column(size_t n, void (*make)(size_t, char *, size_t),
                          ow_column_type type, const char *want)
{
    column c;
    begin(&c, n, make, false);
    owi_warn_about_column(&c.stats, "t.csv", type, "t.csv:17");
    end(&c, want);
}

static void same(size_t i, char *text, size_t size)
{
    snprintf(text, size, i % 2 == 0 ? "7" : "");
}

static void row_number(size_t i, char *text, size_t size)
{
    snprintf(text, size, "%zu", i + 1);
}

static void random_number(size_t i, char *text, size_t size)
{
    snprintf(text, size, "%zu", i * 7919 % 1009);
}

static void name(size_t i, char *text, size_t size)
{
    snprintf(text, size, "name %zu", i);
}

static void nearly_all_different(size_t i, char *text, size_t size)
{
    snprintf(text, size, "name %zu", i < 6 ? 0 : i);
}

static void common_name(size_t i, char *text, size_t size)
{
    snprintf(text, size, "name %zu", i < 7 ? 0 : i);
}

static void number_with_few_texts(size_t i, char *text, size_t size)
{
    snprintf(text, size, i == 20 || i == 70 ? "t%zu" : "%zu", i % 30);
}

static void different_numbers_but_one(size_t i, char *text, size_t size)
{
    snprintf(text, size, i == 30 ? "unclear" : "%zu.5", i);
}

static void number_with_many_texts(size_t i, char *text, size_t size)
{
    snprintf(text, size, i % 20 == 0 ? "text" : "%zu", i % 30);
}

static void number_with_codes(size_t i, char *text, size_t size)
{
    snprintf(text, size, "%d", i % 10 == 3 ? -9 : i % 25 == 4 ? 999 : (int)(i * 7 % 60));
}

static void a_column_that_never_varies_is_told(void **state)
{
    (void)state;
    expect_column(10, same, OW_TYPE_INTEGER,
                  "t.csv: column \"x\" is \"7\" in every row that has a value; it tells "
                  "nothing, drop it\n");
}

static void identifiers_are_told_from_fifty_rows_on(void **state)
{
    (void)state;
    expect_column(49, row_number, OW_TYPE_INTEGER, "");
    expect_column(50, row_number, OW_TYPE_INTEGER,
                  "t.csv: column \"x\" counts from 1 to 50 row by row; drop it if it is an "
                  "identifier\n");
    expect_column(
        1500, row_number, OW_TYPE_INTEGER,
        "t.csv: column \"x\" counts from 1 to 1500 row by row; drop it if it is an "
        "identifier\n");
    expect_column(100, random_number, OW_TYPE_INTEGER, "");
    expect_column(49, name, OW_TYPE_CATEGORICAL, "");
    expect_column(
        100, name, OW_TYPE_CATEGORICAL,
        "t.csv: column \"x\" has 100 different texts in 100 rows; drop it if it is "
        "an identifier\n");
    expect_column(
        100, nearly_all_different, OW_TYPE_CATEGORICAL,
        "t.csv: column \"x\" has 95 different texts in 100 rows; drop it if it is "
        "an identifier\n");
    expect_column(100, common_name, OW_TYPE_CATEGORICAL, "");
}

static void numbers_spoilt_by_a_few_texts_are_told_with_the_first_of_them(void **state)
{
    (void)state;
    expect_column(
        100, number_with_few_texts, OW_TYPE_CATEGORICAL,
        "t.csv: column \"x\" is taken as categorical, for 2 of its 100 values are "
        "not numbers (the first is \"t20\" at t.csv:17); leave such cells empty to "
        "have numbers\n");
    expect_column(100, number_with_many_texts, OW_TYPE_CATEGORICAL, "");
    /* Not also as an identifier: without the text it would be none. */
    expect_column(
        100, different_numbers_but_one, OW_TYPE_CATEGORICAL,
        "t.csv: column \"x\" is taken as categorical, for 1 of its 100 values are "
        "not numbers (the first is \"unclear\" at t.csv:17); leave such cells empty to "
        "have numbers\n");
}

static void codes_are_told_with_their_rows(void **state)
{
    (void)state;
    expect_column(200, number_with_codes, OW_TYPE_INTEGER,
                  "t.csv: column \"x\": -9 (20 rows), 999 (8 rows) may stand for missing "
                  "values, the others lie from 0 to 59; leave such cells empty if so\n");
}

static void what_was_declared_a_category_is_not_questioned(void **state)
{
    (void)state;
    column c;
    begin(&c, 100, name, true);
    owi_warn_about_column(&c.stats, "t.csv", OW_TYPE_CATEGORICAL, NULL);
    end(&c, "");
    begin(&c, 200, number_with_codes, true);
    owi_warn_about_column(&c.stats, "t.csv", OW_TYPE_ORDINAL, NULL);
    end(&c, "");
}

static void links_are_told_one_by_one(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_log log;
    ow_schema *schema;
    ow_column *added;
    ow_test_heap_begin(&heap);
    ow_test_log_attach(&log, heap.ctx, OW_LOG_INFO);
    assert_ok(owi_schema_new(heap.ctx, 6, &schema));
    static const size_t link[] = {0, 1, 2, 1, 2, 2};
    for (size_t j = 0; j < 6; j++) {
        const char letter = (char)('a' + j);
        assert_ok(owi_schema_add_column(schema, &letter, 1, &added));
        added->link = link[j];
    }
    owi_tell_links(schema, "t.csv");
    assert_string_equal(
        log.text,
        "t.csv: columns that determine each other, now linked: \"b\", \"d\"\n"
        "t.csv: columns that determine each other, now linked: \"c\", \"e\", \"f\"\n");
    ow_schema_free(schema);
    ow_test_heap_end(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_that_never_varies_is_told),
        cmocka_unit_test(identifiers_are_told_from_fifty_rows_on),
        cmocka_unit_test(numbers_spoilt_by_a_few_texts_are_told_with_the_first_of_them),
        cmocka_unit_test(codes_are_told_with_their_rows),
        cmocka_unit_test(what_was_declared_a_category_is_not_questioned),
        cmocka_unit_test(links_are_told_one_by_one),
    };
    return cmocka_run_group_tests_name("data/infer_warnings", tests, NULL, NULL);
}
