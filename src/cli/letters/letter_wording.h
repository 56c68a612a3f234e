/* SPDX-License-Identifier: MIT */
/* The words of letters, by language, and the templates that hold them. */
#ifndef CLI_LETTER_WORDING_H
#define CLI_LETTER_WORDING_H

#include <stddef.h>

typedef enum { LETTER_ENGLISH, LETTER_GERMAN } letter_language;
extern const char *const letter_language_names[]; /* "en", "de"; NULL at the end */

typedef struct {
    const char *code;                  /* for the lang attribute */
    const char *subject;               /* "Your application" */
    const char *row;                   /* "Row" */
    const char *decision;              /* "Decision" */
    const char *reasons;               /* heading of the reasons */
    const char *advice;                /* heading of the advice */
    const char *instead_of;            /* "32 instead of 48" */
    const char *missing;               /* a value that is not known */
    const char *no_reason, *no_advice; /* sentences */
    const char *remark;                /* below the advice */
} letter_wording;

const letter_wording *letter_wording_get(letter_language language);

/* A letter's own template, with the places {{subject}}, {{date}}, {{name}}, {{decision}},
 * {{reasons}} and {{advice}} and, for headings and sentences, the wording's field names. */
extern const char letter_html[], letter_plain[];

/* One place of a template and what goes there. */
typedef struct {
    const char *name, *text;
} letter_place;

/* The template with its places filled, to be freed; or NULL, and *unknown is the name, to
 * be freed, of a place that is none of these. */
char *letter_fill(const char *template, const letter_place *places, size_t n,
                  char **unknown);

/* The text with what means something in HTML made harmless, to be freed. */
char *letter_escape(const char *text);

#endif
