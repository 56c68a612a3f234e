/* SPDX-License-Identifier: MIT */
/* JSON read strictly: values come out, and what is wrong is named. */
#include "support/ow_test.h"

#include "base/text/json_read.h"
#include "support/test_call.h"

/* The text as fields of an object under reading; the caller json_decrefs the object. */
static owi_json_fields fields_of(const char *text)
{
    json_t *root;
    assert_ok(owi_json_parse(text, strlen(text), "s.json", &root));
    return (owi_json_fields){.file = "s.json", .where = "label, ", .object = root};
}

static const char *colour(int i)
{
    static const char *const names[] = {"red", "green", "blue", NULL};
    return i >= 0 && i < 4 ? names[i] : NULL;
}

static void each_type_is_read_and_what_is_absent_stays_as_it_was(void **state)
{
    (void)state;
    const owi_json_fields f =
        fields_of("{\"text\": \"\\u20ac\", \"number\": -1.5e3, \"count\": 7,"
                  " \"yes\": true, \"colour\": \"blue\", \"list\": [1]}");
    const char *text = "before";
    double number = 1;
    size_t count = 2;
    bool yes = false;
    int choice = 9;
    const json_t *list;
    assert_ok(owi_json_read_text(&f, "absent", &text));
    assert_ok(owi_json_read_number(&f, "absent", &number));
    assert_ok(owi_json_read_count(&f, "absent", 10, &count));
    assert_ok(owi_json_read_bool(&f, "absent", &yes));
    assert_ok(owi_json_read_choice(&f, "absent", colour, &choice));
    assert_ok(owi_json_read_array(&f, "absent", &list));
    assert_string_equal(text, "before");
    assert_true(number == 1 && count == 2 && !yes && choice == 9 && list == NULL);

    assert_ok(owi_json_read_text(&f, "text", &text));
    assert_ok(owi_json_read_number(&f, "number", &number));
    assert_ok(owi_json_read_count(&f, "count", 7, &count));
    assert_ok(owi_json_read_bool(&f, "yes", &yes));
    assert_ok(owi_json_read_choice(&f, "colour", colour, &choice));
    assert_ok(owi_json_read_array(&f, "list", &list));
    assert_string_equal(text, "\xE2\x82\xAC");
    assert_true(number == -1500 && count == 7 && yes && choice == 2);
    assert_int_equal(json_array_size(list), 1);
    json_decref((json_t *)f.object);
}

static void another_type_is_named_with_what_was_expected(void **state)
{
    (void)state;
    const owi_json_fields f = fields_of("{\"text\": \"red\\n\", \"number\": 0.5, \"list\": "
                                        "[], \"object\": {}, \"yes\": true, "
                                        "\"no\": false, \"null\": null}");
    const char *text;
    double number;
    size_t count;
    bool yes;
    int choice;
    const json_t *list;
    assert_fails(owi_json_read_text(&f, "number", &text), OW_ERR_FORMAT,
                 "s.json: label, field \"number\": expected a text, got 0.5");
    assert_fails(owi_json_read_number(&f, "text", &number), OW_ERR_FORMAT,
                 "field \"text\": expected a number, got \"red\\n\"");
    assert_fails(owi_json_read_number(&f, "yes", &number), OW_ERR_FORMAT, "got true");
    assert_fails(owi_json_read_number(&f, "no", &number), OW_ERR_FORMAT, "got false");
    assert_fails(owi_json_read_number(&f, "null", &number), OW_ERR_FORMAT, "got null");
    assert_fails(owi_json_read_number(&f, "list", &number), OW_ERR_FORMAT, "got a list");
    assert_fails(owi_json_read_bool(&f, "object", &yes), OW_ERR_FORMAT,
                 "field \"object\": expected true or false, got an object");
    assert_fails(owi_json_read_count(&f, "number", SIZE_MAX, &count), OW_ERR_FORMAT,
                 "field \"number\": expected a whole number from 0 on, got 0.5");
    assert_fails(owi_json_read_array(&f, "text", &list), OW_ERR_FORMAT,
                 "field \"text\": expected a list [...], got \"red\\n\"");
    assert_fails(owi_json_read_choice(&f, "text", colour, &choice), OW_ERR_FORMAT,
                 "field \"text\": expected \"red\", \"green\" or \"blue\", got \"red\\n\"");
    assert_fails(owi_json_read_choice(&f, "null", colour, &choice), OW_ERR_FORMAT,
                 "expected \"red\", \"green\" or \"blue\", got null");
    assert_fails(owi_json_unexpected(&f, "x", "something", NULL), OW_ERR_FORMAT,
                 "field \"x\": expected something, got nothing");
    json_decref((json_t *)f.object);
}

