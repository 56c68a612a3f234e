/* SPDX-License-Identifier: MIT */
/* Markup: any text becomes harmless, and fits; numbers and bytes read back. */
#include "support/ow_test.h"

#include "base/memory/alloc.h"
#include "report/markup.h"

static void assert_ends_as(owi_markup *markup, const char *want)
{
    char *got = NULL;
    size_t size = 0;
    assert_ok(owi_markup_end(markup, &got, &size));
    assert_string_equal(got, want);
    assert_int_equal(size, strlen(want));
    ow_bytes_free(got);
}

static void assert_text(ow_context *ctx, const char *text, size_t most, const char *want)
{
    owi_markup markup;
    owi_markup_begin(&markup, ctx);
    owi_markup_text(&markup, text, most);
    assert_ends_as(&markup, want);
}

static void reserved_characters_are_written_by_name(void **state)
{
    ow_context *ctx = ow_test_context(state);
    assert_text(ctx, "<=50K & \"more\">", 50, "&lt;=50K &amp; &quot;more&quot;&gt;");
}

static void what_xml_does_not_allow_is_replaced(void **state)
{
    ow_context *ctx = ow_test_context(state);
    assert_text(ctx,
                "a\x01"
                "b\xFF"
                "c\xEF\xBF\xBF",
                50,
                "a\xEF\xBF\xBD"
                "b\xEF\xBF\xBD"
                "c\xEF\xBF\xBD");
}

static void long_text_is_cut_between_characters(void **state)
{
    ow_context *ctx = ow_test_context(state);
    assert_text(ctx, "abcdefgh", 8, "abcdefgh");
    assert_text(ctx, "abcdefghi", 8, "abcde...");
    assert_text(ctx, "Größe über alles", 10, "Größe ü...");
    assert_text(ctx, "年齢と職業", 8, "年齢...");
}

static void no_limit_means_the_whole_text(void **state)
{
    ow_context *ctx = ow_test_context(state);
    assert_text(ctx, "abcdefghijklmnopqrstuvwxyz", 0, "abcdefghijklmnopqrstuvwxyz");
}

static void numbers_have_a_point_and_no_empty_sign(void **state)
{
    owi_markup markup;
    owi_markup_begin(&markup, ow_test_context(state));
    owi_markup_number(&markup, -1234.5678, 2);
    owi_markup_add(&markup, " %d ", 7);
    owi_markup_number(&markup, -0.0001, 2);
    owi_markup_add(&markup, " ");
    owi_markup_number(&markup, NAN, 2);
    assert_ends_as(&markup, "-1234.57 7 0.00 -");
}

/* The examples of RFC 4648. */
static void base64_is_the_standard_s(void **state)
{
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        owi_markup markup;
        owi_markup_begin(&markup, ow_test_context(state));
        owi_markup_base64(&markup, pairs[i][0], strlen(pairs[i][0]));
        assert_ends_as(&markup, pairs[i][1]);
    }
}

static ow_status write_some(ow_context *ctx, void *user)
{
    (void)user;
    owi_markup markup;
    char *text = NULL;
    owi_markup_begin(&markup, ctx);
    for (int i = 0; i < 100; i++) owi_markup_text(&markup, "some & more", 0);
    const ow_status status = owi_markup_end(&markup, &text, NULL);
    ow_bytes_free(text);
    return status;
}

static void running_out_of_memory_is_said_at_the_end(void **state)
{
    (void)state;
    ow_test_sweep(write_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(no_limit_means_the_whole_text),
        ow_test_on_heap(numbers_have_a_point_and_no_empty_sign),
        ow_test_on_heap(base64_is_the_standard_s),
        cmocka_unit_test(running_out_of_memory_is_said_at_the_end),
        ow_test_on_heap(reserved_characters_are_written_by_name),
        ow_test_on_heap(what_xml_does_not_allow_is_replaced),
        ow_test_on_heap(long_text_is_cut_between_characters),
    };
    return cmocka_run_group_tests_name("report/markup", tests, NULL, NULL);
}
