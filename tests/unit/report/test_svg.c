/* SPDX-License-Identifier: MIT */
/* SVG elements: any text becomes harmless, and fits. */
#include "support/ow_test.h"

#include "base/alloc.h"
#include "report/svg.h"

/* What a text becomes inside an element. */
static void assert_text(ow_context *ctx, const char *text, size_t most, const char *want)
{
    owi_svg svg;
    char *got = NULL;
    owi_svg_begin(&svg, ctx, 100, 50, "t");
    owi_svg_add_text(&svg, text, most);
    assert_ok(owi_svg_end(&svg, &got));
    char *end = strstr(got, "fill=\"white\"/>\n");
    assert_non_null(end);
    end += strlen("fill=\"white\"/>\n");
    assert_int_equal(strlen(end), strlen(want) + strlen("</svg>\n"));
    assert_memory_equal(end, want, strlen(want));
    owi_free(ctx, got);
}

static void reserved_characters_are_written_by_name(void **state)
{
    ow_context *ctx = ow_test_context(state);
    assert_text(ctx, "<=50K & \"more\">", 50, "&lt;=50K &amp; \"more\"&gt;");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(reserved_characters_are_written_by_name),
        ow_test_on_heap(what_xml_does_not_allow_is_replaced),
        ow_test_on_heap(long_text_is_cut_between_characters),
    };
    return cmocka_run_group_tests_name("report/svg", tests, NULL, NULL);
}
