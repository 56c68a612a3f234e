/* SPDX-License-Identifier: MIT */
/* What a state of guided's search lacks, in nats; which of two answers is the lesser; and
 * what an answer costs to those who prefer a typical one. */
#ifndef OWI_GUIDED_SCORE_H
#define OWI_GUIDED_SCORE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    double log_t;  /* log S(x' given t)                                           */
    double margin; /* owi_margin: above 0 where x' is of the class that is wanted */
    double l1;     /* scaled change from the query                                */
    size_t l0;     /* units that differ                                           */
} owi_score;

/* What is asked of a query's answer. */
typedef struct {
    double threshold;    /* log_t must reach it; -infinity: no matter             */
    double least_margin; /* nats that the margin must reach beyond 0              */
    /* For typical answers: log_t had better reach `typical`, and a nat of margin is worth
     * margin_worth nats of density. */
    double typical, margin_worth;
    /* For robust answers: of those with as many changes one that lacks less of these is
     * the lesser.  -infinity: no matter. */
    double sure_density, sure_margin;
    double change_price, nearness, reserve; /* the settings of that name          */
    bool by_cost; /* of two answers the nearer is the lesser, whatever their changes */
} owi_aims;

/* A margin below this is none: classifiers see soft rows, whose sums are rounded in another
 * order.  A density that is below the threshold by less than owi_tie reaches it: where all
 * columns are categories, thresholds are the densities of rows. */
extern const double owi_least_slack, owi_tie;

/* min(0, margin) + min(0, log_t - threshold): 0 where all that was asked is reached, else
 * how many nats are missing, as a negative number; -infinity where something is no number.
 * */
double owi_potential(const owi_aims *aims, double log_t, double margin);
/* min(margin, log_t - threshold): by how much a state that passes does. */
double owi_surplus(const owi_aims *aims, double log_t, double margin);
/* Whether the class is reached. */
bool owi_is_of_class(const owi_aims *aims, const owi_score *score);
/* Fewer changes; or as many and lacking less of what a robust answer has; or that alike and
 * nearer by more than rounding.  by_cost: nearer, or as near and of fewer changes. */
bool owi_is_lesser(const owi_aims *aims, const owi_score *a, const owi_score *b);
/* The aims of finding nearer values: whatever reaches them is as sure as the score, as far
 * as that matters. */
owi_aims owi_as_sure(const owi_aims *aims, const owi_score *score);

/* What an answer costs: its changes, their distance, and what it lacks of being typical and
 * sure. */
double owi_price(const owi_aims *aims, const owi_score *score);
/* margin_worth, for queries that ask for a probability and for others. */
double owi_margin_worth(bool asks_probability);

#endif
