/* SPDX-License-Identifier: MIT */
#include "base/text/utf8.h"

/* The rows of table 3-7 of the Unicode standard: which second byte may follow which first
 * one; every byte behind that is 80 to BF. */
typedef struct {
    unsigned char first_low, first_high, second_low, second_high;
    size_t length;
} form;

static const form forms[] = {
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

static bool is_between(char byte, unsigned char low, unsigned char high)
{
    return (unsigned char)byte >= low && (unsigned char)byte <= high;
}

static bool fits(const form *f, const char *text, size_t length)
{
    if (length < f->length || !is_between(text[0], f->first_low, f->first_high))
        return false;
    if (f->length > 1 && !is_between(text[1], f->second_low, f->second_high)) return false;
    for (size_t i = 2; i < f->length; i++)
        if (!is_between(text[i], 0x80, 0xBF)) return false;
    return true;
}

size_t owi_utf8_character(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (fits(&forms[i], text, length)) return forms[i].length;
    return 0;
}

bool owi_is_utf8(const char *text, size_t length)
{
    while (length > 0) {
        const size_t n = owi_utf8_character(text, length);
        if (n == 0) return false;
        text += n;
        length -= n;
    }
    return true;
}
