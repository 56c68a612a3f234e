/* SPDX-License-Identifier: MIT */
/* Words of names that tell what nobody can change; blanks divide the words of a list. */
#ifndef OWI_LOCK_LISTS_H
#define OWI_LOCK_LISTS_H

#include <stddef.h>

/* What a person is; what has happened; codes of surveys. */
extern const char owi_person_words[];
extern const char owi_past_words[];
extern const char owi_survey_codes[];
/* Names of one word that tell nothing beside others: white, single, mar. */
extern const char owi_lone_words[];
/* Words of which short forms are looked for: vowels left out; the first letters only. */
extern const char owi_long_words[];
extern const char owi_clipped_words[];

/* Words that begin or end with a stem; that begin with one; that end with one. */
extern const char owi_stems[];
extern const char owi_beginnings[];
extern const char owi_endings[];
/* Of words that are something else: priority, Halter. */
extern const char owi_other_beginnings[];
extern const char owi_other_endings[];

/* Two words that follow each other, or are written together. */
extern const char *const owi_locked_pairs[][2];
extern const size_t owi_n_locked_pairs;
extern const char *const owi_short_forms[][2];
extern const size_t owi_n_short_forms;

/* Names that are written together (lock_forms.h): heads, and what stands around them. */
extern const char owi_heads[];
extern const char owi_before_heads[];
extern const char owi_behind_heads[];
extern const char owi_long_heads[];
extern const char owi_before_long_heads[];

/* A count of these is one of past events. */
extern const char owi_count_words[];
extern const char owi_event_words[];
/* The year or the date of these; the last or the first of these. */
extern const char owi_beginning_words[];
extern const char owi_contact_words[];
/* Years of these: years smoked, marriage years. */
extern const char owi_lasting_words[];
/* Figures of groups: the share of black people somewhere is nobody's race. */
extern const char owi_share_words[];
extern const char owi_group_words[];

extern const char owi_doubtful_words[];

#endif
