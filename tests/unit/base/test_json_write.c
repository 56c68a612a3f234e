/* SPDX-License-Identifier: MIT */
/* JSON as it is written, read back by an independent reader. */
#include <jansson.h>
#include <locale.h>

#include "support/ow_test.h"

#include "base/memory/alloc.h"
#include "base/text/json_write.h"

static void expect_text(owi_json *json, const char *want)
{
    char *text;
    size_t size;
    assert_ok(owi_json_end(json, &text, &size));
    assert_string_equal(text, want);
    assert_int_equal(size, strlen(want));
    ow_bytes_free(text);
}

static void lines_are_laid_out_for_people(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_json json;
    ow_test_heap_begin(&heap);
    owi_json_begin(&json, heap.ctx);
    owi_json_open_object(&json, false);
    owi_json_key(&json, "name");
    owi_json_text(&json, "a");
    owi_json_key(&json, "empty");
    owi_json_open_array(&json, false);
    owi_json_close_array(&json);
    owi_json_key(&json, "columns");
    owi_json_open_array(&json, false);
    owi_json_open_object(&json, true);
    owi_json_key(&json, "range");
    owi_json_open_array(&json, false); /* on one line, as what it is in */
    owi_json_integer(&json, -3);
    owi_json_integer(&json, 4);
    owi_json_close_array(&json);
    owi_json_break(&json);
    owi_json_key(&json, "on");
    owi_json_bool(&json, true);
    owi_json_key(&json, "off");
    owi_json_bool(&json, false);
    owi_json_close_object(&json);
    owi_json_text(&json, NULL);
    owi_json_close_array(&json);
    owi_json_close_object(&json);
    expect_text(&json, "{\n"
                       "  \"name\": \"a\",\n"
                       "  \"empty\": [],\n"
                       "  \"columns\": [\n"
                       "    {\"range\": [-3, 4],\n"
                       "     \"on\": true, \"off\": false},\n"
                       "    null\n"
                       "  ]\n"
                       "}\n");

    owi_json_begin(&json, heap.ctx);
    owi_json_open_array(&json, true);
    owi_json_close_array(&json);
    expect_text(&json, "[]");
    owi_json_begin(&json, heap.ctx);
    expect_text(&json, "");
    ow_test_heap_end(&heap);
}

