/* SPDX-License-Identifier: MIT */
/* Whether a class is reached, and by how far.
 *
 * With o = log P(t)/(1 - P(t)), the log-odds of the target,
 *
 *     least_proba 0:      log P(t) - max_{c != t} log P(c)    t is the decision
 *     least_proba p > 0:  the smaller of that and o - log p/(1 - p)
 *     most_proba q < 1:   the smaller of that and log q/(1 - q) - o
 *
 * where, with cut-offs k, log P(c) - log k(c) stands for log P(c) in the first line
 * (model/cutoffs.h).  A class with the probability that was asked is valid only if it is
 * also the decision: with three classes 0.4 may be asked. */
#include <math.h>

#include "explain/core/explainer.h"
#include "model/model_private.h"

static double log_odds(double p)
{
    return log(p) - log1p(-p);
}

/* The log-odds of t from log-probabilities: log P(t) less the log of the others' sum, which
 * does not cancel near P(t) = 1. */
static double target_log_odds(size_t n_classes, const double *log_proba, size_t t)
{
    double top = -INFINITY, sum = 0.0;
    for (size_t c = 0; c < n_classes; c++)
        if (c != t) top = fmax(top, log_proba[c]);
    if (top == -INFINITY) return INFINITY;
    for (size_t c = 0; c < n_classes; c++)
        if (c != t) sum += exp(log_proba[c] - top);
    return log_proba[t] - (top + log(sum));
}

double owi_margin(const owi_problem *problem, const double *log_proba, int32_t target)
{
    const ow_explain_options *options = problem->options;
    const double *cutoff = problem->model->log_cutoffs;
    const size_t n_classes = problem->n_classes, t = (size_t)target;
    double best_other = -INFINITY;
    for (size_t c = 0; c < n_classes; c++)
        if (c != t)
            best_other =
                fmax(best_other, log_proba[c] - (cutoff != NULL ? cutoff[c] : 0.0));
    double margin = log_proba[t] - (cutoff != NULL ? cutoff[t] : 0.0) - best_other;
    if (isnan(margin)) margin = -INFINITY; /* all of them impossible */
    if (options->least_proba <= 0.0 && options->most_proba >= 1.0) return margin;

    const double odds = target_log_odds(n_classes, log_proba, t);
    if (options->least_proba > 0.0)
        margin = fmin(margin, odds - log_odds(options->least_proba));
    if (options->most_proba < 1.0)
        margin = fmin(margin, log_odds(options->most_proba) - odds);
    return margin;
}

bool owi_is_decided(const owi_problem *problem, const double *log_proba, int32_t target)
{
    const double *cutoff = problem->model->log_cutoffs;
    const size_t t = (size_t)target;
    for (size_t c = 0; c < problem->n_classes; c++) {
        const double handicap = cutoff != NULL ? cutoff[t] - cutoff[c] : 0.0;
        if (c != t && !(log_proba[t] > log_proba[c] + handicap)) return false;
    }
    return true;
}

bool owi_is_valid(const owi_problem *problem, const double *log_proba, int32_t target)
{
    const ow_explain_options *options = problem->options;
    const size_t t = (size_t)target;
    if (!owi_is_decided(problem, log_proba, target)) return false;
    if (options->least_proba <= 0.0 && options->most_proba >= 1.0) return true;
    const double p = exp(log_proba[t]);
    return p >= options->least_proba && p <= options->most_proba;
}
