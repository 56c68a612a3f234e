/* SPDX-License-Identifier: MIT */
/* Columns that name rows or are free text: nothing can be learned from them, and no answer
 * should change them. */
#ifndef OWI_IDENTIFIERS_H
#define OWI_IDENTIFIERS_H

#include "data/infer/column_stats.h"

typedef enum {
    OWI_NO_IDENTIFIER,
    OWI_IDENTIFIER, /* every row has another value, or nearly so */
    OWI_FREE_TEXT   /* sentences                                 */
} owi_identifier;

/* What a column of a table is, once all rows have been seen and its format is settled. */
owi_identifier owi_find_identifier(const owi_column_stats *stats);

/* How well an identifier names rows: 0 if two rows have the same, 2 if it is also called a
 * key (customer_id), which a telephone number is not. */
int owi_rank_identifier(const owi_column_stats *stats);

#endif
