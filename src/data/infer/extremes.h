/* SPDX-License-Identifier: MIT */
/* The smallest and the largest different numbers of a stream, with exact counts.  A number
 * that falls out of a list never comes back to it, and one that enters it has not been
 * there before: so the counts miss nothing. */
#ifndef OWI_EXTREMES_H
#define OWI_EXTREMES_H

#include <stddef.h>

enum { owi_n_extremes = 8 };

typedef struct {
    double number;
    size_t count;
} owi_number_count;

/* All zero: nothing seen yet. */
typedef struct {
    size_t n_low, n_high;
    owi_number_count low[owi_n_extremes];  /* ascending from the smallest  */
    owi_number_count high[owi_n_extremes]; /* descending from the largest  */
} owi_extremes;

/* A number that occurs so many times more; NaN is not one. */
void owi_extremes_add(owi_extremes *extremes, double number, size_t times);

/* a becomes those of the numbers of both. */
void owi_extremes_join(owi_extremes *a, const owi_extremes *b);

#endif
