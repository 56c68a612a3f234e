/* SPDX-License-Identifier: MIT */
/* Size arithmetic that notices when it overflows.  Everything computed from a number that
 * came out of a file goes through these.  And the smaller and the larger of two. */
#ifndef OWI_SIZES_H
#define OWI_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t owi_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t owi_larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* *product = a * b; false if that does not fit, and *product is untouched. */
static inline bool owi_size_multiply(size_t a, size_t b, size_t *product)
{
    if (a != 0 && b > SIZE_MAX / a) return false;
    *product = a * b;
    return true;
}

/* *sum = a + b; false if that does not fit, and *sum is untouched. */
static inline bool owi_size_add(size_t a, size_t b, size_t *sum)
{
    if (b > SIZE_MAX - a) return false;
    *sum = a + b;
    return true;
}

#endif
