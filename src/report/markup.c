/* SPDX-License-Identifier: MIT */
#include "report/markup.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"
#include "report/support.h"

void owi_markup_begin(owi_markup *markup, ow_context *ctx)
{
    *markup = (owi_markup){.ctx = ctx};
}

ow_status owi_markup_end(owi_markup *markup, char **text, size_t *size)
{
    owi_markup_bytes(markup, "", 0); /* at least the NUL */
    *text = NULL;
    if (size != NULL) *size = markup->size;
    if (markup->status == OW_OK)
        *text = markup->text;
    else
        ow_bytes_free(markup->text);
    return markup->status;
}

void owi_markup_bytes(owi_markup *markup, const char *bytes, size_t size)
{
    if (markup->status != OW_OK) return;
    markup->status = owi_report_grow(markup->ctx, &markup->text, &markup->capacity,
                                     markup->size + size + 1);
    if (markup->status != OW_OK) return;
    memcpy(markup->text + markup->size, bytes, size);
    markup->size += size;
    markup->text[markup->size] = '\0';
}

void owi_markup_add(owi_markup *markup, const char *format, ...)
{
    /* elements are short: names and other long texts go through owi_markup_text */
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    owi_markup_bytes(markup, text, length < 0 ? 0 : strlen(text));
}

/* ---- Text ---- */

/* A character as XML has it: the reserved ones by name, what it does not allow as
 * U+FFFD. */
static void append_character(owi_markup *markup, const char *text, size_t length)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    switch (length == 1 ? text[0] : 'a') {
    case '<':
        owi_markup_bytes(markup, "&lt;", 4);
        return;
    case '>':
        owi_markup_bytes(markup, "&gt;", 4);
        return;
    case '&':
        owi_markup_bytes(markup, "&amp;", 5);
        return;
    case '"':
        owi_markup_bytes(markup, "&quot;", 6);
        return;
    default:
        break;
    }
    const bool control = length == 1 && (unsigned char)text[0] < 0x20;
    const bool not_a_character =
        length == 3 && memcmp(text, "\xEF\xBF", 2) == 0 && (unsigned char)text[2] >= 0xBE;
    if (length == 0 || control || not_a_character)
        owi_markup_bytes(markup, replacement, 3);
    else
        owi_markup_bytes(markup, text, length);
}

/* East Asian characters, nearly all of those that take three bytes, are twice as wide. */
static size_t columns_of(size_t character_length)
{
    return character_length >= 3 ? 2 : 1;
}

void owi_markup_text(owi_markup *markup, const char *text, size_t most)
{
    size_t left = strlen(text), width = 0, length = left;
    for (size_t at = 0; at < length;) {
        const size_t n = owi_utf8_character(text + at, length - at);
        width += columns_of(n);
        at += n > 0 ? n : 1;
    }
    const bool whole = most == 0 || width <= most;
    for (size_t used = 0; left > 0;) {
        const size_t n = owi_utf8_character(text, left);
        used += columns_of(n);
        if (!whole && used + 3 > most) break;
        append_character(markup, text, n);
        text += n > 0 ? n : 1;
        left -= n > 0 ? n : 1;
    }
    if (!whole) owi_markup_bytes(markup, "...", 3);
}

/* ---- Numbers and bytes ---- */

void owi_markup_number(owi_markup *markup, double number, int decimals)
{
    char text[64];
    if (!isfinite(number) || fabs(number) > 1e15) {
        owi_markup_bytes(markup, "-", 1);
        return;
    }
    int length = snprintf(text, sizeof text, "%.*f", decimals, number);
    /* Whatever the locale puts between the digits is the point; and nothing is less than
     * nothing. */
    for (int i = 0; i < length; i++)
        if (text[i] != '-' && (text[i] < '0' || text[i] > '9')) text[i] = '.';
    const char *start =
        text[0] == '-' && strspn(text, "-0.") == (size_t)length ? text + 1 : text;
    owi_markup_bytes(markup, start, strlen(start));
}

void owi_markup_base64(owi_markup *markup, const void *bytes, size_t size)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i += 3) {
        const size_t n = size - i < 3 ? size - i : 3;
        uint32_t three = 0;
        for (size_t k = 0; k < 3; k++) three = three << 8 | (k < n ? at[i + k] : 0u);
        char four[4];
        for (size_t k = 0; k < 4; k++)
            four[k] = k <= n ? digits[three >> (18 - 6 * k) & 63] : '=';
        owi_markup_bytes(markup, four, 4);
    }
}
