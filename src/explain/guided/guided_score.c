/* SPDX-License-Identifier: MIT */
#include "explain/guided/guided_score.h"

#include <math.h>

/* What is reached only by this much is not reached: classifiers see soft rows, whose sums
 * are rounded in another order. */
static const double least_slack = 1e-4;

/* A class that wins by more nats than this is no nearer to losing in another model.  Up to
 * there a nat of margin is worth more than one of density, and twice as much to somebody
 * who asks for a probability. */
static const double sure_margin = 2.0, margin_worth = 1.5;

/* Nats by which a value may be less probable than others without being odd. */
static const double tolerance = 2.0;

double owi_potential(const owi_aims *aims, double log_t, double margin)
{
    double potential = 0.0;
    if (!(margin >= least_slack)) potential += margin - least_slack;
    if (!(log_t >= aims->threshold + least_slack) && aims->threshold > -INFINITY)
        potential += log_t - aims->threshold - least_slack;
    return isnan(potential) ? -INFINITY : potential;
}

bool owi_is_of_class(const owi_score *score)
{
    return score->margin >= least_slack;
}

double owi_price(const owi_aims *aims, const owi_score *score)
{
    const double lacks_density = fmax(0.0, aims->typical - score->log_t);
    const double lacks_margin = fmax(0.0, sure_margin - score->margin);
    return aims->change_price * (double)score->l0 + aims->nearness * score->l1 +
           aims->reserve * (lacks_density + aims->margin_worth * lacks_margin);
}

/* A value that is far less probable than another, given the rest of the row (a wife who
 * never married), costs more than its share of the density: single columns that contradict
 * each other hide in a row that is otherwise typical. */
double owi_coherence(const owi_aims *aims, double from_log_t, double to_log_t)
{
    const double gain = to_log_t - from_log_t;
    return aims->reserve * copysign(fmax(0.0, fabs(gain) - tolerance), gain);
}

double owi_margin_worth(bool asks_probability)
{
    return asks_probability ? 2.0 * margin_worth : margin_worth;
}
