/* SPDX-License-Identifier: MIT */
/* Numbers that are not amounts but codes, such as -9 or 99999 for "unknown". */
#ifndef OWI_SENTINEL_CODES_H
#define OWI_SENTINEL_CODES_H

#include <stdbool.h>
#include <stddef.h>

#include "data/infer/extremes.h"

enum { owi_max_codes = 3 }; /* at each end */

typedef struct {
    size_t n_codes;
    owi_number_count codes[2 * owi_max_codes]; /* ascending */
    double low, high;                          /* of all the other numbers */
} owi_sentinel_codes;

/* Looks for codes among the ends of a column with so many different numbers (any large
 * number will do where they are not counted) in so many rows.  logarithm: they are as far
 * apart as log(1 + x) is, for a column without negative numbers. */
void owi_find_sentinel_codes(const owi_extremes *extremes, size_t n_different,
                             size_t n_rows, bool logarithm, owi_sentinel_codes *found);
/* The same of n ascending numbers. */
void owi_find_codes_among(const double *sorted, size_t n, bool logarithm,
                          owi_sentinel_codes *found);
static inline bool owi_is_code(const owi_sentinel_codes *found, double number)
{
    return found->n_codes > 0 && (number < found->low || number > found->high);
}

#endif
