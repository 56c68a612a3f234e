/* SPDX-License-Identifier: MIT */
#include "base/text/quote.h"

#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"

/* Writes the first character as it may be shown, without a NUL; returns how many bytes of
 * text it stands for. */
static size_t show(const char *text, size_t length, char shown[8], size_t *shown_size)
{
    static const char plain[] = "\n\r\t\"\\", letters[] = "nrt\"\\";
    const size_t taken = owi_utf8_character(text, length);
    const unsigned char c = (unsigned char)text[0];
    const char *known = c == '\0' ? NULL : strchr(plain, c);
    if (known != NULL) {
        shown[0] = '\\';
        shown[1] = letters[known - plain];
        *shown_size = 2;
        return 1;
    }
    if (taken == 0 || c < ' ' || c == 0x7f) {
        *shown_size = (size_t)snprintf(shown, 8, "\\x%02x", c);
        return 1;
    }
    memcpy(shown, text, taken);
    *shown_size = taken;
    return taken;
}

/* Character by character, each shown whole or not at all, as long as there is room for it
 * and for the end of a quotation that is cut. */
const char *owi_quote(const char *text, size_t length, char out[owi_quote_size])
{
    const size_t room = owi_quote_size - sizeof "\"..."; /* for all but the end */
    size_t used = 0, at = 0;
    out[used++] = '"';
    while (at < length) {
        char shown[8];
        size_t shown_size;
        const size_t taken = show(text + at, length - at, shown, &shown_size);
        if (used + shown_size > room) break;
        memcpy(out + used, shown, shown_size);
        used += shown_size;
        at += taken;
    }
    snprintf(out + used, owi_quote_size - used, at < length ? "\"..." : "\"");
    return out;
}

const char *owi_quote_text(const char *text, char out[owi_quote_size])
{
    return owi_quote(text, strlen(text), out);
}
