/* SPDX-License-Identifier: MIT */
/* What a page of answers says first: how many rows have a way, by how many changes, and
 * which columns answers change. */
#ifndef CLI_ANSWER_OVERVIEW_H
#define CLI_ANSWER_OVERVIEW_H

#include "otherwise/page.h"

enum { overview_sizes = 4 }; /* 1, 2, 3, and more changes */

typedef struct {
    const ow_schema *schema;
    size_t n_rows, n_already, n_found, n_changes;
    size_t by_changes[overview_sizes];
    size_t *by_column; /* answers that change it */
    int32_t target;    /* of all rows; OW_NO_CLASS: of some another one, or no rows */
} answer_overview;

void answer_overview_begin(answer_overview *overview, const ow_schema *schema);
void answer_overview_add(answer_overview *overview, const double *query,
                         const ow_outcome *outcome);
/* Puts it at the top of the page, and frees. */
void answer_overview_end(answer_overview *overview, ow_page *page);

#endif
