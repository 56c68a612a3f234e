/* SPDX-License-Identifier: MIT */
/* What is UTF-8 and what is not. */
#include "support/ow_test.h"

#include "base/text/utf8.h"

/* Encodes any number below 2^21 in the given number of bytes, whether that is allowed or
 * not. */
static void encode(unsigned code, size_t n_bytes, char *text)
{
    static const unsigned char marks[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    for (size_t i = n_bytes - 1; i > 0; i--, code >>= 6)
        text[i] = (char)(0x80 | (code & 0x3F));
    text[0] = (char)(marks[n_bytes] | code);
}

static size_t shortest_form(unsigned code)
{
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/* All forms of all numbers: exactly the shortest one is right, and none for surrogates and
 * numbers beyond Unicode. */
static void exactly_the_shortest_form_of_each_character_is_accepted(void **state)
{
    (void)state;
    for (unsigned code = 0; code < 1u << 21; code++)
        for (size_t n = shortest_form(code); n <= 4; n++) {
            char text[4];
            encode(code, n, text);
            const bool exists = code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
            const bool right = exists && n == shortest_form(code);
            if (owi_utf8_character(text, n) != (right ? n : 0))
                fail_msg("U+%04X in %zu bytes", code, n);
            if (owi_utf8_character(text, n - 1) != 0) fail_msg("U+%04X cut off", code);
        }
}

static void one_bad_byte_spoils_a_text(void **state)
{
    (void)state;
    assert_true(owi_is_utf8("", 0));
    assert_true(owi_is_utf8("na\xC3\xAFve \xE2\x82\xAC", 10));
    assert_false(owi_is_utf8("na\xEFve", 5)); /* Latin-1 */
    assert_false(owi_is_utf8("\xE2\x82", 2));
    assert_false(owi_is_utf8("a\x80", 2));
    assert_false(owi_is_utf8("\xFF", 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_the_shortest_form_of_each_character_is_accepted),
        cmocka_unit_test(one_bad_byte_spoils_a_text),
    };
    return cmocka_run_group_tests_name("base/utf8", tests, NULL, NULL);
}
