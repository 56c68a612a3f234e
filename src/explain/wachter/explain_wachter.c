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
 * categories move in the simplex of their shares, and a hit is judged as it will be after
 * repair (both off in preset paper), but the loss never. */
#include <math.h>
#include <stddef.h>

#include "explain/core/explainer_list.h"
#include "explain/wachter/wachter_descent.h"

typedef owi_wachter_settings settings;

/* In the order of the enumerations. */
static const char *const losses[] = {"squared", "cross-entropy", NULL};
static const char *const hits[] = {"probability", "class", NULL};
static const char *const distances[] = {"mad", "plain", NULL};

static const owi_param params[] = {
    {{.name = "loss",
      .summary = "what draws to the class",
      .kind = OW_PARAM_CHOICE,
      .choices = losses,
      .initial = "cross-entropy",
      .reference = "squared"},
     offsetof(settings, loss)},
    {{.name = "hit",
      .summary = "when the class counts as reached",
      .kind = OW_PARAM_CHOICE,
      .choices = hits,
      .initial = "class",
      .reference = "probability"},
     offsetof(settings, hit)},
    {{.name = "tolerance",
      .summary = "hit=probability: how far from the probability that is wanted",
      .kind = OW_PARAM_NUMBER,
      .low = 0,
      .high = 1,
      .initial = "0.05"},
     offsetof(settings, tolerance)},
    {{.name = "distance",
      .summary = "of each entry: over its median deviation, or as it is",
      .kind = OW_PARAM_CHOICE,
      .choices = distances,
      .initial = "mad",
      .paper = "plain"},
     offsetof(settings, distance)},
    {{.name = "lambda",
      .summary = "weight of the distance; the first one of a search",
      .kind = OW_PARAM_NUMBER,
      .low = 0,
      .high = 1e6,
      .initial = "0.1"},
     offsetof(settings, lambda)},
    {{.name = "search",
      .summary = "look for the largest lambda that hits, and keep the nearest hit",
      .kind = OW_PARAM_FLAG,
      .initial = "yes",
      .paper = "no"},
     offsetof(settings, search)},
    {{.name = "settle",
      .summary = "search=no: steps that a row goes on for after its first hit",
      .kind = OW_PARAM_INTEGER,
      .low = 0,
      .high = 1e6,
      .initial = "10"},
     offsetof(settings, settle)},
    {{.name = "rounds",
      .summary = "of halving lambda's interval",
      .kind = OW_PARAM_INTEGER,
      .low = 0,
      .high = 100,
      .initial = "6",
      .reference = "10"},
     offsetof(settings, rounds)},
    {{.name = "patience",
      .summary = "hits or misses in a row that end a round of a search",
      .kind = OW_PARAM_INTEGER,
      .low = 1,
      .high = 1e6,
      .initial = "50"},
     offsetof(settings, patience)},
    {{.name = "steps",
      .summary = "of a round, at most; auto: 5000 for images, else 1000",
      .kind = OW_PARAM_INTEGER,
      .low = 1,
      .high = 1e6,
      .has_auto = true,
      .initial = "200",
      .paper = "auto",
      .reference = "1000"},
     offsetof(settings, steps)},
    {{.name = "rate",
      .summary = "learning rate of Adam; auto: 0.5 for images, else 0.05",
      .kind = OW_PARAM_NUMBER,
      .low = 1e-9,
      .high = 1e3,
      .has_auto = true,
      .initial = "0.1",
      .paper = "auto"},
     offsetof(settings, rate)},
    {{.name = "decay",
      .summary = "the rate falls to 0 over the steps of a round",
      .kind = OW_PARAM_FLAG,
      .initial = "yes",
      .paper = "no"},
     offsetof(settings, decay)},
    {{.name = "whole-groups",
      .summary = "categories stay in their simplex, and rows count as repaired",
      .kind = OW_PARAM_FLAG,
      .initial = "yes",
      .paper = "no"},
     offsetof(settings, whole_groups)},
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
    .explain_block = explain_block,
};
