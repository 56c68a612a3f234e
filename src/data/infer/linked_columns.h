/* SPDX-License-Identifier: MIT */
/* Columns that determine each other: in every row where both have a value, equal values of
 * the one go with equal values of the other, and the other way round (education and
 * education-num). Rows are looked at once, in memory that does not grow with them. */
#ifndef OWI_LINKED_COLUMNS_H
#define OWI_LINKED_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "otherwise/context.h"

typedef struct owi_links owi_links;

/* Instead of a value's number: the row has none; or the column's values are not numbered
 * any more, from here on, and it is linked with nothing. */
enum { owi_id_missing = -1, owi_id_lost = -2 };

ow_status owi_links_new(ow_context *ctx, size_t n_columns, owi_links **out);
void owi_links_free(owi_links *links);

/* The next row: one number for each column, that of its value in the order in which the
 * column's values first appeared (0, 1, 2, ...). */
ow_status owi_links_add_row(owi_links *links, const int32_t *ids);

/* For rows that others have looked at.  Whether adding one would change nothing but counts:
 * of all rows, and of those where both columns of a pair have a value, which n_rows gets
 * (owi_links_n_pairs entries). */
size_t owi_links_n_pairs(const owi_links *links);
bool owi_links_agree(const owi_links *links, const int32_t *ids, uint64_t *n_rows);
/* Adds such rows. */
void owi_links_add_counts(owi_links *links, size_t n_all, const uint64_t *n_rows);

/* What a column's own values say about chance: in how many of its rows it has one, and the
 * logarithm of the number of ways to arrange them over those rows, log(n! / (n_1! n_2!
 * ...)), n_v being how often value v occurs. */
typedef struct {
    size_t n_present;
    double log_arrangements;
} owi_link_evidence;

/* log(n!) */
double owi_log_factorial(size_t n);

/* link[j] becomes the number of the link that column j is part of, 1, 2, ... in the order
 * of columns, or 0.  Only where that cannot well be chance: four rows a value on average,
 * and an unrelated column with the same counts would agree less than once in a million. */
void owi_links_finish(owi_links *links, const owi_link_evidence *evidence, size_t *link);

/* Of two columns of one link: the number of the value of column b that goes with a value of
 * column a; owi_id_missing: no row has shown it. */
int32_t owi_links_partner(const owi_links *links, size_t a, size_t b, int32_t id);

#endif
