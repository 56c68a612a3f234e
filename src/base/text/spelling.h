/* SPDX-License-Identifier: MIT */
/* Which name was meant by a misspelt word.  Mostly owi_fail_unknown is all that is needed;
 * otherwise offer the names one after the other:
 *
 *     owi_spelling spelling;
 *     owi_spelling_begin(&spelling, word);
 *     for (size_t i = 0; i < n; i++) owi_spelling_offer(&spelling, names[i], i);
 *     owi_spelling_hint(&spelling, hint); */
#ifndef OWI_SPELLING_H
#define OWI_SPELLING_H

#include <stddef.h>

#include "otherwise/status.h"

typedef struct {
    const char *word; /* borrowed */
    size_t length;
    const char *best; /* the likeliest name so far, borrowed; NULL: none is near */
    size_t best_index;
    size_t best_score; /* edits; names that only begin with the word come behind */
} owi_spelling;

void owi_spelling_begin(owi_spelling *spelling, const char *word);
void owi_spelling_offer(owi_spelling *spelling, const char *name, size_t index);

/* What to put behind the sentence: "; did you mean \"age\"?", or "" where nothing is
 * near. */
enum { owi_hint_size = 160 };
void owi_spelling_hint(const owi_spelling *spelling, char hint[owi_hint_size]);

/* Fails: "there is no WHAT "WORD"; did you mean ...?", the n names being name_of(user, i).
 * file goes before it; NULL: nothing does. */
ow_status owi_fail_unknown(ow_status status, const char *file, const char *what,
                           const char *word, size_t n,
                           const char *(*name_of)(const void *user, size_t i),
                           const void *user);

#endif
