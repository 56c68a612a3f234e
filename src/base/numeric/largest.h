/* SPDX-License-Identifier: MIT */
/* The class that a row of scores decides for. */
#ifndef OWI_LARGEST_H
#define OWI_LARGEST_H

#include <stddef.h>
#include <stdint.h>

/* The number of the largest of n scores (probabilities, or their logarithms), but for one
 * of them (-1: of all); the first of equals; -1 where there is none. */
static inline int32_t owi_most_probable(size_t n, const double *scores, int32_t but)
{
    int32_t best = -1;
    for (size_t c = 0; c < n; c++)
        if ((int32_t)c != but && (best < 0 || scores[c] > scores[best])) best = (int32_t)c;
    return best;
}

/* The number of the largest of n > 0 outputs of a network; the first of equals. */
static inline size_t owi_largest_of_floats(size_t n, const float *outputs)
{
    size_t best = 0;
    for (size_t c = 1; c < n; c++)
        if (outputs[c] > outputs[best]) best = c;
    return best;
}

#endif
