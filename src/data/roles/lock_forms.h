/* SPDX-License-Identifier: MIT */
/* Words as authors of tables shorten them and write them together. */
#ifndef OWI_LOCK_FORMS_H
#define OWI_LOCK_FORMS_H

#include <stdbool.h>

/* Whether a word is a longer one of lock_lists.h without some of its vowels and second
 * letters (blck, gndr, mrtl), or its first five letters or more (ethni, marri). */
bool owi_is_short_form(const char *word);
/* Whether a word is a head of lock_lists.h with something known written to it: momrace,
 * expersq, marrblck. */
bool owi_is_written_together(const char *word);
/* Whether a word is a pair of lock_lists.h that is written together: yearsatcompany. */
bool owi_begins_with_pair(const char *word);
/* Whether a word begins or ends with one of a list, and something known is left. */
bool owi_is_time_of(const char *word, const char *times, const char *events);

#endif
