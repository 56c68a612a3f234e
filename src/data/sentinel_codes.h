/* SPDX-License-Identifier: MIT */
/* Numbers that are not amounts but codes, such as -9 or 99999 for "unknown". */
#ifndef OWI_SENTINEL_CODES_H
#define OWI_SENTINEL_CODES_H

#include <stddef.h>

#include "data/extremes.h"

enum { owi_max_codes = 3 }; /* at each end */

typedef struct {
    size_t n_codes;
    owi_number_count codes[2 * owi_max_codes]; /* ascending */
    double low, high;                          /* of all the other numbers */
} owi_sentinel_codes;

/* Looks for codes among the ends of a column with so many different numbers (any large
 * number will do where they are not counted). */
void owi_find_sentinel_codes(const owi_extremes *extremes, size_t n_different,
                             owi_sentinel_codes *found);

#endif
