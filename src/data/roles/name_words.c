/* SPDX-License-Identifier: MIT */
#include "data/roles/name_words.h"

#include <string.h>

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_small(char c)
{
    return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether two bytes of UTF-8 are a capital letter with an accent: U+00C0 to U+00DE, of
 * which 00D7 is no letter. */
static bool is_accented_capital(char first, char second)
{
    const unsigned char byte = (unsigned char)second;
    return (unsigned char)first == 0xC3 && byte >= 0x80 && byte <= 0x9E && byte != 0x97;
}

/* Whether name[i] is of a capital letter, its first byte or its second. */
static bool is_of_capital(const char *name, size_t i)
{
    return is_upper(name[i]) || is_accented_capital(name[i], name[i + 1]) ||
           (i > 0 && is_accented_capital(name[i - 1], name[i]));
}

/* Whether a word begins at name[i]; "XMLAge" is xml and age, "PStatus" p and status. */
static bool begins_word(const char *name, size_t i)
{
    if (i == 0) return true;
    const char before = name[i - 1];
    if (!is_upper(before) && !is_small(before) && !is_digit(before)) return true;
    if (!is_upper(name[i]) && !is_accented_capital(name[i], name[i + 1])) return false;
    if (!is_of_capital(name, i - 1)) return is_small(before);
    return is_upper(name[i]) && is_small(name[i + 1]) && !is_of_capital(name, i + 1);
}

void owi_cut_name(const char *name, owi_name_words *w)
{
    size_t at = 0;
    w->n = 0;
    for (size_t i = 0; name[i] != '\0' && i < owi_longest_name; i++) {
        const char c = name[i];
        if (!is_upper(c) && !is_small(c) && !is_digit(c)) continue;
        if (begins_word(name, i)) {
            if (w->n == owi_most_name_words) break;
            if (at > 0) w->text[at++] = '\0';
            w->words[w->n++] = w->text + at;
        }
        const bool is_accented = i > 0 && is_accented_capital(name[i - 1], c);
        w->text[at++] = (char)(is_upper(c) ? c - 'A' + 'a' : is_accented ? c + 0x20 : c);
    }
    w->text[at] = '\0';
}

void owi_cut_digits(owi_name_words *w)
{
    for (size_t i = 0; i < w->n; i++) {
        char *word = w->text + (w->words[i] - w->text);
        size_t n = strlen(word);
        while (n > 1 && is_digit(word[n - 1])) n--;
        if (!is_digit(word[0])) word[n] = '\0';
    }
}

bool owi_is_part_in(const char *word, size_t n, const char *list)
{
    const char *at = list;
    while (n > 0 && *at != '\0') {
        const size_t length = strcspn(at, " ");
        if (length == n && memcmp(at, word, n) == 0) return true;
        at += length;
        at += *at == ' ';
    }
    return false;
}

bool owi_is_word_in(const char *word, const char *list)
{
    return owi_is_part_in(word, strlen(word), list);
}
