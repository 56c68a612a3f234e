/* SPDX-License-Identifier: MIT */
/* Conditions between columns: `education up => age up`.  doc/expressions.md specifies the
 * language. */
#ifndef OWI_CONDITION_H
#define OWI_CONDITION_H

#include "otherwise/schema.h"

typedef enum {
    OWI_TERM_UP,
    OWI_TERM_DOWN,
    OWI_TERM_NOT_UP,
    OWI_TERM_NOT_DOWN,
    OWI_TERM_CHANGED,
    OWI_TERM_SAME,
    OWI_TERM_EQUAL,
    OWI_TERM_NOT_EQUAL,
    OWI_TERM_BELOW,
    OWI_TERM_AT_MOST,
    OWI_TERM_ABOVE,
    OWI_TERM_AT_LEAST
} owi_term_kind;

typedef struct {
    owi_term_kind kind;
    size_t column;
    double value; /* of comparisons */
} owi_term;

/* If all terms before n_if hold, all others must.  One block of memory. */
enum { owi_most_terms = 16 };
typedef struct {
    size_t n_terms, n_if;
    owi_term terms[owi_most_terms];
} owi_condition;

/* Fails with OW_ERR_ARGUMENT and a sentence that has the text and the part that is wrong.
 * Freed with owi_free. */
ow_status owi_condition_parse(ow_context *ctx, const ow_schema *schema, const char *text,
                              owi_condition **out);

/* Whether an answer to the query keeps it.  It does where none of its columns has
 * changed, so that the query itself always keeps it. */
bool owi_condition_holds(const owi_condition *condition, const double *query,
                         const double *values);

#endif
