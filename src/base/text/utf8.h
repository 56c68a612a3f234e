/* SPDX-License-Identifier: MIT */
/* UTF-8, here as inline functions, since both libraries need them. */
#ifndef OWI_UTF8_H
#define OWI_UTF8_H

#include <stdbool.h>
#include <stddef.h>

static inline bool owi_is_between(char byte, unsigned char low, unsigned char high)
{
    return (unsigned char)byte >= low && (unsigned char)byte <= high;
}

/* How many bytes the first character takes, 1 to 4; 0 if the text is empty or does not
 * begin with a character in UTF-8.  Overlong forms, surrogates and numbers above U+10FFFF
 * are not characters. */
static inline size_t owi_utf8_character(const char *text, size_t length)
{
    /* The rows of table 3-7 of the Unicode standard: which second byte may follow which
     * first one; every byte behind that is 80 to BF. */
    static const struct {
        unsigned char first_low, first_high, second_low, second_high;
        size_t length;
    } forms[] = {
        {0x00, 0x7F, 0x00, 0x00, 1}, /* ASCII */
        {0xC2, 0xDF, 0x80, 0xBF, 2}, /* U+0080 to U+07FF */
        {0xE0, 0xE0, 0xA0, 0xBF, 3}, /* below A0: overlong */
        {0xE1, 0xEC, 0x80, 0xBF, 3},
        {0xED, 0xED, 0x80, 0x9F, 3}, /* above 9F: surrogates */
        {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, /* below 90: overlong */
        {0xF1, 0xF3, 0x80, 0xBF, 4},
        {0xF4, 0xF4, 0x80, 0x8F, 4}, /* above 8F: beyond U+10FFFF */
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t n = forms[i].length;
        bool fits =
            length >= n && owi_is_between(text[0], forms[i].first_low, forms[i].first_high);
        if (fits && n > 1)
            fits = owi_is_between(text[1], forms[i].second_low, forms[i].second_high);
        for (size_t k = 2; fits && k < n; k++) fits = owi_is_between(text[k], 0x80, 0xBF);
        if (fits) return n;
    }
    return 0;
}

/* Whether all of it is UTF-8. */
static inline bool owi_is_utf8(const char *text, size_t length)
{
    size_t n = 1;
    while (length > 0 && (n = owi_utf8_character(text, length)) > 0) {
        text += n;
        length -= n;
    }
    return n > 0;
}

#endif