static void counts_are_whole_and_within_bounds(void **state)
{
    (void)state;
    const owi_json_fields f =
        fields_of("{\"a\": -1, \"b\": 1e300, \"c\": 8, \"d\": 0, "
                  "\"e\": 9007199254740993, \"f\": 9007199254740991}");
    size_t count;
    assert_fails(owi_json_read_count(&f, "a", SIZE_MAX, &count), OW_ERR_FORMAT, "got -1");
    assert_fails(owi_json_read_count(&f, "b", SIZE_MAX, &count), OW_ERR_FORMAT,
                 "got 1e300");
    assert_fails(owi_json_read_count(&f, "c", 7, &count), OW_ERR_FORMAT,
                 "expected a whole number from 0 to 7, got 8");
    assert_fails(owi_json_read_count(&f, "e", SIZE_MAX, &count), OW_ERR_FORMAT, "got");
    assert_ok(owi_json_read_count(&f, "d", 0, &count));
    assert_int_equal(count, 0);
    assert_ok(owi_json_read_count(&f, "f", SIZE_MAX, &count));
    assert_true(count == 9007199254740991);
    json_decref((json_t *)f.object);
}

static void unknown_fields_are_answered_with_the_nearest_spelling(void **state)
{
    (void)state;
    static const char *const known[] = {"name", "classes"};
    const owi_json_fields good = fields_of("{\"classes\": [], \"name\": 1}");
    assert_ok(owi_json_check_fields(&good, known, 2));
    const owi_json_fields bad = fields_of("{\"name\": 1, \"clases\": []}");
    assert_fails(owi_json_check_fields(&bad, known, 2), OW_ERR_FORMAT,
                 "s.json: label, there is no field \"clases\"; did you mean \"classes\"?");
    const owi_json_fields list = fields_of("[1, 2]");
    assert_fails(owi_json_check_fields(&list, known, 2), OW_ERR_FORMAT,
                 "s.json: label, expected an object {...}, got a list [...]");
    json_decref((json_t *)good.object);
    json_decref((json_t *)bad.object);
    json_decref((json_t *)list.object);
}

/* At once and piece by piece. */
static void fails_to_parse(const char *text, size_t size, const char *sentence)
{
    json_t *root;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    assert_fails(owi_json_parse(text, size, "s.json", &root), OW_ERR_FORMAT, sentence);
    assert_null(root);
    assert_fails(owi_json_parse_in(ow_test_call(heap.ctx, NULL), text, size, "s.json",
                                   &root),
                 OW_ERR_FORMAT, sentence);
    assert_null(root);
    ow_test_heap_end(&heap);
}

static void broken_json_is_named_by_line_and_column(void **state)
{
    (void)state;
    fails_to_parse("{\"a\": 1,\n \"b\" 2}", 15, "s.json:2:6: ':' expected");
    fails_to_parse("", 0, "s.json:1:0: ");
    fails_to_parse("{\"a\": 1, \"a\": 2}", 16, "duplicate object key");
    fails_to_parse("[\"a\\u0000b\"]", 12, "\\u0000 is not allowed");
    fails_to_parse("[1]\0", 4, "s.json:1:");
    fails_to_parse("[1e999]", 7, "real number overflow");
    fails_to_parse("[\"\xE9\"]", 5, "unable to decode byte 0xe9");
    char deep[5000];
    memset(deep, '[', sizeof deep);
    fails_to_parse(deep, sizeof deep, "maximum parsing depth reached");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_type_is_read_and_what_is_absent_stays_as_it_was),
        cmocka_unit_test(another_type_is_named_with_what_was_expected),
        cmocka_unit_test(counts_are_whole_and_within_bounds),
        cmocka_unit_test(unknown_fields_are_answered_with_the_nearest_spelling),
        cmocka_unit_test(broken_json_is_named_by_line_and_column),
    };
    return cmocka_run_group_tests_name("base/json_read", tests, NULL, NULL);
}
