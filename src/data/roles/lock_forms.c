/* SPDX-License-Identifier: MIT */
#include "data/roles/lock_forms.h"

#include <string.h>

#include "data/roles/lock_lists.h"
#include "data/roles/name_words.h"

enum { least_skeleton = 4, least_beginning = 5, least_pair = 7 };

static bool is_vowel(char c)
{
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y';
}

/* Whether a word is a longer one of n letters without some vowels and second letters: all
 * that is passed over on the way through the longer one is one of these. */
static bool is_skeleton(const char *word, const char *longer, size_t n)
{
    size_t at = 0;
    if (word[0] != longer[0]) return false;
    for (size_t i = 0; i < n; i++) {
        if (word[at] == longer[i])
            at++;
        else if (!is_vowel(longer[i]) && (i == 0 || longer[i] != longer[i - 1]))
            return false;
    }
    return word[at] == '\0';
}

/* Whether a word is one of a list without its end. */
static bool is_clipped(const char *word, size_t length)
{
    for (const char *at = owi_clipped_words; *at != '\0';) {
        const size_t n = strcspn(at, " ");
        if (length < n && memcmp(word, at, length) == 0) return true;
        at += n;
        at += *at == ' ';
    }
    return false;
}

bool owi_is_short_form(const char *word)
{
    const size_t length = strlen(word);
    if (length >= least_beginning && is_clipped(word, length)) return true;
    for (const char *at = owi_long_words; length >= least_skeleton && *at != '\0';) {
        const size_t n = strcspn(at, " ");
        if (length < n && is_skeleton(word, at, n)) return true;
        at += n;
        at += *at == ' ';
    }
    return false;
}

/* reached[i] is 1 where the first i letters are pieces that may stand before a head, and 2
 * where a head is among them. */
bool owi_is_written_together(const char *word)
{
    char reached[owi_longest_name + 1] = {1};
    const size_t length = strlen(word);
    if (length > owi_longest_name || owi_is_word_in(word, owi_heads)) return false;
    for (size_t from = 0; from < length; from++) {
        for (size_t to = from + 1; to <= length && reached[from] > 0; to++) {
            const size_t n = to - from;
            const char *others = reached[from] == 2 ? owi_behind_heads : owi_before_heads;
            if (owi_is_part_in(word + from, n, owi_heads))
                reached[to] = 2;
            else if (reached[to] == 0 && owi_is_part_in(word + from, n, others))
                reached[to] = reached[from];
        }
    }
    return reached[length] == 2 || (owi_is_part_in(word, 1, owi_before_long_heads) &&
                                    owi_is_word_in(word + 1, owi_long_heads));
}

bool owi_begins_with_pair(const char *word)
{
    for (size_t k = 0; k < owi_n_locked_pairs; k++) {
        const char *first = owi_locked_pairs[k][0], *second = owi_locked_pairs[k][1];
        const size_t n = strlen(first), m = strlen(second);
        if (n + m >= least_pair && strncmp(word, first, n) == 0 &&
            strncmp(word + n, second, m) == 0)
            return true;
    }
    return false;
}

bool owi_is_time_of(const char *word, const char *times, const char *events)
{
    const size_t length = strlen(word);
    for (size_t n = 1; n < length; n++)
        if ((owi_is_part_in(word, n, times) && owi_is_word_in(word + n, events)) ||
            (owi_is_part_in(word, n, events) && owi_is_word_in(word + n, times)))
            return true;
    return false;
}
