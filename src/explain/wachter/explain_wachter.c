/* SPDX-License-Identifier: MIT */
/* wachter: S. Wachter, B. Mittelstadt, C. Russell, "Counterfactual explanations without
 * opening the black box", Harvard Journal of Law & Technology 31 (2018).  With f_t = P(t
 * given x'), p the probability wanted (1), m_j the MAD of entry j:
 *
 *     min  (f_t - p)^2  +  lambda sum_j |x'_j - x_j| / m_j            squared
 *          -log f_t     +  ...                                        cross-entropy
 *
 * by Adam from x.  One round is a descent with one lambda.  With a search for the largest
 * lambda that does (lambda_search.h), a round ends after so many hits, or misses, in a row;
 * without, so many steps after its first hit.  The answer is the hit of least distance over
 * all rounds.
 *
 * Departures: rows are searched each by itself, so that no answer depends on the others;
 * where MAD is 0 (levels, most pixels) the training range stands for it, or 1;
 * cross-entropy is the default, as the square has no slope where f_t is all but 0;
 * categories move in the simplex of their shares, and a hit must also be one after
 * repair (both off in preset paper), but the loss never. */
#include <math.h>
#include <stddef.h>

#include "explain/core/explainer_list.h"
#include "explain/wachter/wachter_descent.h"

typedef owi_wachter_settings settings;

static const char *const losses[] = {
    [OWI_WACHTER_SQUARED] = "squared", [OWI_WACHTER_CROSS_ENTROPY] = "cross-entropy", NULL};
static const char *const hits[] = {
    [OWI_WACHTER_HIT_PROBABILITY] = "probability", [OWI_WACHTER_HIT_CLASS] = "class", NULL};
static const char *const distances[] = {
    [OWI_WACHTER_MAD] = "mad", [OWI_WACHTER_PLAIN] = "plain", NULL};

static const owi_param params[] = {
    OWI_CHOICE(settings, loss, "loss", losses, "cross-entropy",
               .summary = "what draws to the class", .reference = "squared"),
    OWI_CHOICE(settings, hit, "hit", hits, "class",
               .summary = "when the class counts as reached", .reference = "probability"),
    OWI_NUMBER(settings, tolerance, "tolerance", 0, 1, "0.05",
               .summary = "hit=probability: how far from the probability that is wanted"),
    OWI_CHOICE(settings, distance, "distance", distances, "mad",
               .summary = "of each entry: over its median deviation, or as it is",
               .paper = "plain"),
    OWI_NUMBER(settings, lambda, "lambda", 0, 1e6, "0.1",
               .summary = "weight of the distance; the first one of a search"),
    OWI_FLAG(settings, search, "search", "yes",
             .summary = "look for the largest lambda that hits, and keep the nearest hit",
             .paper = "no"),
    OWI_INTEGER(settings, settle, "settle", 0, 1e6, "10",
                .summary = "search=no: steps that a row goes on for after its first hit"),
    OWI_INTEGER(settings, rounds, "rounds", 0, 100, "6",
                .summary = "of halving lambda's interval", .reference = "10"),
    OWI_INTEGER(settings, patience, "patience", 1, 1e6, "50",
                .summary = "hits or misses in a row that end a round of a search"),
    OWI_INTEGER(settings, steps, "steps", 1, 1e6, "200",
                .summary = "of a round, at most; auto: 5000 for images, else 1000",
                .has_auto = true, .paper = "auto", .reference = "1000"),
    OWI_NUMBER(settings, rate, "rate", 1e-9, 1e3, "0.1",
               .summary = "learning rate of Adam; auto: 0.5 for images, else 0.05",
               .has_auto = true, .paper = "auto"),
    OWI_FLAG(settings, decay, "decay", "yes",
             .summary = "the rate falls to 0 over the steps of a round", .paper = "no"),
    OWI_FLAG(settings, whole_groups, "whole-groups", "yes",
             .summary = "categories stay in their simplex, and rows count as repaired",
             .paper = "no"),
};

static ow_status explain_block(const owi_problem *problem, const void *chosen, void *state,
                               const owi_queries *queries, owi_answer *answers)
{
    (void)state;
    const bool image = ow_schema_layout(problem->schema).kind == OW_LAYOUT_IMAGE;
    settings set = *(const settings *)chosen;
    if (set.steps <= 0) set.steps = image ? 5000 : 1000;
    if (isnan(set.rate)) set.rate = image ? 0.5 : 0.05;
    return owi_wachter_descend(problem, &set, queries, answers);
}

const owi_explainer_impl owi_explainer_wachter = {
    .shown =
        {
            .name = "wachter",
            .summary = "descent on the distance from the class and from the query",
            .needs_gradient = true,
            .takes_long = true,
            .n_params = sizeof params / sizeof *params,
        },
    .settings_size = sizeof(settings),
    .params = params,
    .repairs = true,
    .explain_block = explain_block,
};
