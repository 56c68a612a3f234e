/* SPDX-License-Identifier: MIT */
/* Text on a terminal: its width, cut, wrapped, made harmless. */
#include "support/ow_test.h"

#include "terminal/display_text.h"

static void assert_clean(const char *text, const char *want)
{
    char *clean = display_clean(text);
    assert_string_equal(clean, want);
    free(clean);
}

static void assert_shortened(const char *text, size_t width, const char *want)
{
    char *shortened = display_shorten(text, width, "...");
    assert_string_equal(shortened, want);
    assert_true(display_width(shortened) <= width);
    free(shortened);
}

static void width_counts_columns_and_not_bytes(void **state)
{
    (void)state;
    assert_int_equal(display_width(""), 0);
    assert_int_equal(display_width("plain"), 5);
    assert_int_equal(display_width("Größe"), 5);
    assert_int_equal(display_width("年齢"), 4);      /* each two columns wide  */
    assert_int_equal(display_width("e\xCC\x81"), 1); /* e and a combining acute */
}

static void no_control_character_reaches_the_terminal(void **state)
{
    (void)state;
    assert_clean("a\033[2Jb\a", "a\\x1b[2Jb\\x07");
    assert_clean("two\r\nlines\tx", "two\\r\\nlines\\tx");
    assert_clean("\xC2\x9B", "\\x9b"); /* a C1 control: also begins a sequence */
    assert_clean("a\xE2\x80\xAE"
                 "b",
                 "a\\u202eb"); /* turns the writing direction */
    assert_clean("Größe 年齢", "Größe 年齢");
}

static void what_is_not_utf_8_is_replaced_byte_by_byte(void **state)
{
    (void)state;
    assert_clean("gr\xF6\xDF"
                 "er",
                 "gr\uFFFD\uFFFDer");
    assert_clean("\xC0\xAF", "\uFFFD\uFFFD");                     /* overlong      */
    assert_clean("\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD");           /* surrogate     */
    assert_clean("\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"); /* above 10FFFF */
    assert_clean("x\xE5\xB9", "x\uFFFD\uFFFD");                   /* cut off       */
}

static void shortening_cuts_between_characters(void **state)
{
    (void)state;
    assert_shortened("below 0", 7, "below 0");
    assert_shortened("below 100", 8, "below..."); /* no space before the dots */
    assert_shortened("年齢年齢", 6, "年...");     /* half a character does not fit */
    assert_shortened("Größenordnung", 8, "Größe...");
    assert_shortened("abc", 2, "..");
    assert_shortened("abc", 0, "");
}

static void lists_are_cut_between_items_and_end_as_told(void **state)
{
    (void)state;
    assert_shortened("one, two, three", 14, "one, two, ...");
    assert_shortened("one, two, three", 12, "one, ...");
    assert_shortened("low < middle < high", 18, "low < middle < ...");
    assert_shortened("self-employed, other", 9,
                     "self-e..."); /* not half of it would be left */
    char *shortened = display_shorten("one, two, three", 13, "... (3)");
    assert_string_equal(shortened, "one, ... (3)");
    free(shortened);
}

/* What display_wrap prints. */
static void assert_wrapped(const char *text, size_t indent, size_t width, const char *want)
{
    char got[512];
    FILE *file = tmpfile();
    assert_non_null(file);
    display_wrap(file, text, indent, width);
    rewind(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got, want);
}

static void wrapping_breaks_at_spaces_and_indents(void **state)
{
    (void)state;
    assert_wrapped("one two three", 0, 7, "one two\nthree\n");
    assert_wrapped("one two three", 2, 9, "one two\n  three\n");
    assert_wrapped("unbreakable word", 0, 5, "unbreakable\nword\n");
    assert_wrapped("a\n\nb", 0, 10, "a\n\nb\n");
    assert_wrapped("a\n  kept   as it is", 0, 6, "a\n  kept   as it is\n");
    assert_wrapped("a 5" DISPLAY_NO_BREAK "% b", 0, 5, "a 5 %\nb\n");
    assert_wrapped("abc 5" DISPLAY_NO_BREAK "% b", 0, 6, "abc\n5 % b\n");
    assert_wrapped("", 0, 10, "\n");
}

static int start(void **state)
{
    (void)state;
    display_start();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width_counts_columns_and_not_bytes),
        cmocka_unit_test(no_control_character_reaches_the_terminal),
        cmocka_unit_test(what_is_not_utf_8_is_replaced_byte_by_byte),
        cmocka_unit_test(shortening_cuts_between_characters),
        cmocka_unit_test(lists_are_cut_between_items_and_end_as_told),
        cmocka_unit_test(wrapping_breaks_at_spaces_and_indents),
    };
    return cmocka_run_group_tests_name("cli/display_text", tests, start, NULL);
}
