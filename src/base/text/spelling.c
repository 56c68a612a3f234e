/* SPDX-License-Identifier: MIT */
/* Edits are those of the hand: a letter left out, put in or replaced, two neighbours
 * swapped (Damerau, "A technique for computer detection and correction of spelling errors",
 * 1964). d[i][j], the edits from the first i letters of a to the first j of b, is the least
 * of
 *
 *     d[i-1][j] + 1,  d[i][j-1] + 1,  d[i-1][j-1] + (a_i != b_j),
 *     d[i-2][j-2] + 1  if a_i = b_(j-1) and a_(i-1) = b_j
 *
 * Upper and lower case count as the same letter.  A word may be wrong in a third of its
 * letters, in one at least; failing that, it may be the beginning of a name. */
#include "base/text/spelling.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/text/quote.h"

/* Longer names are never compared letter by letter: nobody types them. */
enum { longest = 128 };

/* Scores beyond any number of edits: names that begin with the word, shorter ones first. */
enum { begins = 1000 };

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Only three rows of d are kept: i-2, i-1 and i. */
static size_t count_edits(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][longest + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++) above[j] = j;
    for (size_t i = 1; i <= n; i++) {
        const char letter = lower(a[i - 1]);
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const char other = lower(b[j - 1]);
            row[j] = owi_smaller(above[j], row[j - 1]) + 1;
            row[j] = owi_smaller(row[j], above[j - 1] + (letter != other));
            if (i > 1 && j > 1 && letter == lower(b[j - 2]) && lower(a[i - 2]) == other)
                row[j] = owi_smaller(row[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[m];
}

static bool begins_with(const char *name, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (lower(name[i]) != lower(word[i])) return false;
    return true;
}

/* The lower the likelier; SIZE_MAX: too far off. */
static size_t score(const char *word, size_t length, const char *name)
{
    const size_t name_length = strlen(name);
    if (length == 0 || length > longest || name_length > longest) return SIZE_MAX;
    const size_t slips = length < 3 ? 1 : length / 3;
    const size_t edits = count_edits(word, length, name, name_length);
    if (edits <= slips) return edits;
    if (name_length > length && begins_with(name, word, length))
        return begins + name_length;
    return SIZE_MAX;
}

void owi_spelling_begin(owi_spelling *spelling, const char *word)
{
    *spelling =
        (owi_spelling){.word = word, .length = strlen(word), .best_score = SIZE_MAX};
}

void owi_spelling_offer(owi_spelling *spelling, const char *name, size_t index)
{
    const size_t this_score = score(spelling->word, spelling->length, name);
    if (this_score >= spelling->best_score) return;
    spelling->best = name;
    spelling->best_index = index;
    spelling->best_score = this_score;
}

void owi_spelling_hint(const owi_spelling *spelling, char hint[owi_hint_size])
{
    char quoted[owi_quote_size];
    hint[0] = '\0';
    if (spelling->best != NULL)
        snprintf(hint, owi_hint_size, "; did you mean %s?",
                 owi_quote_text(spelling->best, quoted));
}

ow_status owi_fail_unknown(ow_status status, const char *file, const char *what,
                           const char *word, size_t n,
                           const char *(*name_of)(const void *user, size_t i),
                           const void *user)
{
    owi_spelling spelling;
    char hint[owi_hint_size], quoted[owi_quote_size];
    owi_spelling_begin(&spelling, word);
    for (size_t i = 0; i < n; i++) owi_spelling_offer(&spelling, name_of(user, i), i);
    owi_spelling_hint(&spelling, hint);
    return owi_fail(status, "%s%sthere is no %s %s%s", file != NULL ? file : "",
                    file != NULL ? ": " : "", what, owi_quote_text(word, quoted), hint);
}

size_t ow_name_nearest(const char *word, const char *const *names, size_t n)
{
    owi_spelling spelling;
    owi_spelling_begin(&spelling, word);
    for (size_t i = 0; i < n; i++) owi_spelling_offer(&spelling, names[i], i);
    return spelling.best != NULL ? spelling.best_index : n;
}
