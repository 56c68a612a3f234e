/* SPDX-License-Identifier: MIT */
/* A letter to the applicant behind a row: decision, principal reasons, and what would have
 * changed it. */
#ifndef CLI_LETTER_WRITE_H
#define CLI_LETTER_WRITE_H

#include <stdbool.h>

#include "letters/letter_wording.h"
#include "otherwise/explain.h"
#include "serve/reasons_json.h"

typedef struct {
    const letter_wording *words;
    const char *template; /* NULL: our own */
    const char *date;
    bool html;
    size_t most; /* reasons */
} letter_style;

/* The letter, to be freed; NULL, after a complaint, for a template with a place that there
 * is not. */
char *letter_write(const letter_style *style, const reasons_about *about,
                   const ow_outcome *outcome);

/* The principal reasons: at most `most` groups that speak against the target, the largest
 * first; their number. */
size_t letter_reasons(const reasons_about *about, size_t most, size_t *groups);

#endif
