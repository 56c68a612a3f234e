/* SPDX-License-Identifier: MIT */
/* Do almost equal queries get almost equal answers?  The method answers once more, for
 * queries with a little noise, and its answers are compared with those it gave before. */
#ifndef OWI_STABILITY_H
#define OWI_STABILITY_H

#include "evaluate/answers.h"

typedef struct {
    ow_explainer *explainer; /* the one that gave the answers                     */
    const ow_constraints *constraints;
    const ow_explain_options *options;
    double time_limit; /* seconds; 0: none                                       */
    double noise;      /* standard deviation, in parts of a number's training range */
    uint64_t seed;
} owi_stability;

/* A query with noise: numbers move, on their grid and within the training range (or the
 * query's own value); categories, linked columns and gaps stay.  The row's number names its
 * random stream. */
void owi_add_noise(const ow_model *model, double noise, uint64_t seed, uint64_t row,
                   const double *query, double *noisy);

ow_status owi_stability_figures(const owi_answers *answers, const owi_stability *how,
                                double *figures);

#endif
