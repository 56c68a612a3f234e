/* SPDX-License-Identifier: MIT */
/* Whether an array has no NaN, by its bits: comparisons of floats may trap, and compilers
 * then look at one at a time. */
#ifndef OWI_COMPLETE_H
#define OWI_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool owi_is_complete(const float *x, size_t n)
{
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        bits &= 0x7fffffffu;
        most |= bits > 0x7f800000u;
    }
    return most == 0;
}

/* The same of doubles. */
static inline bool owi_is_complete_double(const double *x, size_t n)
{
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        bits &= 0x7fffffffffffffffu;
        /* The difference is negative for NaN alone. */
        most |= 0x7ff0000000000000u - bits;
    }
    return most >> 63 == 0;
}

#endif
