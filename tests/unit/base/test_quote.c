/* SPDX-License-Identifier: MIT */
/* Pieces of files inside sentences. */
#include "support/ow_test.h"

#include "base/text/quote.h"

static void plain_text_stands_between_quotes(void **state)
{
    (void)state;
    char out[owi_quote_size];
    assert_string_equal(owi_quote("abc", 3, out), "\"abc\"");
    assert_string_equal(owi_quote("", 0, out), "\"\"");
    assert_string_equal(owi_quote("Zürich 東京", 15 - 1, out), "\"Zürich 東京\"");
}

static void what_would_break_the_line_is_escaped(void **state)
{
    (void)state;
    char out[owi_quote_size];
    assert_string_equal(owi_quote("a\nb\r\t", 5, out), "\"a\\nb\\r\\t\"");
    assert_string_equal(owi_quote("\x1b[1m\0z\x7f", 7, out), "\"\\x1b[1m\\x00z\\x7f\"");
    assert_string_equal(owi_quote("say \"\\\"", 7, out), "\"say \\\"\\\\\\\"\"");
    assert_string_equal(owi_quote("\xff\xc3", 2, out), "\"\\xff\\xc3\"");
}

/* Every length around the limit, of characters one and three bytes long and of escapes:
 * never more than the room, never half a character, and cut exactly when something is
 * missing. */
static void long_text_is_cut_between_characters(void **state)
{
    (void)state;
    const char *const units[] = {"x", "京", "\x01"};
    const char *const shown[] = {"x", "京", "\\x01"};
    for (size_t u = 0; u < 3; u++)
        for (size_t n = 1; n < 100; n++) {
            char text[400] = "", out[owi_quote_size];
            for (size_t i = 0; i < n; i++) strcat(text, units[u]);
            owi_quote(text, strlen(text), out);

            const size_t most = (owi_quote_size - 6) / strlen(shown[u]);
            const size_t fit = n < most ? n : most;
            char want[500] = "\"";
            for (size_t i = 0; i < fit; i++) strcat(want, shown[u]);
            strcat(want, fit < n ? "\"..." : "\"");
            assert_string_equal(out, want);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_text_stands_between_quotes),
        cmocka_unit_test(what_would_break_the_line_is_escaped),
        cmocka_unit_test(long_text_is_cut_between_characters),
    };
    return cmocka_run_group_tests_name("base/quote", tests, NULL, NULL);
}
