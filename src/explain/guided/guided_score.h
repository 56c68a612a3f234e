/* SPDX-License-Identifier: MIT */
/* What a state of guided's search is worth to a query, in nats: how much is missing, and
 * what it costs. */
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

/* What is asked of a query's answer, and what its parts are worth. */
typedef struct {
    double threshold;    /* log_t must reach it; -infinity: no matter             */
    double typical;      /* and had better reach this                             */
    double margin_worth; /* of a nat of margin, in nats of density                */
    double change_price, nearness, reserve; /* the settings of that name          */
} owi_aims;

/* min(0, margin) + min(0, log_t - threshold): 0 where all that was asked is reached, else
 * how many nats are missing, as a negative number; -infinity where something is no number.
 * */
double owi_potential(const owi_aims *aims, double log_t, double margin);
/* Whether the class is reached. */
bool owi_is_of_class(const owi_score *score);
/* What an answer costs: its changes, their distance, and what it lacks of being typical and
 * sure. */
double owi_price(const owi_aims *aims, const owi_score *score);
/* What a change of one column wins, or with a minus sign loses, beyond its price, by what
 * the density becomes. */
double owi_coherence(const owi_aims *aims, double from_log_t, double to_log_t);
/* margin_worth, for queries that ask for a probability and for others. */
double owi_margin_worth(bool asks_probability);

#endif
