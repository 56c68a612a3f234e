/* SPDX-License-Identifier: MIT */
/* The words that a column's name is made of. */
#ifndef OWI_NAME_WORDS_H
#define OWI_NAME_WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum { owi_longest_name = 128, owi_most_name_words = 16 };

/* A name cut into words, in lower case: at everything but letters and digits, and before
 * capitals that follow small letters. */
typedef struct {
    char text[2 * owi_longest_name];
    const char *words[owi_most_name_words];
    size_t n;
} owi_name_words;

void owi_cut_name(const char *name, owi_name_words *w);
/* Takes away the digits at the end of each word, which number it: age65, born60, race2. */
void owi_cut_digits(owi_name_words *w);

/* Whether a word is in a list of words that single blanks divide. */
bool owi_is_word_in(const char *word, const char *list);
/* Whether the first n letters of a word are, for n > 0. */
bool owi_is_part_in(const char *word, size_t n, const char *list);

#endif
