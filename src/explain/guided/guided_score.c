/* SPDX-License-Identifier: MIT */
#include "explain/guided/guided_score.h"

#include <math.h>

const double owi_least_slack = 1e-4, owi_tie = 1e-5;

/* Sums of the same changes in another order. */
static const double same_distance = 1e-9;

/* A class that wins by more nats than this is no nearer to losing in another model.  Up to
 * there a nat of margin is worth more than one of density, and twice as much to somebody
 * who asks for a probability. */
static const double sure_margin = 2.0, margin_worth = 1.5;

double owi_potential(const owi_aims *aims, double log_t, double margin)
{
    double potential = 0.0;
    const double beyond = margin - aims->least_margin;
    if (!(beyond >= owi_least_slack)) potential += beyond - owi_least_slack;
    if (!(log_t >= aims->threshold - owi_tie) && aims->threshold > -INFINITY)
        potential += log_t - aims->threshold;
    return isnan(potential) ? -INFINITY : potential;
}

double owi_surplus(const owi_aims *aims, double log_t, double margin)
{
    return fmin(margin - aims->least_margin, log_t - aims->threshold);
}

bool owi_is_of_class(const owi_aims *aims, const owi_score *score)
{
    return score->margin - aims->least_margin >= owi_least_slack;
}

/* What a robust answer lacks, in steps of a twentieth of a nat: less is no reason to go
 * farther. */
static double lack(const owi_aims *aims, const owi_score *score)
{
    static const double step = 0.05;
    double nats = 0.0;
    if (score->margin < aims->sure_margin) nats += aims->sure_margin - score->margin;
    if (score->log_t < aims->sure_density) nats += aims->sure_density - score->log_t;
    return ceil(nats / step);
}

bool owi_is_lesser(const owi_aims *aims, const owi_score *a, const owi_score *b)
{
    if (aims->by_cost && fabs(a->l1 - b->l1) > same_distance) return a->l1 < b->l1;
    if (a->l0 != b->l0) return a->l0 < b->l0;
    const double lack_a = lack(aims, a), lack_b = lack(aims, b);
    if (lack_a != lack_b) return lack_a < lack_b;
    return a->l1 < b->l1 - same_distance;
}

owi_aims owi_as_sure(const owi_aims *aims, const owi_score *score)
{
    static const double slack = 0.01; /* more than rounding */
    owi_aims as_sure = *aims;
    as_sure.threshold =
        fmax(aims->threshold, fmin(aims->sure_density, score->log_t) - slack);
    as_sure.least_margin =
        fmax(aims->least_margin, fmin(aims->sure_margin, score->margin) - slack);
    return as_sure;
}

double owi_price(const owi_aims *aims, const owi_score *score)
{
    const double lacks_density = fmax(0.0, aims->typical - score->log_t);
    const double lacks_margin = fmax(0.0, sure_margin - score->margin);
    return aims->change_price * (double)score->l0 + aims->nearness * score->l1 +
           aims->reserve * (lacks_density + aims->margin_worth * lacks_margin);
}

double owi_margin_worth(bool asks_probability)
{
    return asks_probability ? 2.0 * margin_worth : margin_worth;
}
