/* SPDX-License-Identifier: MIT */
/* Columns that nobody can change, by their names and levels: what a person is, and what has
 * happened, in English, German and a few words of other languages.  lock_lists.h has the
 * words, lock_forms.h how they are shortened and written together.
 * tests/unit/data/lock_key.txt says which columns of real tables should be found, and
 * doc/trials.md which are missed. */
#ifndef OWI_LOCK_WORDS_H
#define OWI_LOCK_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a word of the name, or two that follow each other, is in the exact list:
 * applicant_age, MaritalStatus, "residence since". */
bool owi_is_locked_name(const char *name);
/* Whether the levels are those of sex, race, religion, marital status or age: male, female;
 * 18-24, 25-34. */
bool owi_are_locked_levels(size_t n, const char *const *levels);
/* Whether a word of the name makes one doubt whether people can change it: years, children,
 * late. */
bool owi_is_doubtful_name(const char *name);

#endif
