/* SPDX-License-Identifier: MIT */
/* What expressions and conditions have in common: blanks, quotes, bare names. */
#ifndef OWI_WORDS_H
#define OWI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define owi_blanks " \t\r\n"

static inline bool owi_is_quote(char c)
{
    return c == '"' || c == '`';
}

static inline bool owi_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Letters, "_" and everything beyond ASCII. */
static inline bool owi_begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* How long the bare name at the beginning of the text is. */
static inline size_t owi_bare_length(const char *text)
{
    size_t n = 0;
    if (!owi_begins_name(text[0])) return 0;
    while (owi_begins_name(text[n]) || owi_is_digit(text[n]) || text[n] == '.') n++;
    return n;
}

#endif
