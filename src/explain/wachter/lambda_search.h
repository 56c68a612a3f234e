/* SPDX-License-Identifier: MIT */
/* wachter's search for the largest weight lambda of the distance under which the class is
 * still reached. */
#ifndef OWI_LAMBDA_SEARCH_H
#define OWI_LAMBDA_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    double lambda;
    double hitting,
        missing; /* largest that hit, smallest that did not; 0 and infinity: none yet */
    int64_t n_rounds, n_halvings;
} owi_lambda_search;

void owi_lambda_begin(owi_lambda_search *search, double first);

/* A round with lambda has hit, or not: the next lambda.  Divided by 10 until one hits, or
 * multiplied while they do, 8 rounds at most; then the middle between the two, n_halvings
 * times.  False: the search is over. */
bool owi_lambda_next(owi_lambda_search *search, bool hit, int64_t n_halvings);

#endif
