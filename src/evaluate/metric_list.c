/* SPDX-License-Identifier: MIT */
/* The one list of metrics.  The terminal's table, CSV, JSON and doc/metrics.md are made
 * from it. */
#include "evaluate/metric_list.h"
#include "base/error.h"
#include "base/text/spelling.h"

#include <string.h>

#define UP   OW_BETTER_MORE
#define DOWN OW_BETTER_LESS
/* needs_known_rows, is_time */
#define PLAIN false, false
#define KNOWN true, false
#define TIME  false, true

static const ow_metric metrics[OWI_N_METRICS] = {
    [OWI_VALIDITY_TARGET] =
        {"validity_target", "share of the queries with a valid answer: of the target class",
         UP, OW_BASE_QUERIES, 3, PLAIN},
    [OWI_VALIDITY_ANY] = {"validity_any",
                          "share with an answer of any other class than the query's", UP,
                          OW_BASE_QUERIES, 3, PLAIN},
    [OWI_VALIDITY_TARGET_RAW] = {"validity_target_raw",
                                 "validity_target of the answers before their repair", UP,
                                 OW_BASE_QUERIES, 3, PLAIN},
    [OWI_VALIDITY_ANY_RAW] = {"validity_any_raw",
                              "validity_any of the answers before their repair", UP,
                              OW_BASE_QUERIES, 3, PLAIN},
    [OWI_COVERAGE] = {"coverage", "share with any answer at all", UP, OW_BASE_QUERIES, 3,
                      PLAIN},
    [OWI_ACTIONABLE] = {"actionable", "share with a valid answer that breaks no constraint",
                        UP, OW_BASE_QUERIES, 3, PLAIN},
    [OWI_VIOLATIONS] = {"violations",
                        "constraints that an answer breaks, in original units", DOWN,
                        OW_BASE_ANSWERS, 2, PLAIN},
    [OWI_L0] = {"l0", "columns changed, linked ones counted once", DOWN, OW_BASE_VALID, 2,
                PLAIN},
    [OWI_L1] = {"l1", "sum of the changes in scaled space", DOWN, OW_BASE_VALID, 3, PLAIN},
    [OWI_L2] = {"l2", "root of the sum of their squares", DOWN, OW_BASE_VALID, 3, PLAIN},
    [OWI_LINF] = {"linf", "the largest of them", DOWN, OW_BASE_VALID, 3, PLAIN},
    [OWI_GOWER] = {"gower", "their mean over the columns", DOWN, OW_BASE_VALID, 3, PLAIN},
    [OWI_MAD_L1] = {"mad_l1",
                    "sum of the changes, numbers by their median absolute deviation", DOWN,
                    OW_BASE_VALID, 3, PLAIN},
    [OWI_LOG_DENSITY] = {"log_density", "log S(x') under the model", UP, OW_BASE_VALID, 2,
                         PLAIN},
    [OWI_LOG_DENSITY_TARGET] = {"log_density_target",
                                "log S(x' given the target class) under the model", UP,
                                OW_BASE_VALID, 2, PLAIN},
    [OWI_LOG_DENSITY_RAW] = {"log_density_raw",
                             "log S(x') before repair, which is what the paper's table has",
                             UP, OW_BASE_ANSWERS, 2, PLAIN},
    [OWI_DENSITY_PERCENTILE] =
        {"density_percentile",
         "percent of the training rows of the target class that are less dense", UP,
         OW_BASE_VALID, 1, PLAIN},
    [OWI_PLAUSIBLE_25] = {"plausible@25",
                          "share with a valid answer denser than a quarter of those rows",
                          UP, OW_BASE_QUERIES, 3, PLAIN},
    [OWI_PLAUSIBLE_50] = {"plausible@50",
                          "share with a valid answer denser than half of those rows", UP,
                          OW_BASE_QUERIES, 3, PLAIN},
    [OWI_DENSE] = {"dense",
                   "share with a valid answer of the density asked for, among rows alike "
                   "in what cannot change",
                   UP, OW_BASE_QUERIES, 3, PLAIN},
    [OWI_JUDGE_LOG_DENSITY] = {"judge_log_density",
                               "log S(x') under a second circuit, learned apart", UP,
                               OW_BASE_VALID, 2, KNOWN},
    [OWI_JUDGE_LOG_DENSITY_TARGET] =
        {"judge_density_target",
         "log S(x' given the target class) under the second circuit", UP, OW_BASE_VALID, 2,
         KNOWN},
    [OWI_JUDGE_PLAUSIBLE_25] = {"judge_plausible@25", "plausible@25 by the second circuit",
                                UP, OW_BASE_QUERIES, 3, KNOWN},
    [OWI_YNN] =
        {"ynn",
         "share of the 5 nearest training rows that are predicted as the target class", UP,
         OW_BASE_VALID, 3, KNOWN},
    [OWI_LOF] =
        {"lof",
         "local outlier factor among the training rows, 20 neighbours; 1 is ordinary", DOWN,
         OW_BASE_VALID, 3, KNOWN},
    [OWI_ODD_PAIRS] =
        {"odd_pairs",
         "share of the pairs of columns, one of them changed, whose ranks are farther from "
         "every training row than those of 99 in 100 rows; 0.01 is ordinary",
         DOWN, OW_BASE_VALID, 3, KNOWN},
    [OWI_ONEHOT_BALANCE] =
        {"onehot_balance",
         "absolute sum of a category's perturbation before repair, mean over categories",
         DOWN, OW_BASE_ANSWERS, 4, PLAIN},
    [OWI_COLLAPSE] = {"collapse",
                      "distance between answers to different queries over that between the "
                      "queries; 0: one "
                      "answer for all",
                      UP, OW_BASE_METHOD, 3, PLAIN},
    [OWI_REDUNDANCY] = {"redundancy",
                        "changes that alone could be taken back and the class stays", DOWN,
                        OW_BASE_VALID, 2, PLAIN},
    [OWI_DIVERSITY] = {"diversity", "mean gower distance between the answers to one query",
                       UP, OW_BASE_VALID, 3, PLAIN},
    [OWI_STABILITY] = {"stability",
                       "gower distance between the answers to the query and to the query "
                       "with a little noise",
                       DOWN, OW_BASE_VALID, 3, PLAIN},
    [OWI_GRADIENT_PASSES] = {"gradient_passes",
                             "passes up and down over all classes for an answer", DOWN,
                             OW_BASE_ANSWERS, 1, PLAIN},
    [OWI_FORWARD_PASSES] = {"forward_passes", "passes up only", DOWN, OW_BASE_ANSWERS, 1,
                            PLAIN},
    [OWI_TIME_MEAN] = {"time_mean", "milliseconds for an answer", DOWN, OW_BASE_ANSWERS, 3,
                       TIME},
    [OWI_TIME_MEDIAN] = {"time_median", "their median", DOWN, OW_BASE_METHOD, 3, TIME},
    [OWI_TIME_P95] = {"time_p95", "what 95 of 100 answers stay below", DOWN, OW_BASE_METHOD,
                      3, TIME},
    [OWI_BATCH_SECONDS] = {"batch_seconds",
                           "seconds for all queries together, preparation aside", DOWN,
                           OW_BASE_METHOD, 3, TIME},
    [OWI_PREPARATION_SECONDS] = {"preparation_seconds",
                                 "seconds before the first query: graphs and autoencoders",
                                 DOWN, OW_BASE_METHOD, 3, TIME},
};

const ow_metric *ow_metric_get(size_t index)
{
    return index < OWI_N_METRICS ? &metrics[index] : NULL;
}

static const char *metric_name(const void *user, size_t index)
{
    (void)user;
    return metrics[index].name;
}

ow_status ow_metric_find(const char *name, size_t *index)
{
    OWI_REQUIRE(name != NULL && index != NULL);
    for (*index = 0; *index < OWI_N_METRICS; ++*index)
        if (strcmp(metrics[*index].name, name) == 0) return OW_OK;
    *index = 0;
    return owi_fail_unknown(OW_ERR_ARGUMENT, NULL, "metric", name, OWI_N_METRICS,
                            metric_name, NULL);
}
