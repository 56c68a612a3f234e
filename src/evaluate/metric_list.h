/* SPDX-License-Identifier: MIT */
/* The metrics by number: where a figure stands in a row of figures.  Names, directions and
 * words are in metric_list.c. */
#ifndef OWI_METRIC_LIST_H
#define OWI_METRIC_LIST_H

#include "otherwise/evaluate.h"

typedef enum {
    OWI_VALIDITY_TARGET,
    OWI_VALIDITY_ANY,
    OWI_VALIDITY_TARGET_RAW,
    OWI_VALIDITY_ANY_RAW,
    OWI_COVERAGE,
    OWI_ACTIONABLE,
    OWI_VIOLATIONS,
    OWI_L0,
    OWI_L1,
    OWI_L2,
    OWI_LINF,
    OWI_GOWER,
    OWI_MAD_L1,
    OWI_LOG_DENSITY,
    OWI_LOG_DENSITY_TARGET,
    OWI_LOG_DENSITY_RAW,
    OWI_DENSITY_PERCENTILE,
    OWI_PLAUSIBLE_25,
    OWI_PLAUSIBLE_50,
    OWI_DENSE,
    OWI_JUDGE_LOG_DENSITY,
    OWI_JUDGE_LOG_DENSITY_TARGET,
    OWI_JUDGE_PLAUSIBLE_25,
    OWI_YNN,
    OWI_LOF,
    OWI_ODD_PAIRS,
    OWI_ONEHOT_BALANCE,
    OWI_COLLAPSE,
    OWI_REDUNDANCY,
    OWI_DIVERSITY,
    OWI_STABILITY,
    OWI_GRADIENT_PASSES,
    OWI_FORWARD_PASSES,
    OWI_TIME_MEAN,
    OWI_TIME_MEDIAN,
    OWI_TIME_P95,
    OWI_BATCH_SECONDS,
    OWI_PREPARATION_SECONDS,
    OWI_N_METRICS
} owi_metric_index;

#endif
