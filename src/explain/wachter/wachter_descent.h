/* SPDX-License-Identifier: MIT */
/* wachter's descent, on a block of queries (explain_wachter.c has the objective and what
 * the settings mean). */
#ifndef OWI_WACHTER_DESCENT_H
#define OWI_WACHTER_DESCENT_H

#include "explain/core/explainer.h"

enum { OWI_WACHTER_SQUARED, OWI_WACHTER_CROSS_ENTROPY };
enum { OWI_WACHTER_HIT_PROBABILITY, OWI_WACHTER_HIT_CLASS };
enum { OWI_WACHTER_MAD, OWI_WACHTER_PLAIN };

typedef struct {
    int loss, hit, distance;
    double tolerance, lambda;
    bool search;
    int64_t settle, rounds, patience, steps;
    double rate;
    bool decay, whole_groups;
} owi_wachter_settings;

/* steps and rate are numbers here, not auto. */
ow_status owi_wachter_descend(const owi_problem *problem, const owi_wachter_settings *set,
                              const owi_queries *queries, owi_answer *answers);

#endif