static void text_is_escaped_and_bad_bytes_are_replaced(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_json json;
    ow_test_heap_begin(&heap);
    owi_json_begin(&json, heap.ctx);
    owi_json_open_array(&json, true);
    owi_json_text(&json, "\" \\ / \b\f\n\r\t \x01\x1f\x7f");
    owi_json_text(&json, "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    owi_json_text(&json, "caf\xE9!\xE2\x82");
    owi_json_close_array(&json);
    expect_text(&json, "[\"\\\" \\\\ / \\b\\f\\n\\r\\t \\u0001\\u001f\x7f\", "
                       "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\", "
                       "\"caf\xEF\xBF\xBD!\xEF\xBF\xBD\xEF\xBF\xBD\"]");
    ow_test_heap_end(&heap);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed ^ *seed >> 33;
}

/* Numbers of any bits: what the independent reader gets is the same double. */
static void numbers_read_back_as_they_were(void **state)
{
    (void)state;
    ow_test_heap heap;
    uint64_t seed = 1;
    ow_test_heap_begin(&heap);
    for (size_t i = 0; i < 3000 * ow_test_scale(); i++) {
        const uint64_t bits = next_random(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (i % 3 == 0) value = (double)(int)(bits % 2000) / 100 - 10;
        owi_json json;
        char *text;
        owi_json_begin(&json, heap.ctx);
        owi_json_open_array(&json, true);
        owi_json_number(&json, value);
        owi_json_close_array(&json);
        assert_ok(owi_json_end(&json, &text, NULL));
        json_t *read = json_loads(text, JSON_DECODE_INT_AS_REAL, NULL);
        assert_non_null(read);
        const json_t *item = json_array_get(read, 0);
        if (isfinite(value)) assert_true(json_number_value(item) == value);
        if (!isfinite(value)) assert_true(json_is_null(item));
        json_decref(read);
        ow_bytes_free(text);
    }
    ow_test_heap_end(&heap);
}

static void some_numbers(owi_json *json)
{
    owi_json_open_array(json, true);
    owi_json_number(json, 0.1);
    owi_json_number(json, -0.0);
    owi_json_number(json, 3.0);
    owi_json_number(json, NAN);
    owi_json_number(json, -INFINITY);
    owi_json_integer(json, INT64_MIN);
    owi_json_integer(json, INT64_MAX);
    owi_json_close_array(json);
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    static const char want[] = "[0.1, 0, 3, null, null, -9223372036854775808, "
                               "9223372036854775807]";
    static const char *const locales[] = {"C", "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        if (setlocale(LC_ALL, locales[i]) == NULL) continue;
        owi_json json;
        owi_json_begin(&json, heap.ctx);
        some_numbers(&json);
        expect_text(&json, want);
    }
    setlocale(LC_ALL, "C");
    ow_test_heap_end(&heap);
}

static ow_status nest(ow_context *ctx, unsigned depth)
{
    owi_json json;
    char *text;
    owi_json_begin(&json, ctx);
    for (unsigned i = 0; i < depth; i++) owi_json_open_array(&json, true);
    for (unsigned i = 0; i < depth; i++) owi_json_close_array(&json);
    owi_json_key(&json, "after a failure nothing is written any more");
    json.after_key = false;
    const ow_status status = owi_json_end(&json, &text, NULL);
    assert_int_equal(text == NULL, status != OW_OK);
    ow_bytes_free(text);
    return status;
}

static void nesting_too_deep_sticks_as_the_failure(void **state)
{
    (void)state;
    ow_test_heap heap;
    ow_test_heap_begin(&heap);
    assert_ok(nest(heap.ctx, 32));
    assert_fails(nest(heap.ctx, 33), OW_ERR_UNSUPPORTED, "nested more than 32 deep");
    assert_fails(nest(heap.ctx, 100), OW_ERR_UNSUPPORTED, "nested more than 32 deep");
    ow_test_heap_end(&heap);
}

static ow_status write_much(ow_context *ctx, void *user)
{
    (void)user;
    owi_json json;
    char *text;
    owi_json_begin(&json, ctx);
    owi_json_open_array(&json, false);
    for (int i = 0; i < 100; i++) some_numbers(&json);
    owi_json_close_array(&json);
    const ow_status status = owi_json_end(&json, &text, NULL);
    assert_int_equal(text == NULL, status != OW_OK);
    ow_bytes_free(text);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    ow_test_sweep(write_much, NULL);
}

/* As many digits as are wanted, always with a point or an exponent. */
static void decimals_have_a_point_and_no_more_digits_than_asked(void **state)
{
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {{1.0, 15, "1.0"},
                 {-0.0, 15, "-0.0"},
                 {0.1, 15, "0.1"},
                 {1e-7, 15, "1e-7"},
                 {1e20, 15, "1e20"},
                 {-1.5e300, 15, "-1.5e300"},
                 {1.0 / 3, 9, "0.333333333"},
                 {1234567.0, 3, "1.23e6"},
                 {NAN, 15, "null"},
                 {-INFINITY, 9, "null"},
                 {100.0, 15, "100.0"}};
    for (int german = 0; german < 2; german++) {
        if (german == 1 && setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL) continue;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            ow_test_heap heap;
            owi_json json;
            ow_test_heap_begin(&heap);
            owi_json_begin(&json, heap.ctx);
            owi_json_decimal(&json, cases[i].value, cases[i].digits);
            expect_text(&json, cases[i].text);
            ow_test_heap_end(&heap);
        }
        setlocale(LC_NUMERIC, "C");
    }
}

static void compact_objects_have_no_blanks_and_raw_text_stays_as_it_is(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_json json;
    ow_test_heap_begin(&heap);
    owi_json_begin(&json, heap.ctx);
    json.compact = true;
    owi_json_raw(&json, "# ");
    owi_json_open_object(&json, true);
    owi_json_key(&json, "a");
    owi_json_integer(&json, 1);
    owi_json_key(&json, "b");
    owi_json_open_array(&json, false);
    owi_json_null(&json);
    owi_json_bool(&json, true);
    owi_json_close_array(&json);
    owi_json_close_object(&json);
    expect_text(&json, "# {\"a\":1,\"b\":[null,true]}");
    ow_test_heap_end(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_laid_out_for_people),
        cmocka_unit_test(text_is_escaped_and_bad_bytes_are_replaced),
        cmocka_unit_test(numbers_read_back_as_they_were),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(decimals_have_a_point_and_no_more_digits_than_asked),
        cmocka_unit_test(compact_objects_have_no_blanks_and_raw_text_stays_as_it_is),
        cmocka_unit_test(nesting_too_deep_sticks_as_the_failure),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("base/json_write", tests, NULL, NULL);
}
