/* SPDX-License-Identifier: MIT */
/* Answers as sections of a page: a summary in words, cards, a map.  Rows come one by one
 * and need not outlive the call. */
#ifndef CLI_ANSWER_PAGE_H
#define CLI_ANSWER_PAGE_H

#include "otherwise/page.h"

typedef struct answer_page answer_page;

/* Begins the section of cards. */
answer_page *answer_page_new(ow_page *page, const ow_model *model, const char *backend);
/* What the map shows: two columns, or principal axes (n_columns 1), or what changes most
 * (0).  Lent. */
void answer_page_set_map(answer_page *answers, size_t n_columns, char *const *columns);
/* There is no map. */
void answer_page_skip_map(answer_page *answers);
/* Rows that need no answer are counted, all others get a card.  name may be NULL. */
void answer_page_add(answer_page *answers, uint64_t number, const char *name,
                     const double *query, const ow_outcome *outcome);
/* Ends the cards, adds the map, and frees. */
void answer_page_end(answer_page *answers);

#endif
